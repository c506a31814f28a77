import { setTimeout as sleep } from 'node:timers/promises';
import { MintageError } from '@mintage/protocol';
import { transactionStatus } from '../handlers/transactionStatus.ts';
import type { ToolCall } from './callTool.ts';

/** How long an answer waits for a block; a slow chain's outcome is asked for with `transaction_status`. */
const longestMs = 8_000;
const everyMs = 250;
/** Left for the answer itself. */
const spareMs = 2_000;

/**
 * Waits a moment for what was executed, so that an assistant hears of a revert at once.
 *
 * @param answer - With `intentId` when something was executed.
 * @throws MintageError TRANSACTION_FAILED with the decoded reason and the hash, and nothing else: it is executed, so not
 * to learn more must not look like a failure that could be tried again.
 */
export const requireSuccess = async (call: ToolCall, answer: object, untilMs: number): Promise<void> => {
  const { intentId } = answer as { intentId?: string | null };
  if (typeof intentId !== 'string') return;
  const outcome = await outcomeOf(call, intentId, Math.min(performance.now() + longestMs, untilMs - spareMs));
  if (outcome?.status !== 'failed') return;
  throw new MintageError('TRANSACTION_FAILED', outcome.error ?? 'The transaction reverted', {
    details: { transactionHash: outcome.hash, intentId },
  });
};

/** Null while no block holds it, and when it cannot be learnt. */
const outcomeOf = async ({ context, caller, request }: ToolCall, intentId: string, endMs: number) => {
  const { id: requestId, address } = request;
  try {
    do {
      const outcome = await transactionStatus(context, { intentId }, { caller, requestId, address });
      if (outcome.status !== 'queued' && outcome.status !== 'sent') return outcome;
      await sleep(everyMs);
    } while (performance.now() < endMs);
  } catch (err) {
    context.log.warn({ requestId, err }, 'What became of an executed transaction could not be read.');
  }
  return null;
};
