import { isTracing, recordSpan } from '../../tracing.ts';
import type { Context, Lane } from '../context.ts';

export interface Traced {
  intentId: string;
  /** Absent: of all its steps. */
  step?: number;
  /** Unix milliseconds; absent: when it was signed. */
  startedMs?: number;
  /** A code, when it failed. */
  error?: string | null | undefined;
}

/** Records what was done of an intent until now, in the trace of the request that it was made by. Whatever goes wrong with that harms nothing. */
export const traceIntent = async ({ db, log }: Context, { chain }: Lane, name: string, done: Traced): Promise<void> => {
  if (!isTracing()) return;
  const { intentId, step, error } = done;
  try {
    const { traceparent, signed_at } = await db
      .selectFrom('intent')
      .select(['traceparent', 'signed_at'])
      .where('eid', '=', chain.eid)
      .where('intent_id', '=', intentId)
      .executeTakeFirstOrThrow();
    if (traceparent === null) return;
    const startedMs = done.startedMs ?? signed_at?.getTime() ?? Date.now();
    const attributes = { 'mintage.chain': chain.slug, 'mintage.intent': intentId, 'mintage.step': step };
    recordSpan({ name, startedMs, attributes, parent: traceparent, error: error ?? null });
  } catch (err) {
    log.warn({ err, intent: intentId }, 'a span could not be recorded');
  }
};
