// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IPoolManager} from "v4-core/interfaces/IPoolManager.sol";
import {PoolKey} from "v4-core/types/PoolKey.sol";
import {ILaunchpad} from "../../src/interfaces/ILaunchpad.sol";
import {PoolTypes} from "../../src/libraries/PoolTypes.sol";
import {PoolRange} from "../../src/libraries/PoolRange.sol";
import {CallingDollar} from "./actors/CallingDollar.sol";
import {HostileTest} from "./HostileTest.sol";

/// @notice The matrix of hostile preparations: the last buy never fails for a reason outside it, and `graduate` repeats
/// safely.
contract GraduationTest is HostileTest {
    // ---------------------------------------------------------------- every external call fails once

    function test_C5_failing_unlock() public {
        _failOnce(address(manager), abi.encodeWithSelector(IPoolManager.unlock.selector));
    }

    function test_C5_failing_initialize() public {
        _failOnce(address(manager), abi.encodeWithSelector(IPoolManager.initialize.selector));
    }

    function test_C5_failing_modifyLiquidity() public {
        _failOnce(address(manager), abi.encodeWithSelector(IPoolManager.modifyLiquidity.selector));
    }

    function test_C5_failing_sync() public {
        _failOnce(address(manager), abi.encodeWithSelector(IPoolManager.sync.selector));
    }

    function test_C5_failing_settle() public {
        _failOnce(address(manager), abi.encodeWithSelector(IPoolManager.settle.selector));
    }

    function test_C5_failing_dollarsToTheManager() public {
        _failOnce(address(usd), abi.encodeWithSelector(IERC20.transfer.selector, address(manager)));
    }

    function test_C5_failing_tokensToTheManager() public {
        address token = launchpad.tokenAddress(creator, bytes32(uint256(1)));
        _failOnce(token, abi.encodeWithSelector(IERC20.transfer.selector, address(manager)));
    }

    function test_C5_failing_clear() public {
        _failOnce(address(manager), abi.encodeWithSelector(IPoolManager.clear.selector));
    }

    /// @dev The first token of a test has salt 1, whatever its order.
    function _failOnce(address callee, bytes memory call) private {
        address token = _createOld(PoolTypes.MEME, address(usd) < launchpad.tokenAddress(creator, bytes32(uint256(1))));
        vm.mockCallRevert(callee, call, "down");
        _buyToEnd(token, alice);
        _assertWaiting(token);
        vm.expectRevert();
        launchpad.graduate(token);

        _sell(token, alice, 1_000_000e18);
        _buyToEnd(token, bob);
        _assertWaiting(token);
        _assertBooksClose(token);

        vm.clearMockedCalls();
        vm.prank(attacker);
        launchpad.graduate(token);
        _assertGraduated(token);
    }

    // ---------------------------------------------------------------- preparations

    function testFuzz_C5_dustTrades_aroundTheEnd(uint256 left, uint256 dust, bool usdIs0) public {
        address token = _createOld(PoolTypes.MEME, usdIs0);
        left = bound(left, 1, 1e21);
        _buyOut(token, attacker, _poolType(token).curveTokens - left);
        dust = bound(dust, 1, 1e21);
        ILaunchpad.Order memory order = _order(token, dust, attacker);
        // Too small to be worth a unit of a dollar: refused, and nothing has changed.
        bytes4 error = _errorOf(order, attacker, ILaunchpad.sellExactIn.selector);
        assertTrue(error == 0 || error == ILaunchpad.ZeroAmount.selector);

        _buyToEnd(token, bob);
        _assertGraduated(token);
    }

    /// @notice With gas for the buy but not for the graduation the buy stands; no amount of gas undoes it half.
    function testFuzz_C5_tooLittleGas(uint256 gas, bool usdIs0) public {
        address token = _createOld(PoolTypes.MEME, usdIs0);
        _fund(alice, 1_000_000 * oneUsd);
        ILaunchpad.Order memory order = _order(token, 1_000_000 * oneUsd, alice);
        vm.prank(alice);
        launchpad.buyExactIn{gas: bound(gas, 250_000, 2_000_000)}(order);
        assertEq(launchpad.stateOf(token).tokensLeft, 0, "the buy stands");
        if (!launchpad.stateOf(token).graduated) launchpad.graduate(token);
        _assertGraduated(token);
    }

    function test_C5_twice() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        uint256 held = usd.balanceOf(address(launchpad));
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.AlreadyGraduated.selector, token));
        launchpad.graduate(token);
        assertEq(usd.balanceOf(address(launchpad)), held);
    }

    function test_C5_byManyInOneBlock() public {
        address token = _createOld(PoolTypes.MEME, false);
        uint256 graduations;
        for (uint256 i = 1; i <= 20; i++) {
            address trader = address(uint160(0xB0B0 + i));
            bool before = launchpad.stateOf(token).graduated;
            _buy(token, trader, 3000 * oneUsd);
            if (!before && launchpad.stateOf(token).graduated) graduations++;
            assertGt(IERC20(token).balanceOf(trader), 0);
        }
        assertEq(graduations, 1);
        _assertGraduated(token);
    }

    function test_C5_insideAForeignLock() public {
        address token = _createOld(PoolTypes.MEME, true);
        usd.mint(address(router), 1_000_000 * oneUsd);
        vm.prank(address(router));
        usd.approve(address(launchpad), type(uint256).max);
        ILaunchpad.Order memory order = _order(token, 1_000_000 * oneUsd, attacker);
        router.callUnlocked(_poolKey(token), address(launchpad), abi.encodeCall(ILaunchpad.buyExactIn, (order)));
        _assertWaiting(token);
        launchpad.graduate(token);
        _assertGraduated(token);
    }

    function test_C5_reentered_graduationWithinGraduation() public {
        CallingDollar dollar = new CallingDollar();
        usd = dollar;
        launchpad = _deployLaunchpad(address(usd), address(manager), GRADUATION_GAS * 2);
        address token = _createOld(PoolTypes.MEME, true);
        _fund(alice, 1_000_000 * oneUsd);
        dollar.arm(address(launchpad), abi.encodeCall(ILaunchpad.graduate, (token)));
        vm.prank(alice);
        launchpad.buyExactIn(_order(token, 1_000_000 * oneUsd, alice));
        assertGt(dollar.calls(), 1, "in the buy's transfer and in the graduation's");
        assertEq(dollar.successes(), 0);
        assertTrue(launchpad.stateOf(token).graduated);
        _assertBooksClose(token);
    }

    function test_C5_insideTheWindow_waitsForItsEnd() public {
        address token = _createCompleted(PoolTypes.MEME, true, alice);
        uint256 opensAt = block.timestamp + 1;
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.WindowOpen.selector, opensAt, block.timestamp));
        launchpad.graduate(token);
        skip(1);
        launchpad.graduate(token);
        _assertGraduated(token);
    }

    function test_C5_sellReopensTheCurve() public {
        address token = _createCompleted(PoolTypes.MEME, true, alice);
        _sell(token, alice, 1e18);
        skip(1);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.NotCompleted.selector, token, 1e18));
        launchpad.graduate(token);
        _buyToEnd(token, bob);
        _assertGraduated(token);
    }

    function testFuzz_C5_floor_ofAnySize(uint256 dollars, bool usdIs0) public {
        address token = _create(PoolTypes.MEME, usdIs0);
        _growFloor(token, bound(dollars, 1, 1_000_000 * oneUsd));
        skip(6);
        _buyToEnd(token, alice);
        _assertGraduated(token);
    }

    function _growFloor(address token, uint256 wanted) private {
        while (launchpad.stateOf(token).floorUsd < wanted) {
            (, uint256 tokens) = _buy(token, bob, 100_000 * oneUsd);
            _sell(token, bob, tokens);
        }
    }

    // ---------------------------------------------------------------- H20: a curve left sold out

    /// @notice To the wei what a graduation and then the buy give; in both orders, for both kinds of buys, any floor.
    function testFuzz_H20_lockedFinish_theNextBuyOpensThePool(uint256 amount, bool usdIs0, bool exactIn) public {
        address token = _create(PoolTypes.MEME, usdIs0);
        _buy(token, alice, 100 * oneUsd); // for the floor
        skip(6);
        _finishInsideALock(token);
        ILaunchpad.Order memory order =
            _order(token, exactIn ? bound(amount, oneUsd, 1e6 * oneUsd) : bound(amount, 1e18, 1e26), bob);
        if (!exactIn) order.limit = type(uint256).max;
        (order.builder, order.builderBps) = (builder, amount % 500);
        bytes4 trade = exactIn ? ILaunchpad.buyExactIn.selector : ILaunchpad.buyExactOut.selector;
        _fund(bob, 1e12 * oneUsd);

        uint256 snapshot = vm.snapshotState();
        launchpad.graduate(token);
        assertEq(_errorOf(order, bob, trade), bytes4(0));
        bytes32 expected = _stateHash(token);
        vm.revertToState(snapshot);
        assertEq(_errorOf(order, bob, trade), bytes4(0));
        assertEq(_stateHash(token), expected);
        _assertBooksClose(token);
    }

    function _stateHash(address token) private view returns (bytes32) {
        return keccak256(
            abi.encode(
                launchpad.stateOf(token),
                _view(token),
                usd.balanceOf(bob),
                IERC20(token).balanceOf(bob),
                _creditsOfAll(),
                _credit(builder)
            )
        );
    }

    /// @notice Whoever sells a little in front of a graduation or of a buy delays nothing: the next buy takes it, and graduates.
    /// Also where what it leaves costs a few base units, most of them rounding. Fewer tokens sell for nothing.
    function testFuzz_H20_smallSellInFront_doesNotBlock(uint256 sold, uint256 digits, bool usdIs0) public {
        address token = _createOld(PoolTypes.MEME, usdIs0);
        _finishInsideALock(token);
        vm.prank(attacker);
        (sold,) = launchpad.sellExactIn(_order(token, bound(sold, 3e16, 10 ** bound(digits, 17, 24)), attacker));
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.NotCompleted.selector, token, sold));
        launchpad.graduate(token);

        ILaunchpad.Order memory order = _order(token, 100 * oneUsd, bob);
        // One basis point from the price of the last token, fee included.
        order.limit = 100 * oneUsd * 375_000_000e18 / (37_500 * oneUsd) * 99 / 100 * 9_999 / 10_000;
        (uint256 paid, uint256 tokens) = _buy(order, bob);
        uint256 roundingUsd = 2;
        assertGe(tokens * order.amount, order.limit * (paid - roundingUsd), "the limit, for what was paid");
        if (!launchpad.stateOf(token).graduated) {
            // More was sold back than was wanted.
            assertEq(paid, order.amount);
            _buyToEnd(token, bob);
        }
        _assertGraduated(token);
    }

    function test_H20_buy_saysWhyItCannot() public {
        address token = _createCompleted(PoolTypes.MEME, true, alice);
        bytes memory pending = abi.encodeWithSelector(ILaunchpad.GraduationPending.selector, token);
        ILaunchpad.Order memory order = _order(token, oneUsd, address(router));
        usd.mint(address(router), oneUsd);
        bytes memory call = abi.encodeCall(ILaunchpad.buyExactIn, (order));
        vm.prank(address(router));
        vm.expectRevert(pending);
        launchpad.buyExactIn(order); // in the opening window
        skip(1);
        vm.expectRevert(pending);
        router.callUnlocked(_poolKey(token), address(launchpad), call); // inside a lock of their own
        vm.prank(address(router));
        vm.expectRevert(pending);
        launchpad.buyExactIn{gas: 350_000}(order); // with too little gas
        _assertWaiting(token);
        _sell(token, alice, 1e24); // sells stay open
        _assertBooksClose(token);
    }

    /// @dev The attacker has all tokens of the curve then.
    function _finishInsideALock(address token) private {
        usd.mint(address(router), 1_000_000 * oneUsd);
        vm.prank(address(router));
        usd.approve(address(launchpad), type(uint256).max);
        ILaunchpad.Order memory order = _order(token, 1_000_000 * oneUsd, attacker);
        router.callUnlocked(_poolKey(token), address(launchpad), abi.encodeCall(ILaunchpad.buyExactIn, (order)));
        _assertWaiting(token);
    }

    // ---------------------------------------------------------------- internals

    function _assertWaiting(address token) private view {
        ILaunchpad.TokenState memory state = launchpad.stateOf(token);
        assertEq(state.tokensLeft, 0);
        assertFalse(state.graduated);
        assertGt(state.usd, 0);
    }

    /// @notice In its pool, with the whole raise, and nothing missing.
    function _assertGraduated(address token) private view {
        ILaunchpad.TokenState memory state = launchpad.stateOf(token);
        assertTrue(state.graduated);
        assertEq(state.usd + state.floorUsd, 0);
        assertGt(_view(token).fullRange.liquidity, 0);
        assertEq(IERC20(token).balanceOf(address(launchpad)), 0, "no token left behind");
        _assertBooksClose(token);
    }
}
