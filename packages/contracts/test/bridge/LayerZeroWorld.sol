// SPDX-License-Identifier: MIT
pragma solidity ^0.8.34;

import {TokenBridge} from "../../src/TokenBridge.sol";
import {TokenFactory} from "../../src/TokenFactory.sol";
import {ILayerZeroEndpoint} from "../../src/interfaces/ILayerZeroEndpoint.sol";
import {ITokenBridge} from "../../src/interfaces/ITokenBridge.sol";
import {LaunchpadTest} from "../LaunchpadTest.sol";

/// @notice What the tests use of LayerZero's own contracts.
interface IEndpointV2 is ILayerZeroEndpoint {
    function registerLibrary(address library_) external;
    function delegates(address oapp) external view returns (address);
    function inboundPayloadHash(address receiver, uint32 srcEid, bytes32 sender, uint64 nonce)
        external
        view
        returns (bytes32);
    function lzReceive(
        ILayerZeroEndpoint.Origin calldata origin,
        address receiver,
        bytes32 guid,
        bytes calldata message,
        bytes calldata extraData
    ) external payable;
}

interface IUln {
    struct UlnConfig {
        uint64 confirmations;
        uint8 requiredDVNCount;
        uint8 optionalDVNCount;
        uint8 optionalDVNThreshold;
        address[] requiredDVNs;
        address[] optionalDVNs;
    }

    struct UlnParam {
        uint32 eid;
        UlnConfig config;
    }

    struct ExecutorConfig {
        uint32 maxMessageSize;
        address executor;
    }

    struct ExecutorParam {
        uint32 eid;
        ExecutorConfig config;
    }

    function setDefaultUlnConfigs(UlnParam[] calldata params) external;
    function setDefaultExecutorConfigs(ExecutorParam[] calldata params) external;
    function getAppUlnConfig(address oapp, uint32 eid) external view returns (UlnConfig memory);
    function executorConfigs(address oapp, uint32 eid) external view returns (uint32, address);
    function verify(bytes calldata header, bytes32 payloadHash, uint64 confirmations) external;
    function commitVerification(bytes calldata header, bytes32 payloadHash) external;
}

interface IPriceFeed {
    struct Price {
        uint128 priceRatio;
        uint64 gasPriceInUnit;
        uint32 gasPerByte;
    }

    struct UpdatePrice {
        uint32 eid;
        Price price;
    }

    function initialize(address updater) external;
    function setPrice(UpdatePrice[] calldata prices) external;
}

interface IWorker {
    struct ExecutorDst {
        uint32 dstEid;
        uint64 lzReceiveBaseGas;
        uint64 lzComposeBaseGas;
        uint16 multiplierBps;
        uint128 floorMarginUSD;
        uint128 nativeCap;
    }

    struct DvnDst {
        uint32 dstEid;
        uint64 gas;
        uint16 multiplierBps;
        uint128 floorMarginUSD;
    }

    function initialize(
        address endpoint,
        address receiveUln301,
        address[] calldata libraries,
        address priceFeed,
        address roleAdmin,
        address[] calldata admins
    ) external;
    function setWorkerFeeLib(address feeLibrary) external;
    function setDstConfig(ExecutorDst[] calldata params) external;
    function setDstConfig(DvnDst[] calldata params) external;
}

