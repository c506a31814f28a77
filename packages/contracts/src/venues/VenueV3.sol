// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {ILaunchpadV3} from "../interfaces/ILaunchpadV3.sol";
import {IFactoryV3, IPoolV3} from "../interfaces/IPoolV3.sol";
import {Curve} from "../libraries/Curve.sol";
import {Fees} from "../libraries/Fees.sol";
import {OpeningV3} from "../libraries/OpeningV3.sol";
import {ExchangeV3, PoolV3} from "../libraries/PoolV3.sol";
import {Reserves} from "../libraries/Reserves.sol";
import {Venue} from "./Venue.sol";

/// @title VenueV3: Uniswap v3 or PancakeSwap v3. No hooks: the pool's own 1 % is the trade fee of everybody, ours included.
abstract contract VenueV3 is Venue, ILaunchpadV3 {
    using SafeTransferLib for address;

    /// @notice Where a graduated token's liquidity lies; one storage slot.
    struct LockedTicks {
        int24 fullLower;
        int24 fullUpper;
        int24 floorLower;
        int24 floorUpper;
    }

    /// @inheritdoc ILaunchpadV3
    address public immutable poolFactory;
    address private immutable _poolDeployer;
    bytes32 private immutable _poolCodeHash;
    bool private immutable _isEra;

    mapping(address token => LockedTicks) private _lockedTicks;
    /// @dev Of the pool's tokens, sold into foreign bids before the graduation.
    mapping(address token => uint256) private _leveled;
    /// @dev The token whose pool we are about to level.
    address private transient _leveling;

    constructor(ExchangeV3 memory exchange) {
        if (exchange.factory != address(0)) _requireCode(exchange.factory);
        (poolFactory, _poolDeployer) = (exchange.factory, exchange.deployer);
        (_poolCodeHash, _isEra) = (exchange.poolCodeHash, exchange.isEra);
    }

    // ---------------------------------------------------------------- views

    /// @inheritdoc ILaunchpadV3
    function poolOf(address token) public view returns (address) {
        return PoolV3.addressOf(ExchangeV3(poolFactory, _poolDeployer, _poolCodeHash, _isEra), usd, token);
    }

    /// @inheritdoc ILaunchpadV3
    function poolIsOpen(address token) external view returns (bool) {
        Launch storage launch = _launches[token];
        return launch.reserves.graduated() || launch.facts.creator == address(0) || _leveling == token;
    }

    /// @inheritdoc ILaunchpadV3
    function lockedTicks(address token) external view returns (int24, int24, int24, int24) {
        LockedTicks memory at = _lockedTicks[token];
        return (at.fullLower, at.fullUpper, at.floorLower, at.floorUpper);
    }

    // ---------------------------------------------------------------- the venue

    function _requireVenue() internal view override {
        if (poolFactory == address(0)) revert NoVenue();
    }

    function _open(Seed memory seed) internal override returns (bytes32 poolId, Graduation memory result) {
        IPoolV3 pool = _poolFor(seed.token);
        result = OpeningV3.open(pool, usd, seed, _leveled[seed.token]);
        _lockedTicks[seed.token] = LockedTicks(
            result.fullRange.tickLower, result.fullRange.tickUpper, result.floor.tickLower, result.floor.tickUpper
        );
        return (bytes32(uint256(uint160(address(pool)))), result);
    }

    function _swap(Swap memory swap, Market memory market)
        internal
        override
        returns (uint256 amountIn, uint256 amountOut)
    {
        IPoolV3 pool = IPoolV3(poolOf(swap.token));
        address to = swap.isBuy ? swap.recipient : address(this);
        bool zeroForOne = swap.isBuy == (usd < swap.token);
        (amountIn, amountOut) =
            PoolV3.swap(pool, to, zeroForOne, swap.amountSpecified, abi.encode(swap.token, swap.payer));
        _requireFilled(swap.amountSpecified, amountIn, amountOut);
        (uint160 sqrtPriceX96, int24 tick) = pool.slot0();
        (market.venue, market.stateA, market.stateB) = (TradeVenue.Pool, sqrtPriceX96, tick);
    }

    function _aroundBps() internal pure override returns (uint256) {
        return 0;
    }

    // ---------------------------------------------------------------- fees

    /// @dev On the pool the builder's is the only fee around a swap. Rewards come out of what the treasury has of this token: the
    /// referral's first, then the referrer's, then the trader's own.
    function _bookFees(
        address token,
        Launch storage launch,
        Reserves reserves,
        Terms memory terms,
        Curve.Fill memory fill
    ) internal override returns (Reserves) {
        if (!reserves.graduated()) return _withTreasuryUsd(token, reserves, _payFees(launch, terms, fill));
        mapping(address account => uint256) storage credits = _creditsIn(usd);
        uint256 ofBuilder = fill.grossUsd * terms.builderBps / Fees.BPS;
        credits[terms.builder] += ofBuilder;

        uint256 share = reserves.treasuryShare();
        Rewards memory paid;
        if (terms.referral != address(0)) {
            (paid.referral, share) = _reward(credits, terms.referral, fill.grossUsd, Fees.REFERRAL_BPS, share);
        }
        if (terms.referrer != address(0)) {
            (paid.referrer, share) = _reward(credits, terms.referrer, fill.grossUsd, Fees.REFERRER_BPS, share);
            (paid.cashback, share) = _reward(credits, msg.sender, fill.grossUsd, Fees.CASHBACK_BPS, share);
        }
        if (paid.referral + paid.referrer + paid.cashback != 0) {
            emit PoolRewards(token, msg.sender, paid.referral, paid.referrer, paid.cashback);
        }
        // What rounding up the builder's fee left over.
        return _withTreasuryUsd(token, reserves.withTreasuryShare(share), _feesOf(fill) - ofBuilder);
    }

    struct Rewards {
        uint256 referral;
        uint256 referrer;
        uint256 cashback;
    }

    function _reward(
        mapping(address account => uint256) storage credits,
        address account,
        uint256 grossUsd,
        uint256 bps,
        uint256 share
    ) private returns (uint256 paid, uint256 left) {
        paid = grossUsd * bps / Fees.BPS;
        if (paid > share) paid = share;
        credits[account] += paid;
        return (paid, share - paid);
    }

    /// @inheritdoc ILaunchpadV3
    function collectPoolFees(address token) external nonReentrant returns (uint256 usdEarned, uint256 tokensEarned) {
        Launch storage launch = _launches[token];
        Reserves reserves = launch.reserves;
        if (!reserves.graduated()) revert UnknownToken(token);
        IPoolV3 pool = IPoolV3(poolOf(token));
        LockedTicks memory at = _lockedTicks[token];
        (usdEarned, tokensEarned) = _collect(pool, token, at.fullLower, at.fullUpper);
        (uint256 usdMore, uint256 tokensMore) = _collect(pool, token, at.floorLower, at.floorUpper);
        (usdEarned, tokensEarned) = (usdEarned + usdMore, tokensEarned + tokensMore);

        address creator = reserves.creator();
        _credit(usd, creator, usdEarned / 2);
        _credit(token, creator, tokensEarned / 2);
        _credit(token, treasury, tokensEarned - tokensEarned / 2);
        launch.reserves = _withTreasuryUsd(token, reserves, usdEarned - usdEarned / 2);
        emit PoolFeesCollected(token, usdEarned, tokensEarned);
    }

    function _collect(IPoolV3 pool, address token, int24 lower, int24 upper)
        private
        returns (uint256 usdEarned, uint256 tokensEarned)
    {
        if (PoolV3.liquidityOf(pool, address(this), lower, upper) == 0) return (0, 0);
        pool.burn(lower, upper, 0);
        (uint256 amount0, uint256 amount1) =
            pool.collect(address(this), lower, upper, type(uint128).max, type(uint128).max);
        return usd < token ? (amount0, amount1) : (amount1, amount0);
    }

    // ---------------------------------------------------------------- a pool that somebody prepared

    /// @inheritdoc ILaunchpadV3
    function levelPool(address token, uint160 limitX96) external nonReentrant {
        Launch storage launch = _launches[token];
        Seed memory seed = _requireReady(launch, token);
        uint256 sold = _leveled[token];
        IPoolV3 pool = _poolFor(token);
        _leveling = token;
        (uint256 soldNow, uint256 gained) = OpeningV3.level(pool, usd, seed, sold, limitX96);
        _leveling = address(0);
        if (soldNow == 0) return;
        _leveled[token] = sold + soldNow;
        launch.floorUsd += gained;
        emit PoolLeveled(token, soldNow, gained);
    }

    function _poolFor(address token) private returns (IPoolV3) {
        return OpeningV3.poolFor(IFactoryV3(poolFactory), usd, token, poolOf(token));
    }

    // ---------------------------------------------------------------- callbacks of a pool that we called

    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        _pay(amount0, amount1, data);
    }

    function pancakeV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external {
        _pay(amount0, amount1, data);
    }

    function uniswapV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
        _pay(int256(amount0), int256(amount1), data);
    }

    function pancakeV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
        _pay(int256(amount0), int256(amount1), data);
    }

    /// @dev A pool calls back only whoever called it, with the data that it was given: ours. `payer` is the caller of a
    /// trade, or this contract.
    function _pay(int256 amount0, int256 amount1, bytes calldata data) private {
        (address token, address payer) = abi.decode(data, (address, address));
        if (msg.sender != poolOf(token)) revert Unauthorized(msg.sender);
        (int256 ofUsd, int256 ofToken) = usd < token ? (amount0, amount1) : (amount1, amount0);
        if (ofUsd > 0) _payFrom(payer, usd, uint256(ofUsd));
        if (ofToken > 0) _payFrom(payer, token, uint256(ofToken));
    }

    function _payFrom(address payer, address currency, uint256 amount) private {
        if (payer == address(this)) currency.safeTransfer(msg.sender, amount);
        else if (currency == usd) currency.safeTransferFrom(payer, msg.sender, amount);
        else _pullTokens(currency, payer, msg.sender, amount);
    }
}
