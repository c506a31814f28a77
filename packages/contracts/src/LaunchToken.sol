// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ERC20} from "solady/src/tokens/ERC20.sol";
import {ILaunchToken} from "./interfaces/ILaunchToken.sol";

/// @title LaunchToken: implementation behind every token's clone. 18 decimals, EIP-2612 permit.
contract LaunchToken is ILaunchToken, ERC20 {
    /// @notice Creates tokens and moves its own callers' tokens without an approval.
    address public immutable launchpad;

    /// @notice Mints and burns for transfers between chains; its address is fixed before it has code.
    address public immutable bridge;

    address private immutable _implementation = address(this);

    string private _name;
    string private _symbol;

    constructor(address launchpad_, address bridge_) {
        launchpad = launchpad_;
        bridge = bridge_;
    }

    modifier only(address caller) {
        if (msg.sender != caller) revert Unauthorized(msg.sender);
        _;
    }

    // ---------------------------------------------------------------- launchpad

    /// @inheritdoc ILaunchToken
    function initialize(string calldata name_, string calldata symbol_, uint256 supply) external only(launchpad) {
        if (address(this) == _implementation || totalSupply() != 0) revert AlreadyInitialized();
        _name = name_;
        _symbol = symbol_;
        _mint(msg.sender, supply);
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
