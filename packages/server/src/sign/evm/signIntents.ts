import { sql } from 'kysely';
import type { Context, Tx } from '../context.ts';
import { decideIntent } from '../lanes/decideIntent.ts';
import { queuedOf, type Reason, refuseNow, type Step } from '../lanes/intents.ts';
import { lockLane, setNextNonce } from '../lanes/lockLane.ts';
import { recordFirst } from '../lanes/recordFirst.ts';
import { restoreSigned } from '../lanes/restoreSigned.ts';
import { traceIntent } from '../lanes/traceIntent.ts';
import { type OpenedKey, withWalletKey } from '../wallets/walletKey.ts';
import { callOf } from './call.ts';
import type { ChainAccess, EvmLane } from './chainAccess.ts';
import { type Fees, feesFor, mostCost } from './fees.ts';
import { leastGas, mostGas } from './gasPolicy.ts';
import { gasSpentToday, openCost } from './gasSpent.ts';
import { type LaneState, readLaneState } from './laneState.ts';
import { holds } from './premise.ts';
import { signCall } from './signCall.ts';
import { evmKeys, type WalletKey } from './walletKey.ts';
import { revertOf } from './whyReverted.ts';

/** `wait`: the intent stays queued, and so do the ones after it. */
type Outcome = 'signed' | 'refused' | 'gone' | 'wait';

/**
 * Signs what is queued in a lane, the oldest first, each intent in one transaction: verdict, nonces and signed bytes of
 * all steps are committed together, before anything is sent. The chain and the key service are queried before the lock
 * is taken.
 *
 * @returns 'waiting' when something has to stay queued for now.
 * @throws ChainDownError while the chain does not answer: the intents wait.
 */
export const signIntents = async (context: Context, lane: EvmLane): Promise<'done' | 'waiting'> => {
  const queued = await queuedOf(context, lane);
  if (queued.length === 0) return 'done';
  const state = await readLaneState(context, lane);
  return withWalletKey(context, lane.wallet, evmKeys, async (key, owner) => {
    if (!(await restoreSigned(context, lane, queued))) return 'waiting';
    const [first] = queued;
    if (first !== undefined && (await revertsNow(context, lane, first.intent_id, state.head))) return 'done';
    for (const { intent_id, proof } of queued) {
      const premise = (await context.intents.verify(proof))?.premise ?? null;
      if (premise !== null && !(await holds(lane, premise))) {
        await refuseNow(context, lane, intent_id, otherState);
        continue;
      }
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
  lane: EvmLane,
  { key, owner }: OpenedKey<WalletKey>,
  state: LaneState,
  intentId: string,
): Promise<Outcome> => {
  const { chain } = lane;
  await sql`set local synchronous_commit = on`.execute(tx);
  const own = await lockLane(tx, lane);
  if (own === undefined) return 'wait'; // another signer holds the lane
  const nextNonce = Math.max(own, state.nonceFloor);
  const fees = feesFor(state.market, chain.gas);
  const admitted = await decideIntent(context, tx, lane, intentId, {
    owner,
    head: state.head,
    feesPerDay: chain.gas.mostPerDay,
    async objection(steps) {
      const strange = strangeGas(chain, steps);
      if (strange !== undefined) return strange;
      if (fees !== null && !(await isAboveDay(tx, lane, steps, fees))) return lacksFunds(tx, lane, steps, fees, state);
      context.log.warn({ chain: chain.slug, intent: intentId }, 'gas is above its cap: the intent waits');
      return 'wait';
    },
  });
  if (typeof admitted === 'string') return admitted;
  const { steps } = admitted;
  const attempts = steps.map((step, index) => {
    const call = { ...callOf(step), gasLimit: step.gas_limit, nonce: nextNonce + index, kind: 'call' } as const;
    return signCall(lane, key as WalletKey, call, fees as Fees, state.head);
  });
  if (!(await recordFirst(context, tx, lane, admitted, attempts))) return 'wait';
  await setNextNonce(tx, lane, nextNonce + steps.length);
  return 'signed';
};

/**
 * Simulates the first call of an intent on the newest state that two providers agree on, and refuses the intent when it
 * reverts there. Only while nothing else of the lane is open, because the call may depend on that.
 */
const revertsNow = async (context: Context, lane: EvmLane, intentId: string, head: number): Promise<boolean> => {
  const { db } = context;
  const eid = lane.chain.eid;
  const open = await db
    .selectFrom('intent')
    .select('intent_id')
    .where('eid', '=', eid)
    .where('wallet', '=', lane.wallet)
    .where('status', '=', 'signed')
    .limit(1)
    .executeTakeFirst();
  const step = await db
    .selectFrom('intent_step')
    .selectAll()
    .where('eid', '=', eid)
    .where('intent_id', '=', intentId)
    .orderBy('step')
    .limit(1)
    .executeTakeFirst();
  if (open !== undefined || step === undefined) return false;
  const reason = await revertOf(lane, { ...callOf(step), gasLimit: step.gas_limit }, head);
  if (reason === undefined) return false;
  await refuseNow(context, lane, intentId, reason);
  return true;
};

/**
 * The refusal when the state has changed. The caller may try again: the new call is prepared from the current state.
 */
const otherState: Reason = {
  code: 'NETWORK_ERROR',
  message: 'The providers of the chain do not confirm the state that this was prepared from: nothing was executed.',
};

const strangeGas = ({ slug }: ChainAccess, steps: readonly Step[]): Reason | undefined => {
  const strange = steps.find(({ gas_limit }) => gas_limit < leastGas || gas_limit > mostGas);
  if (strange === undefined) return undefined;
  return {
    code: 'INVALID_PARAMETERS',
    message: `Step ${strange.step} has a gas limit of ${strange.gas_limit}; ${slug} takes ${leastGas} to ${mostGas}.`,
  };
};

const isAboveDay = async (tx: Tx, lane: EvmLane, steps: readonly Step[], fees: Fees): Promise<boolean> =>
  (await gasSpentToday(tx, lane)) + gasCost(steps, fees, lane) + wayCost(steps, lane) > lane.chain.gas.mostPerDay;

/** What the steps pay for the way to another chain. */
const wayCost = (steps: readonly Step[], { chain }: EvmLane): bigint =>
  steps.reduce((sum, step) => (step.to_address === chain.deployment.tokenBridge ? sum + step.value : sum), 0n);

/** Whether the wallet cannot pay for everything that is open plus this intent, at the highest fees that are signed. */
const lacksFunds = async (
  tx: Tx,
  lane: EvmLane,
  steps: readonly Step[],
  fees: Fees,
  { balance, head }: LaneState,
): Promise<Reason | undefined> => {
  const value = steps.reduce((sum, step) => sum + step.value, 0n);
  const needed = (await openCost(tx, lane, head)) + value + gasCost(steps, fees, lane);
  if (needed <= balance) return undefined;
  const message = `The wallet has ${balance} base units of native coin for gas and value; ${needed} are needed.`;
  return { code: 'INSUFFICIENT_BALANCE', message };
};

const gasCost = (steps: readonly Step[], fees: Fees, { chain }: EvmLane): bigint =>
  steps.reduce((sum, step) => sum + mostCost(step.gas_limit, fees, chain.gas), 0n);
