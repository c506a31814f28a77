// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ITokenBridge} from "../../src/interfaces/ITokenBridge.sol";
import {BridgeMessage} from "../../src/libraries/BridgeMessage.sol";
import {Exits} from "./Exits.sol";

/// @notice Tokens leave for two other chains and come home, verifiers lie, a guardian pauses. The other chains are honest
/// unless an action says otherwise, so what comes home is never more than what is out there.
abstract contract Crossings is Exits {
    uint256 private constant UNIT = 1e12;
    bytes4 private constant TOO_FEW = bytes4(keccak256("InsufficientBalance()"));

    mapping(uint32 eid => uint64) private _nonces;

    function _path(uint256 which) internal pure returns (uint32) {
        return which % 2 == 0 ? FAR : THIRD;
    }

    function _outOf(address token, uint32 eid) internal view returns (uint256 out) {
        (out,,) = tokenBridge.pathOf(token, eid);
    }

    /// @notice Base units that live on other chains.
    function outOf(address token) public view returns (uint256) {
        return _outOf(token, FAR) + _outOf(token, THIRD);
    }

    /// @return sent Whether anything left. Whoever is refused keeps all of it, and is told a documented reason.
    function _sendAway(address token, address from, uint32 eid, uint256 amount) internal returns (bool sent) {
        uint256 held = IERC20(token).balanceOf(from);
        ITokenBridge.Transfer memory transfer =
            ITokenBridge.Transfer(token, eid, _word(from), amount, false, address(0), 0);
        uint256 fee;
        try tokenBridge.quote(transfer) returns (uint256 nativeFee) {
            fee = nativeFee;
        } catch (bytes memory reason) {
            _requireDocumented(bytes4(reason));
        }
        vm.deal(from, fee);
        vm.prank(from);
        try tokenBridge.send{value: fee}(transfer, from) {
            assertEq(IERC20(token).balanceOf(from), held - amount / UNIT * UNIT, "what left is burned");
            return true;
        } catch (bytes memory reason) {
            _requireDocumented(bytes4(reason));
            assertEq(IERC20(token).balanceOf(from), held, "refused and kept");
        }
    }

    /// @return came Whether it arrived; else it waits, and nothing was minted.
    function _comeHome(address token, address to, uint32 eid, uint256 amount) internal returns (bool came) {
        uint256 units = amount / UNIT;
        if (units == 0) return false;
        Packet memory packet = _packet(eid, ++_nonces[eid], BridgeMessage.encodeTransfer(token, _word(to), uint64(units)));
        _verify(packet);
        return _tryToDeliver(packet);
    }

    /// @notice Both verifiers of a path lie: not a unit more than what is out there comes in.
    function _lieTogether(address token, address thief, uint32 eid, uint256 excess) internal {
        uint256 units = _outOf(token, eid) / UNIT + bound(excess, 1, 1e9);
        if (units > type(uint64).max) return;
        Packet memory packet =
            _packet(eid, ++_nonces[eid], BridgeMessage.encodeTransfer(token, _word(thief), uint64(units)));
        _verify(packet);
        assertFalse(_tryToDeliver(packet), "more came than is out");
    }

    /// @notice One verifier lies alone, and a chain calls itself home of this one's token.
    function _lieAlone(address token, address thief, uint32 eid, bytes32 salt) internal {
        Packet memory packet = _packet(eid, _nonces[eid] + 1, BridgeMessage.encodeTransfer(token, _word(thief), 1));
        _verifyBy(dvnA, packet);
        try receiveLibrary.commitVerification(_header(packet), _hash(packet)) {
            assertTrue(false, "one verifier was enough");
        } catch {}
        address unmade = factory.tokenAddress(block.chainid, thief, salt);
        bytes memory lie = BridgeMessage.encodeRegistration(unmade, _word(thief), 1, thief, salt, "Lie", "LIE");
        packet = _packet(eid, ++_nonces[eid], lie);
        _verify(packet);
        assertFalse(_tryToDeliver(packet), "another chain registered a token of this one");
    }

    function _pauseOrNot(uint32 eid, bool paused) internal {
        vm.prank(paused ? guardian : owner);
        if (paused) tokenBridge.pause(eid);
        else tokenBridge.unpause(eid);
        vm.prank(guardian);
        try tokenBridge.unpause(eid) {
            assertTrue(false, "the guardian unpaused");
        } catch {}
    }

    function _allComeHome(address token, address to) internal {
        for (uint256 i; i < 2; i++) {
            uint32 eid = _path(i);
            _pauseOrNot(eid, false);
            while (_outOf(token, eid) != 0) {
                (uint256 out,, uint256 receivable) = tokenBridge.pathOf(token, eid);
                assertTrue(_comeHome(token, to, eid, out < receivable ? out : receivable) || receivable == 0);
                skip(1 hours);
            }
        }
    }

    function _tryToDeliver(Packet memory packet) private returns (bool delivered) {
        vm.prank(NOBODY);
        try endpoint.lzReceive(packet.origin, address(tokenBridge), packet.guid, packet.message, "") {
            return true;
        } catch {}
    }

    function _requireDocumented(bytes4 error) private pure {
        assertTrue(
            error == ITokenBridge.AmountTooSmall.selector || error == ITokenBridge.LimitReached.selector
                || error == ITokenBridge.RoutePaused.selector || error == TOO_FEW,
            string.concat("refused with ", vm.toString(error))
        );
    }
}
