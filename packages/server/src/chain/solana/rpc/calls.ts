import type { Base58 } from '@mintage/protocol';
import type { At } from '../../agreement.ts';
import { arrayOf, NonsenseError } from '../../answers.ts';
import type { RpcCall } from '../../wire.ts';
import { type AtSlot, amountOf, atSlot, base58Of, base64Of, fieldsOf, keyOf, orNull, wholeOf } from './answers.ts';

/** What a provider of Solana can be asked, by the names of its JSON-RPC methods, with what it answers. State is that of `confirmed`. */

const commitment = 'confirmed';

/** The state of this slot, or of a newer one. Refused by a provider that has not come so far. */
const since = (at: At) => ({ commitment, ...(at === 'latest' ? {} : { minContextSlot: at }) });

export interface Account {
  /** The program that may change it. */
  owner: Base58;
  lamports: bigint;
  data: Uint8Array;
}

export const getGenesisHash = (): RpcCall<Base58> => ({ method: 'getGenesisHash', params: [], parse: keyOf });

export const getSlot = (at: At): RpcCall<number> => ({ method: 'getSlot', params: [since(at)], parse: wholeOf });

export const getBlockHeight = (): RpcCall<number> => ({
  method: 'getBlockHeight',
  params: [{ commitment }],
  parse: wholeOf,
});

/** Of the newest final block. */
export const getFinalBlockHeight = (): RpcCall<number> => ({
  method: 'getBlockHeight',
  params: [{ commitment: 'finalized' }],
  parse: wholeOf,
});

/** As many as a provider shows at once. */
export const mostAccounts = 100;

/**
 * The accounts in the order of the addresses, all of one slot; null where there is none.
 *
 * @param slice - Only these bytes of their data.
 */
export const getMultipleAccounts = (
  addresses: readonly Base58[],
  at: At,
  slice?: Slice,
): RpcCall<AtSlot<readonly (Account | null)[]>> => ({
  method: 'getMultipleAccounts',
  params: [addresses, { ...since(at), encoding: 'base64', ...(slice && { dataSlice: slice }) }],
  parse: atSlot((value) => {
    const accounts = arrayOf(value).map(orNull(accountOf));
    if (accounts.length !== addresses.length) throw new NonsenseError('another number of accounts');
    return accounts;
  }),
});

export interface Slice {
  offset: number;
  length: number;
}

/** The program's accounts whose data begin with these bytes. */
export const getProgramAccounts = (
  program: Base58,
  beginning: Uint8Array,
  slice: Slice,
): RpcCall<readonly { address: Base58; data: Uint8Array }[]> => ({
  method: 'getProgramAccounts',
  params: [
    program,
    {
      commitment,
      encoding: 'base64',
      dataSlice: slice,
      filters: [{ memcmp: { offset: 0, bytes: Buffer.from(beginning).toString('base64'), encoding: 'base64' } }],
    },
  ],
  parse: (answer) =>
    arrayOf(answer).map((one) => {
      const { pubkey, account } = fieldsOf(one);
      return { address: keyOf(pubkey), data: accountOf(account).data };
    }),
});

/** Lamports. */
export const getBalance = (wallet: Base58): RpcCall<bigint> => ({
  method: 'getBalance',
  params: [wallet, { commitment }],
  parse: (answer) => atSlot(amountOf)(answer).value,
});

export interface Lifetime {
  blockhash: Base58;
  lastValidBlockHeight: number;
}

export const getLatestBlockhash = (): RpcCall<Lifetime> => ({
  method: 'getLatestBlockhash',
  params: [{ commitment }],
  parse: (answer) =>
    atSlot((value) => {
      const { blockhash, lastValidBlockHeight } = fieldsOf(value);
      return { blockhash: keyOf(blockhash), lastValidBlockHeight: wholeOf(lastValidBlockHeight) };
    })(answer).value,
});

/** Lamports that an account of so many bytes has to hold. */
export const getMinimumBalanceForRentExemption = (bytes: number): RpcCall<bigint> => ({
  method: 'getMinimumBalanceForRentExemption',
  params: [bytes],
  parse: amountOf,
});

/** What others paid at least in recent slots to write to all of these accounts, micro-lamports for a unit. */
export const getRecentPrioritizationFees = (written: readonly Base58[]): RpcCall<readonly bigint[]> => ({
  method: 'getRecentPrioritizationFees',
  params: [written],
  parse: (answer) => arrayOf(answer).map((one) => amountOf(fieldsOf(one).prioritizationFee)),
});

export interface Simulated {
  /** As the cluster writes it; null: it would succeed. */
  error: unknown;
  units: bigint;
  logs: readonly string[];
  /** As the transaction would leave them; null where there would be none, and all of them after a failure. */
  accounts: readonly (Account | null)[];
}

