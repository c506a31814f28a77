// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {Settings} from "./Settings.sol";
import {ILaunchpad} from "./interfaces/ILaunchpad.sol";
import {ILaunchToken} from "./interfaces/ILaunchToken.sol";
import {Curve} from "./libraries/Curve.sol";
import {Fees} from "./libraries/Fees.sol";
import {Reserves} from "./libraries/Reserves.sol";

/// @title Books: what every token holds and owes, and who is credited for a trade.
abstract contract Books is Settings {
    /// @notice What a token is from its first block on; one storage slot.
    struct Facts {
        address creator;
        uint40 created;
        uint8 poolType;
    }

    /// @param floorUsd USD of opening-window fees, kept for the floor.
    struct Launch {
        Reserves reserves;
        Facts facts;
        uint256 floorUsd;
    }

    /// @notice Who takes part in a trade, and at which rates. Zero addresses take no part.
    struct Terms {
        address creator;
        address builder;
        address referral;
        address referrer;
        uint256 feeBps;
        uint256 builderBps;
    }

    /// @notice Where a token's market stands; the members are those of a `TradeRecord`.
    struct Market {
        TradeVenue venue;
        uint256 stateA;
        int256 stateB;
    }

    /// @inheritdoc ILaunchpad
    address public immutable usd;
    /// @dev Base units of one dollar.
    uint256 internal immutable _oneUsd;

    mapping(address token => Launch) internal _launches;

    constructor(address usd_) {
        uint8 decimals = IERC20Metadata(usd_).decimals();
        if (decimals < 6 || decimals > 18) revert UnsupportedDecimals(decimals);
        usd = usd_;
        _oneUsd = 10 ** decimals;
    }

    // ---------------------------------------------------------------- views

    /// @inheritdoc ILaunchpad
    function stateOf(address token) external view returns (TokenState memory state) {
        Launch storage launch = _launches[token];
        Reserves reserves = launch.reserves;
        (state.tokensLeft, state.usd) = reserves.curve();
        state.treasuryShare = reserves.treasuryShare();
        state.graduated = reserves.graduated();
        state.floorUsd = launch.floorUsd;
        Facts memory facts = launch.facts;
        (state.creator, state.created, state.poolType) = (facts.creator, facts.created, facts.poolType);
    }

    // ---------------------------------------------------------------- the treasury's share

    /// @inheritdoc ILaunchpad
    function collectTreasury(address[] calldata tokens) external nonReentrant {
        for (uint256 i; i < tokens.length; i++) {
            Launch storage launch = _launches[tokens[i]];
            Reserves reserves = launch.reserves;
            uint256 share = reserves.treasuryShare();
            if (share == 0) continue;
            launch.reserves = reserves.withTreasuryShare(0);
            _creditTreasury(tokens[i], share);
        }
    }

    /// @dev Where the share would no longer fit its bits, all of it moves to the treasury's credit.
    function _withTreasuryUsd(address token, Reserves reserves, uint256 treasuryUsd) internal returns (Reserves) {
        uint256 share = reserves.treasuryShare() + treasuryUsd;
        if (share >> 90 != 0) {
            _creditTreasury(token, share);
            share = 0;
        }
        return reserves.withTreasuryShare(share);
    }

    function _creditTreasury(address token, uint256 amount) private {
        _credit(usd, treasury, amount);
        emit TreasuryCollected(token, treasury, amount);
    }

    // ---------------------------------------------------------------- a trade's fees

    /// @notice Credits people's parts of a trade's fees.
    /// @return The treasury's part, which is still to be written.
    function _payFees(Launch storage launch, Terms memory terms, Curve.Fill memory fill) internal returns (uint256) {
        Fees.Split memory parts = Fees.splitFee(
            fill.grossUsd,
            _feesOf(fill),
            terms.feeBps,
            terms.builderBps,
            terms.referral != address(0),
            terms.referrer != address(0)
        );
        mapping(address account => uint256) storage credits = _creditsIn(usd);
        unchecked {
            // A credit is at most the dollar token's supply.
            credits[terms.creator] += parts.creator;
            if (parts.builder != 0) credits[terms.builder] += parts.builder;
            if (parts.referral != 0) credits[terms.referral] += parts.referral;
            if (parts.referrer != 0) credits[terms.referrer] += parts.referrer;
            if (parts.cashback != 0) credits[msg.sender] += parts.cashback;
        }
        if (parts.excess != 0) launch.floorUsd += parts.excess;
        return parts.treasury;
    }

    /// @dev The net amount is never more than the gross.
    function _feesOf(Curve.Fill memory fill) internal pure returns (uint256) {
        unchecked {
            return fill.grossUsd - fill.netUsd;
        }
    }

    /// @dev A record holds one word per member, in memory as in the event's data: logged as it lies, which saves the
    /// copy that `emit` makes (1.5 k gas). The tests decode it with the interface's event.
    function _emitTrade(address token, address trader, TradeRecord memory record) internal {
        bytes32 topic = Trade.selector;
        assembly ("memory-safe") {
            log3(record, 0x160, topic, token, trader)
        }
    }

    /// @return record Without its recipient.
    function _recordOf(bool isBuy, Terms memory terms, Curve.Fill memory fill, Market memory market)
        internal
        pure
        returns (TradeRecord memory record)
    {
        record.tokens = isBuy ? int256(fill.tokens) : -int256(fill.tokens);
        (record.grossUsd, record.feeBps) = (fill.grossUsd, terms.feeBps);
        (record.builder, record.builderBps) = (terms.builder, terms.builderBps);
        (record.referral, record.referrer) = (terms.referral, terms.referrer);
        (record.venue, record.stateA, record.stateB) = (market.venue, market.stateA, market.stateB);
    }

    // ---------------------------------------------------------------- moving tokens

    /// @dev The one use of the token's right to move without an approval. `from` is the caller of the trade.
    function _pullTokens(address token, address from, address to, uint256 amount) internal {
        ILaunchToken(token).launchpadTransfer(from, to, amount);
    }

    // ---------------------------------------------------------------- checks

    function _requireKnown(Facts memory facts, address token) internal pure {
        if (facts.creator == address(0)) revert UnknownToken(token);
    }

    function _requireCode(address account) internal view {
        if (account.code.length == 0) revert NoCode(account);
    }
}
