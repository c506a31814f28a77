// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ILaunchpad} from "../interfaces/ILaunchpad.sol";

/// @notice One shape of a launch. Tokens have 18 decimals; USD amounts are base units of the chain's dollar token.
/// @param curveTokens Sold on the curve.
/// @param poolTokens Kept for the pool; with `curveTokens` the whole supply.
/// @param virtualTokens A₀: virtual tokens at the start.
/// @param virtualUsd B₀: virtual USD at the start.
/// @param creatorReward Paid to the creator out of the raise at graduation.
struct PoolType {
    uint256 curveTokens;
    uint256 poolTokens;
    uint256 virtualTokens;
    uint256 virtualUsd;
    uint256 creatorReward;
}

/// @title PoolTypes: the table of launch shapes.
/// @dev In every row the curve's last price equals the pool's first price:
/// (B₀ + raise) / (A₀ − curveTokens) = (raise − creatorReward) / poolTokens, with raise = B₀·curveTokens/(A₀ − curveTokens).
library PoolTypes {
    uint8 internal constant MEME = 7;
    uint8 internal constant STARTUP_PRESEED = 8;
    uint8 internal constant TEST = 9;

    uint256 internal constant SUPPLY = 1_000_000_000e18;

    /// @param oneUsd Base units of one dollar: 10 ** decimals of the chain's dollar token.
    function get(uint8 id, uint256 oneUsd) internal pure returns (PoolType memory) {
        if (id == MEME) return PoolType(750_000_000e18, 250_000_000e18, 1_125_000_000e18, 12_500 * oneUsd, 0);
        if (id == STARTUP_PRESEED) {
            return PoolType(800_000_000e18, 200_000_000e18, 1_280_000_000e18, 18_000 * oneUsd, 10_000 * oneUsd);
        }
        if (id == TEST) return PoolType(750_000_000e18, 250_000_000e18, 1_125_000_000e18, 125 * oneUsd, 0);
        revert ILaunchpad.UnknownPoolType(id);
    }

    /// @notice What a trade needs of the row: A₀ − curveTokens, to which the tokens left are added, and B₀.
    /// @param id Of an existing token, so in the table.
    /// @param oneUsd At most 10^18.
    function virtualBase(uint8 id, uint256 oneUsd) internal pure returns (uint256 tokensAtEnd, uint256 usdAtStart) {
        unchecked {
            if (id == MEME) return (375_000_000e18, 12_500 * oneUsd);
            if (id == STARTUP_PRESEED) return (480_000_000e18, 18_000 * oneUsd);
            return (375_000_000e18, 125 * oneUsd);
        }
    }
}
