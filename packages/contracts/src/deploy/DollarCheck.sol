// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";

interface IMintable {
    function mint(address to, uint256 amount) external;
}

/// @title DollarCheck: whether a dollar token moves exactly what it is told to move.
/// @notice Never deployed: the deploy script puts this code in the place of an account that holds dollars, inside one
/// `eth_call`, and nothing of it stays.
contract DollarCheck {
    using SafeTransferLib for address;

    error TokenMovesOtherAmounts(uint256 sent, uint256 left, uint256 arrived);

    /// @param mint True where anyone mints: the dollars of the check are then minted inside the call.
    /// @return amount Base units moved, half by `transfer` and half by `transferFrom`; 0 when there was nothing to move.
    function check(address token, address recipient, bool mint) external returns (uint256 amount) {
        if (mint) IMintable(token).mint(address(this), 2e18 + 1);
        amount = token.balanceOf(address(this));
        if (amount == 0) return 0;

        uint256 half = amount / 2;
        token.safeTransfer(recipient, half);
        _requireExact(token, recipient, half, amount - half);

        token.safeApprove(address(this), amount - half);
        token.safeTransferFrom(address(this), recipient, amount - half);
        _requireExact(token, recipient, amount, 0);
    }

    function _requireExact(address token, address recipient, uint256 sent, uint256 kept) private view {
        uint256 left = token.balanceOf(address(this));
        uint256 arrived = token.balanceOf(recipient);
        if (left != kept || arrived != sent) revert TokenMovesOtherAmounts(sent, left, arrived);
    }
}
