import { getTransactionCount, getTransactionReceipt } from '../../chain/evm/calls.ts';
import { type FoundTransaction, findByNonce } from '../../chain/evm/findByNonce.ts';
import { ChainDownError } from '../../chain/rpc.ts';
import type { Context, Tx } from '../context.ts';
import { failStep } from '../lanes/endStep.ts';
import { lockLane, setNextNonce } from '../lanes/lockLane.ts';
import { countAttempt, insertAttempt } from '../lanes/recordAttempt.ts';
import { updateOpen } from '../lanes/recordStep.ts';
import { findLogged, recordAnother } from '../lanes/signAgain.ts';
import { withWalletKey } from '../wallets/walletKey.ts';
import type { Call } from './call.ts';
import { accountOf, type EvmLane } from './chainAccess.ts';
import { feesFor } from './fees.ts';
import { readWallet, suggestedTip } from './laneState.ts';
import type { Seen } from './lookUp.ts';
import type { OpenStep } from './openSteps.ts';
import { type EvmAttempt, signCall, signedCall } from './signCall.ts';
import { evmKeys, type WalletKey } from './walletKey.ts';

/**
 * Handles a step whose nonce may be used by a transaction that is not in our tables: the database was restored to an
 * earlier state and has lost it, or somebody else has the key. Once two providers confirm that the nonce is used below
 * finality, the transaction is searched for in the blocks. The same call is adopted as the step's own; otherwise the
 * step gets a new nonce, the only case in which it does.
 *
 * @returns True when this turn has nothing more to do with the step.
 */
export const takenByOther = async (context: Context, lane: EvmLane, step: OpenStep, seen: Seen): Promise<boolean> => {
  const depth = seen.head - lane.chain.finalityBlocks;
  if (depth < 0 || !(await isTaken(lane, step, depth))) return false;
  const found = await findByNonce(accountOf(lane), step.nonce, depth);
  if (found === undefined) return false;
  const fields = { chain: lane.chain.slug, wallet: lane.wallet, intent: step.intentId, nonce: step.nonce };
  if (isSameCall(found, step)) {
    context.log.error({ ...fields, hash: found.hash }, 'bytes that the database forgot are on the chain');
    await context.db.transaction().execute(async (tx) => {
      await adopt(tx, lane, step, found, seen.head);
    });
    return true;
  }
  context.log.error({ ...fields, hash: found.hash }, 'a nonce was used by a transaction that is not ours');
  if (step.isOverdue) {
    const message = 'Another transaction of the wallet took its place, and its deadline has passed.';
    await failStep(context, lane, step, { code: 'DEADLINE_PASSED', message }, null);
    return true;
  }
  await renumber(context, lane, step, found);
  return true;
};

/** Whether two providers confirm that the nonce is used below finality, and by none of our attempts. */
const isTaken = async ({ chain, wallet }: EvmLane, step: OpenStep, depth: number): Promise<boolean> => {
  try {
    const { answer } = await chain.rpc.agreed(async (node) => {
      const [count, ...receipts] = await node.batch([
        getTransactionCount(wallet, depth),
        ...step.attempts.map(({ hash }) => getTransactionReceipt(hash)),
      ]);
      return count > step.nonce && receipts.every((receipt) => receipt === null);
    });
    return answer;
  } catch (error) {
    if (error instanceof ChainDownError) return false;
    throw error;
  }
};

export const isSameCall = (found: FoundTransaction, { to, value, data }: Call): boolean =>
  found.to === to && found.value === value && found.data === data;

/** Records a transaction found on the chain as an attempt of the step, with its nonce. */
export const adopt = async (
  tx: Tx,
  lane: EvmLane,
  step: { intentId: string; step: number },
  { hash, raw, nonce, fees }: FoundTransaction,
  head: number,
): Promise<void> => {
  const attempt = { hash, raw, nonce, kind: 'call', fees, signedBlock: head, validUntilBlock: null } as const;
  await insertAttempt(tx, lane, step, attempt)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await countAttempt(tx, lane, step, attempt);
};

/** @throws ChainDownError when no two providers agree now: the next turn tries again. */
const renumber = async (context: Context, lane: EvmLane, step: OpenStep, found: FoundTransaction): Promise<void> => {
  const { chain, wallet } = lane;
  const logged = await findLogged(context, step);
  if (logged === undefined) return;
  const attempts = logged.attempts as readonly EvmAttempt[];
  const first = attempts[0] as EvmAttempt;
  // By the signing log, not by the tables: the nonce that was signed last is taken, and by none of the step's own bytes.
  if (attempts.at(-1)?.nonce !== found.nonce || attempts.some(({ hash }) => hash === found.hash)) return;
  const now = await readWallet(lane);
  const fees = feesFor({ baseFee: now.baseFee, tip: await suggestedTip(chain) }, chain.gas);
  if (fees === null) return;
  const sign = (key: WalletKey) =>
    context.db.transaction().execute(async (tx) => {
      const own = await lockLane(tx, lane);
      if (own === undefined) return;
      const nonce = Math.max(own, now.count);
      const { numUpdatedRows } = await updateOpen(tx, lane, step)
        .set({ status: 'queued', block_number: null, block_hash: null, gas_paid: null, error_code: null, error: null })
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return;
      const attempt = signCall(lane, key, { ...signedCall(first), nonce }, fees, now.head);
      if (!(await recordAnother(context, tx, lane, logged, attempt))) return;
      await setNextNonce(tx, lane, nonce + 1);
    });
  await withWalletKey(context, wallet, evmKeys, async (key) => key && sign(key));
};
