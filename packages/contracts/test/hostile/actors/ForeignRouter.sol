// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {IPoolManager} from "v4-core/interfaces/IPoolManager.sol";
import {IUnlockCallback} from "v4-core/interfaces/callback/IUnlockCallback.sol";
import {TickMath} from "v4-core/libraries/TickMath.sol";
import {TransientStateLibrary} from "v4-core/libraries/TransientStateLibrary.sol";
import {BalanceDelta} from "v4-core/types/BalanceDelta.sol";
import {Currency} from "v4-core/types/Currency.sol";
import {PoolKey} from "v4-core/types/PoolKey.sol";
import {ModifyLiquidityParams, SwapParams} from "v4-core/types/PoolOperation.sol";

/// @notice Somebody else's router: does anything in the PoolManager's lock, pays from its caller, gives the rest back.
contract ForeignRouter is IUnlockCallback {
    using SafeTransferLib for address;
    using TransientStateLibrary for IPoolManager;

    IPoolManager private immutable manager;
    address private payer;

    constructor(IPoolManager manager_) {
        manager = manager_;
    }

    /// @param amountSpecified As in the PoolManager: negative is exactly this much in, positive exactly this much out.
    function swap(PoolKey memory pool, bool zeroForOne, int256 amountSpecified) external returns (BalanceDelta) {
        uint160 limit = zeroForOne ? TickMath.MIN_SQRT_PRICE + 1 : TickMath.MAX_SQRT_PRICE - 1;
        return swapTo(pool, zeroForOne, amountSpecified, limit);
    }

    function swapTo(PoolKey memory pool, bool zeroForOne, int256 amountSpecified, uint160 priceLimit)
        public
        returns (BalanceDelta)
    {
        SwapParams memory params = SwapParams(zeroForOne, amountSpecified, priceLimit);
        bytes memory result = _run(pool, address(manager), abi.encodeCall(IPoolManager.swap, (pool, params, "")));
        return abi.decode(result, (BalanceDelta));
    }

    function modifyLiquidity(PoolKey memory pool, int24 lower, int24 upper, int256 liquidity) external {
        ModifyLiquidityParams memory params = ModifyLiquidityParams(lower, upper, liquidity, bytes32(0));
        _run(pool, address(manager), abi.encodeCall(IPoolManager.modifyLiquidity, (pool, params, "")));
    }

    function donate(PoolKey memory pool, uint256 amount0, uint256 amount1) external {
        _run(pool, address(manager), abi.encodeCall(IPoolManager.donate, (pool, amount0, amount1, "")));
    }

    /// @notice Any call, as this contract, while the PoolManager is unlocked by it.
    function callUnlocked(PoolKey memory pool, address target, bytes memory data) external returns (bytes memory) {
        return _run(pool, target, data);
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        (PoolKey memory pool, address target, bytes memory action) = abi.decode(data, (PoolKey, address, bytes));
        (bool ok, bytes memory result) = target.call(action);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(result, 0x20), mload(result))
            }
        }
        _settle(pool.currency0);
        _settle(pool.currency1);
        return result;
    }

    function _run(PoolKey memory pool, address target, bytes memory data) private returns (bytes memory) {
        payer = msg.sender;
        return manager.unlock(abi.encode(pool, target, data));
    }

    function _settle(Currency currency) private {
        int256 delta = manager.currencyDelta(address(this), currency);
        if (delta > 0) manager.take(currency, payer, uint256(delta));
        if (delta < 0) {
            manager.sync(currency);
            Currency.unwrap(currency).safeTransferFrom(payer, address(manager), uint256(-delta));
            manager.settle();
        }
    }
}
