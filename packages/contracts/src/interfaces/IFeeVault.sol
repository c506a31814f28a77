// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

/// @title FeeVault: what the protocol owes to people, by currency, paid out only to their own call.
interface IFeeVault {
    /// @param account Whose credit was paid out.
    /// @param currency Token that was paid.
    /// @param to Who received it.
    /// @param amount Base units of `currency`.
    event Withdrawn(address indexed account, address indexed currency, address to, uint256 amount);

    error InsufficientCredit(address currency, uint256 requested, uint256 available);
    error LengthMismatch(uint256 currencies, uint256 amounts);
    error ZeroRecipient();

    /// @notice Base units of `currency` that `account` can withdraw.
    function creditOf(address currency, address account) external view returns (uint256);

    /// @notice Pays the caller's credit in one currency.
    /// @param amount Base units; `type(uint256).max` means everything. A credit of zero pays nothing and does not revert.
    function withdraw(address currency, address to, uint256 amount) external returns (uint256 paid);

    /// @notice Pays the caller's credits in several currencies. A currency named twice pays once.
    function withdrawBatch(address[] calldata currencies, address to, uint256[] calldata amounts) external;
}
