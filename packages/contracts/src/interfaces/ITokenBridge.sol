// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {ILayerZeroEndpoint} from "./ILayerZeroEndpoint.sol";

/// @title TokenBridge: moves launched tokens between chains. Burns here, mints there; a token's home chain is the hub.
/// @notice The home counts what is out on every other chain, and never mints back more. Between two other chains a token
/// goes through its home. Amounts are base units of 18 decimals; messages carry 6, the rest of an amount stays with its sender.
interface ITokenBridge {
    // ---------------------------------------------------------------- types

    /// @param to Receiver on the other chain, an address in the low 20 bytes.
    /// @param register Whether the message also makes the token there, where it is not yet; only from the home chain.
    /// @param creator With `salt`: what the token's address was made of. Read only with `register`.
    struct Transfer {
        address token;
        uint32 dstEid;
        bytes32 to;
        uint256 amount;
        bool register;
        address creator;
        bytes32 salt;
    }

    /// @param chainId EIP-155 id of the other chain: the home of all tokens that it registers here.
    /// @param transferGas Gas of a delivery there; `registrationGas` when it makes the token.
    struct Route {
        uint64 chainId;
        uint32 transferGas;
        uint32 registrationGas;
        bool open;
        bool paused;
    }

    /// @notice A route and all LayerZero settings of its two directions. Nothing may be zero: there that means a default,
    /// which others can change.
    /// @param sendConfirmations Blocks of this chain that verifiers wait.
    /// @param receiveConfirmations Blocks of the other chain that they wait.
    /// @param dvns Verifiers on this chain, ascending; each must agree, in both directions.
    struct RouteConfig {
        uint32 eid;
        uint64 chainId;
        uint32 transferGas;
        uint32 registrationGas;
        uint64 sendConfirmations;
        uint64 receiveConfirmations;
        address sendLibrary;
        address receiveLibrary;
        address executor;
        address[] dvns;
    }

    // ---------------------------------------------------------------- events

    /// @param guid LayerZero's id of the message. After a reorganisation another message can bear it.
    event TokenSent(
        address indexed token,
        address indexed from,
        uint32 indexed dstEid,
        bytes32 to,
        uint256 amount,
        bytes32 guid,
        uint64 nonce,
        uint256 nativeFee,
        bool withRegistration
    );
    event TokenReceived(
        address indexed token, address indexed to, uint32 indexed srcEid, uint256 amount, bytes32 guid, uint64 nonce
    );
    /// @notice A token of another chain exists here from now on.
    event TokenRegistered(
        address indexed token,
        uint32 indexed homeEid,
        uint256 homeChainId,
        address creator,
        bytes32 salt,
        string name,
        string symbol
    );
    event Announced(address indexed token, uint32 indexed dstEid, bytes32 guid, uint64 nonce, uint256 nativeFee);
    event RouteChanged(uint32 indexed eid, Route route);
    /// @param setting `guardian`, `pendingOwner` or `owner`, as left-aligned ASCII.
    event SettingChanged(bytes32 indexed setting, address value);

    // ---------------------------------------------------------------- errors

    error Unauthorized(address caller);
    error ZeroAddress();
    /// @notice Not a token of this system, or not registered here yet.
    error UnknownToken(address token);
    error NoRoute(uint32 eid);
    error RoutePaused(uint32 eid);
    /// @notice The token goes to, and comes from, its home only.
    error ThroughHome(uint32 homeEid);
    /// @notice Less than 10⁻⁶ token.
    error AmountTooSmall(uint256 amount);
    error UnusableRecipient(bytes32 to);
    /// @param left What the path still takes at this second.
    error LimitReached(uint256 amount, uint256 left);
    /// @notice More comes back than went there.
    error MoreThanOut(uint256 amount, uint256 out);
    /// @notice Creator, salt and home give another address.
    error WrongToken(address token, address derived);
    error FeeTooLow(uint256 needed, uint256 given);
    error UnusableRoute(uint32 eid);

    // ---------------------------------------------------------------- anyone

    /// @notice The native fee of `send`, now.
    function quote(Transfer calldata transfer) external view returns (uint256 nativeFee);

    /// @notice Burns the caller's tokens and sends them; no approval is needed.
    /// @param refundTo Receives what the fee leaves of the value; it must be able to.
    function send(Transfer calldata transfer, address refundTo) external payable returns (bytes32 guid);

    /// @notice The native fees of an `announce`, one a chain; also of a token that is not created yet.
    function quoteAnnounce(string calldata name, string calldata symbol, uint32[] calldata dstEids)
        external
        view
        returns (uint256[] memory nativeFees);

    /// @notice Makes a token of this chain known on others before any is sent there: one message each. Returns excess value.
    function announce(address token, address creator, bytes32 salt, uint32[] calldata dstEids) external payable;

    // ---------------------------------------------------------------- LayerZero's

    function allowInitializePath(ILayerZeroEndpoint.Origin calldata origin) external view returns (bool);

    /// @return Zero: messages arrive in any order.
    function nextNonce(uint32 srcEid, bytes32 sender) external view returns (uint64);

    /// @notice Delivers a verified message. What reverts here can be delivered again later, by anyone. Takes no value.
    function lzReceive(
        ILayerZeroEndpoint.Origin calldata origin,
        bytes32 guid,
        bytes calldata message,
        address executor,
        bytes calldata extraData
    ) external;

    // ---------------------------------------------------------------- guardian and owner

    /// @notice Stops both directions, at once; trades and transfers on each chain go on.
    function pause(uint32 eid) external;

    function unpause(uint32 eid) external;

    /// @notice Opens a route for good, once a chain.
    function openRoute(RouteConfig calldata config) external;

    function setGas(uint32 eid, uint32 transferGas, uint32 registrationGas) external;
    function setGuardian(address guardian) external;
    function transferOwnership(address newOwner) external;

    /// @notice The new owner also becomes the endpoint's delegate: it replaces verifiers.
    function acceptOwnership() external;

    // ---------------------------------------------------------------- views

    function endpoint() external view returns (ILayerZeroEndpoint);
    function factory() external view returns (address);
    function owner() external view returns (address);
    function pendingOwner() external view returns (address);
    function guardian() external view returns (address);
    function routeOf(uint32 eid) external view returns (Route memory);

    /// @return The route to this chain; zero: none.
    function eidOf(uint256 chainId) external view returns (uint32);

    /// @return eid Zero for a token whose home is here, and for an unknown one.
    function homeOf(address token) external view returns (uint32 eid);

    /// @return out What is on that chain, by the home's count; zero elsewhere.
    /// @return sendable What a `send` takes at this second.
    /// @return receivable What arrives at this second; more waits.
    function pathOf(address token, uint32 eid)
        external
        view
        returns (uint256 out, uint256 sendable, uint256 receivable);
}
