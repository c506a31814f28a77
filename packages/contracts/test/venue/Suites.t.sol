// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {VenueSuite} from "./Suite.sol";

contract UniswapV4Suite is VenueSuite {
    constructor() VenueSuite(VenueKind.UniswapV4, 6) {}
}

contract UniswapV3Suite is VenueSuite {
    constructor() VenueSuite(VenueKind.UniswapV3, 6) {}
}

contract PancakeV3Suite is VenueSuite {
    constructor() VenueSuite(VenueKind.PancakeV3, 18) {}
}
