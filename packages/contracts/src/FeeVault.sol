// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ReentrancyGuardTransient} from "solady/src/utils/ReentrancyGuardTransient.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {IFeeVault} from "./interfaces/IFeeVault.sol";

/// @title FeeVault: credits by currency and account. Only the inheriting contract credits, only the account withdraws.
/// @dev Who credits must already hold the amount; then balance ≥ sum of credits in every currency.
abstract contract FeeVault is IFeeVault, ReentrancyGuardTransient {
    using SafeTransferLib for address;

    mapping(address currency => mapping(address account => uint256)) private _credits;

    // ---------------------------------------------------------------- views

    /// @inheritdoc IFeeVault
    function creditOf(address currency, address account) public view returns (uint256) {
        return _credits[currency][account];
    }

    // ---------------------------------------------------------------- withdrawing

    /// @inheritdoc IFeeVault
    function withdraw(address currency, address to, uint256 amount) external nonReentrant returns (uint256 paid) {
        return _withdraw(currency, to, amount);
    }

    /// @inheritdoc IFeeVault
    function withdrawBatch(address[] calldata currencies, address to, uint256[] calldata amounts)
        external
        nonReentrant
    {
        if (currencies.length != amounts.length) revert LengthMismatch(currencies.length, amounts.length);
        for (uint256 i; i < currencies.length; i++) {
            _withdraw(currencies[i], to, amounts[i]);
        }
    }

    // ---------------------------------------------------------------- internals

    /// @dev All credits of one currency: where a trade pays several people at once.
    function _creditsIn(address currency) internal view returns (mapping(address account => uint256) storage) {
        return _credits[currency];
    }

    function _credit(address currency, address account, uint256 amount) internal {
        if (amount != 0) _credits[currency][account] += amount;
    }

    function _withdraw(address currency, address to, uint256 amount) private returns (uint256 paid) {
        if (to == address(0)) revert ZeroRecipient();
        uint256 credit = _credits[currency][msg.sender];
        paid = amount == type(uint256).max ? credit : amount;
        if (paid > credit) revert InsufficientCredit(currency, paid, credit);
        if (paid == 0) return 0;

        _credits[currency][msg.sender] = credit - paid;
        emit Withdrawn(msg.sender, currency, to, paid);
        currency.safeTransfer(to, paid);
    }

    /// @dev The guard lives in transient storage on every chain: all of ours are cancun.
    function _useTransientReentrancyGuardOnlyOnMainnet() internal pure override returns (bool) {
        return false;
    }
}
