// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ILayerZeroEndpoint} from "../interfaces/ILayerZeroEndpoint.sol";
import {ITokenBridge} from "../interfaces/ITokenBridge.sol";

/// @title LayerZeroRoute: pins every setting of a path, so that LayerZero's defaults decide nothing.
/// @dev Source of the layouts: LayerZero's UlnBase, SendLibBase and ExecutorOptions.
library LayerZeroRoute {
    struct UlnConfig {
        uint64 confirmations;
        uint8 requiredDVNCount;
        uint8 optionalDVNCount;
        uint8 optionalDVNThreshold;
        address[] requiredDVNs;
        address[] optionalDVNs;
    }

    struct ExecutorConfig {
        uint32 maxMessageSize;
        address executor;
    }

    uint32 private constant EXECUTOR_CONFIG = 1;
    uint32 private constant ULN_CONFIG = 2;
    /// @dev Says "none"; zero would say "the default".
    uint8 private constant NONE = type(uint8).max;
    uint32 private constant MAX_MESSAGE_BYTES = 10_000;

    /// @dev For the bridge to call, whose settings they are.
    function pin(ILayerZeroEndpoint endpoint, ITokenBridge.RouteConfig memory route) internal {
        endpoint.setSendLibrary(address(this), route.eid, route.sendLibrary);
        endpoint.setReceiveLibrary(address(this), route.eid, route.receiveLibrary, 0);

        ILayerZeroEndpoint.SetConfigParam[] memory params = new ILayerZeroEndpoint.SetConfigParam[](1);
        params[0].eid = route.eid;
        (params[0].configType, params[0].config) = (ULN_CONFIG, _uln(route.receiveConfirmations, route.dvns));
        endpoint.setConfig(address(this), route.receiveLibrary, params);

        params[0].config = _uln(route.sendConfirmations, route.dvns);
        endpoint.setConfig(address(this), route.sendLibrary, params);
        (params[0].configType, params[0].config) =
            (EXECUTOR_CONFIG, abi.encode(ExecutorConfig(MAX_MESSAGE_BYTES, route.executor)));
        endpoint.setConfig(address(this), route.sendLibrary, params);
    }

    /// @notice Whether a setting is zero, which LayerZero reads as its default.
    function hasDefault(ITokenBridge.RouteConfig memory route) internal pure returns (bool) {
        return route.sendConfirmations == 0 || route.receiveConfirmations == 0 || route.dvns.length == 0
            || route.executor == address(0) || route.sendLibrary == address(0) || route.receiveLibrary == address(0);
    }

    /// @notice Options of type 3 with one for the executor: deliver with this much gas.
    function deliverWith(uint128 gasLimit) internal pure returns (bytes memory) {
        (uint16 optionsType, uint8 executorWorker, uint16 optionBytes, uint8 lzReceiveOption) = (3, 1, 17, 1);
        return abi.encodePacked(optionsType, executorWorker, optionBytes, lzReceiveOption, gasLimit);
    }

    function _uln(uint64 confirmations, address[] memory dvns) private pure returns (bytes memory) {
        return abi.encode(UlnConfig(confirmations, uint8(dvns.length), NONE, 0, dvns, new address[](0)));
    }
}
