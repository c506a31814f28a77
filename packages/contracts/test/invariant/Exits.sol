// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IPoolManager} from "v4-core/interfaces/IPoolManager.sol";
import {ILaunchpad} from "../../src/interfaces/ILaunchpad.sol";
import {Fees} from "../../src/libraries/Fees.sol";
import {DeployedSystem} from "../hostile/DeployedSystem.sol";

/// @notice The end of a run: who leaves, with what, and whether anything that they do before pays.
abstract contract Exits is DeployedSystem {
    /// @dev Also inside their own lock of the PoolManager, where the router is the trader.
    function _errorOf(ILaunchpad.Order memory order, address trader, bytes4 trade) internal override returns (bytes4) {
        if (trader != address(router)) return super._errorOf(order, trader, trade);
        bytes memory call = abi.encodeWithSelector(trade, order);
        try router.callUnlocked(_poolKey(order.token), address(launchpad), call) {
            return 0;
        } catch (bytes memory reason) {
            return bytes4(reason);
        }
    }

    /// @dev A pool's trades need the lock themselves.
    function _isLocked(address trader, bytes4 error) internal view returns (bool) {
        return trader == address(router) && error == IPoolManager.AlreadyUnlocked.selector;
    }

    /// @notice Two coalitions at this state: all of them, with whatever they have and every fee they earn, and strangers with
    /// empty hands. Leaving at once is worth as much as any trades among themselves, a graduation, and leaving then.
    /// @dev What honest trades paid before, fees and floor included, is part of the state. All of them is the hardest case:
    /// the fees of their trades come back to them, so only the prices of curve, pool and floor are left to cost anything.
    function _assertNobodyGains(address token, address[] memory all, address creator_, uint256 seed) internal {
        address[] memory strangers = new address[](2);
        (strangers[0], strangers[1]) = (makeAddr("stranger"), makeAddr("stranger behind a router"));
        _assertChurnDoesNotPay(token, all, creator_, seed);
        _assertChurnDoesNotPay(token, strangers, address(0), seed);
    }

    function _assertChurnDoesNotPay(address token, address[] memory coalition, address creator_, uint256 seed) private {
        uint256 snapshot = vm.snapshotState();
        for (uint256 i; i < 2; i++) {
            _fund(coalition[i], 1000 * _poolType(token).virtualUsd);
            _approveRouter(token, coalition[i]);
        }
        uint256 funded = vm.snapshotState();
        uint256 atOnce = _worthOfLeaving(token, coalition);
        vm.revertToState(funded);

        bool waits = !launchpad.stateOf(token).graduated;
        _churn(token, coalition, seed);
        bool graduates = waits && launchpad.stateOf(token).graduated;
        uint256 later = _worthOfLeaving(token, coalition);
        uint256 reward = graduates && creator_ != address(0) ? _poolType(token).creatorReward : 0;
        assertLe(later, atOnce + reward, "a coalition gains");
        vm.revertToState(snapshot);
    }

    /// @dev Some trades of any size, then all that is left of the curve, its graduation, and half of it sold by the router.
    function _churn(address token, address[] memory coalition, uint256 seed) private {
        uint256 most = _poolType(token).virtualUsd;
        for (uint256 i; i < 4; i++) {
            seed = uint256(keccak256(abi.encode(seed)));
            address trader = coalition[seed % 2];
            bool buys = seed & 4 != 0;
            uint256 amount = buys ? bound(seed >> 8, 1, most >> (seed >> 3) % 16) + 1 : IERC20(token).balanceOf(trader) / 2;
            _errorOf(
                _order(token, amount, trader),
                trader,
                buys ? ILaunchpad.buyExactIn.selector : ILaunchpad.sellExactIn.selector
            );
        }
        if (seed & 16 != 0) skip(Fees.WINDOW_SECONDS);
        if (!launchpad.stateOf(token).graduated) {
            _errorOf(_order(token, 100 * most, coalition[0]), coalition[0], ILaunchpad.buyExactIn.selector);
            skip(Fees.WINDOW_SECONDS);
            try launchpad.graduate(token) {} catch {}
        }
        uint256 half = IERC20(token).balanceOf(coalition[0]) / 2;
        if (seed & 32 == 0 || half == 0 || !launchpad.stateOf(token).graduated) return;
        vm.prank(coalition[0]);
        try router.swap(_poolKey(token), !_usdIs0(token), -int256(half)) {} catch {}
    }

    function _worthOfLeaving(address token, address[] memory coalition) private returns (uint256) {
        _leave(token, coalition);
        launchpad.collectTreasury(_one(token));
        return _dollarsOf(coalition);
    }

    /// @notice Everybody sells all they have, one after the other. Refused is only what is worth nothing.
    function _leave(address token, address[] memory accounts) internal {
        for (uint256 i; i < accounts.length; i++) {
            uint256 held = IERC20(token).balanceOf(accounts[i]);
            if (held == 0) continue;
            // Without the lock of the router, in which a pool's trades cannot be.
            bytes4 error =
                super._errorOf(_order(token, held, accounts[i]), accounts[i], ILaunchpad.sellExactIn.selector);
            assertTrue(error == 0 || error == ILaunchpad.ZeroAmount.selector, "cannot leave");
        }
    }

    function _withdrawAll(address[] memory accounts) internal {
        for (uint256 i; i < accounts.length; i++) {
            uint256 credit = _credit(accounts[i]);
            uint256 before = usd.balanceOf(accounts[i]);
            vm.prank(accounts[i]);
            launchpad.withdraw(address(usd), accounts[i], type(uint256).max);
            assertEq(usd.balanceOf(accounts[i]) - before, credit, "paid in full");
            assertEq(_credit(accounts[i]), 0, "nothing is left");
        }
    }
}
