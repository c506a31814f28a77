// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {Books} from "../Books.sol";
import {PoolType} from "../libraries/PoolTypes.sol";

/// @title Venue: where a graduated token trades. The Launchpad knows no more of it than this.
abstract contract Venue is Books {
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

    /// @notice A swap of ours. `payer` is the caller of the trade and pays what goes in; a buy's tokens go to `recipient`,
    /// a sell's USD to this contract.
    /// @param amountSpecified Negative: exactly this much in. Positive: exactly this much out.
    struct Swap {
        address token;
        address payer;
        address recipient;
        bool isBuy;
        int256 amountSpecified;
    }

    /// @dev Reverts `NoVenue` where the deployment has none.
    function _requireVenue() internal view virtual;

    /// @notice Opens the token's pool and locks both positions, paid from this contract's balances.
    /// @return poolId Of the venue: what names the pool there.
    function _open(Seed memory seed) internal virtual returns (bytes32 poolId, Graduation memory result);

    /// @notice Swaps the whole amount; reverts `PartialFill` where the pool cannot.
    /// @param market Is told where the pool stands then.
    function _swap(Swap memory swap, Market memory market)
        internal
        virtual
        returns (uint256 amountIn, uint256 amountOut);

    /// @notice Trade fee that the Launchpad takes around a swap of its own on the pool, in basis points.
    function _aroundBps() internal pure virtual returns (uint256);

    function _requireFilled(int256 amountSpecified, uint256 amountIn, uint256 amountOut) internal pure {
        bool exactIn = amountSpecified < 0;
        uint256 exact = uint256(exactIn ? -amountSpecified : amountSpecified);
        uint256 filled = exactIn ? amountIn : amountOut;
        if (filled != exact) revert PartialFill(exact, filled);
    }
}
