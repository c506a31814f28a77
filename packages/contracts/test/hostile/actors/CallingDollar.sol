// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {TestUSD} from "../../../src/TestUSD.sol";

/// @notice A dollar that breaks the assumption "no callbacks": in every transfer it makes one call of the attacker's.
contract CallingDollar is TestUSD {
    address private target;
    bytes private data;

    uint256 public calls;
    /// @notice Of the calls above: those that did not revert.
    uint256 public successes;
    bytes4 public lastError;

    constructor() TestUSD("Calling Dollar", "CALL", 6) {}

    function arm(address target_, bytes calldata data_) external {
        (target, data) = (target_, data_);
        (calls, successes, lastError) = (0, 0, 0);
    }

    function _afterTokenTransfer(address, address, uint256) internal override {
        if (target == address(0)) return;
        calls++;
        (bool ok, bytes memory result) = target.call(data);
        if (ok) successes++;
        else lastError = bytes4(result);
    }
}