/// @notice One chain with the real LayerZero v2, and a bridge there that has two routes. The other ends are bytes: packets as
/// their endpoints would send them, verified by who the bridge pinned.
abstract contract LayerZeroWorld is LaunchpadTest {
    uint32 internal constant HERE = 40_245;
    /// @dev Two other chains, and one that has no route.
    uint32 internal constant FAR = 40_333;
    uint64 internal constant FAR_CHAIN = 1301;
    uint32 internal constant THIRD = 40_102;
    uint64 internal constant THIRD_CHAIN = 97;
    uint32 internal constant NOWHERE = 40_305;
    uint64 internal constant SEND_CONFIRMATIONS = 450;
    uint64 internal constant RECEIVE_CONFIRMATIONS = 900;
    uint32 internal constant TRANSFER_GAS = 120_000;
    uint32 internal constant REGISTRATION_GAS = 400_000;
    address internal constant NOBODY = address(0xdead);

    address internal guardian = makeAddr("guardian");
    IEndpointV2 internal endpoint;
    IUln internal sendLibrary;
    IUln internal receiveLibrary;
    address internal executor;
    address internal dvnA;
    address internal dvnB;
    TokenBridge internal tokenBridge;
    TokenFactory internal factory;

    /// @notice LayerZero, and what the bridge is made with; it stands where `_peer` says.
    function _bridgeCode(address factory_, address owner_) internal returns (bytes memory) {
        factory = TokenFactory(factory_);
        _deployLayerZero();
        TokenBridge.Config memory config = TokenBridge.Config(address(endpoint), factory_, owner_, guardian);
        return abi.encodePacked(type(TokenBridge).creationCode, abi.encode(config, _routes()));
    }

    function _routes() internal view returns (ITokenBridge.RouteConfig[] memory routes) {
        routes = new ITokenBridge.RouteConfig[](2);
        routes[0] = _routeTo(FAR, FAR_CHAIN);
        routes[1] = _routeTo(THIRD, THIRD_CHAIN);
    }

    function _routeTo(uint32 eid, uint64 chainId) internal view returns (ITokenBridge.RouteConfig memory) {
        address[] memory dvns = new address[](2);
        (dvns[0], dvns[1]) = dvnA < dvnB ? (dvnA, dvnB) : (dvnB, dvnA);
        return ITokenBridge.RouteConfig(
            eid,
            chainId,
            TRANSFER_GAS,
            REGISTRATION_GAS,
            SEND_CONFIRMATIONS,
            RECEIVE_CONFIRMATIONS,
            address(sendLibrary),
            address(receiveLibrary),
            executor,
            dvns
        );
    }

    // ---------------------------------------------------------------- receiving

    struct Packet {
        ILayerZeroEndpoint.Origin origin;
        bytes32 guid;
        bytes message;
    }

    function _packet(uint32 srcEid, uint64 nonce, bytes memory message) internal view returns (Packet memory) {
        return Packet(
            ILayerZeroEndpoint.Origin(srcEid, _word(address(tokenBridge)), nonce),
            keccak256(abi.encodePacked(nonce, srcEid, _word(address(tokenBridge)), HERE, _word(address(tokenBridge)))),
            message
        );
    }

    function _header(Packet memory packet) internal view returns (bytes memory) {
        return abi.encodePacked(
            uint8(1), packet.origin.nonce, packet.origin.srcEid, packet.origin.sender, HERE, _word(address(tokenBridge))
        );
    }

    function _hash(Packet memory packet) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked(packet.guid, packet.message));
    }

    function _verifyBy(address dvn, Packet memory packet) internal {
        vm.prank(dvn);
        receiveLibrary.verify(_header(packet), _hash(packet), RECEIVE_CONFIRMATIONS);
    }

    function _commit(Packet memory packet) internal {
        receiveLibrary.commitVerification(_header(packet), _hash(packet));
    }

    /// @dev Both verifiers, and the endpoint has it.
    function _verify(Packet memory packet) internal {
        _verifyBy(dvnA, packet);
        _verifyBy(dvnB, packet);
        _commit(packet);
    }

    /// @dev By a stranger, as anyone may.
    function _deliver(Packet memory packet) internal {
        vm.prank(NOBODY);
        endpoint.lzReceive(packet.origin, address(tokenBridge), packet.guid, packet.message, "");
    }

    function _arrive(uint32 srcEid, uint64 nonce, bytes memory message) internal {
        Packet memory packet = _packet(srcEid, nonce, message);
        _verify(packet);
        _deliver(packet);
    }

    function _word(address account) internal pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }

    // ---------------------------------------------------------------- LayerZero

    function _deployLayerZero() private {
        endpoint = IEndpointV2(_deploy("protocol-v2", "EndpointV2.sol/EndpointV2", abi.encode(HERE, address(this))));
        sendLibrary = IUln(
            _deploy("messagelib-v2", "uln/uln302/SendUln302.sol/SendUln302", abi.encode(endpoint, uint256(0), uint256(0)))
        );
        receiveLibrary =
            IUln(_deploy("messagelib-v2", "uln/uln302/ReceiveUln302.sol/ReceiveUln302", abi.encode(endpoint)));
        address priceFeed = _deploy("messagelib-v2", "PriceFeed.sol/PriceFeed", "");
        IPriceFeed(priceFeed).initialize(address(this));
        _setPrices(IPriceFeed(priceFeed));
        _deployExecutor(priceFeed);
        address fees = _deploy("messagelib-v2", "uln/dvn/DVNFeeLib.sol/DVNFeeLib", abi.encode(HERE, 1 ether));
        dvnA = _deployDvn(priceFeed, fees, "signer A");
        dvnB = _deployDvn(priceFeed, fees, "signer B");
        endpoint.registerLibrary(address(sendLibrary));
        endpoint.registerLibrary(address(receiveLibrary));
        _setDeadDefaults();
    }

    function _eids() private pure returns (uint32[3] memory) {
        return [FAR, THIRD, NOWHERE];
    }

    function _setPrices(IPriceFeed feed) private {
        IPriceFeed.UpdatePrice[] memory prices = new IPriceFeed.UpdatePrice[](3);
        for (uint256 i; i < 3; i++) {
            prices[i] = IPriceFeed.UpdatePrice(_eids()[i] % 30_000, IPriceFeed.Price(1e20, 1 gwei, 16));
        }
        feed.setPrice(prices);
    }

    function _deployExecutor(address priceFeed) private {
        executor = _deploy("messagelib-v2", "Executor.sol/Executor", "");
        address[] memory libraries = new address[](1);
        libraries[0] = address(sendLibrary);
        address[] memory admins = new address[](1);
        admins[0] = address(this);
        IWorker(executor).initialize(address(endpoint), address(0), libraries, priceFeed, address(this), admins);
        IWorker(executor).setWorkerFeeLib(
            _deploy("messagelib-v2", "ExecutorFeeLib.sol/ExecutorFeeLib", abi.encode(HERE, 1 ether))
        );
        IWorker.ExecutorDst[] memory terms = new IWorker.ExecutorDst[](3);
        for (uint256 i; i < 3; i++) {
            terms[i] = IWorker.ExecutorDst(_eids()[i], 60_000, 60_000, 12_000, 0, 1 ether);
        }
        IWorker(executor).setDstConfig(terms);
    }

    function _deployDvn(address priceFeed, address fees, string memory signer) private returns (address dvn) {
        address[] memory libraries = new address[](1);
        libraries[0] = address(sendLibrary);
        address[] memory signers = new address[](1);
        signers[0] = makeAddr(signer);
        address[] memory admins = new address[](1);
        admins[0] = address(this);
        dvn = _deploy(
            "messagelib-v2",
            "uln/dvn/DVN.sol/DVN",
            abi.encode(HERE, HERE, libraries, priceFeed, signers, uint64(1), admins)
        );
        IWorker(dvn).setWorkerFeeLib(fees);
        IWorker.DvnDst[] memory terms = new IWorker.DvnDst[](3);
        for (uint256 i; i < 3; i++) {
            terms[i] = IWorker.DvnDst(_eids()[i], 100_000, 12_000, 0);
        }
        IWorker(dvn).setDstConfig(terms);
    }

    /// @dev Nobody verifies or delivers what is not pinned.
    function _setDeadDefaults() private {
        address[] memory nobody = new address[](1);
        nobody[0] = NOBODY;
        IUln.UlnParam[] memory ulns = new IUln.UlnParam[](3);
        IUln.ExecutorParam[] memory executors = new IUln.ExecutorParam[](3);
        for (uint256 i; i < 3; i++) {
            ulns[i] = IUln.UlnParam(_eids()[i], IUln.UlnConfig(1, 1, 0, 0, nobody, new address[](0)));
            executors[i] = IUln.ExecutorParam(_eids()[i], IUln.ExecutorConfig(10_000, NOBODY));
        }
        sendLibrary.setDefaultUlnConfigs(ulns);
        sendLibrary.setDefaultExecutorConfigs(executors);
        receiveLibrary.setDefaultUlnConfigs(ulns);
    }

    function _deploy(string memory package, string memory contract_, bytes memory arguments) private returns (address) {
        string memory path = string.concat("@layerzerolabs/lz-evm-", package, "/artifacts/contracts/", contract_, ".json");
        return _deployCode(abi.encodePacked(_published(path), arguments));
    }
}
