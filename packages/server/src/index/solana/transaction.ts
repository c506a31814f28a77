import type { Address, Hash } from '@mintage/protocol';
import { arrayOf, type Fields, fieldsOf, NonsenseError } from '../../chain/answers.ts';
import { addressOf, amountOf, bytesOf, signatureOf, wholeOf } from './answers.ts';

/** One instruction that ran. */
export interface Step {
  program: Address;
  accounts: readonly Address[];
  data: Uint8Array;
  /** Called by another instruction, and not by the transaction itself. */
  isInner: boolean;
}

/** What a token account held, in base units; 0 where there was no account. */
export interface Holding {
  account: Address;
  token: Address;
  ownerBefore: Address;
  owner: Address;
  before: bigint;
  after: bigint;
}

/** What a transaction that succeeded did. */
export interface Deeds {
  /** In the order in which they ran. */
  steps: readonly Step[];
  /** Of every token account that it names. */
  holdings: readonly Holding[];
}

/** A transaction in a block; `deeds` is null of one that failed: nothing of it counts. */
export interface LandedTransaction {
  signature: Hash;
  slot: number;
  deeds: Deeds | null;
}

/** The answer of `getTransaction` with the encoding `json`. @throws NonsenseError. */
export const readLanded = (value: unknown): LandedTransaction => {
  const { slot, transaction, meta } = fieldsOf(value);
  const { signatures, message } = fieldsOf(transaction);
  const { err, ...effects } = fieldsOf(meta);
  if (err === undefined) throw new NonsenseError('no word whether the transaction failed');
  return {
    signature: signatureOf(arrayOf(signatures)[0]),
    slot: wholeOf(slot),
    deeds: err === null ? readDeeds(fieldsOf(message), effects) : null,
  };
};

const readDeeds = (message: Fields, effects: Fields): Deeds => {
  const { writable = [], readonly = [] } = fieldsOf(effects.loadedAddresses ?? {});
  const keys = [message.accountKeys, writable, readonly].flatMap((list) => arrayOf(list).map(addressOf));
  const keyAt = (index: unknown): Address => {
    const key = keys[wholeOf(index)];
    if (key === undefined) throw new NonsenseError('an account that the transaction does not name');
    return key;
  };
  const stepOf = (value: unknown, isInner: boolean): Step => {
    const { programIdIndex, accounts, data } = fieldsOf(value);
    return { program: keyAt(programIdIndex), accounts: arrayOf(accounts).map(keyAt), data: bytesOf(data), isInner };
  };
  const top = arrayOf(message.instructions);
  const inner = new Map<number, unknown[]>();
  for (const one of arrayOf(effects.innerInstructions)) {
    const { index, instructions } = fieldsOf(one);
    const at = wholeOf(index);
    if (at >= top.length || inner.has(at)) throw new NonsenseError('inner instructions of no instruction');
    inner.set(at, arrayOf(instructions));
  }
  return {
    steps: top.flatMap((one, at) => [
      stepOf(one, false),
      ...(inner.get(at) ?? []).map((called) => stepOf(called, true)),
    ]),
    holdings: readHoldings(effects, keyAt),
  };
};

const readHoldings = (effects: Fields, keyAt: (index: unknown) => Address): Holding[] => {
  const read = (list: unknown) =>
    arrayOf(list).map((one) => {
      const { accountIndex, mint, owner, uiTokenAmount } = fieldsOf(one);
      const account = keyAt(accountIndex);
      return {
        account,
        token: addressOf(mint),
        owner: addressOf(owner),
        amount: amountOf(fieldsOf(uiTokenAmount).amount),
      };
    });
  const before = new Map(read(effects.preTokenBalances).map((one) => [one.account, one]));
  const after = new Map(read(effects.postTokenBalances).map((one) => [one.account, one]));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((account) => {
    const [then, now] = [before.get(account), after.get(account)];
    // An account that was closed and opened for another token is two.
    if (then !== undefined && now !== undefined && then.token !== now.token)
      return [holding(then, undefined), holding(undefined, now)];
    return [holding(then, now)];
  });
};

type Held = { account: Address; token: Address; owner: Address; amount: bigint };

const holding = (then: Held | undefined, now: Held | undefined): Holding => {
  const { account, token, owner } = (now ?? then) as Held;
  return {
    account,
    token,
    ownerBefore: then?.owner ?? owner,
    owner,
    before: then?.amount ?? 0n,
    after: now?.amount ?? 0n,
  };
};
