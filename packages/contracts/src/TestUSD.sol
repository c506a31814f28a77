// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ERC20} from "solady/src/tokens/ERC20.sol";

/// @title TestUSD: the dollar token of test networks and local chains. Anyone mints.
contract TestUSD is ERC20 {
    uint8 private immutable _decimals;
    string private _name;
    string private _symbol;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        _name = name_;
        _symbol = symbol_;
        _decimals = decimals_;
    }

    /// @param amount Base units.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function name() public view override returns (string memory) {
        return _name;
    }

    function symbol() public view override returns (string memory) {
        return _symbol;
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    /// @dev As real dollar tokens: nobody holds an allowance that the owner did not give.
    function _givePermit2InfiniteAllowance() internal pure override returns (bool) {
        return false;
    }
}
