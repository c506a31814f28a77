// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {CustomRevert} from "v4-core/libraries/CustomRevert.sol";
import {ILaunchpad} from "../../src/interfaces/ILaunchpad.sol";
import {PoolType, PoolTypes} from "../../src/libraries/PoolTypes.sol";
import {HostileTest} from "./HostileTest.sol";

/// @notice Rounding, fees, the opening window, the end of the curve and time limits.
contract CurveTest is HostileTest {
    uint256[7] private SCHEDULE = [uint256(8000), 6684, 5367, 4050, 2734, 1417, 100];

    // ---------------------------------------------------------------- C6: the last buy

    function testFuzz_C6_lastBuy_paysOnlyWhatItUses(uint256 before, uint256 offered, uint256 builderBps, bool usdIs0)
        public
    {
        address token = _createOld(PoolTypes.MEME, usdIs0);
        _buyOut(token, bob, bound(before, 1e18, _poolType(token).curveTokens - 1));
        uint256 left = launchpad.stateOf(token).tokensLeft;
        ILaunchpad.Order memory order = _order(token, bound(offered, 500_000 * oneUsd, 1e15 * oneUsd), alice);
        (order.builder, order.builderBps) = (builder, bound(builderBps, 0, 5000));
        _fund(alice, order.amount);
        uint256 heldBefore = usd.balanceOf(address(launchpad)) + usd.balanceOf(address(manager));

        vm.prank(alice);
        (uint256 paid, uint256 tokens) = launchpad.buyExactIn(order);

        assertEq(tokens, left, "exactly to the end");
        assertEq(usd.balanceOf(alice), order.amount - paid, "the refund is never pulled");
        uint256 heldAfter = usd.balanceOf(address(launchpad)) + usd.balanceOf(address(manager));
        assertEq(heldAfter - heldBefore, paid, "paid = used");
        _assertBooksClose(token);
    }

    function testFuzz_C6_lastBuy_costsWhatExactOutCosts(uint256 before) public {
        address token = _createOld(PoolTypes.MEME, true);
        _buyOut(token, bob, bound(before, 1e18, _poolType(token).curveTokens - 1));
        uint256 left = launchpad.stateOf(token).tokensLeft;
        uint256 snapshot = vm.snapshotState();
        (uint256 exactOut,) = _buyOut(token, alice, left);
        vm.revertToState(snapshot);
        (uint256 exactIn,) = _buyToEnd(token, alice);
        assertEq(exactIn, exactOut);
    }

    function testFuzz_C6_lastBuy_limitScalesWithIt(uint256 offered) public {
        address token = _createOld(PoolTypes.MEME, true);
        uint256 tokens = _poolType(token).curveTokens;
        offered = bound(offered, 30_000 * oneUsd, 10_000_000 * oneUsd);
        // 25,000 dollars of net, one unit of rounding left out, and one per cent of fee.
        uint256 unrounded = (25_000 * oneUsd - 1) * 100 / 99;
        ILaunchpad.Order memory order = _order(token, offered, alice);
        order.limit = ((tokens + 1) * offered - 1) / unrounded + 1;
        _fund(alice, offered);
        assertEq(_errorOf(order, alice, ILaunchpad.buyExactIn.selector), ILaunchpad.TooLittleReceived.selector);
        order.limit--;
        assertEq(_errorOf(order, alice, ILaunchpad.buyExactIn.selector), bytes4(0));
    }

    function test_C6_exactOut_beyondTheEndReverts() public {
        address token = _createOld(PoolTypes.MEME, true);
        uint256 tokens = _poolType(token).curveTokens;
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.BeyondCurve.selector, tokens + 1, tokens));
        vm.prank(alice);
        launchpad.buyExactOut(_order(token, tokens + 1, alice));
    }

    // ---------------------------------------------------------------- C7: rounding

    function testFuzz_C7_roundTrip_neverProfits_curve(uint256 before, uint256 amount, bool exactOut, bool is18) public {
        if (is18) _redeploy(18);
        address token = _createOld(PoolTypes.MEME, true);
        _buyOut(token, bob, bound(before, 1e18, _poolType(token).curveTokens - 1e18));
        _assertRoundTripLoses(token, amount, exactOut);
    }

    function testFuzz_C7_roundTrip_neverProfits_pool(
        uint256 before,
        uint256 amount,
        bool exactOut,
        bool is18,
        bool usdIs0
    ) public {
        if (is18) _redeploy(18);
        address token = _createGraduated(PoolTypes.MEME, usdIs0);
        _buy(token, bob, bound(before, oneUsd, 100_000 * oneUsd));
        _assertRoundTripLoses(token, amount, exactOut);
    }

    /// @notice Also as one's own builder, referral and recipient, and in the smallest amounts.
    function _assertRoundTripLoses(address token, uint256 amount, bool exactOut) private {
        uint8[6] memory tiny = [0, 1, 2, 7, 8, 9];
        _fund(attacker, 1e9 * oneUsd);
        address[] memory coalition = new address[](2);
        (coalition[0], coalition[1]) = (attacker, builder);
        for (uint256 i; i < 7; i++) {
            uint256 exact = i < 6 ? tiny[i] : exactOut ? bound(amount, 1, 4e25) : bound(amount, 1, 50_000 * oneUsd);
            ILaunchpad.Order memory order = _order(token, exact, attacker);
            (order.builder, order.builderBps, order.referral) = (builder, amount % 1000, attacker);
            uint256 snapshot = vm.snapshotState();
            uint256 dollars = _dollarsOf(coalition);
            if (exactOut) order.limit = type(uint256).max;
            bytes4 trade = exactOut ? ILaunchpad.buyExactOut.selector : ILaunchpad.buyExactIn.selector;
            bytes4 error = _errorOf(order, attacker, trade);
            order.amount = IERC20(token).balanceOf(attacker);
            order.limit = 0;
            if (error == 0) error = _errorOf(order, attacker, ILaunchpad.sellExactIn.selector);
            assertTrue(error == 0 || _isRefusal(error), vm.toString(error));
            assertLe(_dollarsOf(coalition), dollars, "never a profit");
            vm.revertToState(snapshot);
        }
    }

    function testFuzz_C7_splitTrades_areNeverBetter(uint256 a, uint256 b, bool pool, bool usdIs0) public {
        address token = pool ? _createGraduated(PoolTypes.MEME, usdIs0) : _createOld(PoolTypes.MEME, usdIs0);
        a = bound(a, oneUsd / 1000, 10_000 * oneUsd);
        b = bound(b, oneUsd / 1000, 10_000 * oneUsd);
        uint256 snapshot = vm.snapshotState();
        (, uint256 whole) = _buy(token, attacker, a + b);
        vm.revertToState(snapshot);
        (, uint256 first) = _buy(token, attacker, a);
        (, uint256 second) = _buy(token, attacker, b);
        assertLe(first + second, whole, "buys");

        snapshot = vm.snapshotState();
        (, uint256 wholeUsd) = _sell(token, attacker, first + second);
        vm.revertToState(snapshot);
        (, uint256 firstUsd) = _sell(token, attacker, first);
        (, uint256 secondUsd) = _sell(token, attacker, second);
        assertLe(firstUsd + secondUsd, wholeUsd, "sells");
    }

    /// @notice Each of the four kinds rounds against the trader, so A times B never falls; the fee is not counted here.
    function testFuzz_C7_product_neverFalls(uint256 seed, uint256 kind, bool is18) public {
        if (is18) _redeploy(18);
        address token = _createOld(PoolTypes.MEME, true);
        _buy(token, alice, bound(seed, oneUsd, 20_000 * oneUsd));
        _fund(alice, 1e9 * oneUsd);
        bytes4[4] memory trades = [
            ILaunchpad.buyExactIn.selector,
            ILaunchpad.buyExactOut.selector,
            ILaunchpad.sellExactIn.selector,
            ILaunchpad.sellExactOut.selector
        ];
        for (uint256 i; i < 12; i++) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint256 which = (kind % 4 + i) % 4;
            // Odd amounts of dollars or tokens, small enough to fit, so that the division leaves a rest.
            uint256 amount = which % 3 == 0 ? seed % (100 * oneUsd) + 100 : seed % 1e23 + 1e18;
            ILaunchpad.Order memory order = _order(token, amount, alice);
            if (which % 2 == 1) order.limit = type(uint256).max;
            uint256 product = _product(token);
            bytes4 error = _errorOf(order, alice, trades[which]);
            assertTrue(error == 0 || error == ILaunchpad.BeyondReserve.selector, vm.toString(error));
            assertGe(_product(token), product);
        }
    }

    function _product(address token) private view returns (uint256) {
        PoolType memory poolType = _poolType(token);
        ILaunchpad.TokenState memory state = launchpad.stateOf(token);
        uint256 a = poolType.virtualTokens - poolType.curveTokens + state.tokensLeft;
        return a * (poolType.virtualUsd + state.usd);
    }

    function test_C7_zeroTradesRevert() public {
        for (uint256 stage; stage < 2; stage++) {
            address token = stage == 0 ? _createOld(PoolTypes.MEME, true) : _createGraduated(PoolTypes.MEME, true);
            _buy(token, alice, 100 * oneUsd);
            _fund(alice, oneUsd);
            for (uint256 amount; amount < 2; amount++) {
                // One base unit of a token is worth less than one of a dollar; one unit of a dollar is all fee.
                assertEq(
                    _errorOf(_order(token, amount, alice), alice, ILaunchpad.sellExactIn.selector),
                    ILaunchpad.ZeroAmount.selector
                );
                assertEq(
                    _errorOf(_order(token, amount, alice), alice, ILaunchpad.buyExactIn.selector),
                    ILaunchpad.ZeroAmount.selector
                );
            }
            assertEq(
                _errorOf(_order(token, 0, alice), alice, ILaunchpad.sellExactOut.selector),
                ILaunchpad.ZeroAmount.selector
            );
            assertEq(
                _errorOf(_order(token, 0, alice), alice, ILaunchpad.buyExactOut.selector),
                ILaunchpad.ZeroAmount.selector
            );
        }
    }

    // ---------------------------------------------------------------- L1: amounts without end

    /// @notice The four trades with amounts, limits and fees of every size, in all stages: done, or refused by an error of
    /// a name, never by an arithmetic fault.
    function test_L1_amounts_noTradePanics() public {
        address[3] memory tokens = [
            _createOld(PoolTypes.MEME, true),
            _createGraduated(PoolTypes.MEME, false),
            _createCompleted(PoolTypes.STARTUP_PRESEED, true, bob)
        ];
        _buy(tokens[0], alice, 1000 * oneUsd);
        _buy(tokens[1], alice, 1000 * oneUsd);
        usd.mint(alice, type(uint128).max);
        uint256[12] memory sizes = [
            uint256(0),
            1,
            uint256(1) << 112,
            (uint256(1) << 112) + 1,
            (uint256(1) << 127) - 1,
            uint256(1) << 127,
            uint256(1) << 200,
            type(uint256).max / 10_000,
            type(uint256).max / 10_000 + 1,
            type(uint256).max / 2,
            type(uint256).max - 1,
            type(uint256).max
        ];
        uint256[4] memory limits = [uint256(0), 1, type(uint256).max / 2, type(uint256).max];
        uint256[3] memory bps = [uint256(0), 9899, type(uint256).max];
        bytes4[4] memory trades = [
            ILaunchpad.buyExactIn.selector,
            ILaunchpad.buyExactOut.selector,
            ILaunchpad.sellExactIn.selector,
            ILaunchpad.sellExactOut.selector
        ];
        for (uint256 i; i < tokens.length * trades.length * sizes.length; i++) {
            ILaunchpad.Order memory order = _order(tokens[i % 3], sizes[i / 3 % sizes.length], alice);
            bytes4 trade = trades[i / 3 / sizes.length];
            for (uint256 j; j < limits.length * bps.length; j++) {
                (order.limit, order.builder, order.builderBps) = (limits[j % 4], builder, bps[j / 4]);
                uint256 snapshot = vm.snapshotState();
                _assertNamed(_errorOf(order, alice, trade));
                vm.revertToState(snapshot);
            }
        }
    }

    function _assertNamed(bytes4 error) private pure {
        assertTrue(error != bytes4(keccak256("Panic(uint256)")), "an arithmetic fault");
        bool none = error == 0;
        bool named = _isRefusal(error) || error == ILaunchpad.TooLittleReceived.selector
            || error == ILaunchpad.TooMuchPaid.selector || error == ILaunchpad.FeesExceedAmount.selector
            || error == bytes4(keccak256("TransferFromFailed()")) || error == bytes4(keccak256("InsufficientBalance()"));
        assertTrue(none || named, vm.toString(error));
    }

    function test_L1_buyExactIn_ofEverythingFillsToTheEnd() public {
        uint256[3] memory amounts = [type(uint256).max, type(uint256).max / 2, uint256(1) << 112];
        for (uint256 i; i < amounts.length; i++) {
            address token = _createOld(PoolTypes.MEME, true);
            _fund(alice, 1_000_000 * oneUsd);
            ILaunchpad.Order memory order = _order(token, amounts[i], alice);
            order.limit = amounts[i]; // shrinks with what is paid
            vm.prank(alice);
            (uint256 paid, uint256 tokens) = launchpad.buyExactIn(order);
            assertEq(paid, 25_252_525_253);
            assertEq(tokens, 750_000_000e18);
            assertTrue(launchpad.stateOf(token).graduated);
        }
    }

    /// @notice A foreign router's amounts: the hook has its own error, and no arithmetic fault of ours.
    function test_L1_hook_noAmountPanics() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        _approveRouter(token, alice);
        int256[6] memory amounts =
            [type(int256).min, type(int256).min + 1, type(int256).max, -(2 ** 112 + 1), 2 ** 112 + 1, -(2 ** 127)];
        for (uint256 i; i < 2 * amounts.length; i++) {
            vm.prank(alice);
            try router.swap(_poolKey(token), i % 2 == 0, amounts[i / 2]) {
                fail();
            } catch (bytes memory reason) {
                bytes4 inner = bytes4(reason);
                if (inner == CustomRevert.WrappedError.selector) {
                    (,, bytes memory ofHook,) =
                        abi.decode(this.withoutSelector(reason), (address, bytes4, bytes, bytes));
                    inner = bytes4(ofHook);
                }
                assertTrue(inner != bytes4(keccak256("Panic(uint256)")), vm.toString(amounts[i / 2]));
            }
        }
    }

    function withoutSelector(bytes calldata reason) external pure returns (bytes memory) {
        return reason[4:];
    }

    // ---------------------------------------------------------------- C11: the opening window

    function test_C11_window_everySecondAndEveryPath() public {
        for (uint256 second; second <= 6; second++) {
            for (uint256 path; path < 4; path++) {
                address token = _create(PoolTypes.MEME, second % 2 == 0);
                skip(second);
                vm.roll(block.number + path * 1_000_000);
                // The creator pays like everyone. An odd unit leaves a rest to round.
                address trader = path < 2 ? alice : creator;
                (uint256 paid,) =
                    path % 2 == 0 ? _buy(token, trader, 777 * oneUsd + 1) : _buyOut(token, trader, 1_000_000e18);
                uint256 fee = paid - launchpad.stateOf(token).usd;
                assertEq(fee, (paid * SCHEDULE[second] + 9999) / 10_000, "the schedule, rounded up");
                assertEq(launchpad.buyFeeBps(token), SCHEDULE[second]);
            }
        }
    }

    function test_C11_window_initialBuyOfTheCreationPays() public {
        ILaunchpad.TokenParams memory params = _params(PoolTypes.MEME);
        address token = launchpad.tokenAddress(creator, params.salt);
        _fund(creator, 1000 * oneUsd);
        bytes[] memory calls = new bytes[](2);
        calls[0] = abi.encodeCall(ILaunchpad.create, (params));
        calls[1] = abi.encodeCall(ILaunchpad.buyExactIn, (_order(token, 1000 * oneUsd, creator)));
        vm.prank(creator);
        launchpad.multicall(calls);
        assertEq(launchpad.stateOf(token).usd, 200 * oneUsd, "80 %");
        assertEq(launchpad.stateOf(token).floorUsd, 790 * oneUsd, "79 % is kept for the floor");
    }

    function test_C11_window_500WalletsPayNoLessThanOne() public {
        for (uint256 second; second <= 6; second += 3) {
            address token = _create(PoolTypes.MEME, true);
            skip(second);
            uint256 snapshot = vm.snapshotState();
            (, uint256 one) = _buy(token, attacker, 500 * 3 * oneUsd + 500);
            vm.revertToState(snapshot);
            uint256 many;
            for (uint256 i = 1; i <= 500; i++) {
                (, uint256 tokens) = _buy(token, address(uint160(0xB0B0 + i)), 3 * oneUsd + 1);
                many += tokens;
            }
            assertLe(many, one);
        }
    }

    function testFuzz_C11_sells_alwaysPayTheNormalFee(uint256 second) public {
        address token = _create(PoolTypes.MEME, true);
        (, uint256 tokens) = _buy(token, alice, 10_000 * oneUsd);
        skip(bound(second, 0, 100));
        uint256 reserve = launchpad.stateOf(token).usd;
        (, uint256 received) = _sell(token, alice, tokens);
        uint256 gross = reserve - launchpad.stateOf(token).usd;
        assertEq(gross - received, (gross + 99) / 100);
    }

    // ---------------------------------------------------------------- C12, C13: who gets what

    struct Mix {
        uint256 amount;
        uint256 builderBps;
        uint256 second;
        bool hasReferral;
        bool hasReferrer;
        bool isSell;
        bool pool;
    }

    function testFuzz_C12_C13_fees_sumAndNoneIsMore(Mix memory mix) public {
        address token = _stage(mix);
        ILaunchpad.Order memory order = _order(token, 0, alice);
        (order.builder, order.builderBps) = (builder, bound(mix.builderBps, 0, 1900));
        if (mix.hasReferral) order.referral = referral;
        if (mix.hasReferrer) _setReferrer(alice, referrer);
        uint256 feeBps = mix.isSell ? 100 : launchpad.buyFeeBps(token);
        address[6] memory people = [creator, builder, referral, referrer, alice, treasury];
        uint256[6] memory before;
        for (uint256 i; i < 6; i++) {
            before[i] = _credit(people[i]);
        }
        uint256 sharesBefore = _feesKept(token);

        (uint256 gross, uint256 net) = _tradeGrossNet(order, mix);

        uint256[6] memory got;
        uint256 sum = _feesKept(token) - sharesBefore;
        for (uint256 i; i < 6; i++) {
            sum += got[i] = _credit(people[i]) - before[i];
        }
        assertEq(sum, gross - net, "the parts sum to the fee");
        assertEq(gross - net, (gross * (feeBps + order.builderBps) + 9999) / 10_000, "rounded once, up");
        assertEq(got[0], gross * (mix.hasReferral ? 35 : 50) / 10_000, "creator");
        assertEq(got[1], gross * order.builderBps / 10_000, "builder");
        assertEq(got[2], mix.hasReferral ? gross * 15 / 10_000 : 0, "token referral");
        assertEq(got[3], mix.hasReferrer ? gross * 10 / 10_000 : 0, "protocol referrer");
        assertEq(got[4], mix.hasReferrer ? gross * 4 / 10_000 : 0, "cashback");
    }

    function _stage(Mix memory mix) private returns (address token) {
        if (mix.pool) {
            token = _createGraduated(PoolTypes.MEME, mix.hasReferral);
        } else {
            token = _create(PoolTypes.MEME, mix.hasReferral);
            skip(bound(mix.second, 0, 7));
        }
        _buy(token, alice, 5000 * oneUsd);
    }

    /// @dev Treasury share and floor.
    function _feesKept(address token) private view returns (uint256) {
        return launchpad.stateOf(token).treasuryShare + launchpad.stateOf(token).floorUsd;
    }

    /// @notice Gross and net of a trade, seen from outside: what the trader and the venue moved.
    function _tradeGrossNet(ILaunchpad.Order memory order, Mix memory mix)
        private
        returns (uint256 gross, uint256 net)
    {
        uint256 venue = _venueDollars(order.token, mix.pool);
        if (mix.isSell) {
            order.amount = bound(mix.amount, 1e18, IERC20(order.token).balanceOf(alice));
            vm.prank(alice);
            (, net) = launchpad.sellExactIn(order);
            return (venue - _venueDollars(order.token, mix.pool), net);
        }
        order.amount = bound(mix.amount, oneUsd / 100, 2000 * oneUsd);
        (gross,) = _buy(order, alice);
        net = _venueDollars(order.token, mix.pool) - venue;
    }

    function _venueDollars(address token, bool pool) private view returns (uint256) {
        return pool ? usd.balanceOf(address(manager)) : launchpad.stateOf(token).usd;
    }

    function testFuzz_C12_fees_aboveTheAmountRevert(uint256 builderBps, uint256 second, bool isSell) public {
        address token = _create(PoolTypes.MEME, true);
        _buy(token, alice, 100 * oneUsd);
        skip(bound(second, 0, 6));
        uint256 feeBps = isSell ? 100 : launchpad.buyFeeBps(token);
        ILaunchpad.Order memory order = _order(token, isSell ? 1e20 : 10 * oneUsd, alice);
        (order.builder, order.builderBps) = (builder, bound(builderBps, 10_000 - feeBps, type(uint256).max));
        _fund(alice, 10 * oneUsd);
        bytes4 trade = isSell ? ILaunchpad.sellExactIn.selector : ILaunchpad.buyExactIn.selector;
        assertEq(_errorOf(order, alice, trade), ILaunchpad.FeesExceedAmount.selector);
    }

    function testFuzz_C12_limits_areAfterFees(uint256 builderBps, uint256 amount, bool pool) public {
        address token = pool ? _createGraduated(PoolTypes.MEME, true) : _createOld(PoolTypes.MEME, true);
        _buy(token, alice, 5000 * oneUsd);
        ILaunchpad.Order memory order = _order(token, bound(amount, 1e18, IERC20(token).balanceOf(alice)), alice);
        (order.builder, order.builderBps) = (builder, bound(builderBps, 1, 5000));
        uint256 before = usd.balanceOf(alice);
        uint256 snapshot = vm.snapshotState();
        vm.prank(alice);
        (, uint256 received) = launchpad.sellExactIn(order);
        assertEq(usd.balanceOf(alice) - before, received, "what arrives");
        vm.revertToState(snapshot);
        order.limit = received + 1;
        assertEq(_errorOf(order, alice, ILaunchpad.sellExactIn.selector), ILaunchpad.TooLittleReceived.selector);
        order.limit = received;
        assertEq(_errorOf(order, alice, ILaunchpad.sellExactIn.selector), bytes4(0));
    }

    function test_C13_selfReferral_countsAsNone() public {
        address token = _createOld(PoolTypes.MEME, true);
        ILaunchpad.Order memory order = _order(token, 1000 * oneUsd, alice);
        order.referral = alice;
        _buy(order, alice);
        assertEq(_credit(alice), 0);
        assertEq(_credit(creator), 5 * oneUsd, "the creator's whole part");
    }

    function test_C13_referrer_nobodyRefersHimself() public {
        ILaunchpad.Voucher memory voucher = ILaunchpad.Voucher(alice, alice, _inAnHour());
        bytes memory signature = _sign(voucher, signerKey);
        vm.expectRevert(ILaunchpad.InvalidVoucher.selector);
        launchpad.setReferrer(voucher, signature);
    }

    /// @notice Two wallets of one person would pay each other out of the treasury's part.
    function test_L3_referrer_twoDoNotReferEachOther() public {
        _setReferrer(alice, bob);
        _setReferrer(bob, alice);
        assertEq(launchpad.referrerOf(bob), address(0));
        _setReferrer(bob, creator);
        assertEq(launchpad.referrerOf(bob), creator);
    }

    // ---------------------------------------------------------------- C21: old trades

    function testFuzz_C21_deadline_nothingRunsAfterIt(uint256 late, bool pool) public {
        address token = pool ? _createGraduated(PoolTypes.MEME, true) : _createOld(PoolTypes.MEME, true);
        _buy(token, alice, 1000 * oneUsd);
        _fund(alice, 1000 * oneUsd);
        uint256 deadline = block.timestamp + 60;
        bytes4[4] memory trades = [
            ILaunchpad.buyExactIn.selector,
            ILaunchpad.buyExactOut.selector,
            ILaunchpad.sellExactIn.selector,
            ILaunchpad.sellExactOut.selector
        ];
        for (uint256 i; i < 4; i++) {
            // An exact side in dollars for the first and the last.
            ILaunchpad.Order memory order = _order(token, i % 3 == 0 ? oneUsd : 1e18, alice);
            order.deadline = deadline;
            if (i % 2 == 1) order.limit = type(uint256).max;
            uint256 snapshot = vm.snapshotState();
            vm.warp(deadline);
            assertEq(_errorOf(order, alice, trades[i]), bytes4(0), "the deadline itself is in time");
            vm.warp(deadline + bound(late, 1, 365 days));
            assertEq(_errorOf(order, alice, trades[i]), ILaunchpad.DeadlinePassed.selector);
            vm.revertToState(snapshot);
        }
    }

    function test_C21_deadline_creationToo() public {
        ILaunchpad.TokenParams memory params = _params(PoolTypes.MEME);
        params.deadline = block.timestamp - 1;
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.DeadlinePassed.selector, params.deadline, block.timestamp));
        launchpad.create(params);
    }

    function testFuzz_C21_limit_inEveryTrade(bool pool) public {
        address token = pool ? _createGraduated(PoolTypes.MEME, true) : _createOld(PoolTypes.MEME, true);
        (, uint256 tokens) = _buy(token, alice, 1000 * oneUsd);
        _fund(alice, 1000 * oneUsd);
        ILaunchpad.Order memory order = _order(token, oneUsd, alice);
        order.limit = tokens;
        assertEq(_errorOf(order, alice, ILaunchpad.buyExactIn.selector), ILaunchpad.TooLittleReceived.selector);
        order.limit = 1;
        assertEq(_errorOf(order, alice, ILaunchpad.sellExactOut.selector), ILaunchpad.TooMuchPaid.selector);
        order.amount = 1e20;
        assertEq(_errorOf(order, alice, ILaunchpad.buyExactOut.selector), ILaunchpad.TooMuchPaid.selector);
        order.limit = 1000 * oneUsd;
        assertEq(_errorOf(order, alice, ILaunchpad.sellExactIn.selector), ILaunchpad.TooLittleReceived.selector);
    }
}
