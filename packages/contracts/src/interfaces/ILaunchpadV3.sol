// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ILaunchpad} from "./ILaunchpad.sol";

/// @title What a Launchpad adds whose graduated tokens trade on Uniswap v3 or PancakeSwap v3.
/// @notice The pool's own tier of 1 % is the trade fee there, for everybody. Half of what our positions earn is the creator's,
/// half the treasury's. Rewards of a trade through the Launchpad come out of the treasury's share of that token, as far as it
/// reaches.
interface ILaunchpadV3 {
    /// @notice USD base units that a trade on the pool earned these people out of the treasury's share.
    event PoolRewards(address indexed token, address indexed trader, uint256 referral, uint256 referrer, uint256 cashback);
    /// @notice What our positions earned: half each to the creator and to the treasury, which gets the odd unit.
    event PoolFeesCollected(address indexed token, uint256 usd, uint256 tokens);
    /// @notice Bids that somebody had put above the price of the graduation were sold into before it; the dollars are the floor's.
    event PoolLeveled(address indexed token, uint256 tokensSold, uint256 usdGained);

    error PoolNotOpen();
    /// @notice The exchange made a pool at another address than its formula gives.
    error WrongPool(address pool, address computed);

    /// @notice The pool is below the opening price and does not walk up to it; sells on the curve stay open.
    error PoolOutOfReach(uint160 sqrtPriceX96, uint160 targetX96);

    /// @notice Collects what the token's locked positions have earned. Anyone, any time.
    function collectPoolFees(address token) external returns (uint256 usdEarned, uint256 tokensEarned);

    /// @notice Brings the pool of a token that waits for its graduation nearer to the price it is to open at, for when more
    /// was put in the way than one graduation can walk through. Anyone.
    /// @param limitX96 Where to stop, as the pool's square root price; the opening price where that is nearer.
    function levelPool(address token, uint160 limitX96) external;

    /// @notice Whether tokens may go into this token's pool: once it graduated, and for tokens of other homes.
    function poolIsOpen(address token) external view returns (bool);
    function poolOf(address token) external view returns (address);
    /// @notice The ticks of a graduated token's two locked positions, as `Graduated` has them.
    function lockedTicks(address token)
        external
        view
        returns (int24 fullLower, int24 fullUpper, int24 floorLower, int24 floorUpper);
    function poolFactory() external view returns (address);
}
