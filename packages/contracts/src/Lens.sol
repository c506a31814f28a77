// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {ILaunchpad} from "./interfaces/ILaunchpad.sol";
import {ILens} from "./interfaces/ILens.sol";

interface IArbSys {
    function arbBlockNumber() external view returns (uint256);
}

/// @title Lens: reads of many things in one call. Holds nothing and changes nothing. A deployment adds its venue's pool.
abstract contract Lens is ILens {
    uint256 private constant ARBITRUM_ONE = 42_161;
    IArbSys private constant ARB_SYS = IArbSys(address(100));

    ILaunchpad public immutable launchpad;
    IERC20Metadata internal immutable _usd;
    uint256 internal immutable _oneUsd;

    constructor(address launchpad_) {
        launchpad = ILaunchpad(launchpad_);
        _usd = IERC20Metadata(launchpad.usd());
        _oneUsd = 10 ** _usd.decimals();
    }

    /// @inheritdoc ILens
    function quoteState(address token, address trader)
        external
        view
        returns (uint256 blockNumber, uint256 timestamp, TokenView memory tokenView, TraderView memory traderView)
    {
        (blockNumber, timestamp) = (_blockNumber(), block.timestamp);
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
        blockNumber = _blockNumber();
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
        blockNumber = _blockNumber();
        amounts = new uint256[](accounts.length * currencies.length);
        for (uint256 i; i < amounts.length; i++) {
            amounts[i] = launchpad.creditOf(currencies[i % currencies.length], accounts[i / currencies.length]);
        }
    }

    function _view(address token) private view returns (TokenView memory result) {
        result.token = token;
        result.state = launchpad.stateOf(token);
        if (result.state.graduated) _addPool(result);
    }

    /// @notice Adds what a graduated token has: price, liquidity, fee and locked ranges of its pool.
    function _addPool(TokenView memory result) internal view virtual;

    /// @dev Arbitrum's own: `block.number` is about the parent chain's there.
    function _blockNumber() private view returns (uint256) {
        return block.chainid == ARBITRUM_ONE ? ARB_SYS.arbBlockNumber() : block.number;
    }
}
