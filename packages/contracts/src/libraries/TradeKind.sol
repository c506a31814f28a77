// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

/// @notice The four orders: which side is exact. In the order of `tradeKinds` in protocol/src/maths/trade.ts.
enum TradeKind {
    BuyExactIn,
    BuyExactOut,
    SellExactIn,
    SellExactOut
}

using {isBuy, isExactIn} for TradeKind global;

function isBuy(TradeKind kind) pure returns (bool) {
    return kind <= TradeKind.BuyExactOut;
}

function isExactIn(TradeKind kind) pure returns (bool) {
    return kind == TradeKind.BuyExactIn || kind == TradeKind.SellExactIn;
}
