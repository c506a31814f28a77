// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

/// @title TokenFactory: makes every token's clone, so that a token has one address on all chains.
interface ITokenFactory {
    error Unauthorized(address caller);

    /// @notice Makes the token: the Launchpad where `homeChainId` is this chain, else the bridge.
    /// @dev A second call for one address burns all gas that it has: callers look first.
    /// @param supply Zero unless this is the home chain.
    function create(
        uint256 homeChainId,
        address creator,
        bytes32 salt,
        string calldata name,
        string calldata symbol,
        uint256 supply
    ) external returns (address token);

    /// @notice Where the token is, or will be, on every chain.
    function tokenAddress(uint256 homeChainId, address creator, bytes32 salt) external view returns (address);

    function implementation() external view returns (address);
    function launchpad() external view returns (address);
    function bridge() external view returns (address);
}
