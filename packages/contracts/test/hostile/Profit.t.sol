// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ILaunchpad} from "../../src/interfaces/ILaunchpad.sol";
import {PoolTypes} from "../../src/libraries/PoolTypes.sol";
import {HostileTest} from "./HostileTest.sol";

/// @notice Buying, graduating and selling in any order, alone or in concert, costs more than it brings. The coalition
/// is the trader with an own builder, referral and referrer; in some runs the creator too, who then earns the
/// disclosed reward.
contract ProfitTest is HostileTest {
    address[] private coalition;

    function setUp() public override {
        super.setUp();
        coalition.push(attacker);
        coalition.push(builder);
        coalition.push(referral);
        coalition.push(referrer);
        _setReferrer(attacker, referrer);
    }

    /// @notice The attack that a floor just under the opening price pays for: buy the rest, graduate, sell everything.
    function test_C3_concert_buyGraduateSell_anyFloor() public {
        uint256[6] memory floors = [uint256(0), 1000, 20_000, 50_000, 100_000, 1_000_000];
        for (uint256 i; i < floors.length; i++) {
            for (uint256 order; order < 2; order++) {
                address token = _create(PoolTypes.MEME, order == 0);
                _growFloor(token, floors[i] * oneUsd);
                skip(6);
                _fund(attacker, 1_000_000 * oneUsd);
                uint256 before = _dollarsOf(coalition);
                vm.prank(attacker);
                launchpad.buyExactIn(_order(token, 1_000_000 * oneUsd, attacker));
                assertTrue(launchpad.stateOf(token).graduated);
                _sell(token, attacker, IERC20(token).balanceOf(attacker));
                assertLe(_dollarsOf(coalition), before, "no profit");
            }
        }
    }

    function testFuzz_C3_concert_anyOrderOfActions(
        uint256 seed,
        uint256 floor,
        uint8 typeId,
        bool creatorIn,
        bool usdIs0
    ) public {
        uint8[3] memory types = [PoolTypes.MEME, PoolTypes.STARTUP_PRESEED, PoolTypes.TEST];
        address token = _create(types[typeId % 3], usdIs0);
        _growFloor(token, bound(floor, 0, 8 * _poolType(token).virtualUsd));
        // Some tokens in honest hands, bought and partly sold before the attack.
        _buy(token, bob, bound(seed, 1, 5) * _poolType(token).virtualUsd / 4);
        if (creatorIn) coalition.push(creator);

        uint256 reward = creatorIn ? _poolType(token).creatorReward : 0;
        _fund(attacker, 1000 * _poolType(token).virtualUsd);
        uint256 before = _dollarsOf(coalition);
        for (uint256 i; i < 10; i++) {
            seed = uint256(keccak256(abi.encode(seed)));
            _act(token, seed);
        }
        _trade(token, IERC20(token).balanceOf(attacker), seed, ILaunchpad.sellExactIn.selector);
        assertLt(IERC20(token).balanceOf(attacker), 1e18, "all sold");
        if (!launchpad.stateOf(token).graduated) reward = 0;
        assertLe(_dollarsOf(coalition), before + reward, "no profit beyond the disclosed reward");
    }

    function _act(address token, uint256 seed) private {
        uint256 raise = _poolType(token).virtualUsd;
        uint256 size = seed >> 8;
        if (seed % 8 < 3) {
            _trade(token, bound(size, 1, 4 * raise), seed, ILaunchpad.buyExactIn.selector);
        } else if (seed % 8 == 3) {
            _trade(token, bound(size, 1, 2e26), seed, ILaunchpad.buyExactOut.selector);
        } else if (seed % 8 < 6) {
            uint256 held = IERC20(token).balanceOf(attacker);
            _trade(token, bound(size, held / 10, held), seed, ILaunchpad.sellExactIn.selector);
        } else if (seed % 8 == 6) {
            skip(size % 4);
        } else {
            vm.prank(attacker);
            try launchpad.graduate(token) {} catch {}
        }
    }

    /// @dev Trades that cannot be (nothing to sell, beyond the end) are left out.
    function _trade(address token, uint256 amount, uint256 seed, bytes4 trade) private {
        ILaunchpad.Order memory order = _order(token, amount, attacker);
        if (trade == ILaunchpad.buyExactOut.selector) order.limit = type(uint256).max;
        if (seed & 256 != 0) (order.builder, order.builderBps) = (builder, (seed >> 9) % 1500);
        if (seed & 512 != 0) order.referral = referral;
        bytes4 error = _errorOf(order, attacker, trade);
        assertTrue(error == 0 || _isRefusal(error), vm.toString(error));
    }

    /// @notice Others pay the opening fee until the floor is as large as wanted.
    function _growFloor(address token, uint256 wanted) private {
        while (launchpad.stateOf(token).floorUsd < wanted) {
            uint256 missing = wanted - launchpad.stateOf(token).floorUsd;
            (, uint256 tokens) = _buy(token, bob, missing < 10_000 * oneUsd ? missing * 2 + oneUsd : 100_000 * oneUsd);
            _sell(token, bob, tokens);
        }
    }
}
