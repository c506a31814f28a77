import { type Address, quickKeccak } from '@mintage/protocol';
import { type Hex, hashMessage } from 'viem';
import { recoverPublicKey } from './recoverPublicKey.ts';

/** Half of the order of secp256k1, in hex: of the two equivalent signatures only the one with the lower s is accepted. */
const highestS = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0';

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
  if (!/^[0-9a-f]{130}$/.test(hex) || hex.slice(64, 128) > highestS) return null;
  const recoveryId = recoveryIds.get(hex.slice(128));
  if (recoveryId === undefined) return null;
  const publicKey = recoverPublicKey(bytesOf(digest.slice(2)), bytesOf(hex.slice(0, 128)), recoveryId);
  return publicKey && (`0x${quickKeccak(publicKey).slice(26)}` as Address);
};

const bytesOf = (hex: string): Uint8Array => Buffer.from(hex, 'hex');

/** Recovery id by the last byte of the signature, in the forms wallets use. */
const recoveryIds = new Map<string, 0 | 1>([
  ['00', 0],
  ['01', 1],
  ['1b', 0],
  ['1c', 1],
]);
