// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ERC20} from "solady/src/tokens/ERC20.sol";
import {ILaunchToken} from "./interfaces/ILaunchToken.sol";

/// @title LaunchToken: implementation behind every token's clone. 18 decimals, EIP-2612 permit, a fixed supply: nobody
/// mints or burns after `initialize`.
contract LaunchToken is ILaunchToken, ERC20 {
    /// @notice Creates tokens and moves its own callers' tokens without an approval.
    address public immutable launchpad;

    address private immutable _implementation = address(this);

    string private _name;
    string private _symbol;

    constructor(address launchpad_) {
        launchpad = launchpad_;
    }

    modifier onlyLaunchpad() {
        if (msg.sender != launchpad) revert Unauthorized(msg.sender);
        _;
    }

    // ---------------------------------------------------------------- launchpad

    /// @inheritdoc ILaunchToken
    function initialize(string calldata name_, string calldata symbol_, uint256 supply) external onlyLaunchpad {
        if (address(this) == _implementation || totalSupply() != 0) revert AlreadyInitialized();
        _name = name_;
        _symbol = symbol_;
        _mint(msg.sender, supply);
    }

    /// @inheritdoc ILaunchToken
    function launchpadTransfer(address from, address to, uint256 amount) external onlyLaunchpad {
        _transfer(from, to, amount);
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
