// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

/// @title LaunchToken: ERC-20 with permit, 18 decimals, cloned per token.
interface ILaunchToken {
    error Unauthorized(address caller);
    error AlreadyInitialized();

    /// @notice Once, by the Launchpad, in the call that creates the clone; mints `supply` to the Launchpad.
    function initialize(string calldata name, string calldata symbol, uint256 supply) external;

    /// @notice Moves tokens without an approval; the Launchpad only, which passes its own caller as `from`.
    function launchpadTransfer(address from, address to, uint256 amount) external;
}
