import type { Outcome } from '../../accounts/webhooks/post.ts';

const second = 1000;
const hour = 3_600 * second;
const firstDelayMs = 5 * second;
const longestDelayMs = 6 * hour;
const failingAfterMs = 24 * hour;
/**
 * How long a webhook may fail before it is disabled, milliseconds: less than the 7 days that the outbox keeps, so that
 * nothing is lost yet when its owner looks.
 */
const disabledAfterMs = 5 * 24 * hour;

export interface Failing {
  status: 'active' | 'failing' | 'disabled';
  /** Milliseconds since 1970; null when it is given up. */
  nextAttemptMs: number | null;
}

/**
 * Computes what follows a failed attempt: the next after 5 s, then three times as long each time up to 6 h, varied at
 * random by a quarter, and later when the receiver asks for it. A webhook is failing after 24 h without a success, and
 * disabled after 5 days or by a 410.
 *
 * @param failures - Failed attempts since the last success, this one included.
 * @param sinceMs - Time of the first of them.
 * @param chance - Random number between 0 and 1.
 */
export const afterFailure = (
  outcome: Pick<Outcome, 'responseCode' | 'retryAfterMs'>,
  failures: number,
  sinceMs: number,
  nowMs: number,
  chance = Math.random(),
): Failing => {
  const failingMs = nowMs - sinceMs;
  if (outcome.responseCode === 410 || failingMs >= disabledAfterMs) return { status: 'disabled', nextAttemptMs: null };
  const delay = Math.min(firstDelayMs * 3 ** Math.min(failures - 1, 20), longestDelayMs) * (0.75 + chance / 2);
  const asked = Math.min(outcome.retryAfterMs, longestDelayMs);
  return {
    status: failingMs >= failingAfterMs ? 'failing' : 'active',
    nextAttemptMs: nowMs + Math.round(Math.max(delay, asked)),
  };
};
