// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {LibClone} from "solady/src/utils/LibClone.sol";
import {Books} from "./Books.sol";
import {Graduating} from "./Graduating.sol";
import {Settings} from "./Settings.sol";
import {Trading} from "./Trading.sol";
import {ILaunchpad} from "./interfaces/ILaunchpad.sol";
import {ITokenFactory} from "./interfaces/ITokenFactory.sol";
import {PoolType, PoolTypes} from "./libraries/PoolTypes.sol";
import {ReservesLibrary} from "./libraries/Reserves.sol";

/// @title Launchpad: creates tokens, trades them on a bonding curve, graduates them into a locked pool.
/// @dev Settings, Books, Graduating and Trading are its concerns, each in its file; a deployment adds the Venue.
/// What is assumed, by what breaks without it.
/// - Books: the dollar token moves exactly what it is told to, has no callbacks and no fee (the deploy script checks).
/// - Locked money: the venue does not change; where it fails, sells on the curve stay open.
/// The payer of every trade is the caller. No function moves a token's reserves but sell, fee and graduation, and none
/// takes liquidity out of a pool.
abstract contract Launchpad is Trading {
    /// @param testPoolType Whether pool type 9 may be created; off on mainnets.
    /// @param graduationGas Gas of the graduation that the last buy tries: from measurement, and 25 % or more on top.
    struct Config {
        address usd;
        address factory;
        address owner;
        address treasury;
        address voucherSigner;
        bool testPoolType;
        uint256 graduationGas;
    }

    uint256 private constant MOST_NAME_BYTES = 128;
    uint256 private constant MOST_SYMBOL_BYTES = 64;

    /// @inheritdoc ILaunchpad
    address public immutable factory;
    /// @inheritdoc ILaunchpad
    address public immutable tokenImplementation;
    /// @inheritdoc ILaunchpad
    bool public immutable testPoolType;

    /// @dev Comes after all that it trusts: code that is there at a CREATE3 address can not be replaced.
    constructor(Config memory config)
        Settings(config.owner, config.treasury, config.voucherSigner)
        Books(config.usd)
        Graduating(config.graduationGas)
    {
        _requireCode(config.factory);
        factory = config.factory;
        tokenImplementation = ITokenFactory(config.factory).implementation();
        _requireCode(tokenImplementation);
        testPoolType = config.testPoolType;
    }

    /// @inheritdoc ILaunchpad
    function create(TokenParams calldata params)
        external
        nonReentrant
        before(params.deadline)
        returns (address token)
    {
        _requireVenue();
        if (params.poolType == PoolTypes.TEST && !testPoolType) revert UnknownPoolType(params.poolType);
        PoolType memory poolType = PoolTypes.get(params.poolType, _oneUsd);
        _requireText(params.name, MOST_NAME_BYTES);
        _requireText(params.symbol, MOST_SYMBOL_BYTES);

        // Looked up first: a second CREATE2 at one address would burn all gas of the transaction.
        token = tokenAddress(msg.sender, params.salt);
        Launch storage launch = _launches[token];
        if (launch.facts.creator != address(0)) revert TokenExists(token);
        launch.reserves = ReservesLibrary.onCurve(poolType.curveTokens, 0, 0);
        launch.facts = Facts(msg.sender, uint40(block.timestamp), params.poolType);
        ITokenFactory(factory).create(
            block.chainid, msg.sender, params.salt, params.name, params.symbol, PoolTypes.SUPPLY
        );

        _emitCreated(token, poolType, params);
    }

    /// @inheritdoc ILaunchpad
    function tokenAddress(address creator, bytes32 salt) public view returns (address) {
        bytes32 cloneSalt = keccak256(abi.encode(block.chainid, creator, salt));
        return LibClone.predictDeterministicAddress(tokenImplementation, cloneSalt, factory);
    }

    /// @inheritdoc ILaunchpad
    function multicall(bytes[] calldata calls) external returns (bytes[] memory results) {
        results = new bytes[](calls.length);
        for (uint256 i; i < calls.length; i++) {
            (bool ok, bytes memory result) = address(this).delegatecall(calls[i]);
            if (!ok) {
                assembly ("memory-safe") {
                    revert(add(result, 0x20), mload(result))
                }
            }
            results[i] = result;
        }
    }

    /// @inheritdoc ILaunchpad
    function permitUsd(uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external nonReentrant {
        try IERC20Permit(usd).permit(msg.sender, address(this), value, deadline, v, r, s) {} catch {}
    }

    // ---------------------------------------------------------------- internals

    function _requireText(string calldata text, uint256 most) private pure {
        uint256 given = bytes(text).length;
        if (given == 0 || given > most) revert UnusableText(given, most);
    }

    function _emitCreated(address token, PoolType memory poolType, TokenParams calldata params) private {
        emit TokenCreated(
            token,
            msg.sender,
            params.poolType,
            poolType.virtualTokens,
            poolType.virtualUsd,
            params.salt,
            block.timestamp,
            params.name,
            params.symbol,
            params.uri
        );
    }
}
