import type { Address } from '@mintage/protocol';
import { type Hex, hashMessage, hexToBytes, keccak256 } from 'viem';
import { recoverPublicKey } from './recoverPublicKey.ts';

/** Half of the order of secp256k1: of the two equivalent signatures only the one with the lower s is accepted. */
const highestS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * The wallet that signed a text (EIP-191), lower case; null when the signature is invalid.
 *
 * @param signature - 65 bytes in hex, with or without 0x.
 */
export const recoverSigner = (message: string, signature: string): Address | null =>
  recoverDigestSigner(hashMessage(message), signature);

/** The wallet that signed a digest; otherwise as `recoverSigner`. */
export const recoverDigestSigner = (digest: Hex, signature: string): Address | null => {
  const hex = signature.replace(/^0x/, '').toLowerCase();
  if (!/^[0-9a-f]{130}$/.test(hex) || BigInt(`0x${hex.slice(64, 128)}`) > highestS) return null;
  const recoveryId = recoveryIds.get(hex.slice(128));
  if (recoveryId === undefined) return null;
  const publicKey = recoverPublicKey(hexToBytes(digest), Buffer.from(hex.slice(0, 128), 'hex'), recoveryId);
  return publicKey && (`0x${keccak256(publicKey).slice(26)}` as Address);
};

/** Recovery id by the last byte of the signature, in the forms wallets use. */
const recoveryIds = new Map<string, 0 | 1>([
  ['00', 0],
  ['01', 1],
  ['1b', 0],
  ['1c', 1],
]);
