import { parseAbi } from 'viem';

/** What we use of a chain's LayerZero v2 endpoint beside the bridge. Source: EndpointV2 and its interfaces. */
export const layerZeroEndpointAbi = parseAbi([
  'struct Origin { uint32 srcEid; bytes32 sender; uint64 nonce; }',
  'event PacketSent(bytes encodedPayload, bytes options, address sendLibrary)',
  'event LzReceiveAlert(address indexed receiver, address indexed executor, Origin origin, bytes32 guid, uint256 gas, uint256 value, bytes message, bytes extraData, bytes reason)',
  'function eid() view returns (uint32)',
  'function getSendLibrary(address sender, uint32 dstEid) view returns (address)',
  'function inboundPayloadHash(address receiver, uint32 srcEid, bytes32 sender, uint64 nonce) view returns (bytes32)',
  'function lzReceive(Origin origin, address receiver, bytes32 guid, bytes message, bytes extraData) payable',
]);

/** What we use of a message library. Source: UlnBase, SendLibBase. */
export const layerZeroLibraryAbi = parseAbi([
  'struct ExecutorConfig { uint32 maxMessageSize; address executor; }',
  'struct UlnConfig { uint64 confirmations; uint8 requiredDVNCount; uint8 optionalDVNCount; uint8 optionalDVNThreshold; address[] requiredDVNs; address[] optionalDVNs; }',
  'function getAppUlnConfig(address oapp, uint32 remoteEid) view returns (UlnConfig)',
  'function getExecutorConfig(address oapp, uint32 remoteEid) view returns (ExecutorConfig)',
]);

/** What we use of an executor, and of the price feed that its fees are made by. Source: Worker, PriceFeed. */
export const layerZeroPriceAbi = parseAbi([
  'function priceFeed() view returns (address)',
  'function nativeTokenPriceUSD() view returns (uint128)',
  'function getPriceRatioDenominator() view returns (uint128)',
]);
