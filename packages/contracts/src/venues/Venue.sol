// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {Books} from "../Books.sol";
import {Curve} from "../libraries/Curve.sol";
import {Fees} from "../libraries/Fees.sol";
import {PoolType, PoolTypes} from "../libraries/PoolTypes.sol";
import {Reserves} from "../libraries/Reserves.sol";

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

    /// @notice Books the fees of a trade of ours, on curve or pool: people's parts and the treasury's.
    /// @return The token's state with the treasury's new share.
    function _bookFees(
        address token,
        Launch storage launch,
        Reserves reserves,
        Terms memory terms,
        Curve.Fill memory fill
    ) internal virtual returns (Reserves);

    function _requireFilled(int256 amountSpecified, uint256 amountIn, uint256 amountOut) internal pure {
        bool exactIn = amountSpecified < 0;
        uint256 exact = uint256(exactIn ? -amountSpecified : amountSpecified);
        uint256 filled = exactIn ? amountIn : amountOut;
        if (filled != exact) revert PartialFill(exact, filled);
    }

    // ---------------------------------------------------------------- a token that waits for its pool

    /// @dev Sold out, its window over, and not in its pool yet.
    function _requireReady(Launch storage launch, address token) internal view returns (Seed memory) {
        Facts memory facts = launch.facts;
        _requireKnown(facts, token);
        Reserves reserves = launch.reserves;
        if (reserves.graduated()) revert AlreadyGraduated(token);
        (uint256 tokensLeft, uint256 raised) = reserves.curve();
        if (tokensLeft != 0) revert NotCompleted(token, tokensLeft);
        uint256 opensAt = facts.created + Fees.WINDOW_SECONDS;
        if (block.timestamp < opensAt) revert WindowOpen(opensAt, block.timestamp);
        return _seed(token, facts.poolType, raised, launch.floorUsd);
    }

    function _seed(address token, uint8 poolTypeId, uint256 raised, uint256 floorUsd)
        private
        view
        returns (Seed memory seed)
    {
        PoolType memory poolType = PoolTypes.get(poolTypeId, _oneUsd);
        seed.token = token;
        seed.poolType = poolType;
        seed.virtualTokens = poolType.virtualTokens - poolType.curveTokens;
        seed.virtualUsd = poolType.virtualUsd + raised;
        seed.usd = raised - poolType.creatorReward;
        seed.tokens = poolType.poolTokens;
        seed.floorUsd = floorUsd;
    }
}
