// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ITokenBridge} from "../../src/interfaces/ITokenBridge.sol";
import {LaunchToken} from "../../src/LaunchToken.sol";
import {PoolTypes} from "../../src/libraries/PoolTypes.sol";
import {BridgeTest} from "./BridgeTest.sol";

contract NoReceive {
    function send(ITokenBridge bridge, ITokenBridge.Transfer calldata transfer) external payable {
        bridge.send{value: msg.value}(transfer, address(this));
    }
}

contract BridgeSendTest is BridgeTest {
    uint256 private constant LIMIT = 100_000_000e18;
    error InsufficientBalance();

    function test_default_burnsCountsAndCharges() public {
        ITokenBridge.Transfer memory transfer = _transfer(1000e18);
        uint256 fee = tokenBridge.quote(transfer);
        uint256 held = LaunchToken(token).balanceOf(alice);
        vm.prank(alice);
        tokenBridge.send{value: fee}(transfer, alice);
        (uint256 out, uint256 sendable, uint256 receivable) = tokenBridge.pathOf(token, FAR);
        assertEq(LaunchToken(token).balanceOf(alice), held - 1000e18);
        assertEq(LaunchToken(token).totalSupply() + out, PoolTypes.SUPPLY);
        assertEq(out, 1000e18);
        assertEq(sendable, LIMIT - 1000e18);
        assertEq(receivable, LIMIT);
        assertEq(alice.balance, 100 ether - fee);
        assertGt(fee, 0);
    }

    function test_X12_fee_excessReturns_tooLittleBurnsNothing() public {
        ITokenBridge.Transfer memory transfer = _transfer(1e18);
        uint256 fee = tokenBridge.quote(transfer);
        uint256 held = LaunchToken(token).balanceOf(alice);
        vm.prank(alice);
        vm.expectRevert();
        tokenBridge.send{value: fee - 1}(transfer, alice);
        assertEq(LaunchToken(token).balanceOf(alice), held);
        vm.prank(alice);
        tokenBridge.send{value: fee + 1 ether}(transfer, bob);
        assertEq(alice.balance, 99 ether - fee);
        assertEq(bob.balance, 1 ether);
    }

    function test_X12_fee_whoTakesNoChangeSendsNothing() public {
        NoReceive sender = new NoReceive();
        vm.prank(alice);
        LaunchToken(token).transfer(address(sender), 1e18);
        ITokenBridge.Transfer memory transfer = _transfer(1e18);
        uint256 fee = tokenBridge.quote(transfer);
        vm.deal(address(this), fee + 1);
        vm.expectRevert();
        sender.send{value: fee + 1}(tokenBridge, transfer);
        assertEq(LaunchToken(token).balanceOf(address(sender)), 1e18);
        sender.send{value: fee}(tokenBridge, transfer);
        assertEq(LaunchToken(token).balanceOf(address(sender)), 0);
    }

    function testFuzz_X4_amount_dustStays(uint256 amount) public {
        amount = bound(amount, 1e12, LIMIT);
        uint256 held = LaunchToken(token).balanceOf(alice);
        _send(amount);
        (uint256 out,,) = tokenBridge.pathOf(token, FAR);
        assertEq(out, amount - amount % 1e12);
        assertEq(LaunchToken(token).balanceOf(alice), held - out);
    }

    function test_X4_amount_edges() public {
        _refused(_transfer(1e12 - 1), abi.encodeWithSelector(ITokenBridge.AmountTooSmall.selector, 1e12 - 1));
        // 64 bits of units end far above the limit: nothing is cut.
        uint256 wraps = (uint256(type(uint64).max) + 2) * 1e12;
        _refused(_transfer(wraps), abi.encodeWithSelector(ITokenBridge.LimitReached.selector, wraps, LIMIT));
        _refused(
            _transfer(type(uint256).max),
            abi.encodeWithSelector(ITokenBridge.LimitReached.selector, type(uint256).max, LIMIT)
        );
    }

    function test_X7_limit_aTenthAnHour() public {
        deal(token, alice, 3 * LIMIT);
        _send(LIMIT);
        _refused(_transfer(1e12), abi.encodeWithSelector(ITokenBridge.LimitReached.selector, 1e12, 0));
        skip(30 minutes);
        (, uint256 sendable,) = tokenBridge.pathOf(token, FAR);
        assertEq(sendable, LIMIT / 2);
        _refused(
            _transfer(LIMIT / 2 + 1e12),
            abi.encodeWithSelector(ITokenBridge.LimitReached.selector, LIMIT / 2 + 1e12, LIMIT / 2)
        );
        _send(LIMIT / 2);
        // Another path has its own.
        ITokenBridge.Transfer memory third = _transfer(LIMIT);
        third.dstEid = THIRD;
        _send(third);
        skip(2 hours);
        (, sendable,) = tokenBridge.pathOf(token, FAR);
        assertEq(sendable, LIMIT);
    }

    function test_error_whatCannotGo() public {
        ITokenBridge.Transfer memory transfer = _transfer(1e18);
        transfer.dstEid = NOWHERE;
        _refused(transfer, abi.encodeWithSelector(ITokenBridge.NoRoute.selector, NOWHERE));
        transfer = _transfer(1e18);
        transfer.to = 0;
        _refused(transfer, abi.encodeWithSelector(ITokenBridge.UnusableRecipient.selector, bytes32(0)));
        transfer.to = bytes32(type(uint256).max);
        _refused(transfer, abi.encodeWithSelector(ITokenBridge.UnusableRecipient.selector, transfer.to));
        transfer = _transfer(1e18);
        transfer.token = address(usd);
        _refused(transfer, abi.encodeWithSelector(ITokenBridge.UnknownToken.selector, address(usd)));
        transfer.token = address(0xdead);
        _refused(transfer, abi.encodeWithSelector(ITokenBridge.UnknownToken.selector, address(0xdead)));
        vm.expectRevert(ITokenBridge.ZeroAddress.selector);
        tokenBridge.send(_transfer(1e18), address(0));
        vm.prank(guardian);
        tokenBridge.pause(FAR);
        _refused(_transfer(1e18), abi.encodeWithSelector(ITokenBridge.RoutePaused.selector, FAR));
        vm.prank(owner);
        tokenBridge.unpause(FAR);
        deal(token, alice, 1e18);
        _refused(_transfer(1e18 + 1e12), abi.encodeWithSelector(InsufficientBalance.selector));
    }

    function test_X11_registration_wrongSaltOrCreatorIsNotPaidFor() public {
        ITokenBridge.Transfer memory transfer = _transfer(1e18);
        (transfer.register, transfer.creator, transfer.salt) = (true, creator, "another");
        address derived = factory.tokenAddress(block.chainid, creator, "another");
        _refused(transfer, abi.encodeWithSelector(ITokenBridge.WrongToken.selector, token, derived));
        transfer.salt = tokenSalt;
        _send(transfer);
    }

    function test_announce_eachChainPaysItsWay_restReturns() public {
        uint32[] memory eids = new uint32[](2);
        (eids[0], eids[1]) = (FAR, THIRD);
        string memory name = LaunchToken(token).name();
        uint256[] memory fees = tokenBridge.quoteAnnounce(name, LaunchToken(token).symbol(), eids);
        vm.prank(alice);
        tokenBridge.announce{value: 1 ether}(token, creator, tokenSalt, eids);
        assertEq(alice.balance, 100 ether - fees[0] - fees[1]);
        assertEq(address(bridge).balance, 0);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(ITokenBridge.FeeTooLow.selector, fees[1], fees[1] - 1));
        tokenBridge.announce{value: fees[0] + fees[1] - 1}(token, creator, tokenSalt, eids);
        (uint256 out,,) = tokenBridge.pathOf(token, FAR);
        assertEq(out, 0);
    }

    function _refused(ITokenBridge.Transfer memory transfer, bytes memory reason) private {
        vm.prank(alice);
        vm.expectRevert(reason);
        tokenBridge.send{value: 1 ether}(transfer, alice);
    }
}
