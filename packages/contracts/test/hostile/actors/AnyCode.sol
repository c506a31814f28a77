// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

/// @notice What a thief would put at an address of ours: it makes any call in that address' name.
contract AnyCode {
    function act(address target, bytes calldata data) external returns (bool ok) {
        (ok,) = target.call(data);
    }
}
