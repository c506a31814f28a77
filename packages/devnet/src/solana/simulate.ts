import type { Address, EncodedAccount } from '@solana/kit';
import { SimulatedTransactionInfo } from 'litesvm';
import type { Block, Ledger } from './ledger.ts';
import { dataOf, type MaybeAccount, once, there } from './machine/account.ts';
import { feeOf } from './machine/fee.ts';
import { type Balances, balancesOf, type Outcome, outcomeOf } from './machine/outcome.ts';
import { type Keys, keysOf, type ReadTransaction } from './machine/transaction.ts';
import { refused } from './wire/rpcError.ts';

/** What a transaction would do on top of a block. */
export interface Simulated extends Outcome {
  fee: bigint | null;
  keys: Keys;
  /** The account as the transaction would leave it. */
  account(at: Address): MaybeAccount;
  before: Balances;
  after: Balances;
}

/**
 * On the state of a block, which need not be the newest one: what is not there yet counts as absent, and a blockhash that is
 * younger as unknown.
 *
 * @throws RpcError when the signatures shall be looked at and one is wrong.
 */
export const simulate = (
  ledger: Ledger,
  read: ReadTransaction,
  block: Block,
  { checksSignatures, anyBlockhash }: { checksSignatures: boolean; anyBlockhash: boolean },
): Simulated =>
  ledger.state.at(block.height, (svm) => {
    const before = once((at) => svm.getAccount(at));
    const keys = keysOf(read.message, (at) => dataOf(before(at)));
    const whole = (outcome: Outcome, posts: readonly EncodedAccount[]): Simulated => {
      const changed = new Map<Address, MaybeAccount>(posts.map((one) => [one.address, there(one)]));
      const named = new Set(keys.all);
      const account = (at: Address): MaybeAccount => {
        const now = changed.get(at) ?? (named.has(at) ? before(at) : ledger.state.accountAt(at, block.height));
        // A closed account comes back from litesvm as one without lamports.
        return now.exists && now.lamports === 0n ? { exists: false, address: at } : now;
      };
      return {
        ...outcome,
        fee: feeOf(read.message),
        keys,
        account,
        before: balancesOf(keys, before),
        after: balancesOf(keys, account),
      };
    };
    const refusedAs = (error: string): Simulated =>
      whole({ error, units: 0n, logs: [], inner: [], returnData: null }, []);

    if (!anyBlockhash && ledger.ageOf(read.message.blockhash, block) === null) return refusedAs('BlockhashNotFound');
    const landed = ledger.landed(read.signature);
    if (!anyBlockhash && landed !== undefined && landed.slot <= block.slot) return refusedAs('AlreadyProcessed');
    if (checksSignatures && !read.isFullySigned) throw refused.signature();
    if (!keys.isWhole) return refusedAs('AddressLookupTableNotFound');
    svm.withSigverify(checksSignatures);
    try {
      const result = svm.simulateTransaction(read.transaction);
      const outcome = outcomeOf(result);
      if (outcome.error === 'SignatureFailure') throw refused.signature();
      return whole(outcome, result instanceof SimulatedTransactionInfo ? result.postAccounts() : []);
    } finally {
      svm.withSigverify(true);
    }
  });
