// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {TestUSD} from "../src/TestUSD.sol";
import {FeeVault} from "../src/FeeVault.sol";
import {ILaunchpad} from "../src/interfaces/ILaunchpad.sol";
import {PoolTypes} from "../src/libraries/PoolTypes.sol";
import {LaunchpadTest} from "./LaunchpadTest.sol";

contract OpenVault is FeeVault {
    function credit(address currency, address account, uint256 amount) external {
        _credit(currency, account, amount);
    }
}

/// @notice Gas of whole transactions: 21000, calldata and execution, refunds subtracted. Every measured call is a
/// transaction of its own (`isolate`), all accounts and balances already exist, and time advances between trades.
/// The limits are what docs/decisions/0044 asks for; the rows go to
/// snapshots/Gas.json.
/// forge-config: default.isolate = true
contract GasTest is LaunchpadTest {
    string private constant GROUP = "Gas";

    uint256 private constant POOL_BUDGET = 140_000;

    function test_gas_create() public {
        _create(PoolTypes.MEME, true);
        ILaunchpad.TokenParams memory params = _params(PoolTypes.MEME);
        vm.prank(creator);
        launchpad.create(params);
        _row("create", 230_000);
    }

    function test_gas_curve() public {
        address token = _createOld(PoolTypes.MEME, true);
        _warmUp(token);

        ILaunchpad.Order memory order = _realistic(token, 100 * oneUsd);
        (order.builder, order.builderBps) = (builder, 50);
        vm.prank(alice);
        launchpad.buyExactIn(order);
        _row("curve buy with builder", 90_936);

        _nextBlock();
        order.amount = 1_000_000e18;
        vm.prank(alice);
        launchpad.sellExactIn(order);
        _row("curve sell with builder", 91_000);

        _nextBlock();
        vm.prank(alice);
        launchpad.buyExactIn(_realistic(token, 100 * oneUsd));
        _row("curve buy", 91_000);

        _nextBlock();
        vm.prank(alice);
        launchpad.sellExactIn(_realistic(token, 1_000_000e18));
        _row("curve sell", 91_000);

        _setReferrer(alice, referrer);
        order.amount = 100 * oneUsd;
        order.referral = referral;
        vm.prank(alice);
        launchpad.buyExactIn(order);
        _nextBlock();
        vm.prank(alice);
        launchpad.buyExactIn(order);
        _row("curve buy with builder, referral, referrer and cashback", 110_000);

        _nextBlock();
        order = _realistic(token, 1_000_000e18);
        order.limit = type(uint256).max;
        vm.prank(alice);
        launchpad.buyExactOut(order);
        _row("curve buy, exact out", 110_000);

        _nextBlock();
        order.amount = 100 * oneUsd;
        vm.prank(alice);
        launchpad.sellExactOut(order);
        _row("curve sell, exact out", 110_000);
    }

    function test_gas_graduatingBuy() public {
        address token = _createOld(PoolTypes.MEME, true);
        _warmUp(token);
        vm.prank(alice);
        launchpad.buyExactIn(_realistic(token, 50_000 * oneUsd));
        _row("graduating buy", 480_000);
        assertTrue(launchpad.stateOf(token).graduated);
    }

    function test_gas_graduatingBuy_tokenIs0() public {
        address token = _create(PoolTypes.MEME, false);
        _buy(token, bob, 1000 * oneUsd);
        skip(6);
        _warmUp(token);
        vm.prank(alice);
        launchpad.buyExactIn(_realistic(token, 50_000 * oneUsd));
        _row("graduating buy with floor", 480_000);
        assertTrue(launchpad.stateOf(token).graduated);
    }

    function test_gas_pool_usdIs0() public {
        _pool(true, "");
    }

    function test_gas_pool_tokenIs0() public {
        _pool(false, ", token first");
    }

    function test_gas_withdrawBatch() public {
        OpenVault vault = new OpenVault();
        address[] memory currencies = new address[](3);
        uint256[] memory amounts = new uint256[](3);
        for (uint256 i; i < 3; i++) {
            TestUSD currency = new TestUSD("Currency", "CUR", 18);
            currency.mint(address(vault), 1000);
            currency.mint(alice, 1);
            vault.credit(address(currency), alice, 500);
            (currencies[i], amounts[i]) = (address(currency), type(uint256).max);
        }
        vm.prank(alice);
        vault.withdrawBatch(currencies, alice, amounts);
        _row("withdrawBatch of 3 currencies", 110_000);
    }

    // ---------------------------------------------------------------- internals

    function _pool(bool usdIs0, string memory suffix) private {
        address token = _createGraduated(PoolTypes.MEME, usdIs0);
        _warmUp(token);
        ILaunchpad.Order memory order = _realistic(token, 100 * oneUsd);
        (order.builder, order.builderBps) = (builder, 50);
        vm.prank(alice);
        launchpad.buyExactIn(order);
        _row(string.concat("pool buy with builder", suffix), POOL_BUDGET);

        _nextBlock();
        order.amount = 100_000e18;
        vm.prank(alice);
        launchpad.sellExactIn(order);
        _row(string.concat("pool sell with builder", suffix), POOL_BUDGET);
    }

    /// @dev Both ways once, so that every slot that a later trade writes is already non-zero.
    function _warmUp(address token) private {
        ILaunchpad.Order memory order = _realistic(token, 1000 * oneUsd);
        (order.builder, order.builderBps) = (builder, 50);
        (, uint256 tokens) = _buy(order, alice);
        usd.mint(alice, 1_000_000 * oneUsd);
        _nextBlock();
        _sell(token, alice, tokens / 2);
        _nextBlock();
    }

    /// @dev As wallets send it: with a limit and a deadline of two minutes.
    function _realistic(address token, uint256 amount) private view returns (ILaunchpad.Order memory order) {
        order = _order(token, amount, alice);
        order.limit = 1;
        order.deadline = block.timestamp + 120;
    }

    function _nextBlock() private {
        skip(12);
        vm.roll(block.number + 1);
    }

    function _row(string memory name, uint256 budget) private {
        assertLe(vm.snapshotGasLastCall(GROUP, name), budget, name);
    }
}
