// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {TickMath} from "v4-core/libraries/TickMath.sol";
import {LiquidityAmounts} from "v4-periphery/libraries/LiquidityAmounts.sol";
import {ILaunchpad} from "../interfaces/ILaunchpad.sol";
import {ILaunchpadV3} from "../interfaces/ILaunchpadV3.sol";
import {IFactoryV3, IPoolV3} from "../interfaces/IPoolV3.sol";
import {Venue} from "../venues/Venue.sol";
import {PoolRange} from "./PoolRange.sol";
import {PoolV3} from "./PoolV3.sol";

/// @title OpeningV3: what graduation does on an exchange where anybody can make the pool first. A linked library: it runs as
/// the Launchpad, which pays in the pools' callbacks.
/// @dev Nothing enters a token's pool before it graduates, so nobody can ask below the price that it is to open at. Then a
/// pool below that price walks up to it for nothing, and one above it holds foreign bids: they are sold into, with at most a
/// twentieth of the pool's tokens. Where that is not enough, our bids end at the opening price and our asks begin where the
/// foreign bids hold.
library OpeningV3 {
    using SafeTransferLib for address;

    /// @dev Of the pool's tokens, what foreign bids may get before the rest is locked around them.
    uint256 internal constant SELLABLE_PART = 20;
    address private constant NOBODY = 0x000000000000000000000000000000000000dEaD;

    /// @param sold Of the pool's tokens, sold into foreign bids so far.
    /// @return result Its ranges: the full one, or the asks; the floor, or all bids.
    function open(IPoolV3 pool, address usd, Venue.Seed memory seed, uint256 sold)
        external
        returns (ILaunchpad.Graduation memory result)
    {
        bool usdIs0 = usd < seed.token;
        uint160 targetX96 = PoolRange.sqrtPriceX96(seed.virtualTokens, seed.virtualUsd, usdIs0);
        uint256 sellable = seed.tokens / SELLABLE_PART - sold;
        (uint256 soldNow, uint256 gained) = _level(pool, usdIs0, seed.token, sellable, targetX96, targetX96);
        seed.tokens -= sold + soldNow;
        seed.floorUsd += gained;
        (result.sqrtPriceX96, result.tick) = pool.slot0();

        if (result.sqrtPriceX96 == targetX96) _lockAround(pool, usdIs0, seed, result);
        else if (usdIs0 == result.sqrtPriceX96 < targetX96) _lockApart(pool, usdIs0, seed, targetX96, result);
        else revert ILaunchpadV3.PoolOutOfReach(result.sqrtPriceX96, targetX96);
        result.dustUsd = seed.usd + seed.floorUsd - result.usdLocked - result.floorUsd;
        result.dustTokens = seed.tokens - result.tokensLocked;
        if (result.dustTokens != 0) seed.token.safeTransfer(NOBODY, result.dustTokens);
    }

    /// @notice Walks to `limitX96`, or to the opening price where that comes first.
    /// @return soldNow Tokens that foreign bids got, `gained` what they paid.
    function level(IPoolV3 pool, address usd, Venue.Seed memory seed, uint256 sold, uint160 limitX96)
        external
        returns (uint256 soldNow, uint256 gained)
    {
        bool usdIs0 = usd < seed.token;
        uint160 targetX96 = PoolRange.sqrtPriceX96(seed.virtualTokens, seed.virtualUsd, usdIs0);
        return _level(pool, usdIs0, seed.token, seed.tokens / SELLABLE_PART - sold, targetX96, limitX96);
    }

    /// @return pool The pair's pool, made where there is none.
    function poolFor(IFactoryV3 factory, address usd, address token, address computed) external returns (IPoolV3 pool) {
        address found = factory.getPool(usd, token, PoolV3.SWAP_FEE);
        if (found == address(0)) found = factory.createPool(usd, token, PoolV3.SWAP_FEE);
        if (found != computed) revert ILaunchpadV3.WrongPool(found, computed);
        return IPoolV3(found);
    }

    // ---------------------------------------------------------------- levelling

    /// @param sellable Tokens that foreign bids may get.
    function _level(
        IPoolV3 pool,
        bool usdIs0,
        address token,
        uint256 sellable,
        uint160 targetX96,
        uint160 limitX96
    ) private returns (uint256 soldNow, uint256 gained) {
        (uint160 priceX96,) = pool.slot0();
        if (priceX96 == 0) pool.initialize(targetX96);
        if (priceX96 == 0 || priceX96 == targetX96) return (0, 0);
        bool zeroForOne = priceX96 > targetX96;
        // A limit beyond the opening price, or behind the pool's own, is that price.
        bool isBetween = zeroForOne
            ? limitX96 > targetX96 && limitX96 < priceX96
            : limitX96 < targetX96 && limitX96 > priceX96;
        if (!isBetween) limitX96 = targetX96;
        // Too cheap: nobody asks below the opening price, so one unit walks there and stays unspent.
        bool sells = zeroForOne != usdIs0;
        if (sells && sellable == 0) return (0, 0);
        (uint256 paid, uint256 received) = _walk(pool, token, zeroForOne, sells ? sellable : 1, limitX96);
        if (sells) (soldNow, gained) = (paid, received);
    }

    function _walk(IPoolV3 pool, address token, bool zeroForOne, uint256 most, uint160 limitX96)
        private
        returns (uint256 paid, uint256 received)
    {
        (int256 amount0, int256 amount1) =
            pool.swap(address(this), zeroForOne, int256(most), limitX96, abi.encode(token, address(this)));
        return zeroForOne ? (uint256(amount0), uint256(-amount1)) : (uint256(amount1), uint256(-amount0));
    }

    // ---------------------------------------------------------------- locking

    /// @dev At the opening price: the full range, and the floor with all dollars that did not fit it.
    function _lockAround(IPoolV3 pool, bool usdIs0, Venue.Seed memory seed, ILaunchpad.Graduation memory result) private {
        (result.fullRange.tickLower, result.fullRange.tickUpper) = (PoolRange.MIN_TICK, PoolRange.MAX_TICK);
        (result.usdLocked, result.tokensLocked) =
            _lock(pool, seed.token, result.fullRange, result.sqrtPriceX96, usdIs0, seed.usd, seed.tokens);
        uint256 usdForFloor = seed.usd + seed.floorUsd - result.usdLocked;
        (result.floor.tickLower, result.floor.tickUpper) = PoolRange.floorTicks(seed.poolType, usdIs0);
        (result.floorUsd,) = _lock(pool, seed.token, result.floor, result.sqrtPriceX96, usdIs0, usdForFloor, 0);
    }

    /// @dev Above it: bids up to the opening price, asks from where the pool stands; each takes one side only.
    function _lockApart(
        IPoolV3 pool,
        bool usdIs0,
        Venue.Seed memory seed,
        uint160 targetX96,
        ILaunchpad.Graduation memory result
    ) private {
        int24 targetTick = TickMath.getTickAtSqrtPrice(targetX96);
        // The dearer a token, the lower the tick where the dollar comes first.
        (result.floor.tickLower, result.floor.tickUpper) =
            usdIs0 ? (_ceil(targetTick + 1), PoolRange.MAX_TICK) : (PoolRange.MIN_TICK, _floor(targetTick));
        (result.fullRange.tickLower, result.fullRange.tickUpper) =
            usdIs0 ? (PoolRange.MIN_TICK, _floor(result.tick)) : (_ceil(result.tick + 1), PoolRange.MAX_TICK);
        uint256 bids = seed.usd + seed.floorUsd;
        (result.floorUsd,) = _lock(pool, seed.token, result.floor, result.sqrtPriceX96, usdIs0, bids, 0);
        (, result.tokensLocked) =
            _lock(pool, seed.token, result.fullRange, result.sqrtPriceX96, usdIs0, 0, seed.tokens);
    }

    /// @dev Adds as much liquidity as both amounts allow; never more is owed than they are. Nothing when they are too small.
    function _lock(
        IPoolV3 pool,
        address token,
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
        bytes memory data = abi.encode(token, address(this));
        (uint256 amount0, uint256 amount1) =
            pool.mint(address(this), range.tickLower, range.tickUpper, range.liquidity, data);
        return usdIs0 ? (amount0, amount1) : (amount1, amount0);
    }

    function _floor(int24 tick) private pure returns (int24) {
        return tick - (tick % PoolRange.TICK_SPACING + PoolRange.TICK_SPACING) % PoolRange.TICK_SPACING;
    }

    function _ceil(int24 tick) private pure returns (int24) {
        int24 below = _floor(tick);
        return below == tick ? tick : below + PoolRange.TICK_SPACING;
    }
}
