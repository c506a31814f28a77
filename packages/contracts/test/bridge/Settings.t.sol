// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {TokenBridge} from "../../src/TokenBridge.sol";
import {ITokenBridge} from "../../src/interfaces/ITokenBridge.sol";
import {LaunchToken} from "../../src/LaunchToken.sol";
import {BridgeTest} from "./BridgeTest.sol";
import {IUln} from "./LayerZeroWorld.sol";

contract BridgeSettingsTest is BridgeTest {
    function test_X2_everySettingIsPinned() public view {
        uint32[2] memory eids = [FAR, THIRD];
        for (uint256 i; i < 2; i++) {
            _assertPinned(sendLibrary.getAppUlnConfig(bridge, eids[i]), SEND_CONFIRMATIONS);
            _assertPinned(receiveLibrary.getAppUlnConfig(bridge, eids[i]), RECEIVE_CONFIRMATIONS);
            (uint32 bytesMost, address executor_) = sendLibrary.executorConfigs(bridge, eids[i]);
            assertEq(bytesMost, 10_000);
            assertEq(executor_, executor);
        }
        assertEq(endpoint.delegates(bridge), owner);
    }

    function _assertPinned(IUln.UlnConfig memory config, uint64 confirmations) private view {
        assertEq(config.confirmations, confirmations);
        assertEq(config.requiredDVNCount, 2);
        assertEq(config.optionalDVNCount, 255);
        assertEq(config.optionalDVNThreshold, 0);
        assertEq(config.requiredDVNs, _routes()[0].dvns);
    }

    function test_X2_routes_noZeroNoSecondNoSelf() public {
        ITokenBridge.RouteConfig memory good = _routeTo(NOWHERE, 300);
        vm.startPrank(owner);
        for (uint256 i; i < 10; i++) {
            ITokenBridge.RouteConfig memory bad = _routeTo(NOWHERE, 300);
            if (i == 0) bad.sendConfirmations = 0;
            if (i == 1) bad.receiveConfirmations = 0;
            if (i == 2) bad.dvns = new address[](0);
            if (i == 3) bad.executor = address(0);
            if (i == 4) bad.sendLibrary = address(0);
            if (i == 5) bad.receiveLibrary = address(0);
            if (i == 6) bad.chainId = uint64(block.chainid);
            if (i == 7) bad.chainId = FAR_CHAIN;
            if (i == 8) bad.chainId = 0;
            if (i == 9) (bad.eid, bad.chainId) = (HERE, 300);
            vm.expectRevert(abi.encodeWithSelector(ITokenBridge.UnusableRoute.selector, bad.eid));
            tokenBridge.openRoute(bad);
        }
        vm.expectRevert(abi.encodeWithSelector(ITokenBridge.UnusableRoute.selector, FAR));
        tokenBridge.openRoute(_routeTo(FAR, 300));
        tokenBridge.openRoute(good);
        assertTrue(tokenBridge.routeOf(NOWHERE).open);
        assertEq(tokenBridge.eidOf(300), NOWHERE);
        vm.stopPrank();
    }

    function test_X7_X13_roles() public {
        address[4] memory callers = [alice, guardian, creator, address(launchpad)];
        for (uint256 i; i < callers.length; i++) {
            vm.startPrank(callers[i]);
            bytes memory refusal = abi.encodeWithSelector(ITokenBridge.Unauthorized.selector, callers[i]);
            if (callers[i] != guardian) {
                vm.expectRevert(refusal);
                tokenBridge.pause(FAR);
            }
            vm.expectRevert(refusal);
            tokenBridge.unpause(FAR);
            vm.expectRevert(refusal);
            tokenBridge.openRoute(_routeTo(NOWHERE, 300));
            vm.expectRevert(refusal);
            tokenBridge.setGas(FAR, 1, 1);
            vm.expectRevert(refusal);
            tokenBridge.setGuardian(callers[i]);
            vm.expectRevert(refusal);
            tokenBridge.transferOwnership(callers[i]);
            vm.expectRevert(refusal);
            tokenBridge.acceptOwnership();
            vm.stopPrank();
        }
        vm.prank(guardian);
        tokenBridge.pause(FAR);
        assertTrue(tokenBridge.routeOf(FAR).paused);
        // Tokens stay what they are.
        vm.prank(alice);
        LaunchToken(token).transfer(bob, 1e18);
        vm.startPrank(owner);
        tokenBridge.unpause(FAR);
        tokenBridge.pause(THIRD);
        tokenBridge.setGas(FAR, 240_000, 800_000);
        assertEq(tokenBridge.routeOf(FAR).registrationGas, 800_000);
        vm.expectRevert(ITokenBridge.ZeroAddress.selector);
        tokenBridge.setGuardian(address(0));
        tokenBridge.setGuardian(bob);
        assertEq(tokenBridge.guardian(), bob);
        vm.expectRevert(abi.encodeWithSelector(ITokenBridge.NoRoute.selector, NOWHERE));
        tokenBridge.pause(NOWHERE);
        vm.expectRevert(abi.encodeWithSelector(ITokenBridge.NoRoute.selector, NOWHERE));
        tokenBridge.setGas(NOWHERE, 1, 1);
        tokenBridge.transferOwnership(alice);
        assertEq(tokenBridge.owner(), owner);
        vm.stopPrank();
        vm.prank(alice);
        tokenBridge.acceptOwnership();
        assertEq(tokenBridge.owner(), alice);
        assertEq(endpoint.delegates(bridge), alice);
        assertEq(tokenBridge.pendingOwner(), address(0));
    }

    function test_error_needsItsPeople() public {
        TokenBridge.Config memory config =
            TokenBridge.Config(address(endpoint), address(factory), owner, address(0));
        vm.expectRevert(ITokenBridge.ZeroAddress.selector);
        new TokenBridge(config, new ITokenBridge.RouteConfig[](0));
        (config.owner, config.guardian) = (address(0), guardian);
        vm.expectRevert(ITokenBridge.ZeroAddress.selector);
        new TokenBridge(config, new ITokenBridge.RouteConfig[](0));
    }

    function test_size_tokenBridge() public view {
        assertLt(bridge.code.length, 24_000);
    }
}
