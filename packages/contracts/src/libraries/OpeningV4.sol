// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IPoolManager} from "v4-core/interfaces/IPoolManager.sol";
import {TickMath} from "v4-core/libraries/TickMath.sol";
import {BalanceDelta} from "v4-core/types/BalanceDelta.sol";
import {Currency} from "v4-core/types/Currency.sol";
import {PoolKey} from "v4-core/types/PoolKey.sol";
import {ModifyLiquidityParams} from "v4-core/types/PoolOperation.sol";
import {LiquidityAmounts} from "v4-periphery/libraries/LiquidityAmounts.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {ILaunchpad} from "../interfaces/ILaunchpad.sol";
import {Venue} from "../venues/Venue.sol";
import {PoolRange} from "./PoolRange.sol";

/// @title OpeningV4: what graduation does in Uniswap v4's lock. A linked library, because its maths do not fit beside the
/// Launchpad's own code: it runs as the Launchpad, at the address that the Launchpad was linked with.
library OpeningV4 {
    using SafeTransferLib for address;

    /// @notice Opens the pool and locks both positions, paid from this contract's balances.
    function open(IPoolManager manager, PoolKey memory pool, Venue.Seed memory seed)
        external
        returns (ILaunchpad.Graduation memory result)
    {
        bool usdIs0 = Currency.unwrap(pool.currency1) == seed.token;
        result.sqrtPriceX96 = PoolRange.sqrtPriceX96(seed.virtualTokens, seed.virtualUsd, usdIs0);
        result.tick = manager.initialize(pool, result.sqrtPriceX96);

        (result.fullRange.tickLower, result.fullRange.tickUpper) = (PoolRange.MIN_TICK, PoolRange.MAX_TICK);
        (result.usdLocked, result.tokensLocked) =
            _lock(manager, pool, result.fullRange, result.sqrtPriceX96, usdIs0, seed.usd, seed.tokens);
        result.dustTokens = seed.tokens - result.tokensLocked;

        // The floor's liquidity stays below the manager's cap per tick up to 10^14 dollars.
        uint256 usdForFloor = seed.floorUsd + seed.usd - result.usdLocked;
        (result.floor.tickLower, result.floor.tickUpper) = PoolRange.floorTicks(seed.poolType, usdIs0);
        (result.floorUsd,) = _lock(manager, pool, result.floor, result.sqrtPriceX96, usdIs0, usdForFloor, 0);
        result.dustUsd = usdForFloor - result.floorUsd;

        Currency usd = usdIs0 ? pool.currency0 : pool.currency1;
        _pay(manager, Currency.unwrap(usd), result.usdLocked + result.floorUsd);
        // Tokens that fit no position stay in the PoolManager, given up: nobody can take them out.
        _pay(manager, seed.token, seed.tokens);
        if (result.dustTokens != 0) manager.clear(Currency.wrap(seed.token), result.dustTokens);
    }

    /// @notice Pays what this contract owes the PoolManager, from its own balance.
    function _pay(IPoolManager manager, address currency, uint256 amount) private {
        manager.sync(Currency.wrap(currency));
        currency.safeTransfer(address(manager), amount);
        manager.settle();
    }

    // ---------------------------------------------------------------- internals

    /// @dev Adds as much liquidity as both amounts allow; never more is owed than they are. Nothing when they are too small.
    function _lock(
        IPoolManager manager,
        PoolKey memory pool,
        ILaunchpad.LockedRange memory range,
        uint160 priceX96,
        bool usdIs0,
        uint256 usd,
        uint256 tokens
    ) private returns (uint256 usdUsed, uint256 tokensUsed) {
        range.liquidity = LiquidityAmounts.getLiquidityForAmounts(
            priceX96,
            TickMath.getSqrtPriceAtTick(range.tickLower),
            TickMath.getSqrtPriceAtTick(range.tickUpper),
            usdIs0 ? usd : tokens,
            usdIs0 ? tokens : usd
        );
        if (range.liquidity == 0) return (0, 0);
        (BalanceDelta delta,) = manager.modifyLiquidity(
            pool,
            ModifyLiquidityParams(range.tickLower, range.tickUpper, int256(uint256(range.liquidity)), bytes32(0)),
            ""
        );
        (int256 owed0, int256 owed1) = (-int256(delta.amount0()), -int256(delta.amount1()));
        (int256 owedUsd, int256 owedTokens) = usdIs0 ? (owed0, owed1) : (owed1, owed0);
        return (uint256(owedUsd), uint256(owedTokens));
    }
}
