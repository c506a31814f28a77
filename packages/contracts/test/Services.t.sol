// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ERC20} from "solady/src/tokens/ERC20.sol";
import {LaunchToken} from "../src/LaunchToken.sol";
import {IFeeVault} from "../src/interfaces/IFeeVault.sol";
import {ILaunchpad} from "../src/interfaces/ILaunchpad.sol";
import {ILaunchToken} from "../src/interfaces/ILaunchToken.sol";
import {ILens} from "../src/interfaces/ILens.sol";
import {PoolTypes} from "../src/libraries/PoolTypes.sol";
import {LaunchpadTest} from "./LaunchpadTest.sol";

/// @notice What surrounds a trade: vault, referrer, permit, multicall, settings, token, lens.
contract ServicesTest is LaunchpadTest {
    // ---------------------------------------------------------------- vault

    function test_withdraw_everythingAndAgainNothing() public {
        _createAndBuy();
        vm.expectEmit(address(launchpad));
        emit IFeeVault.Withdrawn(creator, address(usd), bob, 5 * oneUsd);
        vm.startPrank(creator);
        assertEq(launchpad.withdraw(address(usd), bob, type(uint256).max), 5 * oneUsd);
        assertEq(usd.balanceOf(bob), 5 * oneUsd);
        assertEq(launchpad.withdraw(address(usd), bob, type(uint256).max), 0);
        assertEq(_credit(creator), 0);
    }

    function test_withdraw_errors() public {
        _createAndBuy();
        vm.startPrank(creator);
        vm.expectRevert(IFeeVault.ZeroRecipient.selector);
        launchpad.withdraw(address(usd), address(0), 1);
        vm.expectRevert(
            abi.encodeWithSelector(IFeeVault.InsufficientCredit.selector, address(usd), 5 * oneUsd + 1, 5 * oneUsd)
        );
        launchpad.withdraw(address(usd), bob, 5 * oneUsd + 1);
        vm.expectRevert(abi.encodeWithSelector(IFeeVault.LengthMismatch.selector, 1, 2));
        launchpad.withdrawBatch(new address[](1), bob, new uint256[](2));
    }

    // ---------------------------------------------------------------- referrer

    function test_setReferrer_once() public {
        vm.expectEmit(address(launchpad));
        emit ILaunchpad.ReferrerSet(alice, referrer);
        _setReferrer(alice, referrer);
        _setReferrer(alice, bob);
        assertEq(launchpad.referrerOf(alice), referrer);
    }

    function test_setReferrer_expiredIsNoError() public {
        ILaunchpad.Voucher memory voucher = ILaunchpad.Voucher(alice, referrer, block.timestamp - 1);
        launchpad.setReferrer(voucher, _sign(voucher, signerKey));
        assertEq(launchpad.referrerOf(alice), address(0));
    }

    function test_setReferrer_errors() public {
        ILaunchpad.Voucher memory voucher = ILaunchpad.Voucher(alice, referrer, _inAnHour());
        _expectInvalid(voucher, _sign(voucher, 0xBAD));
        _expectInvalid(voucher, "");
        bytes memory signature = _sign(voucher, signerKey);
        voucher.referrer = bob;
        _expectInvalid(voucher, signature);
        voucher.referrer = alice;
        _expectInvalid(voucher, _sign(voucher, signerKey));
        voucher.referrer = address(0);
        _expectInvalid(voucher, _sign(voucher, signerKey));
        _setReferrer(referrer, bob);
        voucher = ILaunchpad.Voucher(address(0), referrer, _inAnHour());
        _expectInvalid(voucher, _sign(voucher, signerKey));
    }

    /// @notice A voucher counts in the hour before its deadline only, whoever signed it.
    function testFuzz_H18_voucher_livesAnHour(uint256 deadline) public {
        deadline = bound(deadline, _inAnHour() + 1, type(uint256).max);
        ILaunchpad.Voucher memory voucher = ILaunchpad.Voucher(alice, referrer, deadline);
        _expectInvalid(voucher, _sign(voucher, signerKey));
        vm.warp(deadline - 1 hours);
        launchpad.setReferrer(voucher, _sign(voucher, signerKey));
        assertEq(launchpad.referrerOf(alice), referrer);
    }

    /// @notice What a stolen voucher key did is taken back: another signer, and the users cleared, in one call of the owner.
    function test_H18_owner_repairsWhatAStolenKeyDid() public {
        address thief = makeAddr("thief");
        _setReferrer(alice, thief);
        _setReferrer(bob, thief);
        ILaunchpad.Voucher memory hoarded = ILaunchpad.Voucher(alice, thief, _inAnHour());
        bytes memory signature = _sign(hoarded, signerKey);
        signerKey = 0xB0B;
        bytes[] memory calls = new bytes[](3);
        calls[0] = abi.encodeCall(ILaunchpad.setVoucherSigner, (vm.addr(signerKey)));
        calls[1] = abi.encodeCall(ILaunchpad.clearReferrer, (alice));
        calls[2] = abi.encodeCall(ILaunchpad.clearReferrer, (bob));
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.Unauthorized.selector, address(this)));
        launchpad.clearReferrer(alice);
        vm.expectEmit(address(launchpad));
        emit ILaunchpad.ReferrerSet(alice, address(0));
        vm.prank(owner);
        launchpad.multicall(calls);
        assertEq(launchpad.referrerOf(alice), address(0));
        assertEq(launchpad.referrerOf(bob), address(0));
        _expectInvalid(hoarded, signature);

        // The referrer that the user chose comes with the next voucher.
        _setReferrer(alice, referrer);
        address token = _createOld(PoolTypes.MEME, true);
        _buy(token, alice, 100 * oneUsd);
        assertEq(_credit(referrer), oneUsd / 10);
        assertEq(_credit(thief), 0);
    }

    function test_setReferrer_error_signerSwitchedOff() public {
        vm.prank(owner);
        launchpad.setVoucherSigner(address(0));
        _expectInvalid(ILaunchpad.Voucher(alice, referrer, _inAnHour()), "");
    }

    // ---------------------------------------------------------------- multicall and permit

    function test_multicall_permitVoucherAndBuy() public {
        address token = _createOld(PoolTypes.MEME, true);
        (address user, uint256 key) = makeAddrAndKey("user");
        usd.mint(user, 100 * oneUsd);
        ILaunchpad.Voucher memory voucher = ILaunchpad.Voucher(user, referrer, _inAnHour());
        (uint8 v, bytes32 r, bytes32 s) = _permit(user, key, 100 * oneUsd);
        bytes[] memory calls = new bytes[](3);
        calls[0] = abi.encodeCall(ILaunchpad.permitUsd, (100 * oneUsd, FOREVER, v, r, s));
        calls[1] = abi.encodeCall(ILaunchpad.setReferrer, (voucher, _sign(voucher, signerKey)));
        calls[2] = abi.encodeCall(ILaunchpad.buyExactIn, (_order(token, 100 * oneUsd, user)));
        vm.prank(user);
        launchpad.multicall(calls);
        assertEq(_credit(referrer), oneUsd / 10);
        assertEq(_credit(user), oneUsd * 4 / 100);
    }

    function test_multicall_error_isTheInnerOne() public {
        bytes[] memory calls = new bytes[](1);
        calls[0] = abi.encodeCall(ILaunchpad.graduate, (bob));
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.UnknownToken.selector, bob));
        launchpad.multicall(calls);
    }

    // ---------------------------------------------------------------- settings

    function test_settings_ownerOnlyAndAnnounced() public {
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.Unauthorized.selector, address(this)));
        launchpad.setTreasury(bob);
        vm.startPrank(owner);
        vm.expectRevert(ILaunchpad.ZeroAddress.selector);
        launchpad.setTreasury(address(0));
        vm.expectEmit(address(launchpad));
        emit ILaunchpad.SettingChanged("treasury", bob);
        launchpad.setTreasury(bob);
        vm.expectEmit(address(launchpad));
        emit ILaunchpad.SettingChanged("pendingOwner", alice);
        launchpad.transferOwnership(alice);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.Unauthorized.selector, owner));
        launchpad.acceptOwnership();
        vm.stopPrank();
        vm.prank(alice);
        launchpad.acceptOwnership();
        assertEq(launchpad.owner(), alice);
        assertEq(launchpad.pendingOwner(), address(0));
        assertEq(launchpad.treasury(), bob);
    }

    // ---------------------------------------------------------------- token

    function test_launchToken_rightsAreTheLaunchpads() public {
        LaunchToken token = LaunchToken(_createOld(PoolTypes.MEME, true));
        bytes memory denied = abi.encodeWithSelector(ILaunchToken.Unauthorized.selector, bob);
        vm.startPrank(bob);
        vm.expectRevert(denied);
        token.initialize("", "", 1);
        vm.expectRevert(denied);
        token.launchpadTransfer(address(launchpad), bob, 1);
        vm.stopPrank();

        LaunchToken implementation = LaunchToken(launchpad.tokenImplementation());
        vm.startPrank(launchpad.factory());
        vm.expectRevert(ILaunchToken.AlreadyInitialized.selector);
        implementation.initialize("", "", 1);
        vm.expectRevert(ILaunchToken.AlreadyInitialized.selector);
        token.initialize("", "", 1);
    }

    function test_launchToken_permit2HasNoAllowance() public {
        LaunchToken token = LaunchToken(_createOld(PoolTypes.MEME, true));
        address permit2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;
        assertEq(token.allowance(alice, permit2), 0);
        assertEq(usd.allowance(alice, permit2), 0);
        _buy(address(token), alice, oneUsd);
        vm.prank(permit2);
        vm.expectRevert(ERC20.InsufficientAllowance.selector);
        token.transferFrom(alice, permit2, 1);
    }

    // ---------------------------------------------------------------- lens

    /// @dev Arbitrum's precompile is no code that runs here: eight bytes that answer 123 stand in for it.
    function test_lens_blockNumber_isArbitrumsOwn() public {
        vm.roll(7);
        address[] memory none = new address[](0);
        (uint256 number,) = lens.tokens(none);
        assertEq(number, 7);
        vm.chainId(42_161);
        vm.etch(address(100), hex"607b5f5260205ff3");
        (number,) = lens.tokens(none);
        assertEq(number, 123);
        (number,) = lens.credits(none, none);
        assertEq(number, 123);
        (number,,,) = lens.quoteState(address(0), alice);
        assertEq(number, 123);
    }

    function test_lens_saysWhatTheContractsSay() public {
        address token = _createGraduated(PoolTypes.MEME, false);
        _buy(token, alice, 10 * oneUsd);
        _setReferrer(alice, referrer);
        (uint256 blockNumber, uint256 timestamp, ILens.TokenView memory tokenView, ILens.TraderView memory trader) =
            lens.quoteState(token, alice);
        assertEq(blockNumber, block.number);
        assertEq(timestamp, block.timestamp);
        assertEq(abi.encode(tokenView.state), abi.encode(launchpad.stateOf(token)));
        assertEq(tokenView.fullRange.tickLower, -887_200);
        assertEq(tokenView.fullRange.tickUpper, 887_200);
        assertGt(tokenView.fullRange.liquidity, 0);
        assertEq(trader.referrer, referrer);
        assertEq(trader.usdAllowance, type(uint256).max);
        assertEq(trader.tokenBalance, LaunchToken(token).balanceOf(alice));

        address[] memory list = new address[](2);
        (list[0], list[1]) = (token, bob);
        (, ILens.TokenView[] memory views) = lens.tokens(list);
        assertEq(abi.encode(views[0]), abi.encode(tokenView));
        assertEq(views[1].state.creator, address(0), "unknown");

        (list[0], list[1]) = (creator, alice);
        address[] memory currencies = new address[](1);
        currencies[0] = address(usd);
        (, uint256[] memory amounts) = lens.credits(list, currencies);
        assertEq(amounts[0], _credit(creator));
        assertEq(amounts[1], 0);
    }

    // ---------------------------------------------------------------- internals

    function _createAndBuy() private {
        _buy(_createOld(PoolTypes.MEME, true), alice, 1000 * oneUsd);
    }

    function _expectInvalid(ILaunchpad.Voucher memory voucher, bytes memory signature) private {
        vm.expectRevert(ILaunchpad.InvalidVoucher.selector);
        launchpad.setReferrer(voucher, signature);
    }

    function _permit(address user, uint256 key, uint256 value) private view returns (uint8, bytes32, bytes32) {
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"),
                user,
                address(launchpad),
                value,
                usd.nonces(user),
                FOREVER
            )
        );
        return vm.sign(key, keccak256(abi.encodePacked(hex"1901", usd.DOMAIN_SEPARATOR(), structHash)));
    }
}
