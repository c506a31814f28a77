import { sendToAll } from '../../chain/evm/send.ts';
import { RpcError } from '../../chain/wire.ts';
import type { Context } from '../context.ts';
import { recordSent } from '../lanes/recordStep.ts';
import type { EvmLane } from './chainAccess.ts';
import type { OpenStep } from './openSteps.ts';

/**
 * Sends the newest attempt of a step, which may have been sent before: the same bytes are one transaction. Without an
 * answer it is open whether they arrived; the next turn of the lane finds out by their hash.
 *
 * @returns False when the providers refused them: they are sent again at the next turn.
 */
export const sendStep = async (context: Context, lane: EvmLane, step: OpenStep): Promise<boolean> => {
  const { log } = context;
  const { chain } = lane;
  const attempt = step.attempts.at(-1);
  if (attempt === undefined) throw new Error(`Step ${step.step} of ${step.intentId} has a nonce without bytes.`);
  const fields = { chain: chain.slug, intent: step.intentId, step: step.step, nonce: step.nonce, hash: attempt.hash };
  const startedMs = Date.now();
  try {
    const outcome = await sendToAll(chain.rpc, attempt.raw);
    if (outcome === 'unknown') log.warn(fields, 'sent, and no provider answered');
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    log.warn({ ...fields, reason: error.message }, 'the providers refuse a transaction for now');
    return false;
  }
  if (attempt.isSent && step.status !== 'queued') return true;
  await recordSent(context, lane, step, attempt.hash, startedMs);
  return true;
};
