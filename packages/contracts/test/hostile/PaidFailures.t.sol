// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IPoolManager} from "v4-core/interfaces/IPoolManager.sol";
import {PoolKey} from "v4-core/types/PoolKey.sol";
import {TestUSD} from "../../src/TestUSD.sol";
import {ILaunchpad} from "../../src/interfaces/ILaunchpad.sol";
import {PoolTypes} from "../../src/libraries/PoolTypes.sol";
import {HostileTest} from "./HostileTest.sol";

/// @notice A dollar whose issuer can stop an account.
contract BlockingDollar is TestUSD {
    address private blocked;

    constructor() TestUSD("Blocking Dollar", "BLK", 6) {}

    function stop(address account) external {
        blocked = account;
    }

    function _beforeTokenTransfer(address from, address to, uint256) internal view override {
        require(from != blocked && to != blocked);
    }
}

/// @notice One test for each failure that other launch contracts paid for.
contract PaidFailuresTest is HostileTest {
    /// A price constant for one order of the pair was wrong by 13 orders of magnitude in the other.
    function test_paid_C17_tokenSortsBelowTheDollar() public {
        address token = _createGraduated(PoolTypes.MEME, false);
        assertLt(uint160(token), uint160(address(usd)));
        (, uint256 tokens) = _buy(token, alice, 100 * oneUsd);
        // 100,000 dollars for 1,000,000,000 tokens, less 1 % and the impact of 0.4 %.
        assertApproxEqRel(tokens, 1_000_000e18, 0.02e18);
    }

    /// A push payment to a creator who cannot receive blocked all trading.
    function test_paid_C5_creatorWhoCannotBePaid() public {
        BlockingDollar dollar = new BlockingDollar();
        usd = dollar;
        launchpad = _deployLaunchpad(address(usd), address(manager), GRADUATION_GAS);
        address token =
            _createOld(PoolTypes.STARTUP_PRESEED, address(usd) < launchpad.tokenAddress(creator, bytes32(uint256(1))));
        dollar.stop(creator);
        (, uint256 tokens) = _buy(token, alice, 100 * oneUsd);
        _sell(token, alice, tokens);
        _buyToEnd(token, alice);
        assertGt(_credit(creator), 10_000 * oneUsd, "the reward waits");
        _buy(token, bob, 100 * oneUsd);
        vm.prank(creator);
        vm.expectRevert();
        launchpad.withdraw(address(usd), creator, type(uint256).max);
        vm.prank(creator);
        launchpad.withdraw(address(usd), bob, 1);
    }

    /// The attacker made the pool first, and graduation reverted.
    function test_paid_C1_poolMadeFirst() public {
        address token = _createOld(PoolTypes.MEME, true);
        vm.startPrank(attacker);
        manager.initialize(_otherPool(token, 0, 200, address(0)), 1 << 96);
        vm.expectRevert();
        manager.initialize(_poolKey(token), 1 << 96);
        vm.stopPrank();
        _buyToEnd(token, alice);
        assertTrue(launchpad.stateOf(token).graduated);
    }

    /// A factory passed on its caller's call data while it owned everyone's liquidity.
    function test_paid_C9_noCallOfTheCallersChoice() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        bytes[] memory calls = new bytes[](1);
        calls[0] = abi.encodeCall(IPoolManager.unlock, (""));
        vm.startPrank(attacker);
        vm.expectRevert();
        launchpad.multicall(calls);
        calls[0] = abi.encodeCall(IERC20.transfer, (attacker, 1));
        vm.expectRevert();
        launchpad.multicall(calls);
        PoolKey memory pool = _poolKey(token);
        vm.expectRevert();
        router.modifyLiquidity(pool, -887_200, 887_200, -1);
    }

    /// The value fell at migration because the virtual reserve was counted as money.
    function test_paid_C4_virtualReserveIsNotMoney() public {
        address token = _createCompleted(PoolTypes.MEME, true, alice);
        uint256 raised = launchpad.stateOf(token).usd;
        uint256 floor = launchpad.stateOf(token).floorUsd;
        usd.mint(address(launchpad), 100_000 * oneUsd); // others' money, of which too much would be paid
        skip(1);
        launchpad.graduate(token);
        assertApproxEqAbs(usd.balanceOf(address(manager)), raised + floor, 2, "the raise and the floor, no more");
        uint256 root = _sqrtPrice(token);
        // Fully diluted: 1e27 tokens at the opening price, in dollars.
        uint256 value = (1e27 << 96) / root * (1 << 96) / root / oneUsd;
        assertApproxEqAbs(value, 100_000, 10);
    }

    /// The last buy ran over the end of the curve.
    function test_paid_C6_lastBuyEndsAtTheEnd() public {
        address token = _createOld(PoolTypes.MEME, true);
        // So little too much that the pool's tokens would do for it.
        (uint256 paid, uint256 tokens) = _buy(token, alice, 26_000 * oneUsd);
        assertEq(tokens, _poolType(token).curveTokens);
        assertEq(usd.balanceOf(alice), 26_000 * oneUsd - paid);
        // 25,000 dollars net, with the fee on top.
        assertApproxEqAbs(paid, uint256(25_000) * oneUsd * 100 / 99, 1);
    }

    /// One ledger for two views of the same money let one launch sweep another.
    function test_paid_C14_launchesDontShareMoney() public {
        address first = _createOld(PoolTypes.MEME, true);
        address second = _createOld(PoolTypes.MEME, false);
        _buy(first, alice, 5000 * oneUsd);
        _buy(second, bob, 5000 * oneUsd);
        uint256 owed = launchpad.stateOf(second).usd;
        _sell(first, alice, IERC20(first).balanceOf(alice));
        _buyToEnd(first, attacker);
        assertEq(launchpad.stateOf(second).usd, owed);
        // Tokens of one launch sell nothing of the other.
        vm.prank(attacker);
        vm.expectRevert();
        launchpad.sellExactIn(_order(second, 1e18, attacker));
        // And there is no second view: native money is not taken anywhere.
        deal(attacker, 1 ether);
        vm.prank(attacker);
        (bool ok,) = address(launchpad).call{value: 1}("");
        assertFalse(ok);
    }
}
