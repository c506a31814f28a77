// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {Launchpad} from "./Launchpad.sol";
import {VenueV4} from "./venues/VenueV4.sol";

/// @title LaunchpadV4: the Launchpad of chains with Uniswap v4; its address carries the hook's permissions.
contract LaunchpadV4 is Launchpad, VenueV4 {
    constructor(Config memory config, address poolManager_) Launchpad(config) VenueV4(poolManager_) {}
}
