// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ECDSA} from "solady/src/utils/ECDSA.sol";
import {EIP712} from "solady/src/utils/EIP712.sol";
import {FeeVault} from "./FeeVault.sol";
import {ILaunchpad} from "./interfaces/ILaunchpad.sol";

/// @title Settings: what the owner may set, and who referred whom.
abstract contract Settings is ILaunchpad, FeeVault, EIP712 {
    bytes32 private constant VOUCHER_TYPEHASH = keccak256("Voucher(address user,address referrer,uint256 deadline)");
    uint256 private constant VOUCHER_SECONDS = 1 hours;

    /// @inheritdoc ILaunchpad
    address public treasury;
    /// @inheritdoc ILaunchpad
    address public voucherSigner;
    /// @inheritdoc ILaunchpad
    address public owner;
    /// @inheritdoc ILaunchpad
    address public pendingOwner;
    /// @inheritdoc ILaunchpad
    mapping(address user => address) public referrerOf;

    constructor(address owner_, address treasury_, address voucherSigner_) {
        if (owner_ == address(0) || treasury_ == address(0)) revert ZeroAddress();
        _set("owner", owner = owner_);
        _set("treasury", treasury = treasury_);
        _set("voucherSigner", voucherSigner = voucherSigner_);
    }

    modifier onlyOwner() {
        _requireOwner();
        _;
    }

    // ---------------------------------------------------------------- the owner's

    /// @inheritdoc ILaunchpad
    function setTreasury(address newTreasury) external onlyOwner {
        if (newTreasury == address(0)) revert ZeroAddress();
        _set("treasury", treasury = newTreasury);
    }

    /// @inheritdoc ILaunchpad
    function setVoucherSigner(address newSigner) external onlyOwner {
        _set("voucherSigner", voucherSigner = newSigner);
    }

    /// @inheritdoc ILaunchpad
    function clearReferrer(address user) external onlyOwner {
        _setReferrer(user, address(0));
    }

    /// @inheritdoc ILaunchpad
    function transferOwnership(address newOwner) external onlyOwner {
        _set("pendingOwner", pendingOwner = newOwner);
    }

    /// @inheritdoc ILaunchpad
    function acceptOwnership() external {
        if (msg.sender != pendingOwner) revert Unauthorized(msg.sender);
        _set("pendingOwner", pendingOwner = address(0));
        _set("owner", owner = msg.sender);
    }

    // ---------------------------------------------------------------- referrals

    /// @inheritdoc ILaunchpad
    function setReferrer(Voucher calldata voucher, bytes calldata signature) external nonReentrant {
        bool moot = block.timestamp > voucher.deadline || referrerOf[voucher.user] != address(0)
            || referrerOf[voucher.referrer] == voucher.user;
        if (moot) return;
        bytes32 digest = _hashTypedData(
            keccak256(abi.encode(VOUCHER_TYPEHASH, voucher.user, voucher.referrer, voucher.deadline))
        );
        address signer = ECDSA.tryRecoverCalldata(digest, signature);
        bool bad = signer == address(0) || signer != voucherSigner || voucher.user == address(0)
            || voucher.referrer == address(0) || voucher.referrer == voucher.user
            || voucher.deadline > block.timestamp + VOUCHER_SECONDS;
        if (bad) revert InvalidVoucher();

        _setReferrer(voucher.user, voucher.referrer);
    }

    // ---------------------------------------------------------------- internals

    function _setReferrer(address user, address referrer) private {
        referrerOf[user] = referrer;
        emit ReferrerSet(user, referrer);
    }

    function _requireOwner() private view {
        if (msg.sender != owner) revert Unauthorized(msg.sender);
    }

    function _set(bytes32 setting, address value) private {
        emit SettingChanged(setting, value);
    }

    function _domainNameAndVersion() internal pure override returns (string memory, string memory) {
        return ("MintageLaunchpad", "1");
    }
}
