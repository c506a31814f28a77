import { encodeMulticall, encodeSetReferrer, requireHex } from '@mintage/protocol';
import type { Hex } from 'viem';
import type { SignedVoucher } from '../chainClient.ts';

/**
 * Combines calls of the Launchpad into one: all succeed or none, with the voucher first, so that it applies to the
 * calls after it.
 */
export const inOneCall = (voucher: SignedVoucher | null, calls: readonly [Hex, ...Hex[]]): Hex => {
  const [first, ...rest] = voucher === null ? calls : ([setReferrer(voucher), ...calls] as const);
  return rest.length === 0 ? first : encodeMulticall([first, ...rest]);
};

const setReferrer = ({ user, referrer, deadline, signature }: SignedVoucher): Hex =>
  encodeSetReferrer({ user: requireHex(user), referrer: requireHex(referrer), deadline }, signature);
