// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

/// @notice Stands for PancakeSwap's deployer of pools, which no package has: creates the published pool by CREATE2. The pool
/// asks its creator for what it is of.
contract PoolDeployer {
    struct Parameters {
        address factory;
        address token0;
        address token1;
        uint24 fee;
        int24 tickSpacing;
    }

    Parameters public parameters;
    /// @dev Creation code is longer than one contract's code may be.
    address[] private _parts;

    constructor(bytes memory poolCode) {
        for (uint256 from; from < poolCode.length; from += 24_000) {
            uint256 size = poolCode.length - from < 24_000 ? poolCode.length - from : 24_000;
            bytes memory part = new bytes(size);
            for (uint256 i; i < size; i += 32) {
                assembly ("memory-safe") {
                    mstore(add(add(part, 0x20), i), mload(add(add(add(poolCode, 0x20), from), i)))
                }
            }
            // Returns what follows its first eleven bytes.
            bytes memory code = abi.encodePacked(hex"61", uint16(size), hex"80600a3d393df3", part);
            address store;
            assembly ("memory-safe") {
                store := create(0, add(code, 0x20), mload(code))
            }
            _parts.push(store);
        }
    }

    function deploy(address factory, address token0, address token1, uint24 fee, int24 tickSpacing)
        external
        returns (address pool)
    {
        parameters = Parameters(factory, token0, token1, fee, tickSpacing);
        bytes memory code;
        for (uint256 i; i < _parts.length; i++) {
            code = bytes.concat(code, _parts[i].code);
        }
        bytes32 salt = keccak256(abi.encode(token0, token1, fee));
        assembly ("memory-safe") {
            pool := create2(0, add(code, 0x20), mload(code), salt)
        }
        require(pool != address(0), "no pool");
        delete parameters;
    }
}