/** Runs a transaction, whoever signed it, on top of the newest state. @param shown - Accounts of the transaction. */
export const simulateTransaction = (
  transaction: Uint8Array,
  at: At,
  shown: readonly Base58[] = [],
): RpcCall<AtSlot<Simulated>> => ({
  method: 'simulateTransaction',
  params: [
    Buffer.from(transaction).toString('base64'),
    {
      ...since(at),
      encoding: 'base64',
      sigVerify: false,
      replaceRecentBlockhash: true,
      ...(shown.length > 0 && { accounts: { addresses: shown, encoding: 'base64' } }),
    },
  ],
  parse: atSlot((value) => {
    const { err, unitsConsumed, logs, accounts } = fieldsOf(value);
    return {
      error: err ?? null,
      units: amountOf(unitsConsumed ?? 0),
      logs: arrayOf(logs ?? []).map(String),
      accounts: arrayOf(accounts ?? []).map(orNull(accountOf)),
    };
  }),
});

/** Sends signed bytes, after a trial on `confirmed` unless `isTried` is false. What it answers proves nothing: the signature is in the bytes. */
export const sendTransaction = (transaction: Uint8Array, { isTried = true } = {}): RpcCall => ({
  method: 'sendTransaction',
  params: [
    Buffer.from(transaction).toString('base64'),
    { encoding: 'base64', ...(isTried ? { preflightCommitment: commitment } : { skipPreflight: true }) },
  ],
});

export interface Status {
  slot: number;
  error: unknown;
  isConfirmed: boolean;
  isFinal: boolean;
}

/** Null where no block holds the transaction. */
export const getSignatureStatuses = (signatures: readonly string[]): RpcCall<readonly (Status | null)[]> => ({
  method: 'getSignatureStatuses',
  params: [signatures, { searchTransactionHistory: true }],
  parse: (answer) =>
    atSlot((value) =>
      arrayOf(value).map(
        orNull((one) => {
          const { slot, err, confirmationStatus } = fieldsOf(one);
          return {
            slot: wholeOf(slot),
            error: err ?? null,
            isConfirmed: confirmationStatus !== 'processed',
            isFinal: confirmationStatus === 'finalized',
          };
        }),
      ),
    )(answer).value,
});

export interface Instruction {
  program: Base58;
  accounts: readonly Base58[];
  /** In base58. */
  data: string;
}

/** A transaction in a confirmed block. */
export interface Sent {
  slot: number;
  /** Unix seconds; null: the provider does not know. */
  time: number | null;
  signers: readonly Base58[];
  /** As the cluster writes it; null: it succeeded. */
  error: unknown;
  /** Lamports. */
  fee: bigint;
  /** Lamports of the payer before it and after it. */
  payer: readonly [before: bigint, after: bigint];
  instructions: readonly Instruction[];
  /** What they called, by their place. */
  inner: ReadonlyMap<number, readonly Instruction[]>;
}

/** Null while no confirmed block holds it. */
export const getTransaction = (signature: string): RpcCall<Sent | null> => ({
  method: 'getTransaction',
  // 1: the versions that there are.
  params: [signature, { commitment, encoding: 'json', maxSupportedTransactionVersion: 1 }],
  parse: orNull(sentOf),
});

/** Of the block in this slot. */
export const getBlockhash = (slot: number): RpcCall<Base58 | null> => ({
  method: 'getBlock',
  params: [slot, { commitment, transactionDetails: 'none', rewards: false, maxSupportedTransactionVersion: 1 }],
  parse: orNull((block) => keyOf(fieldsOf(block).blockhash)),
});

// ---------------------------------------------------------------- as JSON-RPC writes it

const accountOf = (value: unknown): Account => {
  const { owner, lamports, data } = fieldsOf(value);
  return { owner: keyOf(owner), lamports: amountOf(lamports), data: base64Of(data) };
};

const sentOf = (value: unknown): Sent => {
  const { slot, blockTime, transaction, meta } = fieldsOf(value);
  const { message } = fieldsOf(transaction);
  const { accountKeys, header, instructions } = fieldsOf(message);
  const { err, fee, preBalances, postBalances, innerInstructions, loadedAddresses } = fieldsOf(meta);
  const { writable = [], readonly = [] } = loadedAddresses == null ? {} : fieldsOf(loadedAddresses);
  const keys = [accountKeys, writable, readonly].flatMap((list) => arrayOf(list).map(keyOf));
  const keyAt = (index: unknown): Base58 => {
    const key = keys[wholeOf(index)];
    if (key === undefined) throw new NonsenseError('an account that is not there');
    return key;
  };
  const instructionOf = (one: unknown): Instruction => {
    const { programIdIndex, accounts, data } = fieldsOf(one);
    return {
      program: keyAt(programIdIndex),
      accounts: arrayOf(accounts).map(keyAt),
      data: base58Of(data),
    };
  };
  return {
    slot: wholeOf(slot),
    time: blockTime == null ? null : wholeOf(blockTime),
    signers: keys.slice(0, wholeOf(fieldsOf(header).numRequiredSignatures)),
    error: err ?? null,
    fee: amountOf(fee),
    payer: [amountOf(arrayOf(preBalances)[0]), amountOf(arrayOf(postBalances)[0])],
    instructions: arrayOf(instructions).map(instructionOf),
    inner: new Map(
      arrayOf(innerInstructions ?? []).map((one) => {
        const { index, instructions: called } = fieldsOf(one);
        return [wholeOf(index), arrayOf(called).map(instructionOf)];
      }),
    ),
  };
};
