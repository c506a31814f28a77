// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IPoolManager} from "v4-core/interfaces/IPoolManager.sol";
import {PoolKey} from "v4-core/types/PoolKey.sol";
import {LaunchpadV4} from "./LaunchpadV4.sol";
import {Lens} from "./Lens.sol";
import {ILaunchpad} from "./interfaces/ILaunchpad.sol";
import {PoolRange} from "./libraries/PoolRange.sol";
import {PoolTypes} from "./libraries/PoolTypes.sol";
import {PoolV4} from "./libraries/PoolV4.sol";

/// @title LensV4: the Lens of a LaunchpadV4.
contract LensV4 is Lens {
    IPoolManager private immutable _poolManager;

    constructor(address launchpad_) Lens(launchpad_) {
        _poolManager = IPoolManager(LaunchpadV4(launchpad_).poolManager());
    }

    function _addPool(TokenView memory result) internal view override {
        PoolKey memory pool = PoolV4.key(address(_usd), result.token, address(launchpad));
        PoolV4.State memory state = PoolV4.read(_poolManager, pool);
        (result.sqrtPriceX96, result.tick) = (state.sqrtPriceX96, state.tick);
        (result.liquidity, result.protocolFee) = (state.liquidity, state.protocolFee);
        result.fullRange = _range(pool, PoolRange.MIN_TICK, PoolRange.MAX_TICK);
        (int24 lower, int24 upper) =
            PoolRange.floorTicks(PoolTypes.get(result.state.poolType, _oneUsd), address(_usd) < result.token);
        result.floor = _range(pool, lower, upper);
    }

    function _range(PoolKey memory pool, int24 lower, int24 upper)
        private
        view
        returns (ILaunchpad.LockedRange memory)
    {
        uint128 liquidity = PoolV4.liquidityOf(_poolManager, pool, address(launchpad), lower, upper);
        return ILaunchpad.LockedRange(lower, upper, liquidity);
    }
}
