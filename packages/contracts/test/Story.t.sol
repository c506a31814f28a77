// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ILaunchpad} from "../src/interfaces/ILaunchpad.sol";
import {PoolTypes} from "../src/libraries/PoolTypes.sol";
import {LaunchpadTest} from "./LaunchpadTest.sol";

/// @notice The main job in one go: create, buy in the window and after it, sell, graduate, trade on the pool, claim.
contract StoryTest is LaunchpadTest {
    function test_story_usdIs0() public {
        _story(true);
    }

    function test_story_tokenIs0() public {
        _story(false);
    }

    function _story(bool usdIs0) private {
        address token = _create(PoolTypes.MEME, usdIs0);
        _setReferrer(alice, referrer);
        ILaunchpad.Order memory order = _order(token, 1000 * oneUsd, alice);
        (order.builder, order.builderBps, order.referral) = (builder, 100, referral);

        (uint256 paid, uint256 tokens) = _buy(order, alice);
        assertEq(paid, 1000 * oneUsd);
        skip(6);
        (, uint256 more) = _buy(order, alice);
        assertGt(more, tokens * 4, "80 % at second 0 buys a fraction");

        uint256 before = usd.balanceOf(alice);
        (, uint256 received) = _sell(token, alice, more);
        assertEq(usd.balanceOf(alice) - before, received);

        _buyToEnd(token, bob);
        assertTrue(launchpad.stateOf(token).graduated);

        (, uint256 poolTokens) = _buy(order, alice);
        (, uint256 poolUsd) = _sell(token, alice, poolTokens);
        assertLt(poolUsd, 1000 * oneUsd);
        _buyOut(token, bob, 1e18);
        _sellOut(token, alice, 10 * oneUsd);

        address[] memory list = new address[](1);
        list[0] = token;
        launchpad.collectTreasury(list);
        uint256 owed;
        address[6] memory earners = [creator, builder, referral, referrer, alice, treasury];
        for (uint256 i; i < earners.length; i++) {
            uint256 credit = _credit(earners[i]);
            assertGt(credit, 0);
            owed += credit;
        }
        assertEq(usd.balanceOf(address(launchpad)), owed + _owedFor(token), "books close");
        for (uint256 i; i < earners.length; i++) {
            vm.prank(earners[i]);
            launchpad.withdraw(address(usd), earners[i], type(uint256).max);
        }
        assertEq(usd.balanceOf(address(launchpad)), 0, "nothing left behind");
    }
}
