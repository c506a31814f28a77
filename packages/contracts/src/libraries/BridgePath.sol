// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {PoolTypes} from "./PoolTypes.sol";

/// @notice One token and one other chain, in one storage slot. Amounts are units of 10⁻⁶ token.
/// @param out On that chain, by the home's count; zero elsewhere.
/// @param sent What counts against the limit, as of `at`; likewise `received`.
struct BridgePath {
    uint64 out;
    uint64 sent;
    uint64 received;
    uint40 at;
}

using BridgePathLibrary for BridgePath global;

/// @title BridgePath: each direction takes a tenth of the supply an hour, and room comes back continuously.
library BridgePathLibrary {
    /// @notice Base units of a unit.
    uint256 internal constant UNIT = 1e12;
    uint64 internal constant LIMIT = uint64(PoolTypes.SUPPLY / 10 / UNIT);
    uint256 private constant WINDOW_SECONDS = 1 hours;

    /// @notice The path at this second.
    function current(BridgePath storage self) internal view returns (BridgePath memory path) {
        path = self;
        uint256 regained = uint256(LIMIT) * (block.timestamp - path.at) / WINDOW_SECONDS;
        path.sent = _less(path.sent, regained);
        path.received = _less(path.received, regained);
        path.at = uint40(block.timestamp);
    }

    function _less(uint64 level, uint256 regained) private pure returns (uint64) {
        // forge-lint: disable-next-line(unsafe-typecast)
        return regained >= level ? 0 : level - uint64(regained); // below level, so below 2^64
    }
}
