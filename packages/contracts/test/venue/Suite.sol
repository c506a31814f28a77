// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ILaunchpad} from "../../src/interfaces/ILaunchpad.sol";
import {ILens} from "../../src/interfaces/ILens.sol";
import {Fees} from "../../src/libraries/Fees.sol";
import {PoolRange} from "../../src/libraries/PoolRange.sol";
import {PoolType, PoolTypes} from "../../src/libraries/PoolTypes.sol";
import {LaunchpadTest} from "../LaunchpadTest.sol";

/// @notice What every venue gives: the same tests for all of them. A token is created, traded, graduated at its last price,
/// traded on its pool in all four ways, and its earners are paid.
abstract contract VenueSuite is LaunchpadTest {
    uint8 private immutable _decimals;

    constructor(VenueKind kind, uint8 decimals) {
        (venueKind, _decimals) = (kind, decimals);
    }

    function setUp() public override {
        vm.warp(1_700_000_000);
        _deploySystem(_decimals);
    }

    function test_size_everyContract() public view {
        assertLt(address(launchpad).code.length, 24_000);
        assertLt(address(lens).code.length, 24_000);
    }

    function testFuzz_C4_graduation_opensAtTheLastPrice(bool usdIs0, uint256 early) public {
        address token = _create(PoolTypes.MEME, usdIs0);
        _buy(token, alice, bound(early, oneUsd, 5000 * oneUsd));
        skip(Fees.WINDOW_SECONDS);
        _buyToEnd(token, creator);
        PoolType memory poolType = _poolType(token);
        uint160 target = PoolRange.sqrtPriceX96(
            poolType.virtualTokens - poolType.curveTokens, poolType.virtualUsd + _raised(poolType), usdIs0
        );
        ILens.TokenView memory pool = _view(token);
        // A trade on the curve rounds up by a base unit of the dollar at most.
        assertApproxEqRel(pool.sqrtPriceX96, target, 1e10, "the opening price");
        assertGt(pool.fullRange.liquidity, 0, "full range");
        assertGt(pool.floor.liquidity, 0, "floor");
        assertEq(IERC20(token).balanceOf(address(launchpad)), 0, "no token is left here");
        assertEq(usd.balanceOf(address(launchpad)), _owed(token), "held is owed");
    }

    function testFuzz_C12_fourTrades_onThePool(uint256 amount, bool usdIs0, uint256 builderBps) public {
        address token = _createGraduated(PoolTypes.MEME, usdIs0);
        builderBps = bound(builderBps, 0, 1000);
        uint256 dollars = bound(amount, oneUsd, 20_000 * oneUsd);
        ILaunchpad.Order memory order = _order(token, dollars, alice);
        (order.builder, order.builderBps) = (builder, builderBps);
        uint256 earned = _credit(builder);

        (uint256 paid, uint256 tokens) = _buy(order, alice);
        assertEq(paid, dollars, "exact dollars in");
        assertEq(IERC20(token).balanceOf(alice), tokens, "tokens arrive");
        assertEq(_credit(builder) - earned, dollars * builderBps / Fees.BPS, "the builder's part");

        (order.amount, order.limit) = (tokens / 3, type(uint256).max);
        _fund(alice, 1_000_000 * oneUsd);
        vm.prank(alice);
        (, uint256 bought) = launchpad.buyExactOut(order);
        assertEq(bought, tokens / 3, "exact tokens out");

        (order.amount, order.limit) = (tokens / 2, 0);
        uint256 before = usd.balanceOf(alice);
        vm.prank(alice);
        (uint256 sold, uint256 received) = launchpad.sellExactIn(order);
        assertEq(sold, tokens / 2, "exact tokens in");
        assertEq(usd.balanceOf(alice) - before, received, "dollars arrive");

        (order.amount, order.limit) = (received / 3, type(uint256).max);
        before = usd.balanceOf(alice);
        vm.prank(alice);
        (, received) = launchpad.sellExactOut(order);
        assertEq(usd.balanceOf(alice) - before, order.amount, "exact dollars out");
        assertEq(usd.balanceOf(address(launchpad)), _owed(token), "held is owed");
        assertEq(IERC20(token).balanceOf(address(launchpad)), 0, "no token stays here");
    }

    function test_C7_roundTrip_losesTheFees() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        (, uint256 tokens) = _buy(token, alice, 1000 * oneUsd);
        (, uint256 received) = _sell(token, alice, tokens);
        assertLt(received, 981 * oneUsd);
        assertGt(received, 979 * oneUsd);
    }

    function test_C21_limits_onThePool() public {
        address token = _createGraduated(PoolTypes.MEME, false);
        ILaunchpad.Order memory order = _order(token, 1000 * oneUsd, alice);
        _fund(alice, 1000 * oneUsd);
        order.limit = type(uint128).max;
        vm.prank(alice);
        vm.expectPartialRevert(ILaunchpad.TooLittleReceived.selector);
        launchpad.buyExactIn(order);
        order.deadline = block.timestamp - 1;
        vm.prank(alice);
        vm.expectPartialRevert(ILaunchpad.DeadlinePassed.selector);
        launchpad.buyExactIn(order);
    }

    function test_H20_soldOut_theNextBuyOpensThePool() public {
        address token = _create(PoolTypes.MEME, true);
        _buy(token, creator, 10_000_000 * oneUsd);
        assertFalse(launchpad.stateOf(token).graduated);
        _fund(alice, 100 * oneUsd);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.GraduationPending.selector, token));
        launchpad.buyExactIn(_order(token, 100 * oneUsd, alice));
        skip(Fees.WINDOW_SECONDS);
        _buy(token, alice, 100 * oneUsd);
        assertTrue(launchpad.stateOf(token).graduated);
    }

    function test_C5_twiceAndTooEarly() public {
        address token = _createOld(PoolTypes.MEME, true);
        vm.expectPartialRevert(ILaunchpad.NotCompleted.selector);
        launchpad.graduate(token);
        _buyToEnd(token, creator);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.AlreadyGraduated.selector, token));
        launchpad.graduate(token);
    }

    function test_C14_everybodyIsPaid() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        _setReferrer(alice, referrer);
        ILaunchpad.Order memory order = _order(token, 500 * oneUsd, alice);
        (order.builder, order.builderBps, order.referral) = (builder, 50, referral);
        _buy(order, alice);
        address[] memory list = new address[](1);
        list[0] = token;
        launchpad.collectTreasury(list);
        address[6] memory earners = [creator, builder, referral, referrer, alice, treasury];
        for (uint256 i; i < earners.length; i++) {
            uint256 credit = _credit(earners[i]);
            assertGt(credit, 0, vm.toString(i));
            uint256 before = usd.balanceOf(earners[i]);
            vm.prank(earners[i]);
            launchpad.withdraw(address(usd), earners[i], type(uint256).max);
            assertEq(usd.balanceOf(earners[i]) - before, credit);
        }
        assertEq(usd.balanceOf(address(launchpad)), 0, "nothing is left");
    }

    // ---------------------------------------------------------------- helpers

    function _raised(PoolType memory poolType) internal pure returns (uint256) {
        uint256 left = poolType.virtualTokens - poolType.curveTokens;
        return (poolType.virtualUsd * poolType.virtualTokens + left - 1) / left - poolType.virtualUsd;
    }

    function _owed(address token) internal view returns (uint256 owed) {
        address[7] memory earners = [creator, builder, referral, referrer, alice, treasury, owner];
        for (uint256 i; i < earners.length; i++) {
            owed += _credit(earners[i]);
        }
        return owed + _owedFor(token);
    }
}
