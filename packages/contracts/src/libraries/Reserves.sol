// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

/// @notice What a token's trades change, in one storage slot. The high 90 bits are the treasury's share in USD base units.
/// On the curve: net USD in it (75 bits, base units) and tokens left (90 bits, 18 decimals). In the pool: bit 165 is set and
/// the low 160 bits are the creator, so that a trade reads no other slot of the token.
/// @dev Wide enough: 800 M tokens need 90 bits, and 30,000 dollars of 18 decimals need 75.
type Reserves is uint256;

using ReservesLibrary for Reserves global;

error ReservesOverflow();

library ReservesLibrary {
    uint256 internal constant MAX_TOKENS_LEFT = (1 << 90) - 1;
    uint256 internal constant MAX_USD = (1 << 75) - 1;
    uint256 internal constant MAX_TREASURY_SHARE = (1 << 90) - 1;

    uint256 private constant GRADUATED = 1 << 165;
    uint256 private constant BELOW_TREASURY_SHARE = (1 << 166) - 1;

    function onCurve(uint256 tokensLeft_, uint256 usd, uint256 treasuryShare_) internal pure returns (Reserves) {
        if (tokensLeft_ > MAX_TOKENS_LEFT || usd > MAX_USD || treasuryShare_ > MAX_TREASURY_SHARE) {
            revert ReservesOverflow();
        }
        return Reserves.wrap(treasuryShare_ << 166 | usd << 90 | tokensLeft_);
    }

    function inPool(address creator_, uint256 treasuryShare_) internal pure returns (Reserves) {
        if (treasuryShare_ > MAX_TREASURY_SHARE) revert ReservesOverflow();
        return Reserves.wrap(treasuryShare_ << 166 | GRADUATED | uint160(creator_));
    }

    /// @return The same with another treasury share.
    function withTreasuryShare(Reserves self, uint256 treasuryShare_) internal pure returns (Reserves) {
        if (treasuryShare_ > MAX_TREASURY_SHARE) revert ReservesOverflow();
        return Reserves.wrap(treasuryShare_ << 166 | (Reserves.unwrap(self) & BELOW_TREASURY_SHARE));
    }

    function graduated(Reserves self) internal pure returns (bool) {
        return Reserves.unwrap(self) & GRADUATED != 0;
    }

    /// @dev Of a graduated token.
    function creator(Reserves self) internal pure returns (address) {
        // forge-lint: disable-next-line(unsafe-typecast)
        return address(uint160(Reserves.unwrap(self)));
    }

    function treasuryShare(Reserves self) internal pure returns (uint256) {
        return Reserves.unwrap(self) >> 166;
    }

    /// @return tokensLeft_ Zero of a graduated token, likewise `usd`.
    function curve(Reserves self) internal pure returns (uint256 tokensLeft_, uint256 usd) {
        if (graduated(self)) return (0, 0);
        uint256 word = Reserves.unwrap(self);
        return (word & MAX_TOKENS_LEFT, word >> 90 & MAX_USD);
    }
}
