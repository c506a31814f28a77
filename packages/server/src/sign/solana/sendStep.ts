import { bytesOf } from '../../chain/solana/bytes.ts';
import { sendTransaction } from '../../chain/solana/rpc/calls.ts';
import { reasonOf } from '../../chain/wire.ts';
import type { Context } from '../context.ts';
import { recordSent } from '../lanes/recordStep.ts';
import type { SolanaLane } from './chainAccess.ts';
import type { OpenStep } from './openSteps.ts';

const sendTimeoutMs = 5_000;

/**
 * Sends the bytes of a step to every provider; they may have been sent before, and are one transaction. They were tried before they were
 * signed: what would fail now lands and says why. Without an answer it is open whether they arrived; the next turn finds out.
 */
export const sendStep = async (context: Context, lane: SolanaLane, step: OpenStep): Promise<void> => {
  const { chain } = lane;
  const startedMs = Date.now();
  const call = sendTransaction(bytesOf(step.raw), { isTried: false });
  const sending = chain.rpc.everyone((node) => node.request(call, sendTimeoutMs));
  try {
    await Promise.any(sending);
  } catch (error) {
    const [reason] = (error as AggregateError).errors as unknown[];
    const fields = { chain: chain.slug, intent: step.intentId, step: step.step, hash: step.hash };
    context.log.warn({ ...fields, reason: reasonOf(reason) }, 'no provider takes a transaction for now');
    return;
  }
  if (!step.isSent || step.status === 'queued') await recordSent(context, lane, step, step.hash, startedMs);
};
