import { parseAbi } from 'viem';

/** What we use of a chain's LayerZero v2 endpoint beside the bridge. Source: EndpointV2 and its interfaces. */
export const layerZeroEndpointAbi = parseAbi([
  'struct Origin { uint32 srcEid; bytes32 sender; uint64 nonce; }',
  'event PacketSent(bytes encodedPayload, bytes options, address sendLibrary)',
  'event LzReceiveAlert(address indexed receiver, address indexed executor, Origin origin, bytes32 guid, uint256 gas, uint256 value, bytes message, bytes extraData, bytes reason)',
  'function eid() view returns (uint32)',
  'function inboundPayloadHash(address receiver, uint32 srcEid, bytes32 sender, uint64 nonce) view returns (bytes32)',
  'function lzReceive(Origin origin, address receiver, bytes32 guid, bytes message, bytes extraData) payable',
]);
