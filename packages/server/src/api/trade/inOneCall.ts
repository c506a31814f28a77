import { encodeMulticall, encodeSetReferrer, type SignedVoucher } from '@mintage/protocol';

type Hex = `0x${string}`;

/** Calls of the Launchpad as one: all or none, a voucher first, so that it counts for what follows. */
export const inOneCall = (voucher: SignedVoucher | null, calls: readonly [Hex, ...Hex[]]): Hex => {
  const [first, ...rest] = voucher === null ? calls : ([setReferrer(voucher), ...calls] as const);
  return rest.length === 0 ? first : encodeMulticall([first, ...rest]);
};

const setReferrer = ({ signature, ...voucher }: SignedVoucher): Hex => encodeSetReferrer(voucher, signature);
