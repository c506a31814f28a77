// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {FullMath} from "v4-core/libraries/FullMath.sol";
import {TickMath} from "v4-core/libraries/TickMath.sol";
import {FixedPointMathLib} from "solady/src/utils/FixedPointMathLib.sol";
import {PoolType} from "./PoolTypes.sol";

/// @title PoolRange: prices and ticks of a graduated pool, on every venue. `usdIs0` is the order of the pair by address.
library PoolRange {
    int24 internal constant TICK_SPACING = 200;
    int24 internal constant MIN_TICK = -887_200;
    int24 internal constant MAX_TICK = 887_200;

    /// @notice The pool's price of `virtualUsd / virtualTokens`, as the square root in 96 bit fixed point, rounded down.
    function sqrtPriceX96(uint256 virtualTokens, uint256 virtualUsd, bool usdIs0) internal pure returns (uint160) {
        uint256 priceX192 = usdIs0
            ? FullMath.mulDiv(virtualTokens, 1 << 192, virtualUsd)
            : FullMath.mulDiv(virtualUsd, 1 << 192, virtualTokens);
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint160(FixedPointMathLib.sqrt(priceX192)); // a square root of 256 bits has 128
    }

    /// @notice The floor's ticks: USD only, never nearer the opening price than the curve's start price.
    function floorTicks(PoolType memory poolType, bool usdIs0) internal pure returns (int24 lower, int24 upper) {
        uint160 startX96 = sqrtPriceX96(poolType.virtualTokens, poolType.virtualUsd, usdIs0);
        int24 tick = TickMath.getTickAtSqrtPrice(startX96);
        int24 aligned = tick - (tick % TICK_SPACING + TICK_SPACING) % TICK_SPACING;
        if (!usdIs0) return (MIN_TICK, aligned);
        return (TickMath.getSqrtPriceAtTick(aligned) < startX96 ? aligned + TICK_SPACING : aligned, MAX_TICK);
    }
}
