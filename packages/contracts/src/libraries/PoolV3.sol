// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {TickMath} from "v4-core/libraries/TickMath.sol";
import {IPoolV3} from "../interfaces/IPoolV3.sol";

/// @notice An exchange of the form of Uniswap v3. Its factory is zero where a deployment has none.
/// @param deployer Who creates its pools by CREATE2: the factory on Uniswap, a contract of its own on PancakeSwap.
/// @param poolCodeHash Of a pool's creation code; on EraVM the hash that its CREATE2 takes.
/// @param isEra Whether pools are EraVM's own contracts, whose CREATE2 has another formula.
struct ExchangeV3 {
    address factory;
    address deployer;
    bytes32 poolCodeHash;
    bool isEra;
}

/// @title PoolV3: a graduated token's pool on Uniswap v3 or PancakeSwap v3, at their tier of 1 %.
library PoolV3 {
    uint24 internal constant SWAP_FEE = 10_000;

    bytes32 private constant ERA_CREATE2 = keccak256("zksyncCreate2");

    /// @notice Where the exchange has, or will have, this pair's pool.
    function addressOf(ExchangeV3 memory exchange, address usd, address token) internal pure returns (address) {
        (address a, address b) = usd < token ? (usd, token) : (token, usd);
        bytes32 salt = keccak256(abi.encode(a, b, SWAP_FEE));
        bytes32 word = exchange.isEra
            ? keccak256(
                abi.encode(ERA_CREATE2, exchange.deployer, salt, exchange.poolCodeHash, keccak256(""))
            )
            : keccak256(abi.encodePacked(bytes1(0xff), exchange.deployer, salt, exchange.poolCodeHash));
        return address(uint160(uint256(word)));
    }

    /// @param amountSpecified Negative: exactly this much in. Positive: exactly this much out. As v4 has it.
    /// @dev Without a price limit: runs to the end of the price range before it fills in part.
    function swap(IPoolV3 pool, address to, bool zeroForOne, int256 amountSpecified, bytes memory data)
        internal
        returns (uint256 amountIn, uint256 amountOut)
    {
        uint160 limitX96 = zeroForOne ? TickMath.MIN_SQRT_PRICE + 1 : TickMath.MAX_SQRT_PRICE - 1;
        (int256 amount0, int256 amount1) = pool.swap(to, zeroForOne, -amountSpecified, limitX96, data);
        (int256 paid, int256 received) = zeroForOne ? (amount0, amount1) : (amount1, amount0);
        return (uint256(paid), uint256(-received));
    }

    function liquidityOf(IPoolV3 pool, address owner, int24 lower, int24 upper) internal view returns (uint128) {
        return pool.positions(keccak256(abi.encodePacked(owner, lower, upper)));
    }
}
