// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {TokenBridge} from "../../src/TokenBridge.sol";
import {ITokenBridge} from "../../src/interfaces/ITokenBridge.sol";
import {ILaunchpad} from "../../src/interfaces/ILaunchpad.sol";
import {BridgeMessage} from "../../src/libraries/BridgeMessage.sol";
import {PoolTypes} from "../../src/libraries/PoolTypes.sol";
import {LayerZeroWorld} from "./LayerZeroWorld.sol";

/// @notice A launched token of this chain, of which Alice has some.
abstract contract BridgeTest is LayerZeroWorld {
    address internal token;
    bytes32 internal tokenSalt;

    function setUp() public virtual override {
        super.setUp();
        tokenBridge = TokenBridge(bridge);
        _place(bridge, _bridgeCode(launchpad.factory(), owner));

        ILaunchpad.TokenParams memory params = _params(PoolTypes.MEME);
        tokenSalt = params.salt;
        vm.prank(creator);
        token = launchpad.create(params);
        skip(10);
        _buy(token, alice, 5000 * oneUsd);
        vm.deal(alice, 100 ether);
    }

    // ---------------------------------------------------------------- sending

    function _transfer(uint256 amount) internal view returns (ITokenBridge.Transfer memory) {
        return ITokenBridge.Transfer(token, FAR, _word(bob), amount, false, address(0), 0);
    }

    function _send(uint256 amount) internal {
        _send(_transfer(amount));
    }

    function _send(ITokenBridge.Transfer memory transfer) internal {
        uint256 fee = tokenBridge.quote(transfer);
        vm.prank(alice);
        tokenBridge.send{value: fee}(transfer, alice);
    }

    // ---------------------------------------------------------------- receiving

    /// @dev A token of another chain, as its home would announce it.
    function _foreignToken(uint64 homeChainId) internal view returns (address) {
        return factory.tokenAddress(homeChainId, creator, "salt");
    }

    function _registration(address foreign, address to, uint64 units) internal view returns (bytes memory) {
        return BridgeMessage.encodeRegistration(foreign, _word(to), units, creator, "salt", "Paper Boat", "BOAT");
    }
}
