// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

/// @title LaunchToken: ERC-20 with permit, 18 decimals, cloned per token. ERC-7802 for the bridge.
interface ILaunchToken {
    /// @notice ERC-7802: `sender` is the bridge, always.
    event CrosschainMint(address indexed to, uint256 amount, address indexed sender);
    event CrosschainBurn(address indexed from, uint256 amount, address indexed sender);

    error Unauthorized(address caller);
    error AlreadyInitialized();

    /// @notice Once, by the factory, in the call that creates the clone.
    /// @param supply Minted to the Launchpad: all of it on the home chain, zero elsewhere.
    function initialize(string calldata name, string calldata symbol, uint256 supply) external;

    /// @notice Moves tokens without an approval; the Launchpad only, which passes its own caller as `from`.
    function launchpadTransfer(address from, address to, uint256 amount) external;

    /// @notice ERC-7802: tokens that arrive from another chain; the bridge only.
    function crosschainMint(address to, uint256 amount) external;

    /// @notice ERC-7802: tokens that leave for another chain; the bridge only, which passes its own caller as `from`.
    function crosschainBurn(address from, uint256 amount) external;
}
