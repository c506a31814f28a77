// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ILaunchpad} from "../interfaces/ILaunchpad.sol";

/// @title Fees: who gets what of a trade. All amounts are USD base units, all rates basis points of the gross amount.
/// @dev Same integers as protocol/src/maths/fees.ts; cases in vectors/fees.json.
library Fees {
    uint256 internal constant BPS = 10_000;

    /// @notice More than anybody can have of a dollar or a token, in base units. A larger order counts as this one; so no
    /// product with a rate or a reserve overflows.
    uint256 internal constant MOST = 1 << 112;

    /// @notice Trade fee of every sell, and of every buy outside the opening window.
    uint256 internal constant NORMAL_BPS = 100;
    uint256 internal constant OPENING_BPS = 8000;
    uint256 internal constant WINDOW_SECONDS = 6;

    uint256 internal constant CREATOR_BPS = 50;
    uint256 internal constant CREATOR_WITH_REFERRAL_BPS = 35;
    uint256 internal constant REFERRAL_BPS = 15;
    uint256 internal constant REFERRER_BPS = 10;
    uint256 internal constant CASHBACK_BPS = 4;

    /// @notice Every USD of a trade's fees has one of these places.
    /// @dev builder + base + excess = total; creator + referral + referrer + cashback + treasury = base.
    struct Split {
        uint256 total;
        uint256 builder;
        uint256 base;
        uint256 excess;
        uint256 creator;
        uint256 referral;
        uint256 referrer;
        uint256 cashback;
        uint256 treasury;
    }

    /// @notice Trade fee of a buy `elapsed` whole seconds after creation: 8000, 6684, 5367, 4050, 2734, 1417, then 100.
    function buyFeeBps(uint256 elapsed) internal pure returns (uint256) {
        if (elapsed >= WINDOW_SECONDS) return NORMAL_BPS;
        return OPENING_BPS - (OPENING_BPS - NORMAL_BPS) * elapsed / WINDOW_SECONDS;
    }

    /// @notice Trade fee and builder fee together.
    /// @dev Reverts `FeesExceedAmount` when nothing would be left of the trade.
    function totalBps(uint256 feeBps, uint256 builderBps) internal pure returns (uint256 sum) {
        unchecked {
            sum = builderBps < BPS ? feeBps + builderBps : builderBps;
        }
        if (sum >= BPS) revert ILaunchpad.FeesExceedAmount(sum);
    }

    /// @notice All fees of a gross amount, rounded up.
    function feeOfGrossUp(uint256 grossUsd, uint256 sumBps) internal pure returns (uint256) {
        return ceilDiv(grossUsd * sumBps, BPS);
    }

    /// @notice What is left of a gross amount after all fees.
    /// @param sumBps Below 10000.
    function netOfGrossDown(uint256 grossUsd, uint256 sumBps) internal pure returns (uint256) {
        uint256 fee = feeOfGrossUp(grossUsd, sumBps);
        unchecked {
            return grossUsd - fee;
        }
    }

    /// @notice The least gross amount of which `netUsd` is left after all fees.
    /// @param sumBps Below 10000. The fee, gross minus net, equals `feeOfGrossUp` of the result.
    function grossOfNetUp(uint256 netUsd, uint256 sumBps) internal pure returns (uint256) {
        return ceilDiv(netUsd * BPS, BPS - sumBps);
    }

    /// @notice The gross amount of which exactly `netUsd` is left after all fees, rounded down.
    /// @param netUsd Of a trade: at most `MOST`.
    /// @param sumBps Below 10000.
    function grossOfNetDown(uint256 netUsd, uint256 sumBps) internal pure returns (uint256) {
        unchecked {
            return netUsd * BPS / (BPS - sumBps);
        }
    }

    /// @notice Shares out a trade's fees. People's parts round down; the treasury takes the exact remainder.
    /// @param total All fees of the trade: `feeOfGrossUp(grossUsd, feeBps + builderBps)`, which also proves that no
    /// product below overflows: every rate here is at most that sum.
    /// @param feeBps Above `NORMAL_BPS` only inside the window; outside, the excess is zero.
    function splitFee(
        uint256 grossUsd,
        uint256 total,
        uint256 feeBps,
        uint256 builderBps,
        bool hasReferral,
        bool hasReferrer
    ) internal pure returns (Split memory parts) {
        unchecked {
            uint256 rest = total;
            parts.total = total;
            rest -= parts.builder = grossUsd * builderBps / BPS;
            if (feeBps > NORMAL_BPS) {
                uint256 base = ceilDiv(grossUsd * NORMAL_BPS, BPS);
                parts.excess = rest - base;
                rest = base;
            }
            parts.base = rest;
            rest -= parts.creator = grossUsd * (hasReferral ? CREATOR_WITH_REFERRAL_BPS : CREATOR_BPS) / BPS;
            if (hasReferral) rest -= parts.referral = grossUsd * REFERRAL_BPS / BPS;
            if (hasReferrer) {
                rest -= parts.referrer = grossUsd * REFERRER_BPS / BPS;
                rest -= parts.cashback = grossUsd * CASHBACK_BPS / BPS;
            }
            parts.treasury = rest;
        }
    }

    function ceilDiv(uint256 a, uint256 b) internal pure returns (uint256) {
        unchecked {
            return a == 0 ? 0 : (a - 1) / b + 1;
        }
    }
}
