// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IPoolManager} from "v4-core/interfaces/IPoolManager.sol";
import {LaunchpadV3} from "../../src/LaunchpadV3.sol";
import {ILaunchpad} from "../../src/interfaces/ILaunchpad.sol";
import {Fees} from "../../src/libraries/Fees.sol";
import {DeployedSystem} from "../hostile/DeployedSystem.sol";
import {ForeignRouter} from "../hostile/actors/ForeignRouter.sol";

/// @notice The end of a run: who leaves, with what, and whether anything that they do before pays.
abstract contract Exits is DeployedSystem {
    bytes4 private constant WORDS = bytes4(keccak256("Error(string)"));

    /// @dev Also inside their own lock of the PoolManager, where a router is the trader: the only traders with code.
    function _errorOf(ILaunchpad.Order memory order, address trader, bytes4 trade) internal override returns (bytes4) {
        if (trader.code.length == 0) return super._errorOf(order, trader, trade);
        bytes memory call = abi.encodeWithSelector(trade, order);
        try ForeignRouter(trader).callUnlocked(_poolKey(order.token), address(launchpad), call) {
            return 0;
        } catch (bytes memory reason) {
            return _selectorOf(reason);
        }
    }

    /// @dev A pool's trades need the lock themselves. A v3 pool says so in words.
    function _isLocked(address trader, bytes4 error) internal view returns (bool) {
        bool isV4 = venueKind == VenueKind.UniswapV4;
        return trader == address(router) && error == (isV4 ? IPoolManager.AlreadyUnlocked.selector : WORDS);
    }

    /// @notice Two coalitions at this state: all of them, with whatever they have and every fee they earn, and strangers with
    /// empty hands. Leaving at once is worth as much as any trades among themselves, a graduation, and leaving then.
    /// @dev What honest trades paid before, fees and floor included, is part of the state. All of them is the hardest case:
    /// the fees of their trades come back to them, so only the prices of curve, pool and floor are left to cost anything.
    /// The three who trade, one of them a router, begin with empty hands and leave first: how much rounding takes depends on
    /// who sells how much in which order, and with tokens from before they would find an order that is a base unit better. What
    /// is left of that is a base unit for each who leaves: the others sell at another rest of a base unit than before.
    /// @param routed Counts the trades of the router: inside its own lock, and in the pool. In memory, which no snapshot
    /// takes back.
    function _assertNobodyGains(
        address token,
        address[] memory all,
        address creator_,
        uint256 seed,
        uint256[2] memory routed
    ) internal {
        address[] memory strangers = new address[](2);
        (strangers[0], strangers[1]) = (makeAddr("stranger"), makeAddr("another stranger"));
        _assertChurnDoesNotPay(token, _withRouter(all), creator_, seed, routed);
        _assertChurnDoesNotPay(token, _withRouter(strangers), address(0), seed, routed);
    }

    /// @notice A new router, and these.
    function _withRouter(address[] memory accounts) private returns (address[] memory coalition) {
        coalition = new address[](accounts.length + 1);
        coalition[0] = address(_newRouter());
        for (uint256 i; i < accounts.length; i++) {
            coalition[i + 1] = accounts[i];
        }
    }

    function _assertChurnDoesNotPay(
        address token,
        address[] memory coalition,
        address creator_,
        uint256 seed,
        uint256[2] memory routed
    ) private {
        uint256 snapshot = vm.snapshotState();
        for (uint256 i; i < 3; i++) {
            assertEq(IERC20(token).balanceOf(coalition[i]), 0, "empty hands");
            _fund(coalition[i], 1000 * _poolType(token).virtualUsd);
            _approveRouter(token, coalition[i]);
        }
        uint256 funded = vm.snapshotState();
        bool earnsFees = creator_ != address(0);
        uint256 atOnce = _worthOfLeaving(token, coalition, earnsFees);
        vm.revertToState(funded);

        bool waits = !launchpad.stateOf(token).graduated;
        _churn(token, coalition, seed, routed);
        bool graduates = waits && launchpad.stateOf(token).graduated;
        uint256 later = _worthOfLeaving(token, coalition, earnsFees);
        uint256 reward = graduates && earnsFees ? _poolType(token).creatorReward : 0;
        assertLe(later, atOnce + reward + _rounding(coalition.length, atOnce), "a coalition gains");
        vm.revertToState(snapshot);
    }

    /// @dev Some trades of any size, then all that is left of the curve, its graduation, and half of it sold by the router.
    function _churn(address token, address[] memory coalition, uint256 seed, uint256[2] memory routed) private {
        uint256 most = _poolType(token).virtualUsd;
        for (uint256 i; i < 4; i++) {
            seed = uint256(keccak256(abi.encode(seed)));
            address trader = coalition[seed % 3];
            bool buys = seed & 4 != 0;
            uint256 amount = buys ? bound(seed >> 8, 1, most >> (seed >> 3) % 16) + 1 : IERC20(token).balanceOf(trader) / 2;
            if (trader == coalition[0]) _tradeByRouter(token, trader, buys, amount, routed);
            else _errorOf(_order(token, amount, trader), trader, _exactIn(buys));
        }
        if (seed & 16 != 0) skip(Fees.WINDOW_SECONDS);
        if (!launchpad.stateOf(token).graduated) {
            _errorOf(_order(token, 100 * most, coalition[1]), coalition[1], ILaunchpad.buyExactIn.selector);
            skip(Fees.WINDOW_SECONDS);
            try launchpad.graduate(token) {} catch {}
        }
        uint256 half = IERC20(token).balanceOf(coalition[1]) / 2;
        if (seed & 32 == 0 || half == 0 || !launchpad.stateOf(token).graduated) return;
        vm.prank(coalition[1]);
        try router.swap(_poolKey(token), !_usdIs0(token), -int256(half)) {} catch {}
    }

    /// @dev On the curve inside its own lock, in which a pool's trades cannot be; in the pool without us.
    function _tradeByRouter(address token, address trader, bool buys, uint256 amount, uint256[2] memory routed) private {
        if (!launchpad.stateOf(token).graduated) {
            if (_errorOf(_order(token, amount, trader), trader, _exactIn(buys)) == 0) routed[0]++;
            return;
        }
        vm.prank(trader);
        try router.swap(_poolKey(token), buys == _usdIs0(token), -int256(amount)) {
            routed[1]++;
        } catch {}
    }

    function _exactIn(bool buys) private pure returns (bytes4) {
        return buys ? ILaunchpad.buyExactIn.selector : ILaunchpad.sellExactIn.selector;
    }

    function _worthOfLeaving(address token, address[] memory coalition, bool earnsFees) private returns (uint256) {
        _leave(token, coalition);
        if (earnsFees && venueKind != VenueKind.UniswapV4 && launchpad.stateOf(token).graduated) _leaveWithPoolFees(token);
        launchpad.collectTreasury(_one(token));
        return _dollarsOf(coalition);
    }

    /// @dev Of what they sell the pool keeps a hundredth in the token, which is the creator's and the treasury's to sell again.
    function _leaveWithPoolFees(address token) private {
        address[] memory two = new address[](2);
        (two[0], two[1]) = (launchpad.stateOf(token).creator, launchpad.treasury());
        for (uint256 i; i < 8; i++) {
            LaunchpadV3(address(launchpad)).collectPoolFees(token);
            for (uint256 who; who < 2; who++) {
                vm.prank(two[who]);
                launchpad.withdraw(token, two[who], type(uint256).max);
            }
            _leave(token, two);
        }
    }

    /// @dev A base unit for each who leaves; on a v3 exchange also what is left of the pool's fees after eight times.
    function _rounding(uint256 leavers, uint256 atOnce) private view returns (uint256) {
        return leavers + (venueKind == VenueKind.UniswapV4 ? 0 : atOnce / 1e14);
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
