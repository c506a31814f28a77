// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {Vm} from "forge-std/Vm.sol";
import {LaunchToken} from "../src/LaunchToken.sol";
import {ILaunchpad} from "../src/interfaces/ILaunchpad.sol";
import {Fees} from "../src/libraries/Fees.sol";
import {PoolTypes} from "../src/libraries/PoolTypes.sol";
import {ReservesLibrary} from "../src/libraries/Reserves.sol";
import {LaunchpadTest} from "./LaunchpadTest.sol";

contract CurveTradeTest is LaunchpadTest {
    // ---------------------------------------------------------------- amounts, books and the record

    function test_buyExactIn_default() public {
        address token = _createOld(PoolTypes.MEME, true);
        _setReferrer(alice, referrer);
        ILaunchpad.Order memory order = _order(token, 1000 * oneUsd, alice);
        (order.recipient, order.builder, order.builderBps, order.referral) = (bob, builder, 200, referral);
        vm.recordLogs();
        (uint256 paid, uint256 tokens) = _buy(order, alice);

        // 1000 gross: 2 % builder, 1 % trade fee; 970 reach the curve: 1125M · 970 / (12500 + 970), rounded down.
        assertEq(paid, 1000 * oneUsd);
        assertEq(tokens, uint256(1_125_000_000e18) * 970 / 13_470);
        assertEq(LaunchToken(token).balanceOf(bob), tokens);
        assertEq(usd.balanceOf(alice), 0);
        assertEq(_credit(creator), 35 * oneUsd / 10);
        assertEq(_credit(referral), 15 * oneUsd / 10);
        assertEq(_credit(referrer), oneUsd);
        assertEq(_credit(alice), 4 * oneUsd / 10);
        assertEq(_credit(builder), 20 * oneUsd);
        ILaunchpad.TokenState memory state = launchpad.stateOf(token);
        assertEq(state.treasuryShare, 36 * oneUsd / 10);
        assertEq(state.usd, 970 * oneUsd);
        assertEq(state.tokensLeft, 750_000_000e18 - tokens);

        ILaunchpad.TradeRecord memory record = _record(token, alice);
        assertEq(record.recipient, bob);
        assertEq(uint8(record.venue), uint8(ILaunchpad.TradeVenue.Curve));
        assertEq(record.grossUsd, 1000 * oneUsd);
        assertEq(record.tokens, int256(tokens));
        assertEq(record.feeBps, 100);
        assertEq(record.builder, builder);
        assertEq(record.builderBps, 200);
        assertEq(record.referral, referral);
        assertEq(record.referrer, referrer);
        assertEq(record.stateA, 1_125_000_000e18 - tokens);
        assertEq(record.stateB, int256(13_470 * oneUsd));
    }

    function testFuzz_fourKinds_moveWhatTheySay(uint256 amount, uint256 builderBps, uint256 second, uint8 decimalsSeed)
        public
    {
        _deploySystem([6, 8, 18][decimalsSeed % 3]);
        address token = _create(PoolTypes.MEME, decimalsSeed % 2 == 0);
        skip(bound(second, 0, 10));
        ILaunchpad.Order memory order = _order(token, bound(amount, oneUsd, 10_000 * oneUsd), alice);
        (order.builder, order.builderBps) = (builder, bound(builderBps, 0, 1900));

        (uint256 paid, uint256 tokens) = _buy(order, alice);
        assertEq(paid, order.amount, "all of it is spent");
        _assertBooksClose(token);

        uint256 before = usd.balanceOf(alice);
        order.amount = tokens / 3;
        vm.prank(alice);
        (uint256 sold, uint256 received) = launchpad.sellExactIn(order);
        assertEq(sold, tokens / 3);
        assertEq(usd.balanceOf(alice) - before, received);
        _assertBooksClose(token);

        (order.amount, order.limit) = (received / 2, type(uint256).max);
        vm.prank(alice);
        (sold, received) = launchpad.sellExactOut(order);
        assertEq(received, order.amount);
        assertEq(LaunchToken(token).balanceOf(alice), tokens - tokens / 3 - sold);
        _assertBooksClose(token);

        order.amount = 1_000_000e18;
        _fund(alice, 1_000_000 * oneUsd);
        before = usd.balanceOf(alice);
        vm.prank(alice);
        (paid, tokens) = launchpad.buyExactOut(order);
        assertEq(tokens, 1_000_000e18);
        assertEq(before - usd.balanceOf(alice), paid);
        _assertBooksClose(token);
    }

    function test_buy_inTheWindow_keepsTheExcessForTheFloor() public {
        address token = _create(PoolTypes.MEME, true);
        uint16[7] memory schedule = [8000, 6684, 5367, 4050, 2734, 1417, 100];
        uint256 floorUsd;
        for (uint256 second; second < 7; second++) {
            assertEq(launchpad.buyFeeBps(token), schedule[second]);
            _buy(token, alice, 10_000);
            floorUsd += schedule[second] - 100;
            assertEq(launchpad.stateOf(token).floorUsd, floorUsd);
            skip(1);
        }
    }

    function test_buyExactIn_atTheEnd_pullsOnlyWhatTheRestCosts() public {
        address token = _createOld(PoolTypes.MEME, true);
        ILaunchpad.Order memory order = _order(token, 100_000 * oneUsd, alice);
        // 25,000 net cost 25,252.525253 gross; the limit of 100,000 shrinks in that proportion.
        order.limit = uint256(750_000_000e18) * 100_000e6 / 25_252_525_253;
        (uint256 paid, uint256 tokens) = _buy(order, alice);
        assertEq(paid, 25_252_525_253);
        assertEq(tokens, 750_000_000e18);
        assertEq(usd.balanceOf(alice), 100_000 * oneUsd - paid, "the rest was never pulled");
    }

    function test_buyExactIn_atTheEnd_error_scaledLimit() public {
        address token = _createOld(PoolTypes.MEME, true);
        ILaunchpad.Order memory order = _order(token, 100_000 * oneUsd, alice);
        // What the curve receives and what is paid for it are each rounded up; that dollar unit is left out.
        uint256 paid = uint256(25_000e6 - 1) * 10_000 / 9_900;
        order.limit = (uint256(750_000_000e18) + 1) * 100_000e6 / paid + 1;
        _fund(alice, order.amount);
        bytes4 tooLittle = ILaunchpad.TooLittleReceived.selector;
        vm.expectRevert(abi.encodeWithSelector(tooLittle, 750_000_000e18, uint256(750_000_000e18) + 1));
        vm.prank(alice);
        launchpad.buyExactIn(order);
    }

    function test_trade_selfReferralIsNone() public {
        address token = _createOld(PoolTypes.MEME, true);
        ILaunchpad.Order memory order = _order(token, 1000 * oneUsd, alice);
        order.referral = alice;
        _buy(order, alice);
        assertEq(_credit(alice), 0);
        assertEq(_credit(creator), 5 * oneUsd);
    }

    function test_trade_builderWithoutAddressIsNone() public {
        address token = _createOld(PoolTypes.MEME, true);
        ILaunchpad.Order memory order = _order(token, 1000 * oneUsd, alice);
        order.builderBps = 9_999;
        _buy(order, alice);
        assertEq(launchpad.stateOf(token).usd, 990 * oneUsd);
    }

    /// @dev The share has 90 bits: what no longer fits moves to the treasury's credit, and nothing is lost.
    function test_treasuryShare_spillsBeforeItOverflows() public {
        address token = _createOld(PoolTypes.MEME, true);
        uint256 full = ReservesLibrary.MAX_TREASURY_SHARE;
        ILaunchpad.TokenState memory state = launchpad.stateOf(token);
        bytes32 slot = keccak256(abi.encode(token, _launchesSlot()));
        vm.store(address(launchpad), slot, bytes32(full << 166 | state.tokensLeft));
        assertEq(launchpad.stateOf(token).treasuryShare, full);
        _buy(token, alice, 1000 * oneUsd);
        assertEq(launchpad.stateOf(token).treasuryShare, 0);
        assertEq(_credit(treasury), full + 5 * oneUsd);
    }

    function test_collectTreasury_movesTheShareOnce() public {
        address token = _createOld(PoolTypes.MEME, true);
        _buy(token, alice, 1000 * oneUsd);
        address[] memory list = new address[](3);
        (list[0], list[1], list[2]) = (token, token, bob);
        vm.expectEmit(address(launchpad));
        emit ILaunchpad.TreasuryCollected(token, treasury, 5 * oneUsd);
        launchpad.collectTreasury(list);
        assertEq(_credit(treasury), 5 * oneUsd);
        assertEq(launchpad.stateOf(token).treasuryShare, 0);
        assertEq(launchpad.stateOf(token).usd, 990 * oneUsd, "the reserve is untouched");
    }

    // ---------------------------------------------------------------- completing and graduating

    function test_completed_sellsStayOpenAndUndoIt() public {
        address token = _create(PoolTypes.MEME, true);
        _fund(alice, 1_000_000 * oneUsd);
        vm.expectEmit(address(launchpad));
        emit ILaunchpad.Completed(token);
        vm.prank(alice);
        launchpad.buyExactIn(_order(token, 1_000_000 * oneUsd, alice));
        assertFalse(launchpad.stateOf(token).graduated, "window open");
        vm.expectRevert(
            abi.encodeWithSelector(ILaunchpad.WindowOpen.selector, block.timestamp + 6, block.timestamp)
        );
        launchpad.graduate(token);

        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.GraduationPending.selector, token));
        launchpad.buyExactIn(_order(token, oneUsd, alice));

        _sell(token, alice, 1e18);
        skip(6);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.NotCompleted.selector, token, 1e18));
        launchpad.graduate(token);
        _buyToEnd(token, bob);
        assertTrue(launchpad.stateOf(token).graduated);
    }

    function test_graduatingBuy_withTooLittleGas_thenByAnyone() public {
        address token = _createOld(PoolTypes.MEME, false);
        ILaunchpad.Order memory order = _order(token, 100_000 * oneUsd, alice);
        _fund(alice, order.amount);
        vm.prank(alice);
        (, uint256 tokens) = launchpad.buyExactIn{gas: 400_000}(order);
        assertEq(LaunchToken(token).balanceOf(alice), tokens);
        assertFalse(launchpad.stateOf(token).graduated);
        vm.prank(bob);
        launchpad.graduate(token);
        assertTrue(launchpad.stateOf(token).graduated);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.AlreadyGraduated.selector, token));
        launchpad.graduate(token);
    }

    function testFuzz_graduate_everyDollarAndTokenHasAPlace(uint256 floorBuy, uint8 typeSeed, bool usdIs0, uint8 decimals)
        public
    {
        _deploySystem([6, 8, 18][decimals % 3]);
        uint8 id = uint8(bound(typeSeed, 7, 9));
        address token = _create(id, usdIs0);
        floorBuy = bound(floorBuy, 0, 200 * oneUsd);
        if (floorBuy > 100) _buy(token, alice, floorBuy);
        skip(6);
        uint256 held = _owedFor(token);
        vm.recordLogs();
        _buyToEnd(token, bob);
        ILaunchpad.Graduation memory graduation = _graduation(token);
        assertEq(graduation.creatorReward, _poolType(token).creatorReward);
        assertEq(
            graduation.tokensLocked + graduation.dustTokens, _poolType(token).poolTokens, "tokens: pool and dust"
        );
        assertEq(LaunchToken(token).balanceOf(address(manager)), _poolType(token).poolTokens, "dust included");
        assertEq(usd.balanceOf(address(manager)), graduation.usdLocked + graduation.floorUsd);
        assertGe(_credit(creator), graduation.creatorReward);
        ILaunchpad.TokenState memory state = launchpad.stateOf(token);
        assertEq(state.usd + state.floorUsd + state.tokensLeft, 0);
        assertGt(state.treasuryShare, 0);
        assertLe(held, usd.balanceOf(address(manager)) + usd.balanceOf(address(launchpad)));
        uint256 owed = _credit(creator) + _credit(treasury) + state.treasuryShare;
        assertEq(usd.balanceOf(address(launchpad)), owed, "what is left here is owed");
    }

    // ---------------------------------------------------------------- errors

    function test_trade_error_unknownToken() public {
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.UnknownToken.selector, bob));
        launchpad.buyExactIn(_order(bob, oneUsd, alice));
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.UnknownToken.selector, bob));
        launchpad.graduate(bob);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.UnknownToken.selector, bob));
        launchpad.buyFeeBps(bob);
    }

    function test_trade_error_zeroRecipient() public {
        address token = _createOld(PoolTypes.MEME, true);
        ILaunchpad.Order memory order = _order(token, oneUsd, address(0));
        vm.expectRevert(ILaunchpad.ZeroAddress.selector);
        launchpad.buyExactIn(order);
    }

    function test_trade_error_feesExceedAmount() public {
        address token = _createOld(PoolTypes.MEME, true);
        ILaunchpad.Order memory order = _order(token, oneUsd, alice);
        (order.builder, order.builderBps) = (builder, 9900);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.FeesExceedAmount.selector, 10_000));
        launchpad.buyExactIn(order);
        order.builderBps = type(uint256).max;
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.FeesExceedAmount.selector, type(uint256).max));
        launchpad.buyExactIn(order);
    }

    function test_trade_error_beyond() public {
        address token = _createOld(PoolTypes.MEME, true);
        ILaunchpad.Order memory order = _order(token, 750_000_001e18, alice);
        vm.expectRevert(
            abi.encodeWithSelector(ILaunchpad.BeyondCurve.selector, order.amount, 750_000_000e18)
        );
        launchpad.buyExactOut(order);
        _buy(token, alice, 1000 * oneUsd);
        order.amount = 1000 * oneUsd;
        vm.expectPartialRevert(ILaunchpad.BeyondReserve.selector);
        vm.prank(alice);
        launchpad.sellExactOut(order);
    }

    function test_trade_error_limits() public {
        address token = _createOld(PoolTypes.MEME, true);
        (, uint256 tokens) = _buy(token, alice, 1000 * oneUsd);
        _fund(alice, 1000 * oneUsd);
        ILaunchpad.Order memory order = _order(token, 100 * oneUsd, alice);
        order.limit = type(uint128).max;
        vm.startPrank(alice);
        vm.expectPartialRevert(ILaunchpad.TooLittleReceived.selector);
        launchpad.buyExactIn(order);
        (order.amount, order.limit) = (tokens, 980 * oneUsd + 100_001);
        vm.expectRevert(
            abi.encodeWithSelector(ILaunchpad.TooLittleReceived.selector, 980_099_999, order.limit)
        );
        launchpad.sellExactIn(order);
        (order.amount, order.limit) = (1000e18, 1);
        vm.expectPartialRevert(ILaunchpad.TooMuchPaid.selector);
        launchpad.buyExactOut(order);
        (order.amount, order.limit) = (oneUsd, 1);
        vm.expectPartialRevert(ILaunchpad.TooMuchPaid.selector);
        launchpad.sellExactOut(order);
    }

    // ---------------------------------------------------------------- internals

    function _assertBooksClose(address token) private view {
        uint256 owed = _credit(creator) + _credit(builder) + _credit(treasury) + _owedFor(token);
        assertEq(usd.balanceOf(address(launchpad)), owed, "books close");
        assertEq(
            LaunchToken(token).balanceOf(address(launchpad)),
            launchpad.stateOf(token).tokensLeft + _poolType(token).poolTokens,
            "tokens close"
        );
    }

    function _record(address token, address trader) private returns (ILaunchpad.TradeRecord memory) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; i++) {
            if (logs[i].topics[0] != ILaunchpad.Trade.selector) continue;
            assertEq(logs[i].emitter, address(launchpad));
            assertEq(address(uint160(uint256(logs[i].topics[1]))), token);
            assertEq(address(uint160(uint256(logs[i].topics[2]))), trader);
            assertEq(logs[i].data.length, 11 * 32);
            return abi.decode(logs[i].data, (ILaunchpad.TradeRecord));
        }
        revert("no Trade");
    }

    function _graduation(address token) private returns (ILaunchpad.Graduation memory) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; i++) {
            if (logs[i].topics[0] != ILaunchpad.Graduated.selector) continue;
            assertEq(address(uint160(uint256(logs[i].topics[1]))), token);
            return abi.decode(logs[i].data, (ILaunchpad.Graduation));
        }
        revert("no Graduated");
    }

    /// @dev Found by its content: the mapping of launches is the only one with this token's reserves.
    function _launchesSlot() private returns (uint256) {
        address token = _create(PoolTypes.TEST, true);
        for (uint256 slot; slot < 20; slot++) {
            if (uint256(vm.load(address(launchpad), keccak256(abi.encode(token, slot)))) == 750_000_000e18) return slot;
        }
        revert("no slot");
    }
}
