// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IHooks} from "v4-core/interfaces/IHooks.sol";
import {IPoolManager} from "v4-core/interfaces/IPoolManager.sol";
import {SafeCast} from "v4-core/libraries/SafeCast.sol";
import {BalanceDelta} from "v4-core/types/BalanceDelta.sol";
import {BeforeSwapDelta, toBeforeSwapDelta} from "v4-core/types/BeforeSwapDelta.sol";
import {Currency} from "v4-core/types/Currency.sol";
import {PoolKey} from "v4-core/types/PoolKey.sol";
import {ModifyLiquidityParams, SwapParams} from "v4-core/types/PoolOperation.sol";
import {Fees} from "../libraries/Fees.sol";
import {Venue} from "./Venue.sol";

/// @title PoolHook: what the PoolManager asks about swaps by others. It does not ask a hook about the hook's own actions.
/// @notice Nobody else opens pools or adds liquidity. A swap by anyone else pays the normal fee of its gross USD. Hook data
/// is ignored.
/// @dev The fee leaves the PoolManager before the router settles, so a fee above the USD that the PoolManager holds in
/// all its pools reverts. A swap with USD as the exact side has to fill completely, because its fee was taken on all of it.
abstract contract PoolHook is Venue {
    using SafeCast for uint256;

    /// @dev Low 14 bits of the address: before initialize, before add liquidity, before and after swap with deltas.
    uint160 private constant PERMISSIONS = 0x28CC;
    uint160 private constant PERMISSION_MASK = (1 << 14) - 1;

    /// @notice Uniswap v4's, or zero where the chain has none: then `create` reverts.
    address public immutable poolManager;

    error WrongHookAddress(address hook, uint160 permissions);

    /// @notice One foreign swap in our words.
    /// @param exactUsd What the router specified, zero when it specified tokens.
    /// @param swappedUsd What the pool moved, without the fee; likewise `swappedTokens`. Known after the swap.
    struct ForeignSwap {
        address token;
        bool isBuy;
        uint256 exactUsd;
        uint256 swappedUsd;
        uint256 swappedTokens;
    }

    constructor(address poolManager_) {
        if (uint160(address(this)) & PERMISSION_MASK != PERMISSIONS) {
            revert WrongHookAddress(address(this), PERMISSIONS);
        }
        if (poolManager_ != address(0)) _requireCode(poolManager_);
        poolManager = poolManager_;
    }

    modifier onlyPoolManager() {
        _requirePoolManager();
        _;
    }

    // ---------------------------------------------------------------- opening and liquidity

    /// @dev Whoever is asked about is a stranger.
    function beforeInitialize(address sender, PoolKey calldata, uint160) external pure returns (bytes4) {
        revert Unauthorized(sender);
    }

    function beforeAddLiquidity(address sender, PoolKey calldata, ModifyLiquidityParams calldata, bytes calldata)
        external
        pure
        returns (bytes4)
    {
        revert Unauthorized(sender);
    }

    // ---------------------------------------------------------------- swaps

    /// @notice With USD as the exact side, the pool swaps what is left of it (buy) or more (sell) by the fee.
    function beforeSwap(address, PoolKey calldata key, SwapParams calldata params, bytes calldata)
        external
        view
        onlyPoolManager
        returns (bytes4, BeforeSwapDelta, uint24)
    {
        int128 fee;
        ForeignSwap memory swap = _foreignSwap(key, params);
        if (swap.exactUsd > Fees.MOST) revert PartialFill(swap.exactUsd, 0);
        if (swap.exactUsd != 0) fee = _feeUp(_grossOfExactUp(swap)).toInt128();
        return (IHooks.beforeSwap.selector, toBeforeSwapDelta(fee, 0), 0);
    }

    /// @notice Takes the fee into this contract and credits it.
    /// @param delta What the pool swapped, without the fee.
    function afterSwap(
        address sender,
        PoolKey calldata key,
        SwapParams calldata params,
        BalanceDelta delta,
        bytes calldata
    ) external onlyPoolManager nonReentrant returns (bytes4, int128) {
        ForeignSwap memory swap = _foreignSwap(key, params);
        (uint256 amount0, uint256 amount1) = (_abs(delta.amount0()), _abs(delta.amount1()));
        (swap.swappedUsd, swap.swappedTokens) = _usdIs0(key) ? (amount0, amount1) : (amount1, amount0);
        uint256 grossUsd = _grossUsd(swap);
        uint256 fee = _feeUp(grossUsd);
        IPoolManager(poolManager).take(Currency.wrap(usd), address(this), fee);
        _recordForeignSwap(sender, swap, grossUsd);
        // A fee on the exact side was part of beforeSwap's answer.
        return (IHooks.afterSwap.selector, swap.exactUsd != 0 ? int128(0) : fee.toInt128());
    }

    function _recordForeignSwap(address sender, ForeignSwap memory swap, uint256 grossUsd) internal virtual;

    // ---------------------------------------------------------------- internals

    function _foreignSwap(PoolKey calldata key, SwapParams calldata params)
        private
        view
        returns (ForeignSwap memory swap)
    {
        bool usdIs0 = _usdIs0(key);
        bool exactIn = params.amountSpecified < 0;
        swap.token = Currency.unwrap(usdIs0 ? key.currency1 : key.currency0);
        swap.isBuy = params.zeroForOne == usdIs0;
        if (swap.isBuy == exactIn) swap.exactUsd = _abs(params.amountSpecified);
    }

    /// @dev Reverts `PartialFill` when USD was the exact side and the pool did not swap all of it.
    function _grossUsd(ForeignSwap memory swap) private pure returns (uint256 grossUsd) {
        if (swap.exactUsd == 0) {
            return swap.isBuy ? Fees.grossOfNetUp(swap.swappedUsd, Fees.NORMAL_BPS) : swap.swappedUsd;
        }
        grossUsd = _grossOfExactUp(swap);
        uint256 requested = swap.isBuy ? grossUsd - _feeUp(grossUsd) : grossUsd;
        if (swap.swappedUsd != requested) revert PartialFill(requested, swap.swappedUsd);
    }

    function _grossOfExactUp(ForeignSwap memory swap) private pure returns (uint256) {
        return swap.isBuy ? swap.exactUsd : Fees.grossOfNetUp(swap.exactUsd, Fees.NORMAL_BPS);
    }

    function _feeUp(uint256 grossUsd) private pure returns (uint256) {
        return Fees.feeOfGrossUp(grossUsd, Fees.NORMAL_BPS);
    }

    function _usdIs0(PoolKey calldata key) private view returns (bool) {
        return Currency.unwrap(key.currency0) == usd;
    }

    function _requirePoolManager() internal view {
        if (msg.sender != poolManager) revert Unauthorized(msg.sender);
    }

    function _abs(int256 amount) private pure returns (uint256) {
        unchecked {
            return uint256(amount < 0 ? -amount : amount); // also of the least number, 2^255
        }
    }
}
