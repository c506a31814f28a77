// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

/// @notice What a token's trades change, in one storage slot: tokens left on the curve (90 bits, 18 decimals),
/// net USD in the curve (76 bits), treasury's share (90 bits), the last two in USD base units.
/// @dev Wide enough: 800 M tokens need 90 bits, and 30,000 dollars of 18 decimals need 75.
type Reserves is uint256;

using ReservesLibrary for Reserves global;

error ReservesOverflow();

library ReservesLibrary {
    uint256 internal constant MAX_TOKENS_LEFT = (1 << 90) - 1;
    uint256 internal constant MAX_USD = (1 << 76) - 1;
    uint256 internal constant MAX_TREASURY_SHARE = (1 << 90) - 1;

    function pack(uint256 tokensLeft_, uint256 usd, uint256 treasuryShare_) internal pure returns (Reserves) {
        if (tokensLeft_ > MAX_TOKENS_LEFT || usd > MAX_USD || treasuryShare_ > MAX_TREASURY_SHARE) {
            revert ReservesOverflow();
        }
        return Reserves.wrap(treasuryShare_ << 166 | usd << 90 | tokensLeft_);
    }

    /// @return The same tokens and USD with another treasury share.
    function withTreasuryShare(Reserves self, uint256 treasuryShare_) internal pure returns (Reserves) {
        if (treasuryShare_ > MAX_TREASURY_SHARE) revert ReservesOverflow();
        return Reserves.wrap(treasuryShare_ << 166 | (Reserves.unwrap(self) & ((1 << 166) - 1)));
    }

    function treasuryShare(Reserves self) internal pure returns (uint256) {
        return Reserves.unwrap(self) >> 166;
    }

    function tokensLeft(Reserves self) internal pure returns (uint256) {
        return Reserves.unwrap(self) & MAX_TOKENS_LEFT;
    }

    function unpack(Reserves self)
        internal
        pure
        returns (uint256 tokensLeft_, uint256 usd, uint256 treasuryShare_)
    {
        uint256 word = Reserves.unwrap(self);
        return (word & MAX_TOKENS_LEFT, word >> 90 & MAX_USD, word >> 166);
    }
}
