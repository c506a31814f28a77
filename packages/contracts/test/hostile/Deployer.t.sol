// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {BalanceDelta} from "v4-core/types/BalanceDelta.sol";
import {SwapParams} from "v4-core/types/PoolOperation.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {LaunchToken} from "../../src/LaunchToken.sol";
import {Launchpad} from "../../src/Launchpad.sol";
import {LaunchpadV4} from "../../src/LaunchpadV4.sol";
import {TokenFactory} from "../../src/TokenFactory.sol";
import {ILaunchToken} from "../../src/interfaces/ILaunchToken.sol";
import {ITokenFactory} from "../../src/interfaces/ITokenFactory.sol";
import {ILaunchpad} from "../../src/interfaces/ILaunchpad.sol";
import {PoolTypes} from "../../src/libraries/PoolTypes.sol";
import {AnyCode} from "./actors/AnyCode.sol";
import {DeployedSystem} from "./DeployedSystem.sol";

/// @notice What the key of `Create3Factory.deployer` can do in a thief's hands, once the system stands.
contract DeployerTest is DeployedSystem {
    address private curve;
    address private pool;

    function setUp() public override {
        vm.warp(1_700_000_000);
        _deployThroughFactory(6);
        curve = _createOld(PoolTypes.MEME, true);
        pool = _createGraduated(PoolTypes.MEME, false);
        _buy(curve, victim, 10_000 * oneUsd);
        _buy(pool, victim, 1000 * oneUsd);
        _fund(victim, 1000 * oneUsd);
    }

    /// @notice Any code at every address of ours that has none, and at others: it mints nothing, burns nothing, is
    /// credited nothing.
    function test_H4_deployer_codeAtAnyAddressTakesNothing() public {
        uint256 placed;
        for (uint256 i; i < names.length + 3; i++) {
            address thief = _placeAnyCode(i < names.length ? _saltOf(names[i]) : bytes32(i));
            if (thief == address(0)) continue;
            placed++;
            _tryEverything(AnyCode(thief), curve);
            _tryEverything(AnyCode(thief), pool);
        }
        assertEq(placed, 3, "none of ours");
    }

    function test_H4_deployer_replacesNothing() public {
        for (uint256 i; i < names.length; i++) {
            bytes32 salt = _saltOf(names[i]);
            bytes32 codehash = create3.addressOf(salt).codehash;
            assertEq(_placeAnyCode(salt), address(0), names[i]);
            assertEq(create3.addressOf(salt).codehash, codehash, names[i]);
        }
    }

    /// @notice Nothing that a contract of ours trusts is an address where somebody could still put code.
    function test_H4_trusted_hasCode() public view {
        LaunchToken implementation = LaunchToken(launchpad.tokenImplementation());
        TokenFactory tokenFactory = TokenFactory(launchpad.factory());
        address[14] memory trusted = [
            launchpad.usd(),
            launchpad.poolManager(),
            address(tokenFactory),
            address(implementation),
            implementation.launchpad(),
            implementation.factory(),
            LaunchToken(pool).launchpad(),
            tokenFactory.implementation(),
            tokenFactory.launchpad(),
            tokenFactory.bridge(),
            implementation.bridge(),
            address(tokenBridge.endpoint()),
            tokenBridge.factory(),
            address(lens.launchpad())
        ];
        for (uint256 i; i < trusted.length; i++) {
            assertGt(trusted[i].code.length, 0, vm.toString(i));
        }
    }

    function test_H4_launchpad_refusesToTrustAnAddressWithoutCode() public {
        Launchpad.Config memory config = _config(address(usd), launchpad.factory(), GRADUATION_GAS);
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.NoCode.selector, attacker));
        this.deployWith(config, attacker);
        config.factory = attacker;
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.NoCode.selector, attacker));
        this.deployWith(config, address(manager));
        config.factory = address(new TokenFactory(attacker, address(launchpad), bridge));
        vm.expectRevert(abi.encodeWithSelector(ILaunchpad.NoCode.selector, attacker));
        this.deployWith(config, address(manager));
    }

    /// @dev An expected revert of `new` itself ends a test that is linked dynamically.
    function deployWith(Launchpad.Config memory config, address poolManager) external {
        _place(_hookAddress(), abi.encodePacked(type(LaunchpadV4).creationCode, abi.encode(config, poolManager)));
    }

    function _tryEverything(AnyCode thief, address token) private {
        uint256 tokens = IERC20(token).balanceOf(victim);
        bytes[7] memory calls = [
            abi.encodeWithSignature("crosschainMint(address,uint256)", address(thief), 1e27),
            abi.encodeWithSignature("crosschainBurn(address,uint256)", victim, tokens),
            abi.encodeWithSignature("mint(address,uint256)", address(thief), 1e27),
            abi.encodeWithSignature("burn(address,uint256)", victim, tokens),
            abi.encodeCall(ILaunchToken.initialize, ("", "", 1e27)),
            abi.encodeCall(ILaunchToken.launchpadTransfer, (victim, address(thief), tokens)),
            abi.encodeCall(IERC20.transferFrom, (victim, address(thief), tokens))
        ];
        vm.startPrank(deployer);
        for (uint256 i; i < calls.length; i++) {
            assertFalse(thief.act(token, calls[i]), vm.toString(i));
        }
        bytes memory credit = abi.encodeCall(
            launchpad.afterSwap, (address(thief), _poolKey(token), SwapParams(true, -1e12, 0), BalanceDelta.wrap(1e18), "")
        );
        assertFalse(thief.act(address(launchpad), credit));
        bytes memory create = abi.encodeCall(
            ITokenFactory.create, (block.chainid, address(thief), bytes32(0), "Fake", "FAKE", PoolTypes.SUPPLY)
        );
        assertFalse(thief.act(launchpad.factory(), create));
        assertFalse(thief.act(address(usd), abi.encodeCall(IERC20.transferFrom, (victim, address(thief), 1))));
        vm.stopPrank();
        assertEq(IERC20(token).totalSupply(), PoolTypes.SUPPLY, "supply");
        assertEq(IERC20(token).balanceOf(victim), tokens, "victim's tokens");
    }
}
