// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {Lens} from "./Lens.sol";
import {ILaunchpad} from "./interfaces/ILaunchpad.sol";
import {ILaunchpadV3} from "./interfaces/ILaunchpadV3.sol";
import {IPoolV3} from "./interfaces/IPoolV3.sol";
import {PoolRange} from "./libraries/PoolRange.sol";
import {PoolV3} from "./libraries/PoolV3.sol";

/// @title LensV3: the Lens of a LaunchpadV3. Anybody adds liquidity there, so it tells the ticks as well.
contract LensV3 is Lens {
    uint256 private constant MOST_TICKS_PER_SIDE = 256;
    /// @dev Words of the bitmap that the whole range of prices has at this spacing.
    int256 private constant FIRST_WORD = -18;
    int256 private constant LAST_WORD = 17;

    constructor(address launchpad_) Lens(launchpad_) {}

    function _addPool(TokenView memory result) internal view override {
        ILaunchpadV3 venue = ILaunchpadV3(address(launchpad));
        IPoolV3 pool = IPoolV3(venue.poolOf(result.token));
        (result.sqrtPriceX96, result.tick) = pool.slot0();
        result.liquidity = pool.liquidity();
        (int24 fullLower, int24 fullUpper, int24 floorLower, int24 floorUpper) = venue.lockedTicks(result.token);
        result.fullRange = _range(pool, fullLower, fullUpper);
        result.floor = _range(pool, floorLower, floorUpper);
        result.ticks = _ticks(pool, result.tick);
    }

    function _range(IPoolV3 pool, int24 lower, int24 upper) private view returns (ILaunchpad.LockedRange memory) {
        uint128 liquidity = PoolV3.liquidityOf(pool, address(launchpad), lower, upper);
        return ILaunchpad.LockedRange(lower, upper, liquidity);
    }

    /// @return found The nearest ones on either side, ascending.
    function _ticks(IPoolV3 pool, int24 tick) private view returns (TickView[] memory found) {
        int256 at = int256(tick) / PoolRange.TICK_SPACING;
        if (tick < 0 && tick % PoolRange.TICK_SPACING != 0) at--;
        TickView[] memory below = new TickView[](MOST_TICKS_PER_SIDE);
        TickView[] memory above = new TickView[](MOST_TICKS_PER_SIDE);
        uint256 belowCount;
        uint256 aboveCount;
        for (int256 word = at >> 8; word >= FIRST_WORD && belowCount < MOST_TICKS_PER_SIDE; word--) {
            uint256 bits = pool.tickBitmap(int16(word));
            for (int256 bit = 255; bits != 0 && bit >= 0 && belowCount < MOST_TICKS_PER_SIDE; bit--) {
                int256 index = (word << 8) + bit;
                if (index <= at && bits >> uint256(bit) & 1 != 0) below[belowCount++] = _tick(pool, index);
            }
        }
        for (int256 word = at >> 8; word <= LAST_WORD && aboveCount < MOST_TICKS_PER_SIDE; word++) {
            uint256 bits = pool.tickBitmap(int16(word));
            for (int256 bit; bits != 0 && bit < 256 && aboveCount < MOST_TICKS_PER_SIDE; bit++) {
                int256 index = (word << 8) + bit;
                if (index > at && bits >> uint256(bit) & 1 != 0) above[aboveCount++] = _tick(pool, index);
            }
        }
        found = new TickView[](belowCount + aboveCount);
        for (uint256 i; i < belowCount; i++) {
            found[i] = below[belowCount - 1 - i];
        }
        for (uint256 i; i < aboveCount; i++) {
            found[belowCount + i] = above[i];
        }
    }

    function _tick(IPoolV3 pool, int256 index) private view returns (TickView memory) {
        int24 tick = int24(index * PoolRange.TICK_SPACING);
        (, int128 liquidityNet) = pool.ticks(tick);
        return TickView(tick, liquidityNet);
    }
}
