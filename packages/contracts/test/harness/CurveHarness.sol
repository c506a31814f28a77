// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {Curve} from "../../src/libraries/Curve.sol";
import {Fees} from "../../src/libraries/Fees.sol";
import {TradeKind} from "../../src/libraries/TradeKind.sol";
import {PoolType, PoolTypes} from "../../src/libraries/PoolTypes.sol";

/// @title CurveHarness: the libraries as calls over many cases, for comparison with protocol/src in TypeScript.
contract CurveHarness {
    /// @param amount The exact side: gross USD, tokens out, tokens in, net USD, in the order of `TradeKind`.
    /// @param feeBps Of a sell: 100.
    struct Case {
        TradeKind kind;
        uint256 virtualTokens;
        uint256 virtualUsd;
        uint256 tokensLeft;
        uint256 reserveUsd;
        uint256 amount;
        uint256 feeBps;
        uint256 builderBps;
        bool hasReferral;
        bool hasReferrer;
    }

    /// @param reverted Selector of the error, zero for none; then all else is zero.
    /// @param virtualTokens After the trade; likewise `virtualUsd`.
    struct Result {
        bytes4 reverted;
        uint256 grossUsd;
        uint256 netUsd;
        uint256 tokens;
        uint256 virtualTokens;
        uint256 virtualUsd;
        Fees.Split parts;
    }

    function applyAll(Case[] calldata cases) external view returns (Result[] memory results) {
        results = new Result[](cases.length);
        for (uint256 i; i < cases.length; i++) {
            try this.applyOne(cases[i]) returns (Result memory result) {
                results[i] = result;
            } catch (bytes memory reason) {
                // forge-lint: disable-next-line(unsafe-typecast)
                results[i].reverted = bytes4(reason); // the selector is what is wanted
            }
        }
    }

    function applyOne(Case calldata c) external pure returns (Result memory result) {
        Curve.State memory state = Curve.State(c.virtualTokens, c.virtualUsd, c.tokensLeft, c.reserveUsd);
        uint256 sumBps = Fees.totalBps(c.feeBps, c.builderBps);
        Curve.Fill memory fill;
        if (c.kind == TradeKind.BuyExactIn) fill = Curve.buyExactIn(state, c.amount, sumBps);
        else if (c.kind == TradeKind.BuyExactOut) fill = Curve.buyExactOut(state, c.amount, sumBps);
        else if (c.kind == TradeKind.SellExactIn) fill = Curve.sellExactIn(state, c.amount, sumBps);
        else fill = Curve.sellExactOut(state, c.amount, sumBps);

        (result.grossUsd, result.netUsd, result.tokens) = (fill.grossUsd, fill.netUsd, fill.tokens);
        if (c.kind.isBuy()) Curve.applyBuy(state, fill);
        else Curve.applySell(state, fill);
        (result.virtualTokens, result.virtualUsd) = (state.virtualTokens, state.virtualUsd);
        result.parts = Fees.splitFee(
            fill.grossUsd, fill.grossUsd - fill.netUsd, c.feeBps, c.builderBps, c.hasReferral, c.hasReferrer
        );
    }

    function buyFeeBps(uint256 elapsed) external pure returns (uint256) {
        return Fees.buyFeeBps(elapsed);
    }

    function poolType(uint8 id, uint256 oneUsd) external pure returns (PoolType memory) {
        return PoolTypes.get(id, oneUsd);
    }
}
