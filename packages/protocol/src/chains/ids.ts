import { encodeAbiParameters, keccak256 } from 'viem';
import { type Address, formOf } from './address.ts';

const ids = [
  { type: 'bytes32' },
  { type: 'uint256' },
  { type: 'uint8' },
  { type: 'uint8' },
  { type: 'uint32' },
] as const;

/**
 * The token's identity on every chain: keccak256 of origin address, collectible 0, type 1 (coin), its family (1 EVM, 2 Solana) and
 * the origin chain's eid. Source: wire contract, section 0 rule 4.
 */
export const platformIdOf = (tokenAddress: Address, originEid: number): `0x${string}` => {
  const { blockchainType, toBytes32 } = formOf(tokenAddress);
  return keccak256(encodeAbiParameters(ids, [toBytes32(tokenAddress), 0n, 1, blockchainType, originEid]));
};

/**
 * The token's uuid: the first 16 bytes of the platform id with version 8 and the RFC 9562 variant. So a draft, the
 * indexer and a rebuild all give the same id without asking each other.
 */
export const tokenIdOf = (platformId: `0x${string}`): string => uuidFromHash(platformId);

/** A version 8 uuid from the first 16 bytes of a hash. */
export const uuidFromHash = (hash: `0x${string}`): string => {
  const hex = hash.slice(2, 34).toLowerCase();
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
