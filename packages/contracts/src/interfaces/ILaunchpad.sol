// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IFeeVault} from "./IFeeVault.sol";

/// @title Launchpad: creates tokens, trades them on a bonding curve, graduates them into a locked pool.
/// @notice USD amounts are base units of the chain's dollar token (6 or 18 decimals), token amounts have 18 decimals,
/// fees are basis points (10000 = 100 %) of the gross USD amount. Every rounding is against the trader.
/// @dev The formulas are those of docs: `libraries/Curve.sol`, `libraries/Fees.sol`; cases in `vectors/`.
interface ILaunchpad is IFeeVault {
    // ---------------------------------------------------------------- types

    /// @dev `Foreign` is a swap on the pool by a router that is not this contract.
    enum TradeVenue {
        Curve,
        Pool,
        Foreign
    }

    /// @param salt Chosen by the creator; with the creator and the chain id it decides the token's address.
    /// @param poolType 7 meme, 8 startup-preseed, 9 test (only where the deployment allows it).
    struct TokenParams {
        string name;
        string symbol;
        string uri;
        bytes32 salt;
        uint8 poolType;
        uint256 deadline;
    }

    /// @param amount The exact side: USD or token base units, by the function that takes the order.
    /// @param limit The other side: least received or most paid, fees included.
    /// @param recipient Who receives the tokens (buy) or the USD (sell); not zero.
    /// @param builder Who earns `builderBps`; zero means none.
    /// @param builderBps Basis points of the gross amount, on top of the trade fee.
    /// @param referral Token referral; zero or the trader means none.
    /// @param deadline Unix seconds; the order reverts after it.
    struct Order {
        address token;
        uint256 amount;
        uint256 limit;
        address recipient;
        address builder;
        uint256 builderBps;
        address referral;
        uint256 deadline;
    }

    /// @param grossUsd What the trader paid (buy) or the venue paid (sell), before fees.
    /// @param tokens Bought; negative: sold.
    /// @param feeBps Trade fee of this second, without the builder's: 100, or up to 8000 in the first 6 seconds of a buy.
    /// @param referral Effective token referral, zero for none.
    /// @param referrer Effective protocol referrer of the trader, zero for none.
    /// @param stateA After the trade. Curve: virtual tokens A. Pool: sqrtPriceX96.
    /// @param stateB After the trade. Curve: virtual USD B. Pool: the current tick.
    /// @dev Who was credited what follows from it: `Fees.splitFee` of `grossUsd` and `feeOfGrossUp(grossUsd, feeBps + builderBps)`.
    struct TradeRecord {
        address recipient;
        TradeVenue venue;
        uint256 grossUsd;
        int256 tokens;
        uint256 feeBps;
        address builder;
        uint256 builderBps;
        address referral;
        address referrer;
        uint256 stateA;
        int256 stateB;
    }

    /// @notice A locked position of a graduated pool.
    struct LockedRange {
        int24 tickLower;
        int24 tickUpper;
        uint128 liquidity;
    }

    /// @param usdLocked USD in the full range position; `tokensLocked` its tokens.
    /// @param floorUsd USD in the floor position.
    /// @param creatorReward USD credited to the creator out of the raise.
    /// @param dustUsd USD that fitted no position, credited to the treasury.
    /// @param dustTokens Tokens that fitted no position, given up to the PoolManager, which lets nobody take them.
    struct Graduation {
        uint160 sqrtPriceX96;
        int24 tick;
        LockedRange fullRange;
        LockedRange floor;
        uint256 usdLocked;
        uint256 tokensLocked;
        uint256 floorUsd;
        uint256 creatorReward;
        uint256 dustUsd;
        uint256 dustTokens;
    }

    /// @param tokensLeft Tokens not yet sold on the curve; 0 and not graduated means completed.
    /// @param usd Net USD raised by the curve (0 after graduation).
    /// @param treasuryShare USD of the treasury not yet moved to its credit.
    /// @param floorUsd USD kept for the floor (0 after graduation).
    struct TokenState {
        uint256 tokensLeft;
        uint256 usd;
        uint256 treasuryShare;
        uint256 floorUsd;
        address creator;
        uint40 created;
        uint8 poolType;
        bool graduated;
    }

    /// @notice The protocol referrer of `user`, signed by the deployment's voucher signer.
    /// @param deadline Unix seconds; counts in the hour before it only.
    struct Voucher {
        address user;
        address referrer;
        uint256 deadline;
    }

    // ---------------------------------------------------------------- events

    /// @param virtualTokens A of the curve at the start.
    /// @param virtualUsd B of the curve at the start.
    event TokenCreated(
        address indexed token,
        address indexed creator,
        uint8 poolType,
        uint256 virtualTokens,
        uint256 virtualUsd,
        bytes32 salt,
        uint256 created,
        string name,
        string symbol,
        string uri
    );
    /// @param trader Whose tokens or dollars moved. With `TradeVenue.Foreign` the transaction's origin, who need not know of it;
    /// `record.recipient` is the router then.
    event Trade(address indexed token, address indexed trader, TradeRecord record);
    /// @notice The curve sold its last token; selling back on the curve undoes it until graduation.
    event Completed(address indexed token);
    event Graduated(address indexed token, bytes32 indexed poolId, Graduation graduation);
    /// @notice The treasury's share of a token moved to its credit.
    event TreasuryCollected(address indexed token, address indexed treasury, uint256 amount);
    /// @param referrer Zero: the owner cleared it.
    event ReferrerSet(address indexed user, address indexed referrer);
    /// @param setting `treasury`, `voucherSigner`, `pendingOwner` or `owner`, as left-aligned ASCII.
    event SettingChanged(bytes32 indexed setting, address value);

