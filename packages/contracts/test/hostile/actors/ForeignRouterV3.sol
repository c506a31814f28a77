// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {BalanceDelta, toBalanceDelta} from "v4-core/types/BalanceDelta.sol";
import {Currency} from "v4-core/types/Currency.sol";
import {PoolKey} from "v4-core/types/PoolKey.sol";
import {IFactoryV3, IPoolV3} from "../../../src/interfaces/IPoolV3.sol";
import {PoolV3} from "../../../src/libraries/PoolV3.sol";
import {IPairV3, RouterV3} from "../../venue/RouterV3.sol";

/// @notice ForeignRouter's functions on a v3 exchange, where the pair's pool is found by its currencies.
contract ForeignRouterV3 is RouterV3 {
    IFactoryV3 private immutable _factory;
    address private _target;
    bytes private _call;
    bytes private _result;

    constructor(address factory) {
        _factory = IFactoryV3(factory);
    }

    /// @param amountSpecified As in the PoolManager: negative is exactly this much in, positive exactly this much out.
    function swap(PoolKey memory key, bool zeroForOne, int256 amountSpecified) external returns (BalanceDelta) {
        (int256 amount0, int256 amount1) = swap(_poolOf(key), zeroForOne, -amountSpecified);
        return toBalanceDelta(-int128(amount0), -int128(amount1));
    }

    function modifyLiquidity(PoolKey memory key, int24 lower, int24 upper, int256 liquidity) external {
        if (liquidity > 0) mint(_poolOf(key), lower, upper, uint128(uint256(liquidity)));
        else burn(_poolOf(key), lower, upper, uint128(uint256(-liquidity)));
    }

    function donate(PoolKey memory key, uint256 amount0, uint256 amount1) external {
        donate(_poolOf(key), amount0, amount1);
    }

    /// @notice Any call, as this contract, while the pool is locked by it; before there is a pool, just so.
    function callUnlocked(PoolKey memory key, address target, bytes memory data) external returns (bytes memory) {
        address pool = _poolOf(key);
        if (pool == address(0) || IPoolV3(pool).liquidity() == 0) return _run(target, data);
        (_target, _call) = (target, data);
        IPairV3(pool).flash(address(this), 0, 0, "");
        (_target, _call) = (address(0), "");
        return _result;
    }

    function _payFlash(bytes calldata data) internal override {
        if (_target == address(0)) super._payFlash(data);
        else _result = _run(_target, _call);
    }

    function _run(address target, bytes memory data) private returns (bytes memory) {
        (bool ok, bytes memory result) = target.call(data);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(result, 0x20), mload(result))
            }
        }
        return result;
    }

    function _poolOf(PoolKey memory key) private view returns (address) {
        return _factory.getPool(Currency.unwrap(key.currency0), Currency.unwrap(key.currency1), PoolV3.SWAP_FEE);
    }
}
