import { sql } from 'kysely';
import type { Context, Lane, Tx } from '../context.ts';
import { type Fees, feesFor, mostCost } from '../gas/fees.ts';
import { leastGas, mostGas } from '../gas/gasPolicy.ts';
import { admit } from '../policy/policy.ts';
import { type WalletKey, withWalletKey } from '../wallets/walletKey.ts';
import { adoptForgotten } from './adoptForgotten.ts';
import { gasSpentToday, openCost } from './gasSpent.ts';
import { bytesOf, databaseNow, type Intent, type Reason, refuse, type Step, stepsOf, tell } from './intents.ts';
import { type LaneState, readLaneState } from './laneState.ts';
import { lockLane, setNextNonce } from './lockLane.ts';
import { holds } from './premise.ts';
import { signAttempt } from './signAttempt.ts';
import { revertOf } from './whyReverted.ts';

/** `wait`: the intent stays queued, and so do the ones after it. */
type Outcome = 'signed' | 'refused' | 'gone' | 'wait';

const atOnce = 20;

/**
 * Signs what is queued in a lane, the oldest first, each intent in one transaction: verdict, nonces and signed bytes of
 * all steps are committed together, before anything is sent. The chain and the key service are queried before the lock
 * is taken.
 *
 * @returns 'waiting' when something has to stay queued for now.
 * @throws ChainDownError while the chain does not answer: the intents wait.
 */
export const signIntents = async (context: Context, lane: Lane): Promise<'done' | 'waiting'> => {
  const queued = await context.db
    .selectFrom('intent')
    .select(['intent_id', 'premise'])
    .where('eid', '=', lane.chain.eid)
    .where('wallet', '=', lane.wallet)
    .where('status', '=', 'queued')
    .orderBy('created_at')
    .orderBy('intent_id')
    .limit(atOnce)
    .execute();
  if (queued.length === 0) return 'done';
  const state = await readLaneState(context, lane);
  return withWalletKey(context, lane.wallet, async (key) => {
    if (state.forgotten.size > 0 && key !== undefined && !(await adoptForgotten(context, lane, state, key)))
      return 'waiting';
    const [first] = queued;
    if (first !== undefined && (await revertsNow(context, lane, first.intent_id, state.head))) return 'done';
    for (const { intent_id, premise } of queued) {
      if (premise !== null && !(await holds(lane, premise))) {
        await refuseNow(context, lane, intent_id, otherState);
        continue;
      }
      const outcome = await context.db
        .transaction()
        .execute((tx) => signIntent(context, tx, lane, key, state, intent_id));
      if (outcome === 'wait') return 'waiting';
    }
    return 'done';
  });
};

const signIntent = async (
  context: Context,
  tx: Tx,
  lane: Lane,
  key: WalletKey | undefined,
  state: LaneState,
  intentId: string,
): Promise<Outcome> => {
  const { chain } = lane;
  await sql`set local synchronous_commit = on`.execute(tx);
  const own = await lockLane(tx, lane);
  if (own === undefined) return 'wait'; // another signer holds the lane
  const nextNonce = Math.max(own, state.nonceFloor);
  const intent = await tx
    .selectFrom('intent')
    .selectAll()
    .where('eid', '=', chain.eid)
    .where('intent_id', '=', intentId)
    .where('status', '=', 'queued')
    .where('expires_at', '>', databaseNow)
    .forUpdate()
    .executeTakeFirst();
  if (intent === undefined) return 'gone';
  const steps = await stepsOf(tx, intent);
  const fees = feesFor(state.market, chain.gas);
  let refusal = await whyNot(tx, lane, intent, steps, key);
  if (refusal === undefined && (fees === null || (await isAboveDay(tx, lane, steps, fees)))) {
    context.log.warn({ chain: chain.slug, intent: intentId }, 'gas is above its cap: the intent waits');
    return 'wait';
  }
  refusal ??= await lacksFunds(tx, lane, steps, fees as Fees, state);
  if (refusal === undefined) {
    // Last, because it reserves budget.
    const { deployment } = chain;
    const said = await admit(tx, intent, steps.map(bytesOf), { deployment, policy: context.policy, head: state.head });
    if (said === 'wait') return 'wait';
    if (said !== 'admitted') refusal = said;
  }
  if (refusal !== undefined) {
    await refuse(tx, lane, intentId, refusal);
    context.log.info({ chain: chain.slug, wallet: lane.wallet, intent: intentId, ...refusal }, 'refused');
    return 'refused';
  }
  for (const [index, step] of steps.entries()) {
    const payload = {
      intentId,
      step: step.step,
      nonce: nextNonce + index,
      kind: 'call',
      ...bytesOf(step),
      gasLimit: step.gas_limit,
    } as const;
    await signAttempt(context, tx, lane, key as WalletKey, payload, fees as Fees, state.head);
  }
  await setNextNonce(tx, lane, nextNonce + steps.length);
  await tx
    .updateTable('intent')
    .set({ status: 'signed', signed_at: databaseNow })
    .where('eid', '=', chain.eid)
    .where('intent_id', '=', intentId)
    .execute();
  await tell(tx, intentId);
  return 'signed';
};

