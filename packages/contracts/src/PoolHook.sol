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
import {ILaunchpad} from "./interfaces/ILaunchpad.sol";
import {Fees} from "./libraries/Fees.sol";

/// @title PoolHook: Uniswap v4 hook of every graduated pool.
/// @notice Only the Launchpad opens pools and adds liquidity. A swap by anyone else pays the normal fee of its gross USD,
/// which the Launchpad credits; the Launchpad's own swaps pass, because it takes the fee around them. Hook data is ignored.
/// @dev The fee leaves the PoolManager before the router settles, so a fee above the USD that the PoolManager holds in
/// all its pools reverts. A swap with USD as the exact side has to fill completely, because its fee was taken on all of it.
contract PoolHook {
    using SafeCast for uint256;

    /// @dev Low 14 bits of the address: before initialize, before add liquidity, before and after swap with deltas.
    uint160 private constant PERMISSIONS = 0x28CC;
    uint160 private constant PERMISSION_MASK = (1 << 14) - 1;

    ILaunchpad public immutable launchpad;
    IPoolManager public immutable poolManager;
    address public immutable usd;

    error Unauthorized(address caller);
    error WrongHookAddress(address hook, uint160 permissions);
    /// @notice USD was the exact side and the pool could not fill all of it.
    error PartialFill(uint256 requested, uint256 filled);

    /// @notice One swap in our words.
    /// @param exactUsd What the router specified, zero when it specified tokens.
    /// @param swappedUsd What the pool moved, without the fee; likewise `swappedTokens`. Known after the swap.
    struct Swap {
        address token;
        bool isBuy;
        uint256 exactUsd;
        uint256 swappedUsd;
        uint256 swappedTokens;
    }

    constructor(address launchpad_, address poolManager_, address usd_) {
        if (uint160(address(this)) & PERMISSION_MASK != PERMISSIONS) {
            revert WrongHookAddress(address(this), PERMISSIONS);
        }
        launchpad = ILaunchpad(launchpad_);
        poolManager = IPoolManager(poolManager_);
        usd = usd_;
    }

    modifier onlyPoolManager() {
        if (msg.sender != address(poolManager)) revert Unauthorized(msg.sender);
        _;
    }

    modifier onlyFor(address sender) {
        if (sender != address(launchpad)) revert Unauthorized(sender);
        _;
    }

    // ---------------------------------------------------------------- opening and liquidity

    function beforeInitialize(address sender, PoolKey calldata, uint160)
        external
        view
        onlyPoolManager
        onlyFor(sender)
        returns (bytes4)
    {
        return IHooks.beforeInitialize.selector;
    }

    function beforeAddLiquidity(address sender, PoolKey calldata, ModifyLiquidityParams calldata, bytes calldata)
        external
        view
        onlyPoolManager
        onlyFor(sender)
        returns (bytes4)
    {
        return IHooks.beforeAddLiquidity.selector;
    }

    // ---------------------------------------------------------------- swaps

    /// @notice With USD as the exact side, the pool swaps what is left of it (buy) or more (sell) by the fee.
    function beforeSwap(address sender, PoolKey calldata key, SwapParams calldata params, bytes calldata)
        external
        view
        onlyPoolManager
        returns (bytes4, BeforeSwapDelta, uint24)
    {
        int128 fee;
        if (sender != address(launchpad)) {
            Swap memory swap = _read(key, params);
            if (swap.exactUsd > Fees.MOST) revert PartialFill(swap.exactUsd, 0);
            if (swap.exactUsd != 0) fee = _feeUp(_grossOfExactUp(swap)).toInt128();
        }
        return (IHooks.beforeSwap.selector, toBeforeSwapDelta(fee, 0), 0);
    }

    /// @notice Takes the fee into the Launchpad and has it credited.
    /// @param delta What the pool swapped, without the fee.
    function afterSwap(
        address sender,
        PoolKey calldata key,
        SwapParams calldata params,
        BalanceDelta delta,
        bytes calldata
    ) external onlyPoolManager returns (bytes4, int128) {
        if (sender == address(launchpad)) return (IHooks.afterSwap.selector, 0);

        Swap memory swap = _read(key, params);
        (uint256 amount0, uint256 amount1) = (_abs(delta.amount0()), _abs(delta.amount1()));
        (swap.swappedUsd, swap.swappedTokens) = _usdIs0(key) ? (amount0, amount1) : (amount1, amount0);
        uint256 fee = _takeFee(sender, swap);
        // A fee on the exact side was part of beforeSwap's answer.
        return (IHooks.afterSwap.selector, swap.exactUsd != 0 ? int128(0) : fee.toInt128());
    }

    // ---------------------------------------------------------------- internals

    function _read(PoolKey calldata key, SwapParams calldata params) private view returns (Swap memory swap) {
        bool usdIs0 = _usdIs0(key);
        bool exactIn = params.amountSpecified < 0;
        swap.token = Currency.unwrap(usdIs0 ? key.currency1 : key.currency0);
        swap.isBuy = params.zeroForOne == usdIs0;
        if (swap.isBuy == exactIn) swap.exactUsd = _abs(params.amountSpecified);
    }

    function _takeFee(address sender, Swap memory swap) private returns (uint256 fee) {
        uint256 grossUsd = _grossUsd(swap);
        fee = _feeUp(grossUsd);
        poolManager.take(Currency.wrap(usd), address(launchpad), fee);
        ILaunchpad.Side side = swap.isBuy ? ILaunchpad.Side.Buy : ILaunchpad.Side.Sell;
        launchpad.recordForeignSwap(swap.token, sender, side, grossUsd, swap.swappedTokens);
    }

    /// @dev Reverts `PartialFill` when USD was the exact side and the pool did not swap all of it.
    function _grossUsd(Swap memory swap) private pure returns (uint256 grossUsd) {
        if (swap.exactUsd == 0) {
            return swap.isBuy ? Fees.grossOfNetUp(swap.swappedUsd, Fees.NORMAL_BPS) : swap.swappedUsd;
        }
        grossUsd = _grossOfExactUp(swap);
        uint256 requested = swap.isBuy ? grossUsd - _feeUp(grossUsd) : grossUsd;
        if (swap.swappedUsd != requested) revert PartialFill(requested, swap.swappedUsd);
    }

    function _grossOfExactUp(Swap memory swap) private pure returns (uint256) {
        return swap.isBuy ? swap.exactUsd : Fees.grossOfNetUp(swap.exactUsd, Fees.NORMAL_BPS);
    }

    function _feeUp(uint256 grossUsd) private pure returns (uint256) {
        return Fees.feeOfGrossUp(grossUsd, Fees.NORMAL_BPS);
    }

    function _usdIs0(PoolKey calldata key) private view returns (bool) {
        return Currency.unwrap(key.currency0) == usd;
    }

    function _abs(int256 amount) private pure returns (uint256) {
        unchecked {
            return uint256(amount < 0 ? -amount : amount); // also of the least number, 2^255
        }
    }
}
