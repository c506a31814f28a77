// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ILaunchpad} from "./ILaunchpad.sol";

/// @title Lens: everything a quote or a balance page needs, in one call. Reads only.
interface ILens {
    /// @notice A tick of a pool with liquidity that others can add to: what moving up through it adds.
    struct TickView {
        int24 tick;
        int128 liquidityNet;
    }

    /// @param ticks Ascending, at most 256 on either side of the price; empty where the locked ranges are all there is.
    /// @param sqrtPriceX96 Zero unless graduated; likewise `tick`, `liquidity`, `protocolFee`, the ranges.
    /// @param protocolFee The PoolManager's protocol fee: low 12 bits token0 to token1, high 12 bits the other way, in pips.
    struct TokenView {
        address token;
        ILaunchpad.TokenState state;
        uint160 sqrtPriceX96;
        int24 tick;
        uint128 liquidity;
        uint24 protocolFee;
        ILaunchpad.LockedRange fullRange;
        ILaunchpad.LockedRange floor;
        TickView[] ticks;
    }

    /// @param referrer Protocol referrer of the trader.
    /// @param usdAllowance What the Launchpad may pull from the trader.
    struct TraderView {
        address referrer;
        uint256 usdBalance;
        uint256 usdAllowance;
        uint256 tokenBalance;
    }

    /// @notice The state behind a quote at this block. An unknown token has `state.creator` zero.
    function quoteState(address token, address trader)
        external
        view
        returns (uint256 blockNumber, uint256 timestamp, TokenView memory tokenView, TraderView memory traderView);

    function tokens(address[] calldata list) external view returns (uint256 blockNumber, TokenView[] memory views);

    /// @return blockNumber Block of the answer.
    /// @return amounts One per account and currency, accounts outer: `amounts[i * currencies.length + j]`.
    function credits(address[] calldata accounts, address[] calldata currencies)
        external
        view
        returns (uint256 blockNumber, uint256[] memory amounts);
}
