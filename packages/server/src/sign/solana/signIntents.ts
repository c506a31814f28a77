import { sql } from 'kysely';
import { simulate } from '../../chain/solana/simulate.ts';
import { coinTransfer } from '../../chain/solana/tryCall.ts';
import type { Context, Tx } from '../context.ts';
import { decideIntent } from '../lanes/decideIntent.ts';
import { bytesOf, queuedOf, type Reason, refuseNow, type Step } from '../lanes/intents.ts';
import { lockLane } from '../lanes/lockLane.ts';
import { recordFirst } from '../lanes/recordFirst.ts';
import { restoreSigned } from '../lanes/restoreSigned.ts';
import { traceIntent } from '../lanes/traceIntent.ts';
import { type OpenedKey, withWalletKey } from '../wallets/walletKey.ts';
import type { SolanaLane } from './chainAccess.ts';
import { type ChainState, readChainState } from './chainState.ts';
import { feeOf, mostCost, openCost, spentToday } from './fees.ts';
import { isPayment, readStep } from './readActions.ts';
import { isKnown, signStep } from './signTransaction.ts';
import { solanaKeys, type WalletKey } from './walletKey.ts';

/** `wait`: the intent stays queued, and so do the ones after it. */
type Outcome = 'signed' | 'refused' | 'gone' | 'wait';

/**
 * Signs what is queued in a lane, the oldest first, each intent in one transaction: verdict and signed bytes of all steps are committed
 * together, before anything is sent. The chain and the key service are queried before the lock is taken.
 *
 * @returns 'waiting' when something has to stay queued for now.
 * @throws ChainDownError while the chain does not answer: the intents wait.
 */
export const signIntents = async (context: Context, lane: SolanaLane): Promise<'done' | 'waiting'> => {
  const queued = await queuedOf(context, lane);
  if (queued.length === 0) return 'done';
  const state = await readChainState(lane);
  return withWalletKey(context, lane.wallet, solanaKeys, async (key, owner) => {
    if (!(await restoreSigned(context, lane, queued))) return 'waiting';
    const [first] = queued;
    if (first !== undefined && (await failsNow(context, lane, first.intent_id, state))) return 'done';
    for (const { intent_id } of queued) {
      const startedMs = Date.now();
      const outcome = await context.db
        .transaction()
        .execute((tx) => signIntent(context, tx, lane, { key, owner }, state, intent_id));
      if (outcome === 'wait') return 'waiting';
      if (outcome === 'gone') continue;
      const error = outcome === 'refused' ? outcome : null;
      await traceIntent(context, lane, 'sign', { intentId: intent_id, startedMs, error });
    }
    return 'done';
  });
};

const signIntent = async (
  context: Context,
  tx: Tx,
  lane: SolanaLane,
  { key, owner }: OpenedKey<WalletKey>,
  state: ChainState,
  intentId: string,
): Promise<Outcome> => {
  const { chain } = lane;
  await sql`set local synchronous_commit = on`.execute(tx);
  if ((await lockLane(tx, lane)) === undefined) return 'wait'; // another signer holds the lane
  const admitted = await decideIntent(context, tx, lane, intentId, {
    owner,
    head: state.head,
    feesPerDay: chain.fees.mostPerDay,
    async objection(steps) {
      const strange = strangeBytes(lane, steps);
      if (strange !== undefined) return strange;
      if (!(await isAboveDay(tx, lane, steps))) return lacksFunds(tx, lane, steps, state);
      context.log.warn({ chain: chain.slug, intent: intentId }, 'fees are above the cap of the day: the intent waits');
      return 'wait';
    },
  });
  if (typeof admitted === 'string') return admitted;
  const attempts = admitted.steps.map((step) => signStep(lane, key as WalletKey, bytesOf(step), state));
  for (const one of attempts) if (await isKnown(tx, lane, one)) return 'wait';
  return (await recordFirst(context, tx, lane, admitted, attempts)) ? 'signed' : 'wait';
};

/**
 * Tries the first transaction of an intent on the newest state that two providers agree on, and refuses the intent when it fails there.
 * Only while nothing else of the lane is open, because the transaction may depend on that.
 */
const failsNow = async (
  context: Context,
  lane: SolanaLane,
  intentId: string,
  { head }: ChainState,
): Promise<boolean> => {
  const { chain, wallet } = lane;
  const of = { eid: chain.eid, wallet };
  const open = await context.db
    .selectFrom('intent')
    .select('intent_id')
    .where('eid', '=', of.eid)
    .where('wallet', '=', of.wallet)
    .where('status', '=', 'signed')
    .limit(1)
    .executeTakeFirst();
  if (open !== undefined) return false;
  const step = await context.db
    .selectFrom('intent_step')
    .selectAll()
    .where('eid', '=', of.eid)
    .where('intent_id', '=', intentId)
    .orderBy('step')
    .limit(1)
    .executeTakeFirst();
  if (step === undefined || strangeBytes(lane, [step]) !== undefined) return false; // refused with its own reason
  const bytes = bytesOf(step);
  const call = isPayment(bytes) ? coinTransfer(wallet, bytes) : bytes;
  const outcome = await simulate(chain, wallet, [call], { blockNumber: head });
  if (outcome.ok !== false) return false;
  const { code, message } = outcome.error;
  await refuseNow(context, lane, intentId, { code, message });
  return true;
};

/** Why bytes are none that a service of ours prepared for this wallet. */
const strangeBytes = ({ chain, wallet }: SolanaLane, steps: readonly Step[]): Reason | undefined => {
  for (const { step, to_address, data } of steps) {
    if (isPayment({ data })) continue;
    const read = readStep({ to: to_address, data }, chain.launchpad.program);
    const because = (message: string): Reason => ({ code: 'INVALID_PARAMETERS', message: `Step ${step} ${message}` });
    if (read === null)
      return because(`is no transaction that is signed on ${chain.slug}: prepare it with this service.`);
    if (read.payer !== wallet) return because(`is a transaction of ${read.payer}, not of ${wallet}.`);
    const fee = feeOf(read);
    const { mostPerTransaction } = chain.fees;
    if (fee > mostPerTransaction)
      return because(`would pay ${fee} lamports for its fee; at most ${mostPerTransaction} are signed.`);
  }
  // Two that do the same would be one transaction.
  const different = new Set(steps.map(({ to_address, value, data }) => `${to_address} ${value} ${data}`)).size;
  if (different < steps.length) return { code: 'INVALID_PARAMETERS', message: 'Two steps are the same transaction.' };
  return undefined;
};

const costOf = (lane: SolanaLane, steps: readonly Step[]): bigint =>
  steps.reduce((sum, step) => sum + mostCost(lane, step), 0n);

const isAboveDay = async (tx: Tx, lane: SolanaLane, steps: readonly Step[]): Promise<boolean> => {
  const withoutPayments = steps.map((step) => (isPayment(step) ? { ...step, value: 0n } : step));
  return (await spentToday(tx, lane)) + costOf(lane, withoutPayments) > lane.chain.fees.mostPerDay;
};

/** Whether the wallet cannot pay for everything that is open plus this intent. */
const lacksFunds = async (
  tx: Tx,
  lane: SolanaLane,
  steps: readonly Step[],
  { balance }: ChainState,
): Promise<Reason | undefined> => {
  const needed = (await openCost(tx, lane)) + costOf(lane, steps);
  if (needed <= balance) return undefined;
  const message = `The wallet has ${balance} lamports for fees and for what is opened; ${needed} are needed.`;
  return { code: 'INSUFFICIENT_BALANCE', message };
};
