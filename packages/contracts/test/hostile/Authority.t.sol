// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {LaunchToken} from "../../src/LaunchToken.sol";
import {ILaunchToken} from "../../src/interfaces/ILaunchToken.sol";
import {ILaunchpad} from "../../src/interfaces/ILaunchpad.sol";
import {ILens} from "../../src/interfaces/ILens.sol";
import {IFeeVault} from "../../src/interfaces/IFeeVault.sol";
import {PoolTypes} from "../../src/libraries/PoolTypes.sol";
import {Venue} from "../../src/venues/Venue.sol";
import {VenueV4} from "../../src/venues/VenueV4.sol";
import {CallingDollar} from "./actors/CallingDollar.sol";
import {HostileTest} from "./HostileTest.sol";

/// @notice What we use of OpenZeppelin's TimelockController.
interface ITimelock {
    function schedule(address, uint256 value, bytes calldata, bytes32 predecessor, bytes32 salt, uint256 delay) external;
    function execute(address, uint256 value, bytes calldata, bytes32 predecessor, bytes32 salt) external payable;
    function updateDelay(uint256 delay) external;
}

/// @notice Who may do what: re-entry, approvals, forwarding, addresses of tokens, the owner, permits.
contract AuthorityTest is HostileTest {
    bytes4 private constant REENTRANCY = bytes4(keccak256("Reentrancy()"));
    address private constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;

    // ---------------------------------------------------------------- C8: re-entry

    /// @notice Every changing function of the ABI, called out of every transfer of every function that makes one.
    function test_C8_reentry_everyFunctionFromEveryCallback() public {
        CallingDollar dollar = new CallingDollar();
        usd = dollar;
        launchpad = _deployLaunchpad(address(usd), address(manager), GRADUATION_GAS);
        address completed = _createCompleted(PoolTypes.TEST, true, alice);
        address curve = _createOld(PoolTypes.TEST, true);
        address pool = _createGraduated(PoolTypes.TEST, false);
        _fund(alice, 1_000_000 * oneUsd);
        _buy(curve, alice, 10 * oneUsd);
        _buy(pool, alice, 10 * oneUsd);

        string[] memory functions = _changingFunctions();
        for (uint256 i; i < functions.length; i++) {
            // Arguments of zeros: the guard is before everything but the sender's right.
            bytes memory call = bytes.concat(bytes4(keccak256(bytes(functions[i]))), new bytes(1024));
            for (uint256 entry; entry < 7; entry++) {
                uint256 snapshot = vm.snapshotState();
                dollar.arm(address(launchpad), call);
                _enter(entry, curve, pool, completed);
                assertGt(dollar.calls(), 0, "was called back");
                assertEq(dollar.successes(), _isHarmless(functions[i]) ? dollar.calls() : 0, functions[i]);
                bool guarded =
                    dollar.lastError() == REENTRANCY || dollar.lastError() == ILaunchpad.Unauthorized.selector;
                assertTrue(guarded || _isHarmless(functions[i]), functions[i]);
                vm.revertToState(snapshot);
            }
        }
    }

    function _enter(uint256 entry, address curve, address pool, address completed) private {
        vm.startPrank(alice);
        if (entry == 0) launchpad.buyExactIn(_order(curve, oneUsd, alice));
        if (entry == 1) launchpad.sellExactIn(_order(curve, 1e20, alice));
        if (entry == 2) launchpad.buyExactIn(_order(pool, oneUsd, alice));
        if (entry == 3) launchpad.sellExactIn(_order(pool, 1e20, alice));
        if (entry == 4) launchpad.graduate(completed);
        vm.stopPrank();
        vm.startPrank(creator);
        if (entry == 5) launchpad.withdraw(address(usd), creator, type(uint256).max);
        if (entry == 6) {
            uint256[] memory amounts = new uint256[](1);
            amounts[0] = type(uint256).max;
            launchpad.withdrawBatch(_one(address(usd)), creator, amounts);
        }
        vm.stopPrank();
    }

    /// @dev An empty multicall does nothing; a full one calls the guarded functions.
    function _isHarmless(string memory signature) private pure returns (bool) {
        return keccak256(bytes(signature)) == keccak256("multicall(bytes[])");
    }

    function test_C8_reentry_multicallInsideATransferIsGuardedToo() public {
        CallingDollar dollar = new CallingDollar();
        usd = dollar;
        launchpad = _deployLaunchpad(address(usd), address(manager), GRADUATION_GAS);
        address token = _createOld(PoolTypes.TEST, true);
        _fund(alice, 100 * oneUsd);
        bytes[] memory calls = new bytes[](1);
        calls[0] = abi.encodeCall(ILaunchpad.buyExactIn, (_order(token, oneUsd, alice)));
        dollar.arm(address(launchpad), abi.encodeCall(ILaunchpad.multicall, (calls)));
        vm.prank(alice);
        launchpad.buyExactIn(_order(token, oneUsd, alice));
        assertEq(dollar.lastError(), REENTRANCY);
    }

    // ---------------------------------------------------------------- C9: approvals of others

    function testFuzz_C9_approvals_moveOnlyForTheirOwner(uint256 amount, bool pool) public {
        address token = pool ? _createGraduated(PoolTypes.MEME, true) : _createOld(PoolTypes.MEME, true);
        _buy(token, victim, 1000 * oneUsd);
        _fund(victim, 1000 * oneUsd);
        vm.prank(victim);
        IERC20(token).approve(address(launchpad), type(uint256).max);
        uint256 tokens = IERC20(token).balanceOf(victim);
        uint256 dollars = usd.balanceOf(victim);

        amount = bound(amount, oneUsd, 100 * oneUsd);
        ILaunchpad.Order memory order = _order(token, amount, victim);
        (order.builder, order.builderBps, order.referral) = (attacker, 5000, attacker);
        vm.startPrank(attacker);
        usd.approve(address(launchpad), type(uint256).max);
        // The attacker has no dollars and no tokens; the victim is named wherever an address can be.
        _assertReverts(abi.encodeCall(ILaunchpad.buyExactIn, (order)));
        order.amount = 1e20;
        _assertReverts(abi.encodeCall(ILaunchpad.sellExactIn, (order)));
        order.limit = type(uint256).max;
        _assertReverts(abi.encodeCall(ILaunchpad.buyExactOut, (order)));
        order.amount = oneUsd;
        _assertReverts(abi.encodeCall(ILaunchpad.sellExactOut, (order)));
        Venue.Swap memory swap = Venue.Swap(token, victim, attacker, true, -int256(amount));
        _assertReverts(abi.encodeCall(launchpad.unlockCallback, (abi.encode(VenueV4.Action.Swap, swap))));
        vm.stopPrank();

        assertEq(IERC20(token).balanceOf(victim), tokens);
        assertEq(usd.balanceOf(victim), dollars);
    }

    function test_C9_launchToken_givesNobodyARight() public {
        address token = _createOld(PoolTypes.MEME, true);
        _buy(token, victim, 1000 * oneUsd);
        address[4] memory strangers = [attacker, PERMIT2, address(manager), owner];
        for (uint256 i; i < strangers.length; i++) {
            vm.startPrank(strangers[i]);
            vm.expectRevert();
            IERC20(token).transferFrom(victim, attacker, 1);
            vm.expectRevert(abi.encodeWithSelector(ILaunchToken.Unauthorized.selector, strangers[i]));
            ILaunchToken(token).launchpadTransfer(victim, attacker, 1);
            vm.stopPrank();
        }
        // The Launchpad's right is not an allowance either.
        vm.prank(address(launchpad));
        vm.expectRevert();
        IERC20(token).transferFrom(victim, attacker, 1);
    }

    /// @notice Nobody but the PoolManager, and it only while the Launchpad itself trades: no swap in a payer's name.
    function test_C9_unlockCallback_answersThePoolManagerOnly() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        _fund(victim, 1000 * oneUsd);
        Venue.Swap memory swap = Venue.Swap(token, victim, attacker, true, -1e6);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.Unauthorized.selector, attacker));
        vm.prank(attacker);
        launchpad.unlockCallback(abi.encode(VenueV4.Action.Swap, swap));
        // Also while the attacker holds the lock, so that a swap could run.
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.Unauthorized.selector, address(router)));
        vm.prank(attacker);
        router.callUnlocked(
            _poolKey(token), address(launchpad), abi.encodeCall(launchpad.unlockCallback, (abi.encode(VenueV4.Action.Swap, swap)))
        );
        assertEq(usd.balanceOf(victim), 1000 * oneUsd);
    }

    function test_C9_credits_arePaidToTheirOwnerOnly() public {
        address token = _createOld(PoolTypes.MEME, true);
        _buy(token, alice, 1000 * oneUsd);
        vm.startPrank(attacker);
        assertEq(launchpad.withdraw(address(usd), attacker, type(uint256).max), 0);
        vm.expectRevert(abi.encodeWithSelector(IFeeVault.InsufficientCredit.selector, address(usd), 1, 0));
        launchpad.withdraw(address(usd), attacker, 1);
    }

    function _assertReverts(bytes memory call) private {
        (bool ok,) = address(launchpad).call(call);
        assertFalse(ok);
    }

    // ---------------------------------------------------------------- C10: multicall

    function test_C10_multicall_actsAsItsCallerOnly() public {
        address token = _createOld(PoolTypes.MEME, true);
        _fund(victim, 1000 * oneUsd);
        _fund(alice, 1000 * oneUsd);
        bytes[] memory calls = new bytes[](1);
        calls[0] = abi.encodeCall(ILaunchpad.buyExactIn, (_order(token, 10 * oneUsd, alice)));
        vm.prank(alice);
        launchpad.multicall(calls);
        assertEq(usd.balanceOf(alice), 990 * oneUsd);

        // A forwarder would take its caller from the end of the data.
        calls[0] = abi.encodePacked(calls[0], victim);
        vm.prank(attacker);
        (bool ok,) = address(launchpad).call(abi.encodePacked(abi.encodeCall(ILaunchpad.multicall, (calls)), victim));
        assertFalse(ok);
        assertEq(usd.balanceOf(victim), 1000 * oneUsd);
    }

    function test_C10_multicall_takesNoNativeMoney() public {
        deal(attacker, 1 ether);
        vm.prank(attacker);
        (bool ok,) = address(launchpad).call{value: 1}(abi.encodeCall(ILaunchpad.multicall, (new bytes[](0))));
        assertFalse(ok);
    }

    // ---------------------------------------------------------------- C16: a token's address

    function test_C16_create_1000CopiesInFrontChangeNothing() public {
        ILaunchpad.TokenParams memory params = _params(PoolTypes.TEST);
        address expected = launchpad.tokenAddress(creator, params.salt);
        for (uint256 i = 1; i <= 1000; i++) {
            vm.prank(address(uint160(0xC0B1E5 + i)));
            address copy = launchpad.create(params);
            assertTrue(copy != expected);
        }
        vm.prank(creator);
        assertEq(launchpad.create(params), expected);
        assertEq(launchpad.stateOf(expected).creator, creator);
    }

    function test_C16_initialize_onceAndNeverTheImplementation() public {
        address token = _createOld(PoolTypes.MEME, true);
        ILaunchToken implementation = ILaunchToken(launchpad.tokenImplementation());
        vm.prank(attacker);
        vm.expectRevert(abi.encodeWithSelector(ILaunchToken.Unauthorized.selector, attacker));
        implementation.initialize("Fake", "FAKE", 1);
        vm.startPrank(launchpad.factory());
        vm.expectRevert(ILaunchToken.AlreadyInitialized.selector);
        implementation.initialize("Fake", "FAKE", 1);
        vm.expectRevert(ILaunchToken.AlreadyInitialized.selector);
        ILaunchToken(token).initialize("Fake", "FAKE", 1);
    }

    function testFuzz_C16_tokenAddress_bindsCreatorSaltAndChain(address other, bytes32 salt, uint64 chain) public {
        vm.assume(other != creator && chain != block.chainid && chain != 0);
        address mine = launchpad.tokenAddress(creator, salt);
        assertTrue(mine != launchpad.tokenAddress(other, salt));
        assertTrue(mine != launchpad.tokenAddress(creator, ~salt));
        vm.chainId(chain);
        assertTrue(mine != launchpad.tokenAddress(creator, salt));
    }

    // ---------------------------------------------------------------- C18: the owner

    /// @notice The whole list of functions that change something. A new one belongs here, and in the review.
    function test_C18_functions_areTheKnownOnes() public view {
        string[19] memory known = [
            "acceptOwnership()",
            "afterSwap(address,(address,address,uint24,int24,address),(bool,int256,uint160),int256,bytes)",
            "buyExactIn((address,uint256,uint256,address,address,uint256,address,uint256))",
            "buyExactOut((address,uint256,uint256,address,address,uint256,address,uint256))",
            "clearReferrer(address)",
            "collectTreasury(address[])",
            "create((string,string,string,bytes32,uint8,uint256))",
            "graduate(address)",
            "multicall(bytes[])",
            "permitUsd(uint256,uint256,uint8,bytes32,bytes32)",
            "sellExactIn((address,uint256,uint256,address,address,uint256,address,uint256))",
            "sellExactOut((address,uint256,uint256,address,address,uint256,address,uint256))",
            "setReferrer((address,address,uint256),bytes)",
            "setTreasury(address)",
            "setVoucherSigner(address)",
            "transferOwnership(address)",
            "unlockCallback(bytes)",
            "withdraw(address,address,uint256)",
            "withdrawBatch(address[],address,uint256[])"
        ];
        string[] memory functions = _changingFunctions();
        assertEq(functions.length, known.length);
        for (uint256 i; i < functions.length; i++) {
            assertEq(functions[i], known[i]);
        }
    }

    /// @notice Three settings, referrers and the ownership are all that the owner has, and nobody else has them.
    function testFuzz_C18_settings_areTheOwners(address caller, address value) public {
        vm.assume(caller != owner && caller != address(0));
        bytes[5] memory calls = [
            abi.encodeCall(ILaunchpad.clearReferrer, (value)),
            abi.encodeCall(ILaunchpad.setTreasury, (value)),
            abi.encodeCall(ILaunchpad.setVoucherSigner, (value)),
            abi.encodeCall(ILaunchpad.transferOwnership, (value)),
            abi.encodeCall(ILaunchpad.acceptOwnership, ())
        ];
        for (uint256 i; i < calls.length; i++) {
            vm.prank(caller);
            (bool ok, bytes memory reason) = address(launchpad).call(calls[i]);
            assertFalse(ok);
            assertEq(bytes4(reason), ILaunchpad.Unauthorized.selector);
        }
    }

    function test_C18_ownership_needsTheNewOwnersCall() public {
        vm.prank(owner);
        launchpad.transferOwnership(bob);
        assertEq(launchpad.owner(), owner);
        vm.prank(bob);
        launchpad.acceptOwnership();
        assertEq(launchpad.owner(), bob);
        vm.prank(bob);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.Unauthorized.selector, bob));
        launchpad.acceptOwnership();
    }

    /// @notice With every setting in hand the owner gets the treasury's share of later fees, nothing else.
    function test_C3_owner_takesNothingButTheTreasurysShare() public {
        address curve = _createOld(PoolTypes.MEME, true);
        address pool = _createGraduated(PoolTypes.STARTUP_PRESEED, false);
        _buy(curve, alice, 1000 * oneUsd);
        uint256 share = launchpad.stateOf(curve).treasuryShare + launchpad.stateOf(pool).treasuryShare;
        uint256 already = _credit(treasury);
        uint256 owed = launchpad.stateOf(curve).usd;
        vm.startPrank(owner);
        launchpad.setTreasury(owner);
        launchpad.setVoucherSigner(owner);
        address[] memory both = new address[](2);
        (both[0], both[1]) = (curve, pool);
        launchpad.collectTreasury(both);
        launchpad.withdraw(address(usd), owner, type(uint256).max);
        vm.stopPrank();
        assertEq(usd.balanceOf(owner), share, "what is normal fee");
        assertEq(_credit(treasury), already, "credited to whom it was credited");
        assertEq(launchpad.stateOf(curve).usd, owed);
        _sell(curve, alice, IERC20(curve).balanceOf(alice));
    }

    /// @notice No function, called by whoever has a right here, with the token and every other word small or large, lowers
    /// what is locked.
    function test_C3_C1_liquidity_noFunctionTakesItOut() public {
        address token = _createGraduated(PoolTypes.MEME, true);
        ILens.TokenView memory locked = _view(token);
        address[5] memory callers = [owner, treasury, creator, attacker, address(launchpad)];
        uint256[4] memory words = [uint256(1), 1e6, locked.fullRange.liquidity, type(uint256).max];
        string[] memory functions = _changingFunctions();
        for (uint256 i; i < functions.length; i++) {
            for (uint256 j; j < callers.length * words.length; j++) {
                uint256 snapshot = vm.snapshotState();
                uint256 word = words[j % words.length];
                bytes4 selector = bytes4(keccak256(bytes(functions[i])));
                vm.prank(callers[j / words.length]);
                (bool ok,) = address(launchpad).call(abi.encodeWithSelector(selector, token, word, word, word, word));
                ILens.TokenView memory now_ = _view(token);
                assertEq(now_.fullRange.liquidity, locked.fullRange.liquidity, functions[i]);
                assertEq(now_.floor.liquidity, locked.floor.liquidity, functions[i]);
                if (ok) vm.revertToState(snapshot);
            }
        }
    }

    /// @notice The owner that a mainnet deployment demands, OpenZeppelin's own bytecode: whoever steals its keys waits two
    /// days in sight of everyone, and cannot shorten them.
    function test_C18_timelock_nothingHappensWithin48Hours() public {
        address[] memory keys = _one(attacker);
        ITimelock timelock = ITimelock(
            vm.deployCode(
                "../../node_modules/@openzeppelin/contracts/build/contracts/TimelockController.json",
                abi.encode(48 hours, keys, keys, address(0))
            )
        );
        vm.prank(owner);
        launchpad.transferOwnership(address(timelock));
        bytes memory accept = abi.encodeCall(ILaunchpad.acceptOwnership, ());
        _throughTimelock(timelock, address(launchpad), accept);
        assertEq(launchpad.owner(), address(timelock));

        bytes memory steal = abi.encodeCall(ILaunchpad.setTreasury, (attacker));
        _throughTimelock(timelock, address(launchpad), steal);
        assertEq(launchpad.treasury(), attacker);

        vm.startPrank(attacker);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.Unauthorized.selector, attacker));
        launchpad.setTreasury(attacker);
        bytes memory shorten = abi.encodeCall(ITimelock.updateDelay, (0));
        vm.expectRevert();
        timelock.schedule(address(timelock), 0, shorten, 0, 0, 48 hours - 1);
        vm.expectRevert();
        timelock.updateDelay(0);
        vm.stopPrank();
    }

    /// @dev Announced by whoever has the keys; refused until the last second of two days, then done.
    function _throughTimelock(ITimelock timelock, address target, bytes memory call) private {
        vm.startPrank(attacker);
        timelock.schedule(target, 0, call, 0, 0, 48 hours);
        skip(48 hours - 1);
        vm.expectRevert();
        timelock.execute(target, 0, call, 0, 0);
        skip(1);
        timelock.execute(target, 0, call, 0, 0);
        vm.stopPrank();
    }

    // ---------------------------------------------------------------- C22: permits

    function test_C22_permit_usedBySomebodyElseFirst() public {
        address token = _createOld(PoolTypes.MEME, true);
        (address signer, uint256 key) = makeAddrAndKey("signer of a permit");
        usd.mint(signer, 100 * oneUsd);
        (uint8 v, bytes32 r, bytes32 s) = _signPermit(signer, key);
        vm.prank(attacker);
        usd.permit(signer, address(launchpad), 100 * oneUsd, FOREVER, v, r, s);

        bytes[] memory calls = new bytes[](2);
        calls[0] = abi.encodeCall(ILaunchpad.permitUsd, (100 * oneUsd, FOREVER, v, r, s));
        calls[1] = abi.encodeCall(ILaunchpad.buyExactIn, (_order(token, 100 * oneUsd, signer)));
        vm.prank(signer);
        launchpad.multicall(calls);
        assertGt(IERC20(token).balanceOf(signer), 0);
    }

    function test_C22_permit_isTheCallersOwn() public {
        (address signer, uint256 key) = makeAddrAndKey("signer of a permit");
        (uint8 v, bytes32 r, bytes32 s) = _signPermit(signer, key);
        vm.prank(attacker);
        launchpad.permitUsd(100 * oneUsd, FOREVER, v, r, s);
        assertEq(usd.allowance(signer, address(launchpad)), 0);
        vm.prank(signer);
        launchpad.permitUsd(100 * oneUsd, FOREVER, v, r, s);
        assertEq(usd.allowance(signer, address(launchpad)), 100 * oneUsd);
    }

    function _signPermit(address signer, uint256 key) private view returns (uint8 v, bytes32 r, bytes32 s) {
        bytes32 typeHash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 structHash =
            keccak256(abi.encode(typeHash, signer, address(launchpad), 100 * oneUsd, usd.nonces(signer), FOREVER));
        return vm.sign(key, keccak256(abi.encodePacked(hex"1901", usd.DOMAIN_SEPARATOR(), structHash)));
    }

    // ---------------------------------------------------------------- internals

    /// @notice Signatures of the Launchpad's functions that are not views, from the compiler's output.
    function _changingFunctions() private view returns (string[] memory list) {
        string memory artifact = vm.readFile("out/LaunchpadV4.sol/LaunchpadV4.json");
        string[] memory all = vm.parseJsonKeys(artifact, ".methodIdentifiers");
        list = new string[](all.length);
        uint256 length;
        for (uint256 i; i < all.length; i++) {
            string memory name = vm.split(all[i], "(")[0];
            string memory filter = string.concat(".abi[?(@.name == '", name, "')].stateMutability");
            string memory mutability = vm.parseJsonString(artifact, filter);
            bool reads =
                keccak256(bytes(mutability)) == keccak256("view") || keccak256(bytes(mutability)) == keccak256("pure");
            if (!reads) list[length++] = all[i];
        }
        assembly ("memory-safe") {
            mstore(list, length)
        }
    }
}
