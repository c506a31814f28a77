// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {FixedPointMathLib} from "solady/src/utils/FixedPointMathLib.sol";
import {TickMath} from "v4-core/libraries/TickMath.sol";
import {PoolKey} from "v4-core/types/PoolKey.sol";
import {ILaunchpad} from "../../src/interfaces/ILaunchpad.sol";
import {ILens} from "../../src/interfaces/ILens.sol";
import {PoolType, PoolTypes} from "../../src/libraries/PoolTypes.sol";
import {HostileTest} from "./HostileTest.sol";

/// @notice Nobody but the curve decides the price at which a pool opens.
contract OpeningTest is HostileTest {
    // ---------------------------------------------------------------- C1: prepared pools

    function testFuzz_C1_preparedPool_changesNothing(
        uint160 price,
        uint24 fee,
        int24 spacing,
        uint64 liquidity,
        bool usdIs0
    ) public {
        address token = _createCompleted(PoolTypes.MEME, usdIs0, attacker);
        ILens.TokenView memory clean = _graduatedView(token);

        // Room above the highest and below the lowest price: initialize refuses the edges.
        price = uint160(bound(price, TickMath.MIN_SQRT_PRICE + 1, TickMath.MAX_SQRT_PRICE - 1));
        fee = uint24(bound(fee, 0, 1_000_000));
        spacing = int24(bound(spacing, 1, type(int16).max));
        PoolKey memory foreign = _otherPool(token, fee, spacing, address(0));
        manager.initialize(foreign, price);
        _approveRouter(token, attacker);
        usd.mint(attacker, 1_000_000_000 * oneUsd);
        int24 edge = TickMath.MAX_TICK / spacing * spacing;
        vm.prank(attacker);
        // Only where the attacker can afford it at that price.
        try router.modifyLiquidity(foreign, -edge, edge, int256(uint256(liquidity) + 1)) {} catch {}

        _assertSame(clean, _graduatedView(token));
    }

    function testFuzz_C1_preparedPool_withOurHookIsRefused(uint160 price, uint24 fee, int24 spacing, bool usdIs0)
        public
    {
        address token = _createOld(PoolTypes.MEME, usdIs0);
        price = uint160(bound(price, TickMath.MIN_SQRT_PRICE + 1, TickMath.MAX_SQRT_PRICE - 1));
        fee = uint24(bound(fee, 0, 1_000_000));
        spacing = int24(bound(spacing, 1, type(int16).max));
        vm.startPrank(attacker);
        vm.expectRevert();
        manager.initialize(_otherPool(token, fee, spacing, address(launchpad)), price);
        vm.expectRevert();
        manager.initialize(_poolKey(token), price);
    }

    function test_C1_liquidity_onlyTheLaunchpadAdds() public {
        for (uint256 order; order < 2; order++) {
            address token = _createGraduated(PoolTypes.MEME, order == 0);
            _fundRouter(token);
            ILens.TokenView memory before = _view(token);
            vm.startPrank(attacker);
            vm.expectRevert();
            router.modifyLiquidity(_poolKey(token), -887_200, 887_200, 1e6);
            vm.expectRevert();
            router.modifyLiquidity(_poolKey(token), before.floor.tickLower, before.floor.tickUpper, 1e6);
            vm.stopPrank();
            _assertSame(before, _view(token));
        }
    }

    function test_C1_liquidity_nobodyRemoves() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        ILens.TokenView memory before = _view(token);
        vm.startPrank(attacker);
        vm.expectRevert();
        router.modifyLiquidity(_poolKey(token), -887_200, 887_200, -1);
        vm.expectRevert();
        router.modifyLiquidity(_poolKey(token), before.floor.tickLower, before.floor.tickUpper, -1);
        vm.stopPrank();
        _assertSame(before, _view(token));
    }

    /// @notice Nor the tokens that fitted no position, which the PoolManager holds beside its debts.
    function test_C1_dust_nobodyTakesIt() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        assertEq(IERC20(token).balanceOf(address(manager)), _poolType(token).poolTokens);
        bytes memory take = abi.encodeCall(manager.take, (_poolKey(token).currency1, attacker, 1));
        vm.prank(attacker);
        vm.expectRevert();
        router.callUnlocked(_poolKey(token), address(manager), take);
        assertEq(IERC20(token).balanceOf(attacker), 0);
    }

    // ---------------------------------------------------------------- C2: donations

    function testFuzz_C2_donations_dontMoveTheOpening(uint96 dollars, uint96 tokens, uint8 where, bool usdIs0) public {
        address token = _createCompleted(PoolTypes.MEME, usdIs0, attacker);
        ILens.TokenView memory clean = _graduatedView(token);

        address[4] memory places = [address(launchpad), address(launchpad), address(manager), token];
        address place = places[where % 4];
        usd.mint(place, dollars);
        vm.startPrank(attacker);
        // Between a sync and its settle money counts as a payment; the graduation starts a payment of its own.
        manager.sync(_poolKey(token).currency0);
        IERC20(token).transfer(place, bound(tokens, 0, IERC20(token).balanceOf(attacker)));
        vm.stopPrank();

        _assertSame(clean, _graduatedView(token));
    }

    // ---------------------------------------------------------------- C4: price jump

    function testFuzz_C4_opening_isTheLastPriceOfTheCurve(uint256 seed, uint8 typeId, bool usdIs0) public {
        uint8[3] memory types = [PoolTypes.MEME, PoolTypes.STARTUP_PRESEED, PoolTypes.TEST];
        address token = _create(types[typeId % 3], usdIs0);
        skip(5);
        PoolType memory poolType = _poolType(token);
        for (uint256 i; i < 4; i++) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint256 raise = poolType.virtualUsd;
            (, uint256 bought) = _buy(token, bob, bound(seed, raise / 1000, raise / 2));
            _sell(token, bob, bound(seed >> 128, bought / 100, bought));
        }
        _buyToEnd(token, attacker);

        ILaunchpad.TokenState memory state = launchpad.stateOf(token);
        uint256 last = _priceX96(poolType.virtualTokens - poolType.curveTokens, poolType.virtualUsd + state.usd);
        skip(1);
        launchpad.graduate(token);
        _assertWithinABasisPoint(_poolPriceX96(token), last);
    }

    function testFuzz_C4_opening_paysWhatTheCurvePaid(bool usdIs0) public {
        address token = _createCompleted(PoolTypes.MEME, usdIs0, attacker);
        skip(1);
        uint256 snapshot = vm.snapshotState();
        (, uint256 onCurve) = _sell(token, attacker, 10_000e18);
        vm.revertToState(snapshot);
        launchpad.graduate(token);
        (, uint256 onPool) = _sell(token, attacker, 10_000e18);
        _assertWithinABasisPoint(onPool, onCurve);
    }

    // ---------------------------------------------------------------- C17: order of the pair

    function testFuzz_C17_trades_areTheSameInBothOrders(uint256 amount, uint256 share) public {
        amount = bound(amount, oneUsd / 100, 10_000 * oneUsd);
        share = bound(share, 1, 100);
        uint256[4] memory first;
        for (uint256 order; order < 2; order++) {
            address token = _createGraduated(PoolTypes.MEME, order == 0);
            assertEq(_usdIs0(token), order == 0);
            uint256[4] memory now_;
            (now_[0], now_[1]) = _buy(token, alice, amount);
            (now_[2], now_[3]) = _sell(token, alice, now_[1] * share / 100);
            if (order == 0) first = now_;
            else for (uint256 i; i < 4; i++) {
                assertApproxEqRel(now_[i], first[i], 1e12, "one in a million");
            }
        }
    }

    function test_C17_opening_priceIsNotInverted() public {
        for (uint256 order; order < 2; order++) {
            address token = _createGraduated(PoolTypes.MEME, order == 0);
            // 100,000 dollars for 1,000,000,000 tokens.
            _assertWithinABasisPoint(_poolPriceX96(token), _priceX96(1_000_000_000e18, 100_000 * oneUsd));
        }
    }

    function test_C17_floor_isBelowThePriceInBothOrders() public {
        for (uint256 order; order < 2; order++) {
            address token = _create(PoolTypes.MEME, order == 0);
            _buy(token, alice, 1000 * oneUsd);
            skip(6);
            _buyToEnd(token, bob);
            ILens.TokenView memory pool = _view(token);
            assertGt(pool.floor.liquidity, 0);
            if (order == 0) assertGt(pool.floor.tickLower, pool.tick, "dollars only above the tick");
            else assertLe(pool.floor.tickUpper, pool.tick, "dollars only below the tick");
        }
    }

    // ---------------------------------------------------------------- internals

    /// @notice What the pool looks like when it opens now; then goes back to before.
    function _graduatedView(address token) private returns (ILens.TokenView memory graduated) {
        uint256 snapshot = vm.snapshotState();
        skip(1);
        launchpad.graduate(token);
        graduated = _view(token);
        vm.revertToState(snapshot);
    }

    function _assertSame(ILens.TokenView memory a, ILens.TokenView memory b) private pure {
        assertGt(a.sqrtPriceX96, 0, "open");
        assertEq(keccak256(abi.encode(a)), keccak256(abi.encode(b)), "same pool");
    }

    function _fundRouter(address token) private {
        _approveRouter(token, attacker);
        usd.mint(attacker, 1_000_000 * oneUsd);
        vm.prank(creator);
        IERC20(token).transfer(attacker, 1_000_000e18);
    }

    /// @return Dollars per token base unit, 96 bits of fraction.
    function _poolPriceX96(address token) private view returns (uint256) {
        uint256 root = _sqrtPrice(token);
        return _usdIs0(token)
            ? FixedPointMathLib.fullMulDiv(1 << 96, 1 << 192, root * root)
            : FixedPointMathLib.fullMulDiv(root, root, 1 << 96);
    }

    function _priceX96(uint256 tokens, uint256 dollars) private pure returns (uint256) {
        return FixedPointMathLib.fullMulDiv(dollars, 1 << 96, tokens);
    }

    function _assertWithinABasisPoint(uint256 a, uint256 b) private pure {
        assertApproxEqRel(a, b, 1e14);
    }
}