/**
 * Simulates the first call of an intent on the newest state that two providers agree on, and refuses the intent when it
 * reverts there. Only while nothing else of the lane is open, because the call may depend on that.
 */
const revertsNow = async (context: Context, lane: Lane, intentId: string, head: number): Promise<boolean> => {
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
  const reason = await revertOf(lane, { ...bytesOf(step), gasLimit: step.gas_limit }, head);
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

const refuseNow = async ({ db, log }: Context, lane: Lane, intentId: string, reason: Reason): Promise<void> => {
  await db.transaction().execute((tx) => refuse(tx, lane, intentId, reason));
  log.info({ chain: lane.chain.slug, wallet: lane.wallet, intent: intentId, ...reason }, 'refused');
};

/** The reason against signing; undefined when only gas and funds remain to be checked. */
const whyNot = async (
  tx: Tx,
  { chain, wallet }: Lane,
  intent: Intent,
  steps: readonly Step[],
  key: WalletKey | undefined,
): Promise<Reason | undefined> => {
  const owner = await tx
    .selectFrom('embedded_wallet')
    .select('paused_at')
    .where('user_id', '=', intent.user_id)
    .where('address', '=', wallet)
    .forShare()
    .executeTakeFirst();
  if (owner === undefined || key === undefined)
    return { code: 'INVALID_PARAMETERS', message: `The wallet ${wallet} is not the embedded wallet of this user.` };
  const everyone = await tx.selectFrom('signing_pause').select('reason').executeTakeFirst();
  if (everyone !== undefined)
    return { code: 'EXECUTION_PAUSED', message: `Execution is paused for everyone: ${everyone.reason}` };
  if (owner.paused_at !== null) return { code: 'EXECUTION_PAUSED', message: 'Execution is paused for this user.' };
  if (steps.length === 0) return { code: 'INVALID_PARAMETERS', message: 'There is nothing to sign.' };
  const strange = steps.find(({ gas_limit }) => gas_limit < leastGas || gas_limit > mostGas);
  if (strange !== undefined)
    return {
      code: 'INVALID_PARAMETERS',
      message: `Step ${strange.step} has a gas limit of ${strange.gas_limit}; ${chain.slug} takes ${leastGas} to ${mostGas}.`,
    };
  return undefined;
};

const isAboveDay = async (tx: Tx, lane: Lane, steps: readonly Step[], fees: Fees): Promise<boolean> =>
  (await gasSpentToday(tx, lane)) + gasCost(steps, fees, lane) > lane.chain.gas.mostPerDay;

/** Whether the wallet cannot pay for everything that is open plus this intent, at the highest fees that are signed. */
const lacksFunds = async (
  tx: Tx,
  lane: Lane,
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

const gasCost = (steps: readonly Step[], fees: Fees, { chain }: Lane): bigint =>
  steps.reduce((sum, step) => sum + mostCost(step.gas_limit, fees, chain.gas), 0n);
