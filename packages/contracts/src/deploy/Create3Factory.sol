// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {CREATE3} from "solady/src/utils/CREATE3.sol";

/// @title Create3Factory: gives contracts the same address on every chain, whatever their constructor arguments.
/// @notice An address depends on this factory and the salt only. Deployed by the keyless CREATE2 proxy with the deployer
/// as its argument, so the factory itself is the same everywhere, and nobody else can take an address of ours first.
contract Create3Factory {
    /// @notice The only account that deploys through this factory.
    address public immutable deployer;

    event Deployed(bytes32 indexed salt, address deployed);

    error Unauthorized(address caller);

    constructor(address deployer_) {
        deployer = deployer_;
    }

    /// @notice Deploys `creationCode`, its constructor arguments appended. Reverts when the salt was used before, when
    /// the constructor reverts, and for everyone but the deployer.
    function deploy(bytes32 salt, bytes calldata creationCode) external returns (address deployed) {
        if (msg.sender != deployer) revert Unauthorized(msg.sender);
        deployed = CREATE3.deployDeterministic(creationCode, salt);
        emit Deployed(salt, deployed);
    }

    /// @notice Where `deploy` puts a contract; also before it is there.
    function addressOf(bytes32 salt) external view returns (address) {
        return CREATE3.predictDeterministicAddress(salt);
    }
}
