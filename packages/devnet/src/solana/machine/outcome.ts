import { type Address, getBase58Decoder, getBase64Decoder } from '@solana/kit';
import { FailedTransactionMetadata, SimulatedTransactionInfo, type TransactionMetadata } from 'litesvm';
import type { MaybeAccount } from './account.ts';
import { mintOf, type TokenAmount, tokenAccountOf, tokenAmount } from './tokens.ts';
import type { Keys, ReadTransaction } from './transaction.ts';
import { type TransactionError, transactionErrorOf } from './transactionErrors.ts';

/** What running a transaction did, in the cluster's form where it has one. */
export interface Outcome {
  error: TransactionError | null;
  units: bigint;
  logs: readonly string[];
  inner: readonly InnerInstructions[];
  returnData: { programId: string; data: [string, 'base64'] } | null;
}

export interface InnerInstructions {
  index: number;
  instructions: readonly { programIdIndex: number; accounts: readonly number[]; data: string; stackHeight: number }[];
}

export const outcomeOf = (
  result: TransactionMetadata | FailedTransactionMetadata | SimulatedTransactionInfo,
): Outcome => {
  const failed = result instanceof FailedTransactionMetadata;
  const meta = failed || result instanceof SimulatedTransactionInfo ? result.meta() : result;
  const returned = meta.returnData();
  return {
    error: failed ? transactionErrorOf(result) : null,
    units: meta.computeUnitsConsumed(),
    logs: meta.logs(),
    inner: innerOf(meta),
    returnData:
      returned.data().length === 0
        ? null
        : {
            programId: getBase58Decoder().decode(returned.programId()),
            data: [getBase64Decoder().decode(returned.data()), 'base64'],
          },
  };
};

const innerOf = (meta: TransactionMetadata): InnerInstructions[] =>
  meta
    .innerInstructions()
    .map((list, index) => ({
      index,
      instructions: list.map((one) => {
        const called = one.instruction();
        return {
          programIdIndex: called.programIdIndex(),
          accounts: [...called.accounts()],
          data: getBase58Decoder().decode(called.data()),
          stackHeight: one.stackHeight(),
        };
      }),
    }))
    .filter(({ instructions }) => instructions.length > 0);

export interface Balances {
  lamports: readonly bigint[];
  tokens: readonly TokenBalance[];
}
export interface TokenBalance {
  accountIndex: number;
  mint: Address;
  owner: Address;
  programId: Address;
  uiTokenAmount: TokenAmount;
}

/** What the accounts of a transaction hold. */
export const balancesOf = (keys: Keys, account: (at: Address) => MaybeAccount): Balances => {
  const accounts = keys.all.map(account);
  return {
    lamports: accounts.map((one) => (one.exists ? one.lamports : 0n)),
    tokens: accounts.flatMap((one, accountIndex): TokenBalance[] => {
      const held = tokenAccountOf(one);
      const mint = held && mintOf(account(held.mint));
      if (held === null || mint === null) return [];
      const { mint: at, owner, program: programId, amount } = held;
      return [{ accountIndex, mint: at, owner, programId, uiTokenAmount: tokenAmount(amount, mint.decimals) }];
    }),
  };
};

/** A transaction in a block. */
export interface Landed extends Outcome, Pick<ReadTransaction, 'wire' | 'signature'> {
  slot: number;
  version: 'legacy' | 0 | 1;
  fee: bigint;
  /** Micro-lamports offered for a unit. */
  price: bigint;
  keys: readonly Address[];
  writable: readonly Address[];
  loaded: Keys['loaded'];
  before: Balances;
  after: Balances;
}
