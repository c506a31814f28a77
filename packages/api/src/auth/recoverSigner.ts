import { type Hex, hashMessage, recoverAddress } from 'viem';
import type { Address } from '../context.ts';

/** Half of the order of secp256k1: of the two forms of a signature only the one with the lower s is taken. */
const highestS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * The wallet that signed a text (EIP-191), lower case; null when the signature is none.
 *
 * @param signature - 65 bytes in hex, with or without 0x.
 */
export const recoverSigner = (message: string, signature: string): Promise<Address | null> =>
  recoverDigestSigner(hashMessage(message), signature);

/** The wallet that signed a digest; as `recoverSigner`. */
export const recoverDigestSigner = async (digest: Hex, signature: string): Promise<Address | null> => {
  const hex = signature.replace(/^0x/, '').toLowerCase();
  if (!/^[0-9a-f]{130}$/.test(hex) || BigInt(`0x${hex.slice(64, 128)}`) > highestS) return null;
  try {
    return (await recoverAddress({ hash: digest, signature: `0x${hex}` })).toLowerCase() as Address;
  } catch {
    // Not a point on the curve, or not a recovery id: nobody's signature.
    return null;
  }
};
