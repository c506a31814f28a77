// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

/// @title BridgeMessage: what a TokenBridge tells another. Bytes: kind (1), token (32), to (32), units (8), and for a
/// registration `abi.encode(creator, salt, name, symbol)`. It never says which chain is the token's home.
library BridgeMessage {
    uint8 private constant TRANSFER = 1;
    /// @dev May carry zero units: an announcement.
    uint8 private constant REGISTRATION = 2;

    uint256 private constant HEAD_BYTES = 73;

    function encodeTransfer(address token, bytes32 to, uint64 units) internal pure returns (bytes memory) {
        return abi.encodePacked(TRANSFER, _wordOf(token), to, units);
    }

    function encodeRegistration(
        address token,
        bytes32 to,
        uint64 units,
        address creator,
        bytes32 salt,
        string memory name,
        string memory symbol
    ) internal pure returns (bytes memory) {
        return abi.encodePacked(REGISTRATION, _wordOf(token), to, units, abi.encode(creator, salt, name, symbol));
    }

    function isRegistration(bytes calldata message) internal pure returns (bool) {
        return uint8(message[0]) == REGISTRATION;
    }

    function head(bytes calldata message) internal pure returns (address token, bytes32 to, uint64 units) {
        token = address(uint160(uint256(bytes32(message[1:33]))));
        to = bytes32(message[33:65]);
        units = uint64(bytes8(message[65:HEAD_BYTES]));
    }

    function registration(bytes calldata message)
        internal
        pure
        returns (address creator, bytes32 salt, string memory name, string memory symbol)
    {
        return abi.decode(message[HEAD_BYTES:], (address, bytes32, string, string));
    }

    function _wordOf(address account) private pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }
}
