// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {Launchpad} from "./Launchpad.sol";
import {ExchangeV3} from "./libraries/PoolV3.sol";
import {VenueV3} from "./venues/VenueV3.sol";

/// @title LaunchpadV3: the Launchpad of chains without Uniswap v4, on Uniswap v3 or PancakeSwap v3.
contract LaunchpadV3 is Launchpad, VenueV3 {
    constructor(Config memory config, ExchangeV3 memory exchange) Launchpad(config) VenueV3(exchange) {}
}
