// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IHooks} from "v4-core/interfaces/IHooks.sol";
import {IPoolManager} from "v4-core/interfaces/IPoolManager.sol";
import {TickMath} from "v4-core/libraries/TickMath.sol";
import {BalanceDelta} from "v4-core/types/BalanceDelta.sol";
import {Currency} from "v4-core/types/Currency.sol";
import {PoolKey} from "v4-core/types/PoolKey.sol";
import {SwapParams} from "v4-core/types/PoolOperation.sol";
import {Slot0} from "v4-core/types/Slot0.sol";
import {PoolRange} from "./PoolRange.sol";

/// @title PoolV4: a graduated token's Uniswap v4 pool. Swap fee 0: our fees are taken around the swap.
/// @dev Two positions live in it, both owned by the Launchpad for good: the full range, and the floor of USD only
/// from the edge of the price range to the curve's start price. `usdIs0` is the order of the pair by address.
library PoolV4 {
    uint24 internal constant SWAP_FEE = 0;

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

    // ---------------------------------------------------------------- pure

    function key(address usd, address token, address hook) internal pure returns (PoolKey memory pool) {
        (address a, address b) = usd < token ? (usd, token) : (token, usd);
        (pool.currency0, pool.currency1) = (Currency.wrap(a), Currency.wrap(b));
        (pool.fee, pool.tickSpacing, pool.hooks) = (SWAP_FEE, PoolRange.TICK_SPACING, IHooks(hook));
    }

    // ---------------------------------------------------------------- reads

    /// @notice Price, tick and protocol fee.
    function slot0Of(IPoolManager manager, PoolKey memory pool) internal view returns (Slot0) {
        return Slot0.wrap(manager.extsload(bytes32(_stateSlot(pool))));
    }

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

    // ---------------------------------------------------------------- internals

    function _stateSlot(PoolKey memory pool) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(pool.toId(), POOLS_SLOT)));
    }
}
