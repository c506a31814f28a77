// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IUnlockCallback} from "v4-core/interfaces/callback/IUnlockCallback.sol";
import {IPoolManager} from "v4-core/interfaces/IPoolManager.sol";
import {PoolKey} from "v4-core/types/PoolKey.sol";
import {ILaunchpad} from "../../src/interfaces/ILaunchpad.sol";
import {PoolTypes} from "../../src/libraries/PoolTypes.sol";
import {OpeningV4} from "../../src/libraries/OpeningV4.sol";
import {PoolV4} from "../../src/libraries/PoolV4.sol";
import {Venue} from "../../src/venues/Venue.sol";
import {TestUSD} from "../../src/TestUSD.sol";

/// @title GraduationHarness: `OpeningV4.open` on the real PoolManager over many cases, for comparison with
/// protocol/src/maths/graduation.ts.
/// @dev Every case is undone by a revert that carries its result.
contract GraduationHarness is IUnlockCallback {
    /// @param oneUsd Base units of one dollar.
    /// @param raised USD in the completed curve.
    /// @param floorUsd USD that the opening window kept.
    struct Case {
        uint8 poolType;
        uint256 oneUsd;
        uint256 raised;
        uint256 floorUsd;
        bool usdIs0;
    }

    error Opened(ILaunchpad.Graduation graduation, uint256 liquidity);
    error Unsettled();

    IPoolManager public immutable manager;
    address private immutable _lower;
    address private immutable _higher;

    /// @param managerCode Creation code of the PoolManager without its constructor argument, the owner.
    constructor(bytes memory managerCode) {
        bytes memory code = abi.encodePacked(managerCode, abi.encode(address(this)));
        address created;
        assembly ("memory-safe") {
            created := create(0, add(code, 0x20), mload(code))
        }
        manager = IPoolManager(created);
        (address a, address b) = (_coin(), _coin());
        (_lower, _higher) = a < b ? (a, b) : (b, a);
    }

    function _coin() private returns (address) {
        TestUSD coin = new TestUSD("Coin", "COIN", 18);
        coin.mint(address(this), type(uint128).max);
        return address(coin);
    }

    function applyAll(Case[] calldata cases)
        external
        returns (ILaunchpad.Graduation[] memory graduations, uint256[] memory liquidities)
    {
        graduations = new ILaunchpad.Graduation[](cases.length);
        liquidities = new uint256[](cases.length);
        for (uint256 i; i < cases.length; i++) {
            try manager.unlock(abi.encode(cases[i])) {
                revert Unsettled();
            } catch (bytes memory reason) {
                require(bytes4(reason) == Opened.selector, "case could not be opened");
                assembly ("memory-safe") {
                    mstore(add(reason, 4), sub(mload(reason), 4))
                    reason := add(reason, 4)
                }
                (graduations[i], liquidities[i]) = abi.decode(reason, (ILaunchpad.Graduation, uint256));
            }
        }
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        Case memory c = abi.decode(data, (Case));
        (address usd, address token) = c.usdIs0 ? (_lower, _higher) : (_higher, _lower);
        Venue.Seed memory seed;
        seed.token = token;
        seed.poolType = PoolTypes.get(c.poolType, c.oneUsd);
        seed.virtualTokens = seed.poolType.virtualTokens - seed.poolType.curveTokens;
        seed.virtualUsd = seed.poolType.virtualUsd + c.raised;
        seed.usd = c.raised - seed.poolType.creatorReward;
        seed.tokens = seed.poolType.poolTokens;
        seed.floorUsd = c.floorUsd;
        PoolKey memory pool = PoolV4.key(usd, token, address(0));
        ILaunchpad.Graduation memory result = OpeningV4.open(manager, pool, seed);
        result.creatorReward = seed.poolType.creatorReward;
        revert Opened(result, PoolV4.read(manager, pool).liquidity);
    }
}
