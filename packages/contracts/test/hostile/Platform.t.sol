// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {Vm} from "forge-std/Vm.sol";
import {TestUSD} from "../../src/TestUSD.sol";
import {ILaunchpad} from "../../src/interfaces/ILaunchpad.sol";
import {PoolTypes} from "../../src/libraries/PoolTypes.sol";
import {HostileTest} from "./HostileTest.sol";

/// @notice Compiler and chains.
contract PlatformTest is HostileTest {
    // ---------------------------------------------------------------- C19: compiler

    function test_C19_compiler_isAtLeast0834() public view {
        string memory manifest = vm.readFile("../../node_modules/solc/package.json");
        string[] memory version = vm.split(vm.parseJsonString(manifest, ".version"), ".");
        assertEq(version[0], "0");
        assertEq(version[1], "8");
        assertGe(vm.parseUint(version[2]), 34);
        Vm.DirEntry[] memory sources = vm.readDir("src", 3);
        for (uint256 i; i < sources.length; i++) {
            if (sources[i].isDir) continue;
            assertTrue(_contains(vm.readFile(sources[i].path), "pragma solidity ^0.8.34;"), sources[i].path);
        }
    }

    // ---------------------------------------------------------------- C20: not only Ethereum

    function test_C20_decimals_6() public {
        _story(6);
    }

    function test_C20_decimals_8() public {
        _story(8);
    }

    function test_C20_decimals_18() public {
        _story(18);
    }

    function test_C20_decimals_outOfRangeAreRefused() public {
        uint8[3] memory decimals = [0, 5, 19];
        for (uint256 i; i < 3; i++) {
            address dollar = address(new TestUSD("Odd", "ODD", decimals[i]));
            vm.expectRevert(abi.encodeWithSelector(ILaunchpad.UnsupportedDecimals.selector, decimals[i]));
            this.deployWith(dollar);
        }
    }

    function deployWith(address dollar) external {
        _deployLaunchpad(dollar, address(manager), GRADUATION_GAS);
    }

    /// @notice The raise in whole dollars, whatever a dollar's decimals.
    function _story(uint8 decimals) private {
        _redeploy(decimals);
        assertEq(IERC20Metadata(address(usd)).decimals(), decimals);
        for (uint256 order; order < 2; order++) {
            address token = _createCompleted(PoolTypes.MEME, order == 0, alice);
            assertEq(launchpad.stateOf(token).usd / oneUsd, 25_000);
            skip(1);
            launchpad.graduate(token);
            _buy(token, bob, 100 * oneUsd);
            _sell(token, bob, IERC20(token).balanceOf(bob) / 2);
            assertGe(usd.balanceOf(address(launchpad)), _creditsOfAll() + _owedFor(token));
        }
    }

    /// @notice No fixed gas to a receiver, no native money at all, no block numbers.
    function test_C20_sources_assumeNoChain() public view {
        string[7] memory banned =
            [".send(", "payable", "{value", "block.number <", "block.number >", "block.difficulty", "selfdestruct"];
        Vm.DirEntry[] memory sources = vm.readDir("src", 3);
        for (uint256 i; i < sources.length; i++) {
            if (sources[i].isDir) continue;
            string memory source = vm.readFile(sources[i].path);
            // The bridge passes the coin on that a message costs, and keeps none.
            bool pays = _contains(sources[i].path, "Bridge") || _contains(sources[i].path, "ILayerZeroEndpoint");
            for (uint256 j; j < banned.length; j++) {
                if (pays && (j == 1 || j == 2)) continue;
                assertFalse(_contains(source, banned[j]), string.concat(sources[i].path, ": ", banned[j]));
            }
        }
    }

    function _contains(string memory text, string memory part) private pure returns (bool) {
        return vm.indexOf(text, part) != type(uint256).max;
    }
}
