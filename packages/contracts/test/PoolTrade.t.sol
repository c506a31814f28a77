// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Vm} from "forge-std/Vm.sol";
import {TickMath} from "v4-core/libraries/TickMath.sol";
import {BalanceDelta} from "v4-core/types/BalanceDelta.sol";
import {PoolKey} from "v4-core/types/PoolKey.sol";
import {ModifyLiquidityParams, SwapParams} from "v4-core/types/PoolOperation.sol";
import {LaunchToken} from "../src/LaunchToken.sol";
import {Launchpad} from "../src/Launchpad.sol";
import {LaunchpadV4} from "../src/LaunchpadV4.sol";
import {ILaunchpad} from "../src/interfaces/ILaunchpad.sol";
import {ILens} from "../src/interfaces/ILens.sol";
import {Fees} from "../src/libraries/Fees.sol";
import {PoolTypes} from "../src/libraries/PoolTypes.sol";
import {PoolHook} from "../src/venues/PoolHook.sol";
import {LaunchpadTest} from "./LaunchpadTest.sol";

/// @dev Uniswap's test router, used as deployed bytecode.
interface ISwapRouter {
    struct TestSettings {
        bool takeClaims;
        bool settleUsingBurn;
    }

    function swap(PoolKey memory key, SwapParams memory params, TestSettings memory settings, bytes memory hookData)
        external
        payable
        returns (BalanceDelta);
}

