import { type Address, address, type EncodedAccount, lamports, type ReadonlyUint8Array } from '@solana/kit';

/** An account, or that there is none. */
export type MaybeAccount = (EncodedAccount & { exists: true }) | { address: Address; exists: false };

export const there = (account: EncodedAccount): MaybeAccount & { exists: true } => ({ ...account, exists: true });

export const dataOf = (account: MaybeAccount): ReadonlyUint8Array => (account.exists ? account.data : new Uint8Array());

/** An account without lamports is none: this is how one goes. */
export const emptyAccount = (at: Address): EncodedAccount => ({
  address: at,
  data: new Uint8Array(),
  executable: false,
  lamports: lamports(0n),
  programAddress: address('11111111111111111111111111111111'),
  space: 0n,
});

/** Reads every account once. */
export const once = (read: (at: Address) => MaybeAccount): ((at: Address) => MaybeAccount) => {
  const known = new Map<Address, MaybeAccount>();
  return (at) => {
    const account = known.get(at) ?? read(at);
    known.set(at, account);
    return account;
  };
};
