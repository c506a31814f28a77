// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ILaunchpad} from "./interfaces/ILaunchpad.sol";
import {ReservesLibrary} from "./libraries/Reserves.sol";
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
        Seed memory seed = _requireReady(launch, token);
        address creator = launch.facts.creator;
        launch.reserves = ReservesLibrary.inPool(creator, launch.reserves.treasuryShare());
        launch.floorUsd = 0;
        _credit(usd, creator, seed.poolType.creatorReward);

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
}