    // ---------------------------------------------------------------- errors

    error DeadlinePassed(uint256 deadline, uint256 timestamp);
    error UnknownToken(address token);
    error UnknownPoolType(uint8 poolType);
    /// @notice The creator used this salt on this chain before.
    error TokenExists(address token);
    error NoVenue();
    /// @notice A name or symbol that is empty, or longer than a message between chains carries.
    error UnusableText(uint256 bytesGiven, uint256 most);
    error ZeroAmount();
    error ZeroAddress();
    error FeesExceedAmount(uint256 totalBps);
    /// @notice Less would be received than the limit allows.
    error TooLittleReceived(uint256 received, uint256 minimum);
    /// @notice More would be paid than the limit allows.
    error TooMuchPaid(uint256 paid, uint256 maximum);
    /// @notice Exact-out buy beyond the end of the curve.
    error BeyondCurve(uint256 requested, uint256 left);
    /// @notice Exact-out sell of more USD than the curve holds.
    error BeyondReserve(uint256 requested, uint256 reserve);
    /// @notice The pool could not fill the whole order.
    error PartialFill(uint256 requested, uint256 filled);
    error NotCompleted(address token, uint256 tokensLeft);
    error AlreadyGraduated(address token);
    error WindowOpen(uint256 opensAt, uint256 timestamp);
    /// @notice A buy found the curve sold out, and its pool could not be opened in the same call.
    error GraduationPending(address token);
    error Unauthorized(address caller);
    error InvalidVoucher();
    /// @notice What the Launchpad would trust has no code, so somebody could still put any code there.
    error NoCode(address account);
    /// @notice The dollar token has fewer than 6 or more than 18 decimals.
    error UnsupportedDecimals(uint8 decimals);

    // ---------------------------------------------------------------- create and trade

    /// @notice Creates a token whose whole supply the Launchpad holds. The initial buy is a `buy…` in the same `multicall`.
    function create(TokenParams calldata params) external returns (address token);

    /// @notice The address that `create` gives a token of this creator and salt on this chain.
    function tokenAddress(address creator, bytes32 salt) external view returns (address token);

    /// @notice Spends exactly `order.amount` USD, fees included; at the end of the curve only what the rest costs, the
    /// limit scaled with that before rounding. Received at least `order.limit` tokens. A buy of a sold out curve opens the pool first and buys
    /// there, in the same call.
    function buyExactIn(Order calldata order) external returns (uint256 usdIn, uint256 tokensOut);

    /// @notice Buys exactly `order.amount` tokens for at most `order.limit` USD, fees included.
    function buyExactOut(Order calldata order) external returns (uint256 usdIn, uint256 tokensOut);

    /// @notice Sells exactly `order.amount` tokens for at least `order.limit` USD, fees taken. Needs no approval.
    function sellExactIn(Order calldata order) external returns (uint256 tokensIn, uint256 usdOut);

    /// @notice Sells at most `order.limit` tokens for exactly `order.amount` USD, fees taken. Needs no approval.
    function sellExactOut(Order calldata order) external returns (uint256 tokensIn, uint256 usdOut);

    /// @notice Runs several of this contract's functions for the caller, all or nothing.
    function multicall(bytes[] calldata calls) external returns (bytes[] memory results);

    /// @notice Takes the caller's EIP-2612 permit on the dollar token. A permit that somebody used already is no error.
    function permitUsd(uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external;

    /// @notice Stores the user's referrer, until the owner clears it. Expired, already set, or the user is the referrer's
    /// own referrer: nothing happens. Bad signature, or a deadline more than an hour ahead: reverts.
    function setReferrer(Voucher calldata voucher, bytes calldata signature) external;

    // ---------------------------------------------------------------- graduation and fees

    /// @notice Moves a completed curve into its pool. Anyone, any time from 6 seconds after creation, until it succeeds.
    function graduate(address token) external;

    /// @notice Moves the treasury's share of each token to the treasury's credit.
    function collectTreasury(address[] calldata tokens) external;

    // ---------------------------------------------------------------- settings (owner)

    function setTreasury(address treasury) external;
    function setVoucherSigner(address signer) external;
    /// @notice Takes back what a stolen voucher key did. A user without a referrer can get one again, by a new voucher.
    function clearReferrer(address user) external;
    function transferOwnership(address newOwner) external;
    function acceptOwnership() external;

    // ---------------------------------------------------------------- views

    function stateOf(address token) external view returns (TokenState memory);
    function referrerOf(address user) external view returns (address);
    /// @notice Trade fee of a buy of this token now, in basis points, without the builder's.
    function buyFeeBps(address token) external view returns (uint256);
    function usd() external view returns (address);
    function factory() external view returns (address);
    function tokenImplementation() external view returns (address);
    /// @notice Whether pool type 9 can be created here.
    function testPoolType() external view returns (bool);
    /// @notice Gas that the last buy gives to the graduation it tries.
    function graduationGas() external view returns (uint256);
    function treasury() external view returns (address);
    function voucherSigner() external view returns (address);
    function owner() external view returns (address);
    function pendingOwner() external view returns (address);
}
