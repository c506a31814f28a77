// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {EfficientHashLib} from "solady/src/utils/EfficientHashLib.sol";
import {LibClone} from "solady/src/utils/LibClone.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";
import {ILaunchToken} from "./interfaces/ILaunchToken.sol";
import {ILayerZeroEndpoint} from "./interfaces/ILayerZeroEndpoint.sol";
import {ITokenBridge} from "./interfaces/ITokenBridge.sol";
import {ITokenFactory} from "./interfaces/ITokenFactory.sol";
import {BridgeMessage} from "./libraries/BridgeMessage.sol";
import {BridgePath, BridgePathLibrary} from "./libraries/BridgePath.sol";
import {LayerZeroRoute} from "./libraries/LayerZeroRoute.sol";

/// @title TokenBridge: one on each chain, at one address, which is also its only peer.
/// @dev What is assumed, by what breaks without it.
/// - Supply over all chains: every required verifier of a path is deceived only together with all others. If they are, that
///   path takes at most what is out on it, a tenth of the supply an hour; all else stands.
/// - Supply elsewhere equals the home's count: sources are final after the confirmations that the verifiers wait.
contract TokenBridge is ITokenBridge {
    using BridgeMessage for bytes;

    struct Config {
        address endpoint;
        address factory;
        address owner;
        address guardian;
    }

    uint256 private constant UNIT = BridgePathLibrary.UNIT;
    uint64 private constant LIMIT = BridgePathLibrary.LIMIT;

    /// @inheritdoc ITokenBridge
    ILayerZeroEndpoint public immutable endpoint;
    /// @inheritdoc ITokenBridge
    address public immutable factory;
    /// @dev Of every clone of the implementation. One that the factory did not make has no supply and never gets any.
    bytes32 private immutable _tokenCodeHash;

    /// @inheritdoc ITokenBridge
    address public owner;
    /// @inheritdoc ITokenBridge
    address public pendingOwner;
    /// @inheritdoc ITokenBridge
    address public guardian;
    /// @inheritdoc ITokenBridge
    mapping(uint256 chainId => uint32) public eidOf;
    /// @inheritdoc ITokenBridge
    mapping(address token => uint32 eid) public homeOf;

    mapping(uint32 eid => Route) private _routes;
    mapping(address token => mapping(uint32 eid => BridgePath)) private _paths;

    /// @dev Comes after the factory and the implementation: their code at their addresses can not be replaced.
    constructor(Config memory config, RouteConfig[] memory routes) {
        if (config.owner == address(0) || config.guardian == address(0)) revert ZeroAddress();
        endpoint = ILayerZeroEndpoint(config.endpoint);
        factory = config.factory;
        _tokenCodeHash = _codeHashOf(ITokenFactory(config.factory).implementation());
        for (uint256 i; i < routes.length; i++) {
            _openRoute(routes[i]);
        }
        _set("guardian", guardian = config.guardian);
        _own(config.owner);
    }

    modifier onlyOwner() {
        if (msg.sender != owner) revert Unauthorized(msg.sender);
        _;
    }

    // ---------------------------------------------------------------- sending

    /// @inheritdoc ITokenBridge
    function quote(Transfer calldata transfer) external view returns (uint256 nativeFee) {
        _requireToken(transfer.token);
        return _feeOf(transfer.dstEid, _messageOf(transfer, _unitsOf(transfer.amount)), transfer.register);
    }

    /// @inheritdoc ITokenBridge
    function send(Transfer calldata transfer, address refundTo) external payable returns (bytes32 guid) {
        if (refundTo == address(0)) revert ZeroAddress();
        _requireToken(transfer.token);
        _requireRecipient(transfer.to);
        uint64 units = _unitsOf(transfer.amount);
        if (units == 0) revert AmountTooSmall(transfer.amount);
        uint32 home = homeOf[transfer.token];
        if (home != 0 && home != transfer.dstEid) revert ThroughHome(home);
        if (transfer.register) _requireOwn(transfer.token, transfer.creator, transfer.salt);

        _countOut(transfer.token, transfer.dstEid, units, home == 0);
        ILaunchToken(transfer.token).crosschainBurn(msg.sender, uint256(units) * UNIT);
        ILayerZeroEndpoint.MessagingReceipt memory receipt =
            _send(transfer.dstEid, _messageOf(transfer, units), transfer.register, msg.value, refundTo);
        _emitSent(transfer, units, receipt);
        return receipt.guid;
    }

    /// @inheritdoc ITokenBridge
    function quoteAnnounce(string calldata name, string calldata symbol, uint32[] calldata dstEids)
        external
        view
        returns (uint256[] memory nativeFees)
    {
        // A fee depends on how long the message is, and on nothing that it says.
        bytes memory message = BridgeMessage.encodeRegistration(address(0), 0, 0, address(0), 0, name, symbol);
        nativeFees = new uint256[](dstEids.length);
        for (uint256 i; i < dstEids.length; i++) {
            nativeFees[i] = _feeOf(dstEids[i], message, true);
        }
    }

    /// @inheritdoc ITokenBridge
    function announce(address token, address creator, bytes32 salt, uint32[] calldata dstEids) external payable {
        _requireToken(token);
        _requireOwn(token, creator, salt);
        bytes memory message = _registrationOf(token, 0, 0, creator, salt);
        uint256 left = msg.value;
        for (uint256 i; i < dstEids.length; i++) {
            uint256 fee = _feeOf(dstEids[i], message, true);
            if (fee > left) revert FeeTooLow(fee, left);
            left -= fee;
            ILayerZeroEndpoint.MessagingReceipt memory receipt = _send(dstEids[i], message, true, fee, msg.sender);
            emit Announced(token, dstEids[i], receipt.guid, receipt.nonce, fee);
        }
        if (left != 0) SafeTransferLib.safeTransferETH(msg.sender, left);
    }

    // ---------------------------------------------------------------- receiving

    /// @inheritdoc ITokenBridge
    function allowInitializePath(ILayerZeroEndpoint.Origin calldata origin) external view returns (bool) {
        return _routes[origin.srcEid].open && origin.sender == _peer();
    }

    /// @inheritdoc ITokenBridge
    function nextNonce(uint32, bytes32) external pure returns (uint64) {
        return 0;
    }

    /// @inheritdoc ITokenBridge
    function lzReceive(
        ILayerZeroEndpoint.Origin calldata origin,
        bytes32 guid,
        bytes calldata message,
        address,
        bytes calldata
    ) external {
        if (msg.sender != address(endpoint) || origin.sender != _peer()) revert Unauthorized(msg.sender);
        _requireRoute(origin.srcEid);
        (address token, bytes32 to, uint64 units) = message.head();
        if (message.isRegistration() && token.code.length == 0) _register(token, origin.srcEid, message);
        if (units != 0) _credit(origin, guid, token, to, units);
    }

    /// @dev The home is the chain that the message came from: no path can register another chain's tokens.
    function _register(address token, uint32 srcEid, bytes calldata message) private {
        (address creator, bytes32 salt, string memory name, string memory symbol) = message.registration();
        uint256 homeChainId = _routes[srcEid].chainId;
        _requireDerived(token, homeChainId, creator, salt);
        homeOf[token] = srcEid;
        ITokenFactory(factory).create(homeChainId, creator, salt, name, symbol, 0);
        emit TokenRegistered(token, srcEid, homeChainId, creator, salt, name, symbol);
    }

    function _credit(
        ILayerZeroEndpoint.Origin calldata origin,
        bytes32 guid,
        address token,
        bytes32 to,
        uint64 units
    ) private {
        _requireToken(token);
        _requireRecipient(to);
        uint32 home = homeOf[token];
        if (home != 0 && home != origin.srcEid) revert ThroughHome(home);
        _countIn(token, origin.srcEid, units, home == 0);
        address receiver = address(uint160(uint256(to)));
        uint256 amount = uint256(units) * UNIT;
        ILaunchToken(token).crosschainMint(receiver, amount);
        emit TokenReceived(token, receiver, origin.srcEid, amount, guid, origin.nonce);
    }

    // ---------------------------------------------------------------- guardian and owner

    /// @inheritdoc ITokenBridge
    function pause(uint32 eid) external {
        if (msg.sender != guardian && msg.sender != owner) revert Unauthorized(msg.sender);
        _setPaused(eid, true);
    }

    /// @inheritdoc ITokenBridge
    function unpause(uint32 eid) external onlyOwner {
        _setPaused(eid, false);
    }

    /// @inheritdoc ITokenBridge
    function openRoute(RouteConfig calldata config) external onlyOwner {
        _openRoute(config);
    }

    /// @inheritdoc ITokenBridge
    function setGas(uint32 eid, uint32 transferGas, uint32 registrationGas) external onlyOwner {
        Route storage route = _openRouteOf(eid);
        _setGas(route, transferGas, registrationGas);
        emit RouteChanged(eid, route);
    }

    /// @inheritdoc ITokenBridge
    function setGuardian(address newGuardian) external onlyOwner {
        if (newGuardian == address(0)) revert ZeroAddress();
        _set("guardian", guardian = newGuardian);
    }

    /// @inheritdoc ITokenBridge
    function transferOwnership(address newOwner) external onlyOwner {
        _set("pendingOwner", pendingOwner = newOwner);
    }

    /// @inheritdoc ITokenBridge
    function acceptOwnership() external {
        if (msg.sender != pendingOwner) revert Unauthorized(msg.sender);
        _set("pendingOwner", pendingOwner = address(0));
        _own(msg.sender);
    }

    // ---------------------------------------------------------------- views

    /// @inheritdoc ITokenBridge
    function routeOf(uint32 eid) external view returns (Route memory) {
        return _routes[eid];
    }

    /// @inheritdoc ITokenBridge
    function pathOf(address token, uint32 eid)
        external
        view
        returns (uint256 out, uint256 sendable, uint256 receivable)
    {
        BridgePath memory path = _paths[token][eid].current();
        return (path.out * UNIT, (LIMIT - path.sent) * UNIT, (LIMIT - path.received) * UNIT);
    }

    // ---------------------------------------------------------------- counts

    function _countOut(address token, uint32 eid, uint64 units, bool isHome) private {
        BridgePath memory path = _paths[token][eid].current();
        _requireRoom(units, LIMIT - path.sent);
        path.sent += units;
        if (isHome) path.out += units;
        _paths[token][eid] = path;
    }

    function _countIn(address token, uint32 eid, uint64 units, bool isHome) private {
        BridgePath memory path = _paths[token][eid].current();
        _requireRoom(units, LIMIT - path.received);
        path.received += units;
        if (isHome) {
            if (units > path.out) revert MoreThanOut(units * UNIT, path.out * UNIT);
            path.out -= units;
        }
        _paths[token][eid] = path;
    }

    function _requireRoom(uint64 units, uint64 left) private pure {
        if (units > left) revert LimitReached(units * UNIT, left * UNIT);
    }

    /// @dev More than 64 bits of units is more than any limit.
    function _unitsOf(uint256 amount) private pure returns (uint64) {
        uint256 units = amount / UNIT;
        if (units > LIMIT) revert LimitReached(amount, LIMIT * UNIT);
        // forge-lint: disable-next-line(unsafe-typecast)
        return uint64(units);
    }

    // ---------------------------------------------------------------- messages

    function _messageOf(Transfer calldata transfer, uint64 units) private view returns (bytes memory) {
        if (!transfer.register) return BridgeMessage.encodeTransfer(transfer.token, transfer.to, units);
        return _registrationOf(transfer.token, transfer.to, units, transfer.creator, transfer.salt);
    }

    function _registrationOf(address token, bytes32 to, uint64 units, address creator, bytes32 salt)
        private
        view
        returns (bytes memory)
    {
        IERC20Metadata text = IERC20Metadata(token);
        return BridgeMessage.encodeRegistration(token, to, units, creator, salt, text.name(), text.symbol());
    }

    function _paramsOf(uint32 dstEid, bytes memory message, bool register)
        private
        view
        returns (ILayerZeroEndpoint.MessagingParams memory)
    {
        Route memory route = _requireRoute(dstEid);
        bytes memory options = LayerZeroRoute.deliverWith(register ? route.registrationGas : route.transferGas);
        return ILayerZeroEndpoint.MessagingParams(dstEid, _peer(), message, options, false);
    }

    function _feeOf(uint32 dstEid, bytes memory message, bool register) private view returns (uint256) {
        return endpoint.quote(_paramsOf(dstEid, message, register), address(this)).nativeFee;
    }

    function _send(uint32 dstEid, bytes memory message, bool register, uint256 value, address refundTo)
        private
        returns (ILayerZeroEndpoint.MessagingReceipt memory)
    {
        return endpoint.send{value: value}(_paramsOf(dstEid, message, register), refundTo);
    }

    function _emitSent(Transfer calldata transfer, uint64 units, ILayerZeroEndpoint.MessagingReceipt memory receipt)
        private
    {
        emit TokenSent(
            transfer.token,
            msg.sender,
            transfer.dstEid,
            transfer.to,
            units * UNIT,
            receipt.guid,
            receipt.nonce,
            receipt.fee.nativeFee,
            transfer.register
        );
    }

    // ---------------------------------------------------------------- requirements

    function _requireToken(address token) private view {
        if (token.codehash != _tokenCodeHash) revert UnknownToken(token);
    }

    /// @dev A token that this chain is home to.
    function _requireOwn(address token, address creator, bytes32 salt) private view {
        uint32 home = homeOf[token];
        if (home != 0) revert ThroughHome(home);
        _requireDerived(token, block.chainid, creator, salt);
    }

    function _requireDerived(address token, uint256 homeChainId, address creator, bytes32 salt) private view {
        address derived = ITokenFactory(factory).tokenAddress(homeChainId, creator, salt);
        if (derived != token) revert WrongToken(token, derived);
    }

    function _requireRecipient(bytes32 to) private pure {
        if (to == 0 || uint256(to) >> 160 != 0) revert UnusableRecipient(to);
    }

    function _requireRoute(uint32 eid) private view returns (Route memory route) {
        route = _openRouteOf(eid);
        if (route.paused) revert RoutePaused(eid);
    }

    function _openRouteOf(uint32 eid) private view returns (Route storage route) {
        route = _routes[eid];
        if (!route.open) revert NoRoute(eid);
    }

    // ---------------------------------------------------------------- settings

    function _peer() private view returns (bytes32) {
        return bytes32(uint256(uint160(address(this))));
    }

    /// @dev A chain has one route, never its own: who comes in as that chain registers its tokens.
    function _openRoute(RouteConfig memory config) private {
        Route storage route = _routes[config.eid];
        bool unusable = route.open || config.eid == 0 || config.eid == endpoint.eid() || config.chainId == 0
            || config.chainId == block.chainid || eidOf[config.chainId] != 0 || LayerZeroRoute.hasDefault(config);
        if (unusable) revert UnusableRoute(config.eid);
        eidOf[config.chainId] = config.eid;
        (route.chainId, route.open) = (config.chainId, true);
        _setGas(route, config.transferGas, config.registrationGas);
        LayerZeroRoute.pin(endpoint, config);
        emit RouteChanged(config.eid, route);
    }

    function _setGas(Route storage route, uint32 transferGas, uint32 registrationGas) private {
        (route.transferGas, route.registrationGas) = (transferGas, registrationGas);
    }

    function _setPaused(uint32 eid, bool paused) private {
        Route storage route = _openRouteOf(eid);
        route.paused = paused;
        emit RouteChanged(eid, route);
    }

    /// @dev Of a clone: what is left of its creation code without the 9 bytes that return it.
    function _codeHashOf(address implementation) private pure returns (bytes32) {
        bytes memory creationCode = LibClone.initCode(implementation);
        return EfficientHashLib.hash(creationCode, 9);
    }

    function _own(address newOwner) private {
        _set("owner", owner = newOwner);
        endpoint.setDelegate(newOwner);
    }

    function _set(bytes32 setting, address value) private {
        emit SettingChanged(setting, value);
    }
}
