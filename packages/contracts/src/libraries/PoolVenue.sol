// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IHooks} from "v4-core/interfaces/IHooks.sol";
import {IPoolManager} from "v4-core/interfaces/IPoolManager.sol";
import {FullMath} from "v4-core/libraries/FullMath.sol";
import {TickMath} from "v4-core/libraries/TickMath.sol";
import {BalanceDelta} from "v4-core/types/BalanceDelta.sol";
import {Currency} from "v4-core/types/Currency.sol";
import {PoolKey} from "v4-core/types/PoolKey.sol";
import {ModifyLiquidityParams, SwapParams} from "v4-core/types/PoolOperation.sol";
import {Slot0} from "v4-core/types/Slot0.sol";
import {LiquidityAmounts} from "v4-periphery/libraries/LiquidityAmounts.sol";
import {FixedPointMathLib} from "solady/src/utils/FixedPointMathLib.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {ILaunchpad} from "../interfaces/ILaunchpad.sol";
import {PoolType} from "./PoolTypes.sol";

/// @title PoolVenue: a graduated token's Uniswap v4 pool. Swap fee 0: our fees are taken around the swap.
/// @dev Two positions live in it, both owned by the Launchpad for good: the full range, and the floor of USD only
/// from the edge of the price range to the curve's start price. `usdIs0` is the order of the pair by address.
library PoolVenue {
    using SafeTransferLib for address;

    uint24 internal constant SWAP_FEE = 0;
    int24 internal constant TICK_SPACING = 200;
    int24 internal constant MIN_TICK = -887_200;
    int24 internal constant MAX_TICK = 887_200;

    /// @dev Slot of `mapping(PoolId => Pool.State)` in the PoolManager, and of the members that we read in the state.
    uint256 private constant POOLS_SLOT = 6;
    uint256 private constant LIQUIDITY_OFFSET = 3;
    uint256 private constant POSITIONS_OFFSET = 6;

    struct State {
        uint160 sqrtPriceX96;
        int24 tick;
        uint24 protocolFee;
        uint128 liquidity;
    }

    /// @notice What graduation puts into the pool.
    /// @param virtualTokens A at the end of the curve; `virtualUsd` B. The pool opens at B/A.
    /// @param usd For the full range, with `tokens`. What does not fit joins the floor.
    struct Seed {
        address token;
        PoolType poolType;
        uint256 virtualTokens;
        uint256 virtualUsd;
        uint256 usd;
        uint256 tokens;
        uint256 floorUsd;
    }

    // ---------------------------------------------------------------- pure

    function key(address usd, address token, address hook) internal pure returns (PoolKey memory) {
        (address a, address b) = usd < token ? (usd, token) : (token, usd);
        return PoolKey(Currency.wrap(a), Currency.wrap(b), SWAP_FEE, TICK_SPACING, IHooks(hook));
    }

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

    // ---------------------------------------------------------------- reads

    function read(IPoolManager manager, PoolKey memory pool) internal view returns (State memory state) {
        uint256 slot = _stateSlot(pool);
        Slot0 slot0 = Slot0.wrap(manager.extsload(bytes32(slot)));
        state.sqrtPriceX96 = slot0.sqrtPriceX96();
        state.tick = slot0.tick();
        state.protocolFee = slot0.protocolFee();
        // forge-lint: disable-next-line(unsafe-typecast)
        state.liquidity = uint128(uint256(manager.extsload(bytes32(slot + LIQUIDITY_OFFSET))));
    }

    function liquidityOf(IPoolManager manager, PoolKey memory pool, address owner, int24 lower, int24 upper)
        internal
        view
        returns (uint128)
    {
        bytes32 position = keccak256(abi.encodePacked(owner, lower, upper, bytes32(0)));
        bytes32 slot = keccak256(abi.encode(position, _stateSlot(pool) + POSITIONS_OFFSET));
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint128(uint256(manager.extsload(slot)));
    }

    // ---------------------------------------------------------------- in the unlock callback

    /// @param amountSpecified Negative: exactly this much in. Positive: exactly this much out.
    /// @dev Without a price limit: runs to the end of the price range before it fills in part.
    function swap(IPoolManager manager, PoolKey memory pool, bool zeroForOne, int256 amountSpecified)
        internal
        returns (uint256 amountIn, uint256 amountOut)
    {
        uint160 limit = zeroForOne ? TickMath.MIN_SQRT_PRICE + 1 : TickMath.MAX_SQRT_PRICE - 1;
        BalanceDelta delta = manager.swap(pool, SwapParams(zeroForOne, amountSpecified, limit), "");
        (int256 deltaIn, int256 deltaOut) =
            zeroForOne ? (delta.amount0(), delta.amount1()) : (delta.amount1(), delta.amount0());
        return (uint256(-deltaIn), uint256(deltaOut));
    }

    /// @notice Opens the pool and locks both positions, paid from this contract's balances.
    function open(IPoolManager manager, PoolKey memory pool, Seed memory seed)
        internal
        returns (ILaunchpad.Graduation memory result)
    {
        bool usdIs0 = Currency.unwrap(pool.currency1) == seed.token;
        result.sqrtPriceX96 = sqrtPriceX96(seed.virtualTokens, seed.virtualUsd, usdIs0);
        result.tick = manager.initialize(pool, result.sqrtPriceX96);

        (result.fullRange.tickLower, result.fullRange.tickUpper) = (MIN_TICK, MAX_TICK);
        (result.usdLocked, result.tokensLocked) =
            _lock(manager, pool, result.fullRange, result.sqrtPriceX96, usdIs0, seed.usd, seed.tokens);
        result.dustTokens = seed.tokens - result.tokensLocked;

        // The floor's liquidity stays below the manager's cap per tick up to 10^14 dollars.
        uint256 usdForFloor = seed.floorUsd + seed.usd - result.usdLocked;
        (result.floor.tickLower, result.floor.tickUpper) = floorTicks(seed.poolType, usdIs0);
        (result.floorUsd,) = _lock(manager, pool, result.floor, result.sqrtPriceX96, usdIs0, usdForFloor, 0);
        result.dustUsd = usdForFloor - result.floorUsd;

        Currency usd = usdIs0 ? pool.currency0 : pool.currency1;
        pay(manager, Currency.unwrap(usd), result.usdLocked + result.floorUsd);
        // Tokens that fit no position stay in the PoolManager, given up: nobody can take them out.
        pay(manager, seed.token, seed.tokens);
        if (result.dustTokens != 0) manager.clear(Currency.wrap(seed.token), result.dustTokens);
    }

    /// @notice Pays what this contract owes the PoolManager, from its own balance.
    function pay(IPoolManager manager, address currency, uint256 amount) internal {
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

    function _stateSlot(PoolKey memory pool) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(pool.toId(), POOLS_SLOT)));
    }
}
