// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

/// @title ILayerZeroEndpoint: what the bridge uses of a chain's LayerZero v2 endpoint.
/// @dev Names, selectors and layouts are LayerZero's own (EndpointV2).
interface ILayerZeroEndpoint {
    struct MessagingParams {
        uint32 dstEid;
        bytes32 receiver;
        bytes message;
        bytes options;
        bool payInLzToken;
    }

    struct MessagingFee {
        uint256 nativeFee;
        uint256 lzTokenFee;
    }

    struct MessagingReceipt {
        bytes32 guid;
        uint64 nonce;
        MessagingFee fee;
    }

    /// @notice Where a message comes from; `nonce` counts the messages of one path.
    struct Origin {
        uint32 srcEid;
        bytes32 sender;
        uint64 nonce;
    }

    struct SetConfigParam {
        uint32 eid;
        uint32 configType;
        bytes config;
    }

    function eid() external view returns (uint32);

    function quote(MessagingParams calldata params, address sender) external view returns (MessagingFee memory);

    /// @notice Takes the fee from the value, and gives what is left of it to `refundTo`.
    function send(MessagingParams calldata params, address refundTo)
        external
        payable
        returns (MessagingReceipt memory);

    function setDelegate(address delegate) external;
    function setSendLibrary(address oapp, uint32 eid, address library_) external;
    function setReceiveLibrary(address oapp, uint32 eid, address library_, uint256 gracePeriod) external;
    function setConfig(address oapp, address library_, SetConfigParam[] calldata params) external;
}
