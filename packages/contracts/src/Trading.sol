// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {FullMath} from "v4-core/libraries/FullMath.sol";
import {SafeCast} from "v4-core/libraries/SafeCast.sol";
import {Graduating} from "./Graduating.sol";
import {ILaunchpad} from "./interfaces/ILaunchpad.sol";
import {Curve} from "./libraries/Curve.sol";
import {Fees} from "./libraries/Fees.sol";
import {PoolTypes} from "./libraries/PoolTypes.sol";
import {Reserves, ReservesLibrary} from "./libraries/Reserves.sol";
import {TradeKind} from "./libraries/TradeKind.sol";

/// @title Trading: an order fills on the token's curve or in its pool, and its fees go into the books.
abstract contract Trading is Graduating {
    using SafeTransferLib for address;
    using SafeCast for uint256;

    modifier before(uint256 deadline) {
        if (block.timestamp > deadline) revert DeadlinePassed(deadline, block.timestamp);
        _;
    }

    // ---------------------------------------------------------------- orders

    /// @inheritdoc ILaunchpad
    function buyExactIn(Order calldata order) external returns (uint256 usdIn, uint256 tokensOut) {
        return _buy(order, TradeKind.BuyExactIn);
    }

    /// @inheritdoc ILaunchpad
    function buyExactOut(Order calldata order) external returns (uint256 usdIn, uint256 tokensOut) {
        return _buy(order, TradeKind.BuyExactOut);
    }

    /// @inheritdoc ILaunchpad
    function sellExactIn(Order calldata order) external returns (uint256 tokensIn, uint256 usdOut) {
        return _sell(order, TradeKind.SellExactIn);
    }

    /// @inheritdoc ILaunchpad
    function sellExactOut(Order calldata order) external returns (uint256 tokensIn, uint256 usdOut) {
        return _sell(order, TradeKind.SellExactOut);
    }

    /// @inheritdoc ILaunchpad
    function buyFeeBps(address token) external view returns (uint256) {
        Facts memory facts = _launches[token].facts;
        _requireKnown(facts, token);
        return Fees.buyFeeBps(block.timestamp - facts.created);
    }

    /// @dev The guard is free again when a graduation is tried. The buy of the last tokens stands whatever that does; one
    /// that finds none left needs the pool.
    function _buy(Order memory order, TradeKind kind) private returns (uint256 usdIn, uint256 tokensOut) {
        (Curve.Fill memory fill, bool completed) = _trade(order, kind);
        if (completed && fill.tokens == 0) {
            if (!_tryToGraduate(order.token, gasleft())) revert GraduationPending(order.token);
            (fill,) = _trade(order, kind);
        } else if (completed && gasleft() > graduationGas + graduationGas / 32 + 10_000) {
            // The call gets 63/64 of what is left; the rest must end the transaction.
            _tryToGraduate(order.token, graduationGas);
        }
        return (fill.grossUsd, fill.tokens);
    }

    function _sell(Order memory order, TradeKind kind) private returns (uint256 tokensIn, uint256 usdOut) {
        (Curve.Fill memory fill,) = _trade(order, kind);
        return (fill.tokens, fill.netUsd);
    }

    // ---------------------------------------------------------------- a trade

    /// @dev Curve trades: effects, then transfers. A pool trade has to swap before its amounts are known; the venue and our
    /// own token are all that is called until the books are written. `completed` with zero tokens: the buy found the curve
    /// sold out, and did nothing.
    function _trade(Order memory order, TradeKind kind)
        private
        nonReentrant
        before(order.deadline)
        returns (Curve.Fill memory fill, bool completed)
    {
        if (order.recipient == address(0)) revert ZeroAddress();
        Launch storage launch = _launches[order.token];
        Reserves reserves = launch.reserves;
        Terms memory terms = _termsOf(order);
        Market memory market;
        if (reserves.graduated()) {
            terms.creator = reserves.creator();
            terms.feeBps = _aroundBps();
            _fillOnPool(order, kind, Fees.totalBps(terms.feeBps, terms.builderBps), fill, market);
        } else {
            Facts memory facts = launch.facts;
            _requireKnown(facts, order.token);
            terms.creator = facts.creator;
            terms.feeBps = kind.isBuy() ? Fees.buyFeeBps(block.timestamp - facts.created) : Fees.NORMAL_BPS;
            Curve.State memory curve = _curve(facts.poolType, reserves);
            if (kind.isBuy() && curve.tokensLeft == 0) return (fill, true);
            fill = _fillOnCurve(order.amount, kind, curve, Fees.totalBps(terms.feeBps, terms.builderBps));
            (market.stateA, market.stateB) = (curve.virtualTokens, int256(curve.virtualUsd));
            reserves = ReservesLibrary.onCurve(curve.tokensLeft, curve.reserveUsd, reserves.treasuryShare());
            completed = curve.tokensLeft == 0;
        }
        _checkLimit(order, kind, terms, fill);

        launch.reserves = _bookFees(order.token, launch, reserves, terms, fill);
        _move(order, kind, fill, market.venue);

        TradeRecord memory record = _recordOf(kind.isBuy(), terms, fill, market);
        record.recipient = order.recipient;
        _emitTrade(order.token, msg.sender, record);
        if (completed) emit Completed(order.token);
    }

    /// @return terms Without creator and trade fee.
    function _termsOf(Order memory order) private view returns (Terms memory terms) {
        if (order.builder != address(0)) (terms.builder, terms.builderBps) = (order.builder, order.builderBps);
        if (order.referral != msg.sender) terms.referral = order.referral;
        terms.referrer = referrerOf[msg.sender];
    }

    /// @param curve Moves to its state after the trade.
    function _fillOnCurve(uint256 amount, TradeKind kind, Curve.State memory curve, uint256 sumBps)
        private
        pure
        returns (Curve.Fill memory fill)
    {
        if (amount > Fees.MOST) amount = Fees.MOST;
        if (kind == TradeKind.BuyExactIn) fill = Curve.buyExactIn(curve, amount, sumBps);
        else if (kind == TradeKind.BuyExactOut) fill = Curve.buyExactOut(curve, amount, sumBps);
        else if (kind == TradeKind.SellExactIn) fill = Curve.sellExactIn(curve, amount, sumBps);
        else fill = Curve.sellExactOut(curve, amount, sumBps);
        if (kind.isBuy()) Curve.applyBuy(curve, fill);
        else Curve.applySell(curve, fill);
    }

    function _curve(uint8 poolTypeId, Reserves reserves) private view returns (Curve.State memory) {
        (uint256 tokensLeft, uint256 raised) = reserves.curve();
        (uint256 tokensAtEnd, uint256 usdAtStart) = PoolTypes.virtualBase(poolTypeId, _oneUsd);
        unchecked {
            return Curve.State(tokensAtEnd + tokensLeft, usdAtStart + raised, tokensLeft, raised); // each below 2^92
        }
    }

    /// @dev Moves the tokens, and the USD without the fees of a buy, between payer, venue, recipient and this contract.
    /// Whole orders only.
    function _fillOnPool(
        Order memory order,
        TradeKind kind,
        uint256 sumBps,
        Curve.Fill memory fill,
        Market memory market
    ) private {
        (bool isBuy, bool isExactIn) = (kind.isBuy(), kind.isExactIn());
        uint256 exact = order.amount;
        exact.toInt128(); // more than the PoolManager counts reverts here, before a product with a rate overflows
        if (isBuy && isExactIn) exact = Fees.netOfGrossDown(exact, sumBps);
        if (!isBuy && !isExactIn) exact = Fees.grossOfNetUp(exact, sumBps);
        if (exact == 0) revert ZeroAmount();

        int256 specified = exact.toInt128();
        if (isExactIn) specified = -specified;
        (uint256 amountIn, uint256 amountOut) =
            _swap(Swap(order.token, msg.sender, order.recipient, isBuy, specified), market);
        if (isBuy) {
            (fill.netUsd, fill.tokens) = (amountIn, amountOut);
            fill.grossUsd = isExactIn ? order.amount : Fees.grossOfNetUp(amountIn, sumBps);
        } else {
            (fill.tokens, fill.grossUsd) = (amountIn, amountOut);
            fill.netUsd = isExactIn ? Fees.netOfGrossDown(amountOut, sumBps) : order.amount;
        }
        if (fill.tokens == 0 || fill.netUsd == 0) revert ZeroAmount();
    }

    /// @dev A buy that ends the curve pays less than it offered, and its limit shrinks in proportion: to what the rest costs before
    /// curve and fees round it up. Rounding is most of the price of a few base units of tokens, and anybody can leave so few.
    function _checkLimit(Order memory order, TradeKind kind, Terms memory terms, Curve.Fill memory fill) private pure {
        bool isBuy = kind.isBuy();
        uint256 limit = order.limit;
        if (!kind.isExactIn()) {
            uint256 paid = isBuy ? fill.grossUsd : fill.tokens;
            if (paid > limit) revert TooMuchPaid(paid, limit);
            return;
        }
        if (isBuy && fill.grossUsd < order.amount) {
            unchecked {
                uint256 unrounded = Fees.grossOfNetDown(fill.netUsd - 1, terms.feeBps + terms.builderBps);
                limit = FullMath.mulDiv(limit, unrounded, order.amount);
            }
        }
        uint256 received = isBuy ? fill.tokens : fill.netUsd;
        if (received < limit) revert TooLittleReceived(received, limit);
    }

    /// @dev The transfers that the pool has not made.
    function _move(Order memory order, TradeKind kind, Curve.Fill memory fill, ILaunchpad.TradeVenue venue) private {
        bool onCurve = venue == ILaunchpad.TradeVenue.Curve;
        if (kind.isBuy()) {
            usd.safeTransferFrom(msg.sender, address(this), onCurve ? fill.grossUsd : _feesOf(fill));
            if (onCurve) order.token.safeTransfer(order.recipient, fill.tokens);
        } else {
            if (onCurve) _pullTokens(order.token, msg.sender, address(this), fill.tokens);
            usd.safeTransfer(order.recipient, fill.netUsd);
        }
    }
}
