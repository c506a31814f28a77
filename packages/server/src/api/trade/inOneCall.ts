import { encodeMulticall, encodeSetReferrer, type SignedVoucher } from '@mintage/protocol';
import type { Hex } from 'viem';

/**
 * Combines calls of the Launchpad into one: all succeed or none, with the voucher first, so that it applies to the
 * calls after it.
 */
export const inOneCall = (voucher: SignedVoucher | null, calls: readonly [Hex, ...Hex[]]): Hex => {
  const [first, ...rest] = voucher === null ? calls : ([setReferrer(voucher), ...calls] as const);
  return rest.length === 0 ? first : encodeMulticall([first, ...rest]);
};

const setReferrer = ({ signature, ...voucher }: SignedVoucher): Hex => encodeSetReferrer(voucher, signature);