/// @notice Trades of graduated tokens: through the Launchpad, and by a foreign router under the hook.
contract PoolTradeTest is LaunchpadTest {
    ISwapRouter internal router;

    function setUp() public override {
        super.setUp();
        router = _router();
    }

    // ---------------------------------------------------------------- through the Launchpad

    function testFuzz_launchpad_fourKinds(uint256 amount, uint256 builderBps, bool usdIs0, uint8 decimals) public {
        _deploySystem([6, 8, 18][decimals % 3]);
        address token = _createGraduated(PoolTypes.MEME, usdIs0);
        uint256 held = usd.balanceOf(address(launchpad));
        ILaunchpad.Order memory order = _order(token, bound(amount, oneUsd, 10_000 * oneUsd), alice);
        (order.builder, order.builderBps) = (builder, bound(builderBps, 0, 5000));
        uint256 fees;

        (uint256 paid, uint256 tokens) = _buy(order, alice);
        assertEq(paid, order.amount);
        assertEq(LaunchToken(token).balanceOf(alice), tokens);
        fees += Fees.feeOfGrossUp(paid, 100 + order.builderBps);
        assertEq(usd.balanceOf(address(launchpad)), held + fees, "exactly the fees stay");

        uint256 before = usd.balanceOf(alice);
        order.amount = tokens / 3;
        vm.prank(alice);
        (, uint256 received) = launchpad.sellExactIn(order);
        assertEq(usd.balanceOf(alice) - before, received);

        (order.amount, order.limit) = (received / 2, type(uint256).max);
        vm.prank(alice);
        (uint256 sold, uint256 exact) = launchpad.sellExactOut(order);
        assertEq(exact, received / 2);
        assertEq(LaunchToken(token).balanceOf(alice), tokens - tokens / 3 - sold);

        order.amount = 1e18;
        vm.prank(alice);
        (, uint256 bought) = launchpad.buyExactOut(order);
        assertEq(bought, 1e18);
        uint256 owed = _credit(creator) + _credit(builder) + _credit(treasury) + _owedFor(token);
        assertEq(usd.balanceOf(address(launchpad)), owed, "books close");
        assertEq(LaunchToken(token).balanceOf(address(launchpad)), 0);
    }

    function test_launchpad_recordSaysTheStateAfter() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        vm.recordLogs();
        _buy(token, alice, 1000 * oneUsd);
        (ILaunchpad.TradeRecord memory record, address trader) = _record(token);
        ILens.TokenView memory tokenView = _view(token);
        assertEq(trader, alice);
        assertEq(uint8(record.venue), uint8(ILaunchpad.TradeVenue.Pool));
        assertEq(record.grossUsd, 1000 * oneUsd);
        assertEq(record.stateA, tokenView.sqrtPriceX96);
        assertEq(record.stateB, tokenView.tick);
        assertEq(tokenView.fullRange.liquidity, tokenView.liquidity);
    }

    function test_launchpad_error_partialFill() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        _fund(alice, oneUsd);
        ILaunchpad.Order memory order = _order(token, 250_000_000e18, alice);
        order.limit = type(uint256).max;
        vm.prank(alice);
        vm.expectPartialRevert(ILaunchpad.PartialFill.selector);
        launchpad.buyExactOut(order);
        order.amount = 26_000 * oneUsd;
        vm.prank(alice);
        vm.expectPartialRevert(ILaunchpad.PartialFill.selector);
        launchpad.sellExactOut(order);
    }

    function test_launchpad_error_zero() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        vm.startPrank(alice);
        ILaunchpad.Order memory order = _order(token, 0, alice);
        vm.expectRevert(ILaunchpad.ZeroAmount.selector);
        launchpad.buyExactIn(order);
        vm.expectRevert(ILaunchpad.ZeroAmount.selector);
        launchpad.sellExactOut(order);
        order.amount = 1;
        vm.expectRevert(ILaunchpad.ZeroAmount.selector);
        launchpad.buyExactIn(order); // the fee is all of it
        vm.stopPrank();
        vm.prank(creator);
        vm.expectRevert(ILaunchpad.ZeroAmount.selector);
        launchpad.sellExactIn(order); // one base unit of a token is worth nothing
    }

    function test_unlockCallback_error_anyoneElse() public {
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.Unauthorized.selector, address(this)));
        launchpad.unlockCallback("");
    }

    // ---------------------------------------------------------------- by a foreign router

    function test_router_buyExactIn_usdIs0() public {
        _routerBuysExactIn(true);
    }

    function test_router_buyExactIn_tokenIs0() public {
        _routerBuysExactIn(false);
    }

    /// @dev Before a swap, to compare with after it.
    struct Before {
        uint256 usd;
        uint256 tokens;
        uint256 earned;
        uint256 share;
    }

    function testFuzz_router_fourKinds(uint256 amount, bool isBuy, bool exactIn, bool usdIs0) public {
        address token = _createGraduated(PoolTypes.MEME, usdIs0);
        bool exactUsd = isBuy == exactIn;
        amount = exactUsd ? bound(amount, 1000, 5000 * oneUsd) : bound(amount, 1e18, 10_000_000e18);
        address trader = isBuy ? alice : creator;
        _approveRouter(token, trader);
        Before memory was = _before(token, trader);
        vm.recordLogs();
        _swap(token, trader, isBuy, exactIn, amount);

        (ILaunchpad.TradeRecord memory record, address shown) = _record(token);
        assertEq(shown, trader, "the origin of the transaction");
        assertEq(record.recipient, address(router));
        _assertForeign(token, trader, record, was);
        if (!exactUsd) return;
        uint256 now_ = usd.balanceOf(trader);
        assertEq(isBuy ? was.usd - now_ : now_ - was.usd, amount, "the exact side is exact");
    }

    function _before(address token, address trader) private view returns (Before memory) {
        return Before(
            usd.balanceOf(trader),
            LaunchToken(token).balanceOf(trader),
            _credit(creator),
            launchpad.stateOf(token).treasuryShare
        );
    }

    function _assertForeign(
        address token,
        address trader,
        ILaunchpad.TradeRecord memory record,
        Before memory was
    ) private view {
        uint256 fee = Fees.feeOfGrossUp(record.grossUsd, 100);
        uint256 forCreator = record.grossUsd * 50 / 10_000;
        Before memory is_ = _before(token, trader);
        if (record.tokens > 0) {
            assertEq(was.usd - is_.usd, record.grossUsd, "pays the gross amount");
            assertEq(is_.tokens - was.tokens, uint256(record.tokens));
        } else {
            assertEq(is_.usd - was.usd, record.grossUsd - fee, "receives what the fee leaves");
            assertEq(was.tokens - is_.tokens, uint256(-record.tokens));
        }
        assertEq(is_.earned - was.earned, forCreator);
        assertEq(is_.share - was.share, fee - forCreator);
        uint256 owed = _credit(creator) + _credit(treasury) + _owedFor(token);
        assertEq(usd.balanceOf(address(launchpad)), owed, "books close");
    }

    /// @dev Where USD is the exact side its fee was taken on all of it: a partial fill reverts. Where tokens are, the
    /// fee follows what was swapped.
    function test_router_partialFill() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        _approveRouter(token, alice);
        _approveRouter(token, creator);
        PoolKey memory key = _poolKey(token);
        uint160 near = _view(token).sqrtPriceX96 * 999 / 1000;
        vm.prank(alice, alice);
        vm.expectRevert(); // wrapped by the PoolManager
        router.swap(key, SwapParams(true, -int256(5000 * oneUsd), near), ISwapRouter.TestSettings(false, false), "");

        vm.prank(alice, alice);
        router.swap(key, SwapParams(true, 100_000_000e18, near), ISwapRouter.TestSettings(false, false), "");
        assertEq(_view(token).sqrtPriceX96, near);
        uint256 owed = _credit(creator) + _credit(treasury) + _owedFor(token);
        assertEq(usd.balanceOf(address(launchpad)), owed, "books close");
    }

    function test_router_partialFill_saysSo() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        PoolKey memory key = _poolKey(token);
        vm.prank(address(manager));
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.PartialFill.selector, 990, 989));
        launchpad.afterSwap(bob, key, SwapParams(true, -1000, 0), _delta(-989, 5), "");
    }

    /// @dev The fee leaves the PoolManager before the router pays: it must hold that much USD of whomever.
    function test_router_error_feeAboveTheManagersDollars() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        _approveRouter(token, alice);
        usd.mint(alice, 100_000_000 * oneUsd);
        uint256 held = usd.balanceOf(address(manager));
        vm.prank(alice, alice);
        vm.expectRevert();
        _swapRaw(token, true, -int256(held * 100 + 100));
        _swap(token, alice, true, true, held * 100);
    }

    // ---------------------------------------------------------------- the hook's gates

    function test_hook_error_gates() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        PoolKey memory key = _poolKey(token);
        key.tickSpacing = 60;
        vm.expectRevert();
        manager.initialize(key, 1 << 96);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.Unauthorized.selector, bob));
        launchpad.beforeInitialize(bob, key, 1 << 96);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.Unauthorized.selector, address(this)));
        launchpad.beforeSwap(address(this), key, SwapParams(true, 1, 0), "");
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.Unauthorized.selector, address(this)));
        launchpad.afterSwap(address(this), key, SwapParams(true, 1, 0), _delta(1, 1), "");
        vm.prank(address(manager));
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.Unauthorized.selector, bob));
        launchpad.beforeAddLiquidity(bob, key, ModifyLiquidityParams(0, 60, 1, 0), "");
    }

    function test_hook_error_wrongAddress() public {
        Launchpad.Config memory config = _config(address(usd), launchpad.factory(), GRADUATION_GAS);
        vm.expectPartialRevert(PoolHook.WrongHookAddress.selector);
        this.deployWith(config);
    }

    /// @dev An expected revert of `new` itself ends a test that is linked dynamically.
    function deployWith(Launchpad.Config memory config) external {
        new LaunchpadV4(config, address(manager));
    }

    // ---------------------------------------------------------------- internals

    function _routerBuysExactIn(bool usdIs0) private {
        address token = _createGraduated(PoolTypes.MEME, usdIs0);
        _approveRouter(token, alice);
        usd.mint(alice, 1000 * oneUsd);
        uint256 before = usd.balanceOf(alice);
        uint256 expected = vm.snapshotState();
        (, uint256 viaLaunchpad) = _buy(token, bob, 1000 * oneUsd);
        vm.revertToState(expected);
        _swap(token, alice, true, true, 1000 * oneUsd);
        assertEq(before - usd.balanceOf(alice), 1000 * oneUsd);
        assertEq(LaunchToken(token).balanceOf(alice), viaLaunchpad, "both ways pay the same fee");
    }

    function _swap(address token, address trader, bool isBuy, bool exactIn, uint256 amount) private {
        vm.prank(trader, trader);
        _swapRaw(token, isBuy, exactIn ? -int256(amount) : int256(amount));
    }

    function _swapRaw(address token, bool isBuy, int256 specified) private {
        bool zeroForOne = isBuy == (address(usd) < token);
        uint160 limit = zeroForOne ? TickMath.MIN_SQRT_PRICE + 1 : TickMath.MAX_SQRT_PRICE - 1;
        router.swap(
            _poolKey(token), SwapParams(zeroForOne, specified, limit), ISwapRouter.TestSettings(false, false), "ignored"
        );
    }

    function _approveRouter(address token, address trader) private {
        usd.mint(trader, 1_000_000 * oneUsd);
        vm.startPrank(trader);
        usd.approve(address(router), type(uint256).max);
        IERC20(token).approve(address(router), type(uint256).max);
        vm.stopPrank();
    }

    function _router() private returns (ISwapRouter) {
        return ISwapRouter(
            vm.deployCode(
                "../../node_modules/@uniswap/v4-core/out/PoolSwapTest.sol/PoolSwapTest.json", abi.encode(manager)
            )
        );
    }

    function _delta(int128 amount0, int128 amount1) private pure returns (BalanceDelta) {
        return BalanceDelta.wrap(int256(amount0) << 128 | int256(uint256(uint128(amount1))));
    }

    function _record(address token) private returns (ILaunchpad.TradeRecord memory record, address trader) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; i++) {
            if (logs[i].topics[0] != ILaunchpad.Trade.selector) continue;
            assertEq(address(uint160(uint256(logs[i].topics[1]))), token);
            return (abi.decode(logs[i].data, (ILaunchpad.TradeRecord)), address(uint160(uint256(logs[i].topics[2]))));
        }
        revert("no Trade");
    }
}
