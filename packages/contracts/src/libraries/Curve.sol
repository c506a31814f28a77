// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ILaunchpad} from "../interfaces/ILaunchpad.sol";
import {Fees} from "./Fees.sol";

/// @title Curve: constant product on virtual reserves, and the four kinds of orders on it.
/// @dev Every rounding is against the trader, so virtualTokens · virtualUsd never falls.
/// Same integers as protocol/src/maths/curve.ts; cases in vectors/curve.json.
library Curve {
    /// @param virtualTokens A: falls with buys. 18 decimals.
    /// @param virtualUsd B: rises with buys. USD base units.
    /// @param tokensLeft Tokens the curve can still sell; below `virtualTokens`.
    /// @param reserveUsd Net USD in the curve, all that sells can take out; below `virtualUsd`.
    struct State {
        uint256 virtualTokens;
        uint256 virtualUsd;
        uint256 tokensLeft;
        uint256 reserveUsd;
    }

    /// @notice What an order does.
    /// @param grossUsd Buy: what the trader pays. Sell: what the curve pays.
    /// @param netUsd Buy: what reaches the curve. Sell: what the trader receives. The fees are the difference.
    struct Fill {
        uint256 grossUsd;
        uint256 netUsd;
        uint256 tokens;
    }

    // ---------------------------------------------------------------- formulas
    // Reserves stay below 2^128: where an amount is bounded by them, no product overflows.

    function tokensForUsdDown(State memory self, uint256 usdIn) internal pure returns (uint256) {
        return self.virtualTokens * usdIn / (self.virtualUsd + usdIn);
    }

    /// @param tokensOut At most `tokensLeft`.
    function usdForTokensUp(State memory self, uint256 tokensOut) internal pure returns (uint256) {
        unchecked {
            return Fees.ceilDiv(self.virtualUsd * tokensOut, self.virtualTokens - tokensOut);
        }
    }

    function usdFromTokensDown(State memory self, uint256 tokensIn) internal pure returns (uint256) {
        return self.virtualUsd * tokensIn / (self.virtualTokens + tokensIn);
    }

    /// @param usdOut At most `reserveUsd`.
    function tokensFromUsdUp(State memory self, uint256 usdOut) internal pure returns (uint256) {
        unchecked {
            return Fees.ceilDiv(self.virtualTokens * usdOut, self.virtualUsd - usdOut);
        }
    }

    // ---------------------------------------------------------------- orders
    // Amounts at most `Fees.MOST`, which already fills to the end or goes beyond the reserve.

    /// @notice Spends `grossUsd`, fees included. Where its net reaches what is left, fills exactly to the end for
    /// only the gross that this needs.
    /// @dev The net reaches the end exactly when it would buy `tokensLeft` or more: both roundings agree on that.
    function buyExactIn(State memory self, uint256 grossUsd, uint256 sumBps) internal pure returns (Fill memory fill) {
        fill.grossUsd = grossUsd;
        fill.netUsd = Fees.netOfGrossDown(grossUsd, sumBps);
        fill.tokens = tokensForUsdDown(self, fill.netUsd);
        if (fill.tokens >= self.tokensLeft) {
            fill.tokens = self.tokensLeft;
            fill.netUsd = usdForTokensUp(self, fill.tokens);
            fill.grossUsd = Fees.grossOfNetUp(fill.netUsd, sumBps);
        }
        _requireFilled(fill);
    }

    /// @notice Buys exactly `tokens`. Reverts `BeyondCurve` when the curve has fewer.
    function buyExactOut(State memory self, uint256 tokens, uint256 sumBps) internal pure returns (Fill memory fill) {
        if (tokens > self.tokensLeft) revert ILaunchpad.BeyondCurve(tokens, self.tokensLeft);
        fill.tokens = tokens;
        fill.netUsd = usdForTokensUp(self, tokens);
        fill.grossUsd = Fees.grossOfNetUp(fill.netUsd, sumBps);
        _requireFilled(fill);
    }

    /// @notice Sells exactly `tokens`. Reverts `BeyondReserve` when nobody can hold that many.
    function sellExactIn(State memory self, uint256 tokens, uint256 sumBps) internal pure returns (Fill memory fill) {
        fill.tokens = tokens;
        fill.grossUsd = usdFromTokensDown(self, tokens);
        if (fill.grossUsd > self.reserveUsd) revert ILaunchpad.BeyondReserve(fill.grossUsd, self.reserveUsd);
        fill.netUsd = Fees.netOfGrossDown(fill.grossUsd, sumBps);
        _requireFilled(fill);
    }

    /// @notice Sells for exactly `netUsd` after fees. Reverts `BeyondReserve` when the curve holds less.
    function sellExactOut(State memory self, uint256 netUsd, uint256 sumBps) internal pure returns (Fill memory fill) {
        fill.netUsd = netUsd;
        fill.grossUsd = Fees.grossOfNetUp(netUsd, sumBps);
        if (fill.grossUsd > self.reserveUsd) revert ILaunchpad.BeyondReserve(fill.grossUsd, self.reserveUsd);
        fill.tokens = tokensFromUsdUp(self, fill.grossUsd);
        _requireFilled(fill);
    }

    // ---------------------------------------------------------------- state after an order

    /// @param fill Of this state: the reserves are there.
    function applyBuy(State memory self, Fill memory fill) internal pure {
        unchecked {
            self.virtualTokens -= fill.tokens;
            self.virtualUsd += fill.netUsd;
            self.tokensLeft -= fill.tokens;
            self.reserveUsd += fill.netUsd;
        }
    }

    /// @param fill Of this state: the reserves are there. Tokens stay checked: they are what the seller says.
    function applySell(State memory self, Fill memory fill) internal pure {
        self.virtualTokens += fill.tokens;
        self.tokensLeft += fill.tokens;
        unchecked {
            self.virtualUsd -= fill.grossUsd;
            self.reserveUsd -= fill.grossUsd;
        }
    }

    // ---------------------------------------------------------------- internals

    function _requireFilled(Fill memory fill) private pure {
        if (fill.tokens == 0 || fill.netUsd == 0) revert ILaunchpad.ZeroAmount();
    }
}
