// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {Test} from "forge-std/Test.sol";
import {IPoolManager} from "v4-core/interfaces/IPoolManager.sol";
import {ExchangeV3} from "../../src/libraries/PoolV3.sol";
import {PoolDeployer} from "./PoolDeployer.sol";

/// @notice The published contracts of the exchanges.
abstract contract Exchanges is Test {
    enum VenueKind {
        UniswapV4,
        UniswapV3,
        PancakeV3
    }

    function _deployPoolManager(address owner) internal returns (IPoolManager) {
        string memory path = "../../node_modules/@uniswap/v4-core/out/PoolManager.sol/PoolManager.json";
        return IPoolManager(vm.deployCode(path, abi.encode(owner)));
    }

    function _deployExchange(VenueKind kind) internal returns (ExchangeV3 memory) {
        return kind == VenueKind.UniswapV3 ? _deployUniswapV3() : _deployPancakeV3();
    }

    function _deployUniswapV3() private returns (ExchangeV3 memory) {
        string memory folder = "@uniswap/v3-core/artifacts/contracts/";
        address factory = _deployCode(_published(string.concat(folder, "UniswapV3Factory.sol/UniswapV3Factory.json")));
        bytes memory pool = _published(string.concat(folder, "UniswapV3Pool.sol/UniswapV3Pool.json"));
        return ExchangeV3(factory, factory, keccak256(pool), false);
    }

    function _deployPancakeV3() private returns (ExchangeV3 memory) {
        string memory folder = "@pancakeswap/v3-core/artifacts/contracts/";
        bytes memory pool = _published(string.concat(folder, "PancakeV3Pool.sol/PancakeV3Pool.json"));
        address deployer = address(new PoolDeployer(pool));
        bytes memory factory = _published(string.concat(folder, "PancakeV3Factory.sol/PancakeV3Factory.json"));
        return ExchangeV3(_deployCode(abi.encodePacked(factory, abi.encode(deployer))), deployer, keccak256(pool), false);
    }

    /// @notice Creation code of a published artifact.
    /// @param path Below node_modules.
    function _published(string memory path) internal view returns (bytes memory) {
        return vm.parseJsonBytes(vm.readFile(string.concat("../../node_modules/", path)), ".bytecode");
    }

    function _deployCode(bytes memory code) internal returns (address created) {
        assembly ("memory-safe") {
            created := create(0, add(code, 0x20), mload(code))
        }
        require(created != address(0), "not created");
    }
}
