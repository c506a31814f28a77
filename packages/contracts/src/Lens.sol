// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IPoolManager} from "v4-core/interfaces/IPoolManager.sol";
import {PoolKey} from "v4-core/types/PoolKey.sol";
import {ILaunchpad} from "./interfaces/ILaunchpad.sol";
import {ILens} from "./interfaces/ILens.sol";
import {PoolTypes} from "./libraries/PoolTypes.sol";
import {PoolVenue} from "./libraries/PoolVenue.sol";

/// @title Lens: reads of many things in one call. Holds nothing and changes nothing.
contract Lens is ILens {
    ILaunchpad public immutable launchpad;
    IERC20Metadata private immutable _usd;
    IPoolManager private immutable _poolManager;
    address private immutable _poolHook;
    uint256 private immutable _oneUsd;

    constructor(address launchpad_) {
        launchpad = ILaunchpad(launchpad_);
        _usd = IERC20Metadata(launchpad.usd());
        _poolManager = IPoolManager(launchpad.poolManager());
        _poolHook = launchpad.poolHook();
        _oneUsd = 10 ** _usd.decimals();
    }

    /// @inheritdoc ILens
    function quoteState(address token, address trader)
        external
        view
        returns (uint256 blockNumber, uint256 timestamp, TokenView memory tokenView, TraderView memory traderView)
    {
        (blockNumber, timestamp) = (block.number, block.timestamp);
        tokenView = _view(token);
        traderView.referrer = launchpad.referrerOf(trader);
        traderView.usdBalance = _usd.balanceOf(trader);
        traderView.usdAllowance = _usd.allowance(trader, address(launchpad));
        if (tokenView.state.creator != address(0)) {
            traderView.tokenBalance = IERC20Metadata(token).balanceOf(trader);
        }
    }

    /// @inheritdoc ILens
    function tokens(address[] calldata list) external view returns (uint256 blockNumber, TokenView[] memory views) {
        blockNumber = block.number;
        views = new TokenView[](list.length);
        for (uint256 i; i < list.length; i++) {
            views[i] = _view(list[i]);
        }
    }

    /// @inheritdoc ILens
    function credits(address[] calldata accounts, address[] calldata currencies)
        external
        view
        returns (uint256 blockNumber, uint256[] memory amounts)
    {
        blockNumber = block.number;
        amounts = new uint256[](accounts.length * currencies.length);
        for (uint256 i; i < amounts.length; i++) {
            amounts[i] = launchpad.creditOf(currencies[i % currencies.length], accounts[i / currencies.length]);
        }
    }

    function _view(address token) private view returns (TokenView memory result) {
        result.token = token;
        result.state = launchpad.stateOf(token);
        if (!result.state.graduated) return result;

        PoolKey memory pool = PoolVenue.key(address(_usd), token, _poolHook);
        PoolVenue.State memory state = PoolVenue.read(_poolManager, pool);
        (result.sqrtPriceX96, result.tick) = (state.sqrtPriceX96, state.tick);
        (result.liquidity, result.protocolFee) = (state.liquidity, state.protocolFee);
        result.fullRange = _range(pool, PoolVenue.MIN_TICK, PoolVenue.MAX_TICK);
        (int24 lower, int24 upper) =
            PoolVenue.floorTicks(PoolTypes.get(result.state.poolType, _oneUsd), address(_usd) < token);
        result.floor = _range(pool, lower, upper);
    }

    function _range(PoolKey memory pool, int24 lower, int24 upper)
        private
        view
        returns (ILaunchpad.LockedRange memory)
    {
        uint128 liquidity = PoolVenue.liquidityOf(_poolManager, pool, address(launchpad), lower, upper);
        return ILaunchpad.LockedRange(lower, upper, liquidity);
    }
}
