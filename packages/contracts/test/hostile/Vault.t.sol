// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {BalanceDelta} from "v4-core/types/BalanceDelta.sol";
import {PoolKey} from "v4-core/types/PoolKey.sol";
import {SwapParams} from "v4-core/types/PoolOperation.sol";
import {DollarCheck} from "../../src/deploy/DollarCheck.sol";
import {FeeVault} from "../../src/FeeVault.sol";
import {TestUSD} from "../../src/TestUSD.sol";
import {IFeeVault} from "../../src/interfaces/IFeeVault.sol";
import {ILaunchpad} from "../../src/interfaces/ILaunchpad.sol";
import {PoolTypes} from "../../src/libraries/PoolTypes.sol";
import {OddDollar} from "./actors/OddDollar.sol";
import {HostileTest} from "./HostileTest.sol";

contract BareVault is FeeVault {
    function credit(address currency, address account, uint256 amount) external {
        _credit(currency, account, amount);
    }
}

/// @notice A currency of which no transfer works.
contract StuckCurrency {}

/// @notice Nobody gets more out of the vault than was put in for them.
contract VaultTest is HostileTest {
    // ---------------------------------------------------------------- C14: paying out

    function testFuzz_C14_withdraw_paysOnce(uint128 mine, uint128 others, uint256[5] memory asked) public {
        BareVault vault = new BareVault();
        usd.mint(address(vault), uint256(mine) + others);
        vault.credit(address(usd), attacker, mine);
        vault.credit(address(usd), victim, others);
        vm.startPrank(attacker);
        for (uint256 i; i < 5; i++) {
            uint256 credit = vault.creditOf(address(usd), attacker);
            uint256 amount = i % 2 == 0 ? type(uint256).max : bound(asked[i], 0, credit);
            assertEq(vault.withdraw(address(usd), attacker, amount), i % 2 == 0 ? credit : amount);
            vault.credit(address(usd), attacker, 0);
        }
        assertEq(usd.balanceOf(attacker), mine);
        assertEq(usd.balanceOf(address(vault)), others, "covers the rest");
    }

    function testFuzz_C14_withdraw_aboveTheCreditReverts(uint128 credit, uint256 asked) public {
        BareVault vault = new BareVault();
        usd.mint(address(vault), type(uint128).max);
        vault.credit(address(usd), attacker, credit);
        asked = bound(asked, uint256(credit) + 1, type(uint256).max - 1);
        vm.expectRevert(abi.encodeWithSelector(IFeeVault.InsufficientCredit.selector, address(usd), asked, credit));
        vm.prank(attacker);
        vault.withdraw(address(usd), attacker, asked);
    }

    function testFuzz_C14_withdrawBatch_duplicatesPayOnce(uint128 mine, uint8 times) public {
        BareVault vault = new BareVault();
        usd.mint(address(vault), uint256(mine) * 2);
        vault.credit(address(usd), attacker, mine);
        vault.credit(address(usd), victim, mine);
        uint256 length = bound(times, 1, 20);
        address[] memory currencies = new address[](length);
        uint256[] memory amounts = new uint256[](length);
        for (uint256 i; i < length; i++) {
            (currencies[i], amounts[i]) = (address(usd), type(uint256).max);
        }
        vm.prank(attacker);
        vault.withdrawBatch(currencies, attacker, amounts);
        assertEq(usd.balanceOf(attacker), mine);
    }

    function test_C14_badCurrency_blocksOnlyItself() public {
        BareVault vault = new BareVault();
        address stuck = address(new StuckCurrency());
        TestUSD good = new TestUSD("Good", "GOOD", 18);
        good.mint(address(vault), 500);
        vault.credit(stuck, alice, 100);
        vault.credit(address(good), alice, 500);
        vm.startPrank(alice);
        vm.expectRevert();
        vault.withdraw(stuck, alice, type(uint256).max);
        vault.withdraw(address(good), alice, type(uint256).max);
        assertEq(good.balanceOf(alice), 500);
        assertEq(vault.creditOf(stuck, alice), 100, "still owed");
        // Without a credit the currency is not even called.
        vm.stopPrank();
        vm.prank(bob);
        assertEq(vault.withdraw(stuck, bob, type(uint256).max), 0);
    }

    function testFuzz_C14_balance_coversEveryCredit(uint256 seed, bool usdIs0) public {
        address token = _create(PoolTypes.MEME, usdIs0);
        _setReferrer(alice, referrer);
        for (uint256 i; i < 8; i++) {
            seed = uint256(keccak256(abi.encode(seed)));
            ILaunchpad.Order memory order = _order(token, bound(seed, oneUsd, 20_000 * oneUsd), alice);
            (order.builder, order.builderBps, order.referral) = (builder, seed % 500, referral);
            (, uint256 tokens) = _buy(order, alice);
            _sell(token, alice, tokens / 2);
            skip(seed % 4);
            launchpad.collectTreasury(_one(token));
            vm.prank(builder);
            launchpad.withdraw(address(usd), builder, type(uint256).max);
            _assertBooksClose(token);
        }
    }

    // ---------------------------------------------------------------- C15: crediting

    function testFuzz_C15_foreignSwap_onlyThePoolManagerTells(address caller, int256 amount, bool zeroForOne) public {
        PoolKey memory key = _poolKey(_createGraduated(PoolTypes.MEME, true));
        vm.assume(caller != address(manager));
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.Unauthorized.selector, caller));
        vm.prank(caller);
        launchpad.afterSwap(caller, key, SwapParams(zeroForOne, amount, 0), BalanceDelta.wrap(amount), "");
    }

    function testFuzz_C15_hook_answersThePoolManagerOnly(address caller) public {
        vm.assume(caller != address(manager));
        bytes[4] memory calls = [
            abi.encodeWithSelector(launchpad.beforeInitialize.selector),
            abi.encodeWithSelector(launchpad.beforeAddLiquidity.selector),
            abi.encodeWithSelector(launchpad.beforeSwap.selector),
            abi.encodeWithSelector(launchpad.afterSwap.selector)
        ];
        for (uint256 i; i < 4; i++) {
            vm.prank(caller);
            (bool ok,) = address(launchpad).call(bytes.concat(calls[i], new bytes(2048)));
            assertFalse(ok);
        }
    }

    /// @notice What the hook took is what was credited, measured by the balance, whatever the PoolManager takes besides.
    function testFuzz_C15_foreignSwap_partsAreWhatArrived(uint256 amount, uint8 kind, uint16 protocolFee, bool usdIs0)
        public
    {
        address token = _createGraduated(PoolTypes.MEME, usdIs0);
        _setProtocolFee(token, protocolFee);
        _approveRouter(token, creator);
        usd.mint(creator, 100_000 * oneUsd);
        bool isBuy = kind % 2 == 0;
        bool usdExact = kind % 4 < 2;
        amount = usdExact ? bound(amount, oneUsd / 1000, 5000 * oneUsd) : bound(amount, 1e18, 10_000_000e18);
        uint256 held = usd.balanceOf(address(launchpad));
        uint256 owed = _creditsOfAll() + _owedFor(token);
        // Exact in is negative.
        vm.prank(creator);
        router.swap(_poolKey(token), isBuy == usdIs0, isBuy == usdExact ? -int256(amount) : int256(amount));
        uint256 arrived = usd.balanceOf(address(launchpad)) - held;
        assertGt(arrived, 0, "nobody trades without the fee");
        assertEq(_creditsOfAll() + _owedFor(token) - owed, arrived);
    }

    /// @notice The fee of exact dollars is taken on all of them, so a price limit that stops the swap reverts it.
    function test_C15_foreignSwap_partOfExactDollarsReverts() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        _approveRouter(token, creator);
        usd.mint(creator, 5000 * oneUsd);
        PoolKey memory pool = _poolKey(token);
        uint160 limit = uint160(_sqrtPrice(token) * 999 / 1000);
        vm.startPrank(creator);
        vm.expectRevert();
        router.swapTo(pool, true, -int256(5000 * oneUsd), limit);
        // Without the limit the same swap runs.
        router.swap(pool, true, -int256(5000 * oneUsd));
    }

    function test_C15_oddDollars_rejectedOrExact() public {
        DollarCheck holder = new DollarCheck();
        for (uint256 model; model < 12; model++) {
            OddDollar odd = new OddDollar(OddDollar.Model(model));
            odd.mint(address(holder), 1_000_001);
            // These move what they are told to move.
            bool exact = model == uint256(OddDollar.Model.ReturnsNothing)
                || model == uint256(OddDollar.Model.RefusesZero)
                || model == uint256(OddDollar.Model.ApprovalOnlyFromZero);
            (bool accepted,) = address(holder).call(abi.encodeCall(DollarCheck.check, (address(odd), bob, false)));
            assertEq(accepted, exact, vm.toString(model));
        }
    }
}
