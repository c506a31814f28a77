import { setTimeout as sleep } from 'node:timers/promises';
import { MintageError } from '@mintage/protocol';
import type { AnswerOf } from '@mintage/protocol/operations';
import type { Unsure } from '@mintage/protocol/tools';
import { transactionStatus } from '../../handlers/transactionStatus.ts';
import type { ToolCall } from './toolCall.ts';

/**
 * How long an answer waits for a block, milliseconds; the outcome on a slow chain is available from
 * `transaction_status`.
 */
const longestMs = 8_000;
const everyMs = 250;
/** Time reserved for the answer itself, milliseconds. */
const spareMs = 2_000;

/**
 * Waits briefly for the executed transactions, so that an assistant learns of a revert at once.
 *
 * @param answer - With `intentId` when something was executed; a claim has one in each of its `transactions`.
 * @returns The answer, `unsure` when the providers of a chain contradict each other to the end.
 * @throws MintageError TRANSACTION_REVERTED, or TRANSACTION_FAILED once that is final, with the decoded reason and the
 * hash, and for no other reason: the call is executed, so a failure to learn the outcome must not look like a failure
 * that may be retried.
 */
export const requireSuccess = async (call: ToolCall, answer: object, untilMs: number): Promise<object & Unsure> => {
  const intentIds = executedBy(answer);
  const endMs = Math.min(performance.now() + longestMs, untilMs - spareMs);
  const outcomes = await Promise.all(intentIds.map((intentId) => outcomeOf(call, intentId, endMs)));
  const worst = outcomes.find((one) => one?.status === 'failed') ?? outcomes.find((one) => one?.status === 'reverted');
  if (worst) throw failureOf(worst, intentIds);
  return outcomes.some((one) => one?.unsure) ? { ...answer, unsure: true } : answer;
};

const executedBy = (answer: object): string[] => {
  const { intentId, transactions = [] } = answer as { intentId?: unknown; transactions?: { intentId?: unknown }[] };
  const named = [intentId, ...transactions.map((one) => one.intentId)];
  return [...new Set(named.filter((one): one is string => typeof one === 'string'))];
};

type Outcome = AnswerOf<'transactionStatus'> & { intentId: string };

const failureOf = ({ status, error, hash, intentId }: Outcome, intentIds: readonly string[]): MintageError => {
  const final = status === 'failed';
  const others = intentIds.filter((one) => one !== intentId);
  return new MintageError(final ? 'TRANSACTION_FAILED' : 'TRANSACTION_REVERTED', error ?? 'The transaction reverted', {
    details: { transactionHash: hash, intentId, final, ...(others.length === 0 ? {} : { otherIntents: others }) },
  });
};

/** The outcome, or the latest state when the time is up. Null when it cannot be read. */
const outcomeOf = async (
  { context, caller, request }: ToolCall,
  intentId: string,
  endMs: number,
): Promise<Outcome | null> => {
  const { id: requestId, address } = request;
  let outcome: Outcome | null = null;
  try {
    do {
      if (outcome !== null) await sleep(everyMs);
      outcome = {
        ...(await transactionStatus.handle(context, { intentId }, { caller, requestId, address })),
        intentId,
      };
      if (outcome.status !== 'queued' && outcome.status !== 'sent') break;
    } while (performance.now() < endMs);
  } catch (err) {
    context.log.warn({ requestId, err }, 'What became of an executed transaction could not be read.');
  }
  return outcome;
};
