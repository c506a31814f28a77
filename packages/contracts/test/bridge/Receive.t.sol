// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ILaunchpad} from "../../src/interfaces/ILaunchpad.sol";
import {ILayerZeroEndpoint} from "../../src/interfaces/ILayerZeroEndpoint.sol";
import {ITokenBridge} from "../../src/interfaces/ITokenBridge.sol";
import {LaunchToken} from "../../src/LaunchToken.sol";
import {BridgeMessage} from "../../src/libraries/BridgeMessage.sol";
import {PoolTypes} from "../../src/libraries/PoolTypes.sol";
import {BridgeTest} from "./BridgeTest.sol";
import {IUln} from "./LayerZeroWorld.sol";

contract BridgeReceiveTest is BridgeTest {
    uint64 private constant LIMIT = 100_000_000e6;

    function _back(uint64 units) private view returns (bytes memory) {
        return BridgeMessage.encodeTransfer(token, _word(bob), units);
    }

    function test_default_comesHome() public {
        _send(1000e18);
        _arrive(FAR, 1, _back(400e6));
        (uint256 out,,) = tokenBridge.pathOf(token, FAR);
        assertEq(out, 600e18);
        assertEq(LaunchToken(token).balanceOf(bob), 400e18);
        assertEq(LaunchToken(token).totalSupply() + out, PoolTypes.SUPPLY);
    }

    function test_default_aForeignTokenIsRegisteredAndMinted() public {
        address foreign = _foreignToken(FAR_CHAIN);
        _arrive(FAR, 1, _registration(foreign, bob, 5e6));
        assertEq(LaunchToken(foreign).balanceOf(bob), 5e18);
        assertEq(LaunchToken(foreign).totalSupply(), 5e18);
        assertEq(LaunchToken(foreign).name(), "Paper Boat");
        assertEq(tokenBridge.homeOf(foreign), FAR);
        // A second registration is a transfer, or nothing.
        _arrive(FAR, 2, _registration(foreign, bob, 1e6));
        _arrive(FAR, 3, _registration(foreign, address(0), 0));
        assertEq(LaunchToken(foreign).totalSupply(), 6e18);
        // And goes home only.
        vm.deal(bob, 1 ether);
        ITokenBridge.Transfer memory away =
            ITokenBridge.Transfer(foreign, THIRD, _word(bob), 1e18, false, address(0), 0);
        vm.startPrank(bob);
        vm.expectRevert(abi.encodeWithSelector(ITokenBridge.ThroughHome.selector, FAR));
        tokenBridge.send{value: 1 ether}(away, bob);
        away.dstEid = FAR;
        tokenBridge.send{value: 1 ether}(away, bob);
        vm.stopPrank();
        assertEq(LaunchToken(foreign).totalSupply(), 5e18);
        (uint256 out,,) = tokenBridge.pathOf(foreign, FAR);
        assertEq(out, 0);
    }

    function test_X1_onlyTheEndpointDelivers_onlyThePeerSends() public {
        _send(10e18);
        Packet memory packet = _packet(FAR, 1, _back(1e6));
        vm.expectRevert(abi.encodeWithSelector(ITokenBridge.Unauthorized.selector, address(this)));
        tokenBridge.lzReceive(packet.origin, packet.guid, packet.message, address(0), "");
        packet.origin.sender = _word(DEAD);
        _verifyBy(dvnA, packet);
        _verifyBy(dvnB, packet);
        vm.expectRevert(abi.encodeWithSignature("LZ_PathNotInitializable()"));
        _commit(packet);
        vm.prank(address(endpoint));
        vm.expectRevert(abi.encodeWithSelector(ITokenBridge.Unauthorized.selector, address(endpoint)));
        tokenBridge.lzReceive(packet.origin, packet.guid, packet.message, address(0), "");
        assertFalse(tokenBridge.allowInitializePath(packet.origin));
        assertFalse(tokenBridge.allowInitializePath(ILayerZeroEndpoint.Origin(NOWHERE, _word(bridge), 1)));
        assertTrue(tokenBridge.allowInitializePath(ILayerZeroEndpoint.Origin(FAR, _word(bridge), 1)));
    }

    function test_X1_aThirdChainRegistersNobodyElsesToken() public {
        address foreign = _foreignToken(FAR_CHAIN);
        Packet memory packet = _packet(THIRD, 1, _registration(foreign, bob, 5e6));
        _verify(packet);
        address derived = _foreignToken(THIRD_CHAIN);
        vm.expectRevert(abi.encodeWithSelector(ITokenBridge.WrongToken.selector, foreign, derived));
        _deliver(packet);
        // Nor does it mint one that is registered, nor one of this chain.
        _arrive(FAR, 1, _registration(foreign, bob, 5e6));
        packet = _packet(THIRD, 2, BridgeMessage.encodeTransfer(foreign, _word(bob), 1));
        _verify(packet);
        vm.expectRevert(abi.encodeWithSelector(ITokenBridge.ThroughHome.selector, FAR));
        _deliver(packet);
        packet = _packet(THIRD, 3, _back(1));
        _verify(packet);
        vm.expectRevert(abi.encodeWithSelector(ITokenBridge.MoreThanOut.selector, 1e12, 0));
        _deliver(packet);
    }

    function test_X2_oneVerifierIsNotEnough() public {
        _send(10e18);
        Packet memory packet = _packet(FAR, 1, _back(1e6));
        _verifyBy(dvnA, packet);
        vm.expectRevert(abi.encodeWithSignature("LZ_ULN_Verifying()"));
        _commit(packet);
        _verifyBy(DEAD, packet);
        vm.expectRevert(abi.encodeWithSignature("LZ_ULN_Verifying()"));
        _commit(packet);
        _verifyBy(dvnB, packet);
        _commit(packet);
        _deliver(packet);
    }

    function test_X3_doubledAndReordered() public {
        _send(10e18);
        Packet memory first = _packet(FAR, 1, _back(1e6));
        Packet memory second = _packet(FAR, 2, _back(2e6));
        _verify(second);
        // The endpoint names the one that is missing.
        vm.expectRevert(abi.encodeWithSignature("LZ_InvalidNonce(uint64)", 1));
        _deliver(second);
        _verify(first);
        _deliver(second);
        _deliver(first);
        vm.expectRevert(
            abi.encodeWithSignature("LZ_PayloadHashNotFound(bytes32,bytes32)", bytes32(0), _hash(first))
        );
        _deliver(first);
        (uint256 out,,) = tokenBridge.pathOf(token, FAR);
        assertEq(out, 7e18);
        assertEq(LaunchToken(token).balanceOf(bob), 3e18);
    }

    function test_X5_pausedStarvedUnregistered_laterByAStranger() public {
        address foreign = _foreignToken(FAR_CHAIN);
        Packet memory early = _packet(FAR, 1, BridgeMessage.encodeTransfer(foreign, _word(bob), 1e6));
        _verify(early);
        vm.expectRevert(abi.encodeWithSelector(ITokenBridge.UnknownToken.selector, foreign));
        _deliver(early);
        _arrive(FAR, 2, _registration(foreign, address(0), 0));
        vm.prank(guardian);
        tokenBridge.pause(FAR);
        vm.expectRevert(abi.encodeWithSelector(ITokenBridge.RoutePaused.selector, FAR));
        _deliver(early);
        vm.prank(owner);
        tokenBridge.unpause(FAR);
        vm.prank(DEAD);
        (bool ok,) = address(endpoint).call{gas: 60_000}(
            abi.encodeCall(endpoint.lzReceive, (early.origin, bridge, early.guid, early.message, ""))
        );
        assertFalse(ok);
        _deliver(early);
        assertEq(LaunchToken(foreign).balanceOf(bob), 1e18);
    }

    function test_X7_limit_onArrivalToo() public {
        deal(token, alice, 200_000_000e18);
        _send(100_000_000e18);
        skip(1 hours);
        _send(100_000_000e18);
        _arrive(FAR, 1, _back(LIMIT));
        Packet memory packet = _packet(FAR, 2, _back(LIMIT / 2));
        _verify(packet);
        vm.expectRevert(abi.encodeWithSelector(ITokenBridge.LimitReached.selector, uint256(LIMIT / 2) * 1e12, 0));
        _deliver(packet);
        skip(30 minutes);
        _deliver(packet);
        assertEq(LaunchToken(token).balanceOf(bob), 150_000_000e18);
    }

    function test_X8_bothVerifiersLie_atMostWhatIsOut() public {
        _send(10e18);
        Packet memory packet = _packet(FAR, 1, _back(10e6 + 1));
        _verify(packet);
        vm.expectRevert(abi.encodeWithSelector(ITokenBridge.MoreThanOut.selector, 10e18 + 1e12, 10e18));
        _deliver(packet);
        _arrive(FAR, 2, _back(10e6));
        (uint256 out,,) = tokenBridge.pathOf(token, FAR);
        assertEq(out, 0);
        assertEq(LaunchToken(token).totalSupply(), PoolTypes.SUPPLY);
    }

    function test_X9_theSameNonceAndGuidWithAnotherPayload() public {
        _send(10e18);
        Packet memory lost = _packet(FAR, 1, _back(1e6));
        Packet memory kept = _packet(FAR, 1, _back(2e6));
        assertEq(lost.guid, kept.guid);
        _verify(lost);
        _verify(kept);
        vm.expectRevert();
        _deliver(lost);
        _deliver(kept);
        assertEq(LaunchToken(token).balanceOf(bob), 2e18);
    }

    /// @notice What came in is a token and no more: no curve, no pool, no price that somebody prepared.
    function test_X6_aForeignTokenHasNoMarketHere() public {
        address foreign = _foreignToken(FAR_CHAIN);
        _arrive(FAR, 1, _registration(foreign, alice, 1e6));
        _fund(alice, 1000 * oneUsd);
        bytes memory unknown = abi.encodeWithSelector(ILaunchpad.UnknownToken.selector, foreign);
        vm.startPrank(alice);
        vm.expectRevert(unknown);
        launchpad.buyExactIn(_order(foreign, oneUsd, alice));
        vm.expectRevert(unknown);
        launchpad.sellExactIn(_order(foreign, 1e18, alice));
        vm.expectRevert(unknown);
        launchpad.graduate(foreign);
    }

    /// @notice A verifier who says nothing holds what comes after, until the owner takes another in its place.
    function test_X10_X13_aSilentVerifierIsReplaced() public {
        _send(10e18);
        Packet memory first = _packet(FAR, 1, _back(1e6));
        Packet memory second = _packet(FAR, 2, _back(2e6));
        _verifyBy(dvnA, first);
        _verify(second);
        vm.expectRevert(abi.encodeWithSignature("LZ_InvalidNonce(uint64)", 1));
        _deliver(second);

        address dvnC = makeAddr("another verifier");
        ILayerZeroEndpoint.SetConfigParam[] memory params = new ILayerZeroEndpoint.SetConfigParam[](1);
        address[] memory dvns = new address[](2);
        (dvns[0], dvns[1]) = dvnA < dvnC ? (dvnA, dvnC) : (dvnC, dvnA);
        bytes memory config = abi.encode(IUln.UlnConfig(RECEIVE_CONFIRMATIONS, 2, 255, 0, dvns, new address[](0)));
        params[0] = ILayerZeroEndpoint.SetConfigParam(FAR, 2, config);
        vm.prank(guardian);
        vm.expectRevert(abi.encodeWithSignature("LZ_Unauthorized()"));
        endpoint.setConfig(bridge, address(receiveLibrary), params);
        vm.prank(owner);
        endpoint.setConfig(bridge, address(receiveLibrary), params);
        _verifyBy(dvnC, first);
        _commit(first);
        _deliver(second);
        _deliver(first);
        assertEq(LaunchToken(token).balanceOf(bob), 3e18);
    }

    function test_X11_anyRightRegistrationFreesWhatWaits() public {
        address foreign = _foreignToken(FAR_CHAIN);
        bytes memory wrong = BridgeMessage.encodeRegistration(foreign, _word(bob), 1e6, creator, "other", "Boat", "B");
        Packet memory packet = _packet(FAR, 1, wrong);
        _verify(packet);
        vm.expectRevert();
        _deliver(packet);
        _arrive(FAR, 2, _registration(foreign, address(0), 0));
        _deliver(packet);
        assertEq(LaunchToken(foreign).balanceOf(bob), 1e18);
        assertEq(LaunchToken(foreign).name(), "Paper Boat");
    }

    /// @dev What only lying verifiers bring: it reverts, and mints nothing.
    function testFuzz_X8_anyBytes(bytes calldata message) public {
        uint256 supply = LaunchToken(token).totalSupply();
        Packet memory packet = _packet(FAR, 1, message);
        if (message.length == 0) return;
        _verify(packet);
        try endpoint.lzReceive(packet.origin, bridge, packet.guid, packet.message, "") {} catch {}
        assertEq(LaunchToken(token).totalSupply(), supply);
    }

    function test_X8_recipientsThatAreNone() public {
        _send(10e18);
        bytes32[2] memory recipients = [bytes32(0), bytes32(type(uint256).max)];
        for (uint64 i; i < 2; i++) {
            Packet memory packet = _packet(FAR, i + 1, BridgeMessage.encodeTransfer(token, recipients[i], 1));
            _verify(packet);
            vm.expectRevert(abi.encodeWithSelector(ITokenBridge.UnusableRecipient.selector, recipients[i]));
            _deliver(packet);
        }
    }
}
