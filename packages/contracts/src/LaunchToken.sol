// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ERC20} from "solady/src/tokens/ERC20.sol";
import {ILaunchToken} from "./interfaces/ILaunchToken.sol";

/// @title LaunchToken: implementation behind every token's clone. 18 decimals, EIP-2612 permit. The supply over all chains is
/// fixed: after `initialize` only the bridge mints and burns, as much here as leaves or comes there.
contract LaunchToken is ILaunchToken, ERC20 {
    /// @notice Makes the clones.
    address public immutable factory;
    /// @notice Moves its own callers' tokens without an approval.
    address public immutable launchpad;
    /// @notice Mints and burns for transfers between chains.
    address public immutable bridge;

    address private immutable _implementation = address(this);

    string private _name;
    string private _symbol;

    constructor(address factory_, address launchpad_, address bridge_) {
        (factory, launchpad, bridge) = (factory_, launchpad_, bridge_);
    }

    modifier only(address caller) {
        if (msg.sender != caller) revert Unauthorized(msg.sender);
        _;
    }

    // ---------------------------------------------------------------- factory and launchpad

    /// @inheritdoc ILaunchToken
    /// @dev A name is never empty: it marks what is initialized. The supply cannot, it is zero away from home.
    function initialize(string calldata name_, string calldata symbol_, uint256 supply) external only(factory) {
        if (address(this) == _implementation || bytes(_name).length != 0) revert AlreadyInitialized();
        _name = name_;
        _symbol = symbol_;
        if (supply != 0) _mint(launchpad, supply);
    }

    /// @inheritdoc ILaunchToken
    function launchpadTransfer(address from, address to, uint256 amount) external only(launchpad) {
        _transfer(from, to, amount);
    }

    // ---------------------------------------------------------------- bridge

    /// @inheritdoc ILaunchToken
    function crosschainMint(address to, uint256 amount) external only(bridge) {
        _mint(to, amount);
        emit CrosschainMint(to, amount, msg.sender);
    }

    /// @inheritdoc ILaunchToken
    function crosschainBurn(address from, uint256 amount) external only(bridge) {
        _burn(from, amount);
        emit CrosschainBurn(from, amount, msg.sender);
    }

    // ---------------------------------------------------------------- views

    function name() public view override returns (string memory) {
        return _name;
    }

    function symbol() public view override returns (string memory) {
        return _symbol;
    }

    // ---------------------------------------------------------------- internals

    /// @dev Nobody holds an allowance that the owner did not give.
    function _givePermit2InfiniteAllowance() internal pure override returns (bool) {
        return false;
    }
}
