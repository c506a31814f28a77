// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {TestUSD} from "../src/TestUSD.sol";
import {FeeVault} from "../src/FeeVault.sol";
import {LaunchpadV3} from "../src/LaunchpadV3.sol";
import {ILaunchpad} from "../src/interfaces/ILaunchpad.sol";
import {PoolTypes} from "../src/libraries/PoolTypes.sol";
import {LaunchpadTest} from "./LaunchpadTest.sol";

contract OpenVault is FeeVault {
    function credit(address currency, address account, uint256 amount) external {
        _credit(currency, account, amount);
    }
}

/// @notice Gas of whole transactions: 21000, calldata and execution, refunds subtracted. Every measured call is a
/// transaction of its own (`isolate`), all accounts and balances already exist, and time advances between trades. These are
/// the rows that depend on the venue; each goes to snapshots/ under its exchange's name.
abstract contract VenueGas is LaunchpadTest {
    string private _group;
    uint256 private immutable _poolBudget;

    constructor(VenueKind kind, string memory group, uint256 poolBudget) {
        (venueKind, _group, _poolBudget) = (kind, group, poolBudget);
    }

    function test_gas_create() public {
        _create(PoolTypes.MEME, true);
        ILaunchpad.TokenParams memory params = _params(PoolTypes.MEME);
        vm.prank(creator);
        launchpad.create(params);
        _row("create", 230_000);
    }

    function test_gas_pool_usdIs0() public {
        _pool(true, "");
    }

    function test_gas_pool_tokenIs0() public {
        _pool(false, ", token first");
    }

    // ---------------------------------------------------------------- internals

    function _pool(bool usdIs0, string memory suffix) private {
        address token = _createGraduated(PoolTypes.MEME, usdIs0);
        _warmUp(token);
        ILaunchpad.Order memory order = _realistic(token, 100 * oneUsd);
        (order.builder, order.builderBps) = (builder, 50);
        vm.prank(alice);
        launchpad.buyExactIn(order);
        _row(string.concat("pool buy with builder", suffix), _poolBudget);

        _nextBlock();
        order.amount = 100_000e18;
        vm.prank(alice);
        launchpad.sellExactIn(order);
        _row(string.concat("pool sell with builder", suffix), _poolBudget);
    }

    /// @dev Both ways once, so that every slot that a later trade writes is already non-zero.
    function _warmUp(address token) internal {
        ILaunchpad.Order memory order = _realistic(token, 1000 * oneUsd);
        (order.builder, order.builderBps) = (builder, 50);
        (, uint256 tokens) = _buy(order, alice);
        usd.mint(alice, 1_000_000 * oneUsd);
        _nextBlock();
        _sell(token, alice, tokens / 2);
        _nextBlock();
    }

    /// @dev As wallets send it: with a limit and a deadline of two minutes.
    function _realistic(address token, uint256 amount) internal view returns (ILaunchpad.Order memory order) {
        order = _order(token, amount, alice);
        order.limit = 1;
        order.deadline = block.timestamp + 120;
    }

    function _nextBlock() internal {
        skip(12);
        vm.roll(block.number + 1);
    }

    function _row(string memory name, uint256 budget) internal {
        assertLe(vm.snapshotGasLastCall(_group, name), budget, name);
    }
}

/// @notice On Uniswap v4, with what does not depend on the venue. The limits are what docs/decisions/0044 asks for.
/// forge-config: default.isolate = true
contract GasTest is VenueGas {
    constructor() VenueGas(VenueKind.UniswapV4, "Gas", 140_000) {}

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
}

/// @notice On an exchange of the form of Uniswap v3. The limits are what was measured, rounded up: the pool keeps its prices of
/// the past, calls back, and is made by the graduation, which is a transaction of its own there.
abstract contract GasV3 is VenueGas {
    function test_gas_graduate() public {
        address token = _createOld(PoolTypes.MEME, true);
        _warmUp(token);
        _buy(token, alice, 50_000 * oneUsd);
        launchpad.graduate(token);
        _row("graduate", 5_300_000);
    }

    function test_gas_collectPoolFees() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        for (uint256 i; i < 2; i++) {
            _warmUp(token);
            LaunchpadV3(address(launchpad)).collectPoolFees(token);
        }
        _row("collectPoolFees", 150_000);
    }
}

/// forge-config: default.isolate = true
contract GasUniswapV3Test is GasV3 {
    constructor() VenueGas(VenueKind.UniswapV3, "GasUniswapV3", 150_000) {}
}

/// forge-config: default.isolate = true
contract GasPancakeV3Test is GasV3 {
    constructor() VenueGas(VenueKind.PancakeV3, "GasPancakeV3", 150_000) {}
}
