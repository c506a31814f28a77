// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ILaunchpad} from "./interfaces/ILaunchpad.sol";
import {Fees} from "./libraries/Fees.sol";
import {PoolType, PoolTypes} from "./libraries/PoolTypes.sol";
import {Reserves, ReservesLibrary} from "./libraries/Reserves.sol";
import {Venue} from "./venues/Venue.sol";

/// @title Graduating: moves a completed curve into its pool.
abstract contract Graduating is Venue {
    /// @inheritdoc ILaunchpad
    uint256 public immutable graduationGas;

    constructor(uint256 graduationGas_) {
        graduationGas = graduationGas_;
    }

    /// @inheritdoc ILaunchpad
    function graduate(address token) external nonReentrant {
        Launch storage launch = _launches[token];
        Facts memory facts = launch.facts;
        _requireKnown(facts, token);
        Reserves reserves = launch.reserves;
        if (reserves.graduated()) revert AlreadyGraduated(token);
        (uint256 tokensLeft, uint256 raised) = reserves.curve();
        if (tokensLeft != 0) revert NotCompleted(token, tokensLeft);
        uint256 opensAt = facts.created + Fees.WINDOW_SECONDS;
        if (block.timestamp < opensAt) revert WindowOpen(opensAt, block.timestamp);

        Seed memory seed = _seed(token, facts.poolType, raised, launch.floorUsd);
        launch.reserves = ReservesLibrary.inPool(facts.creator, reserves.treasuryShare());
        launch.floorUsd = 0;
        _credit(usd, facts.creator, seed.poolType.creatorReward);

        (bytes32 poolId, Graduation memory result) = _open(seed);
        result.creatorReward = seed.poolType.creatorReward;
        _credit(usd, treasury, result.dustUsd);
        emit Graduated(token, poolId, result);
    }

    /// @param gas For the attempt; whatever it does, the caller goes on.
    function _tryToGraduate(address token, uint256 gas) internal returns (bool done) {
        try this.graduate{gas: gas}(token) {
            done = true;
        } catch {}
    }

    function _seed(address token, uint8 poolTypeId, uint256 raised, uint256 floorUsd)
        private
        view
        returns (Seed memory seed)
    {
        PoolType memory poolType = PoolTypes.get(poolTypeId, _oneUsd);
        seed.token = token;
        seed.poolType = poolType;
        seed.virtualTokens = poolType.virtualTokens - poolType.curveTokens;
        seed.virtualUsd = poolType.virtualUsd + raised;
        seed.usd = raised - poolType.creatorReward;
        seed.tokens = poolType.poolTokens;
        seed.floorUsd = floorUsd;
    }
}
