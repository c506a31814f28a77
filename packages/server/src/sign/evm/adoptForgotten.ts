import { sql } from 'kysely';
import type { FoundTransaction } from '../../chain/evm/findByNonce.ts';
import type { Context, Tx } from '../context.ts';
import { bytesOf, type Intent, recordSigned, stepsOf } from '../lanes/intents.ts';
import { lockLane, setNextNonce } from '../lanes/lockLane.ts';
import { admit } from '../policy/policy.ts';
import { callOf } from './call.ts';
import type { EvmLane } from './chainAccess.ts';
import { feesFor } from './fees.ts';
import type { LaneState } from './laneState.ts';
import { signAttempt } from './signAttempt.ts';
import { adopt, isSameCall } from './takenByOther.ts';
import type { WalletKey } from './walletKey.ts';

/**
 * Restores signatures that the database has lost: a queued intent whose first call is on the chain was signed before
 * the database was restored to an earlier state, and is not signed again. Its further steps are signed as far as no
 * block holds them. All in one transaction, which ends by setting the lane's next nonce behind the transactions found.
 *
 * @returns False when it has to wait: another signer holds the lane, or gas is above its cap.
 */
export const adoptForgotten = (context: Context, lane: EvmLane, state: LaneState, key: WalletKey): Promise<boolean> =>
  context.db.transaction().execute(async (tx) => {
    const { chain } = lane;
    const { deployment, reader } = chain;
    const { policy, log } = context;
    await sql`set local synchronous_commit = on`.execute(tx);
    const own = await lockLane(tx, lane);
    const fees = feesFor(state.market, chain.gas);
    if (own === undefined || fees === null) return false;
    const left = new Map([...state.forgotten].filter(([nonce]) => nonce >= own));
    let nextNonce = Math.max(own, state.nonceFloor);
    for (const intent of await queuedIntents(tx, lane)) {
      const steps = await stepsOf(tx, intent);
      const first = [...left.values()].find((found) => steps[0] && isSameCall(found, callOf(steps[0])));
      if (first === undefined) continue;
      for (const [index, step] of steps.entries()) {
        const found: FoundTransaction | undefined = left.get(first.nonce + index);
        if (found !== undefined && isSameCall(found, callOf(step))) {
          left.delete(found.nonce);
          const fields = { chain: chain.slug, wallet: lane.wallet, intent: intent.intent_id, step: step.step };
          log.error({ ...fields, hash: found.hash }, 'bytes that the database forgot are on the chain');
          await adopt(tx, lane, { intentId: intent.intent_id, step: step.step }, found, state.head);
          continue;
        }
        const payload = { ...callOf(step), intentId: intent.intent_id, step: step.step, gasLimit: step.gas_limit };
        await signAttempt(context, tx, lane, key, { ...payload, kind: 'call', nonce: nextNonce }, fees, state.head);
        nextNonce += 1;
      }
      // The transaction has happened: the budget counts it as far as it has room, and cannot refuse it any more.
      await admit(tx, intent, steps.map(bytesOf), { deployment, reader, policy, head: 0 });
      await recordSigned(tx, lane, intent.intent_id);
    }
    await setNextNonce(tx, lane, nextNonce);
    return true;
  });

const queuedIntents = (tx: Tx, { chain, wallet }: EvmLane): Promise<Intent[]> =>
  tx
    .selectFrom('intent')
    .selectAll()
    .where('eid', '=', chain.eid)
    .where('wallet', '=', wallet)
    .where('status', '=', 'queued')
    .orderBy('created_at')
    .orderBy('intent_id')
    .forUpdate()
    .execute();
