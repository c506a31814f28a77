// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {IPoolManager} from "v4-core/interfaces/IPoolManager.sol";
import {IUnlockCallback} from "v4-core/interfaces/callback/IUnlockCallback.sol";
import {Currency} from "v4-core/types/Currency.sol";
import {PoolId} from "v4-core/types/PoolId.sol";
import {PoolKey} from "v4-core/types/PoolKey.sol";
import {Slot0} from "v4-core/types/Slot0.sol";
import {Curve} from "../libraries/Curve.sol";
import {Fees} from "../libraries/Fees.sol";
import {OpeningV4} from "../libraries/OpeningV4.sol";
import {PoolV4} from "../libraries/PoolV4.sol";
import {Reserves} from "../libraries/Reserves.sol";
import {PoolHook} from "./PoolHook.sol";
import {Venue} from "./Venue.sol";

/// @title VenueV4: Uniswap v4. The Launchpad is its pools' hook, takes its fee around its own swaps, and the same fee of
/// everybody else's.
abstract contract VenueV4 is PoolHook, IUnlockCallback {
    using SafeTransferLib for address;

    /// @notice What the PoolManager is unlocked for: the first word of the data, before the action's own.
    enum Action {
        Swap,
        Open
    }

    constructor(address poolManager_) PoolHook(poolManager_) {}

    // ---------------------------------------------------------------- the venue

    function _requireVenue() internal view override {
        if (poolManager == address(0)) revert NoVenue();
    }

    function _open(Seed memory seed) internal override returns (bytes32 poolId, Graduation memory result) {
        bytes memory answer = IPoolManager(poolManager).unlock(abi.encode(Action.Open, seed));
        return (PoolId.unwrap(PoolV4.key(usd, seed.token, address(this)).toId()), abi.decode(answer, (Graduation)));
    }

    function _swap(Swap memory swap, Market memory market)
        internal
        override
        returns (uint256 amountIn, uint256 amountOut)
    {
        bytes memory answer = IPoolManager(poolManager).unlock(abi.encode(Action.Swap, swap));
        Slot0 slot0;
        (amountIn, amountOut, slot0) = abi.decode(answer, (uint256, uint256, Slot0));
        _tell(market, TradeVenue.Pool, slot0);
    }

    function _aroundBps() internal pure override returns (uint256) {
        return Fees.NORMAL_BPS;
    }

    function _bookFees(
        address token,
        Launch storage launch,
        Reserves reserves,
        Terms memory terms,
        Curve.Fill memory fill
    ) internal override returns (Reserves) {
        return _withTreasuryUsd(token, reserves, _payFees(launch, terms, fill));
    }

    // ---------------------------------------------------------------- in the PoolManager's lock

    /// @notice The PoolManager's call back into `graduate` or a pool trade; it calls only the contract that unlocked it.
    function unlockCallback(bytes calldata data) external onlyPoolManager returns (bytes memory) {
        Action action = abi.decode(data[:32], (Action));
        if (action == Action.Swap) return _swapUnlocked(abi.decode(data[32:], (Swap)));

        Seed memory seed = abi.decode(data[32:], (Seed));
        return abi.encode(OpeningV4.open(IPoolManager(msg.sender), PoolV4.key(usd, seed.token, address(this)), seed));
    }

    /// @dev `swap.payer` is the caller of the trade: `_swap` passed it on, and nobody else can unlock for us.
    function _swapUnlocked(Swap memory swap) private returns (bytes memory) {
        IPoolManager manager = IPoolManager(poolManager);
        PoolKey memory pool = PoolV4.key(usd, swap.token, address(this));
        bool zeroForOne = swap.isBuy == (usd < swap.token);
        (uint256 amountIn, uint256 amountOut) = PoolV4.swap(manager, pool, zeroForOne, swap.amountSpecified);
        _requireFilled(swap.amountSpecified, amountIn, amountOut);

        manager.sync(Currency.wrap(swap.isBuy ? usd : swap.token));
        if (swap.isBuy) usd.safeTransferFrom(swap.payer, address(manager), amountIn);
        else _pullTokens(swap.token, swap.payer, address(manager), amountIn);
        manager.settle();

        if (swap.isBuy) manager.take(Currency.wrap(swap.token), swap.recipient, amountOut);
        else manager.take(Currency.wrap(usd), address(this), amountOut);
        return abi.encode(amountIn, amountOut, PoolV4.slot0Of(manager, pool));
    }

    // ---------------------------------------------------------------- swaps by others

    function _recordForeignSwap(address sender, ForeignSwap memory swap, uint256 grossUsd) internal override {
        Launch storage launch = _launches[swap.token];
        Reserves reserves = launch.reserves;
        if (!reserves.graduated()) revert UnknownToken(swap.token);
        Terms memory terms;
        terms.creator = reserves.creator();
        terms.feeBps = Fees.NORMAL_BPS;
        Curve.Fill memory fill =
            Curve.Fill(grossUsd, Fees.netOfGrossDown(grossUsd, Fees.NORMAL_BPS), swap.swappedTokens);
        Market memory market;
        _tell(market, TradeVenue.Foreign, PoolV4.slot0Of(IPoolManager(poolManager), PoolV4.key(usd, swap.token, address(this))));
        launch.reserves = _bookFees(swap.token, launch, reserves, terms, fill);
        TradeRecord memory record = _recordOf(swap.isBuy, terms, fill, market);
        record.recipient = sender;
        _emitTrade(swap.token, tx.origin, record);
    }

    /// @dev Only the Launchpad adds liquidity: with what graduation locked, the tick says how much is in range.
    function _tell(Market memory market, TradeVenue venue, Slot0 slot0) private pure {
        (market.venue, market.stateA, market.stateB) = (venue, slot0.sqrtPriceX96(), slot0.tick());
    }
}
