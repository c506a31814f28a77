import { type Base58, toBase58 } from '../chains/address.ts';
import { encodeFields, joinBytes, littleEndian } from './layout.ts';

/** Who referred a user, as the deployment's voucher signer signs it. */
export interface VoucherTerms {
  user: Base58;
  referrer: Base58;
  /** Unix seconds. */
  deadline: bigint;
}

/** What a voucher is for: the launchpad, and the dollar of its chain. */
export interface VoucherPlace {
  program: Base58;
  dollarMint: Base58;
}

const domain = new TextEncoder().encode('mintage voucher1');

/** What the voucher signer signs, as the program puts it together: domain, program, dollar, user, referrer, deadline. */
export const voucherMessage = (
  { program, dollarMint }: VoucherPlace,
  { user, referrer, deadline }: VoucherTerms,
): Uint8Array =>
  joinBytes(
    domain,
    encodeFields(
      [
        { name: 'program', type: 'pubkey' },
        { name: 'dollarMint', type: 'pubkey' },
        { name: 'user', type: 'pubkey' },
        { name: 'referrer', type: 'pubkey' },
        { name: 'deadline', type: 'i64' },
      ],
      { program, dollarMint, user, referrer, deadline },
    ),
  );

/** The terms in such a message; null for bytes that are none, or that are for another place. */
export const voucherIn = (place: VoucherPlace, message: Uint8Array): VoucherTerms | null => {
  const at = domain.length + 64;
  if (message.length !== at + 72) return null;
  const terms = {
    user: toBase58(message.subarray(at, at + 32)),
    referrer: toBase58(message.subarray(at + 32, at + 64)),
    deadline: BigInt.asIntN(64, littleEndian(message.subarray(at + 64))),
  };
  return voucherMessage(place, terms).every((byte, index) => message[index] === byte) ? terms : null;
};
