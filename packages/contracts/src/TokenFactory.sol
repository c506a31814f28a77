// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {LibClone} from "solady/src/utils/LibClone.sol";
import {ILaunchToken} from "./interfaces/ILaunchToken.sol";
import {ITokenFactory} from "./interfaces/ITokenFactory.sol";

/// @title TokenFactory: at one address on every chain, as its implementation is; so a token's address depends on its home
/// chain, its creator and the salt alone. Has no owner and holds nothing.
contract TokenFactory is ITokenFactory {
    /// @inheritdoc ITokenFactory
    address public immutable implementation;
    /// @inheritdoc ITokenFactory
    address public immutable launchpad;
    /// @inheritdoc ITokenFactory
    address public immutable bridge;

    constructor(address implementation_, address launchpad_, address bridge_) {
        (implementation, launchpad, bridge) = (implementation_, launchpad_, bridge_);
    }

    /// @inheritdoc ITokenFactory
    function create(
        uint256 homeChainId,
        address creator,
        bytes32 salt,
        string calldata name,
        string calldata symbol,
        uint256 supply
    ) external returns (address token) {
        bool isHome = homeChainId == block.chainid;
        if (msg.sender != (isHome ? launchpad : bridge)) revert Unauthorized(msg.sender);
        token = LibClone.cloneDeterministic(implementation, _saltOf(homeChainId, creator, salt));
        ILaunchToken(token).initialize(name, symbol, isHome ? supply : 0);
    }

    /// @inheritdoc ITokenFactory
    function tokenAddress(uint256 homeChainId, address creator, bytes32 salt) external view returns (address) {
        return LibClone.predictDeterministicAddress(
            implementation, _saltOf(homeChainId, creator, salt), address(this)
        );
    }

    function _saltOf(uint256 homeChainId, address creator, bytes32 salt) private pure returns (bytes32) {
        return keccak256(abi.encode(homeChainId, creator, salt));
    }
}
