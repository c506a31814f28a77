// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ITokenBridge} from "../../src/interfaces/ITokenBridge.sol";
import {LaunchToken} from "../../src/LaunchToken.sol";
import {BridgeMessage} from "../../src/libraries/BridgeMessage.sol";
import {BridgeTest} from "./BridgeTest.sol";

/// @notice Gas of the bridge's transactions with LayerZero's own contracts, as in `Gas.t.sol`; a delivery is a plain one by
/// anybody. The rows go to snapshots/Bridge.json.
/// forge-config: default.isolate = true
contract BridgeGasTest is BridgeTest {
    string private constant GROUP = "Bridge";

    function test_gas_send() public {
        _send(1e18);
        _row("send, first on a path", 340_000);
        skip(1);
        _send(1e18);
        _row("send", 270_000);
        ITokenBridge.Transfer memory transfer = _transfer(1e18);
        (transfer.register, transfer.creator, transfer.salt) = (true, creator, tokenSalt);
        skip(1);
        _send(transfer);
        _row("send with registration", 360_000);
    }

    function test_gas_announce() public {
        uint32[] memory eids = new uint32[](2);
        (eids[0], eids[1]) = (FAR, THIRD);
        vm.prank(alice);
        tokenBridge.announce{value: 1 ether}(token, creator, tokenSalt, eids);
        _row("announce, two chains", 560_000);
    }

    function test_gas_deliver() public {
        address foreign = _foreignToken(FAR_CHAIN);
        Packet memory first = _packet(FAR, 1, _registration(foreign, bob, 1e6));
        _verify(first);
        _deliver(first);
        _row("deliver with registration", 320_000);
        Packet memory holder = _packet(FAR, 2, BridgeMessage.encodeTransfer(foreign, _word(bob), 1e6));
        _verify(holder);
        skip(1);
        _deliver(holder);
        _row("deliver to a holder", 110_000);
        Packet memory stranger = _packet(FAR, 3, BridgeMessage.encodeTransfer(foreign, _word(alice), 1e6));
        _verify(stranger);
        skip(1);
        _deliver(stranger);
        _row("deliver to a new holder", 130_000);
        _send(10e18);
        Packet memory back = _packet(FAR, 4, BridgeMessage.encodeTransfer(token, _word(alice), 1e6));
        _verify(back);
        skip(1);
        _deliver(back);
        _row("deliver home", 110_000);
    }

    /// @notice The gas that a route pays for is enough, with a third to spare.
    function test_gas_routesPayForADelivery() public {
        address foreign = _foreignToken(FAR_CHAIN);
        Packet memory first = _packet(FAR, 1, _registration(foreign, bob, 1e6));
        _verify(first);
        _deliverWith(first, uint256(REGISTRATION_GAS) * 3 / 4);
        Packet memory second = _packet(FAR, 2, BridgeMessage.encodeTransfer(foreign, _word(alice), 1e6));
        _verify(second);
        _deliverWith(second, uint256(TRANSFER_GAS) * 3 / 4);
        assertEq(LaunchToken(foreign).balanceOf(alice), 1e18);
    }

    /// @dev As the endpoint calls the bridge.
    function _deliverWith(Packet memory packet, uint256 gas) private {
        vm.prank(address(endpoint));
        tokenBridge.lzReceive{gas: gas}(packet.origin, packet.guid, packet.message, NOBODY, "");
    }

    function _row(string memory name, uint256 most) private {
        assertLe(vm.snapshotGasLastCall(GROUP, name), most, name);
    }
}
