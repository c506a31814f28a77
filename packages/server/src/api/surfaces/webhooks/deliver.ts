import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { StreamTopic } from '@mintage/protocol/operations';
import type { Outcome } from '../../accounts/webhooks/post.ts';
import {
  type Attempt,
  claim,
  countByStatus,
  countReceivers,
  interested,
  nextPage,
  passIdle,
  type Room,
  record,
  release,
  slowAfterMs,
  type Webhook,
  withWork,
} from '../../accounts/webhooks/queue.ts';
import { attemptDelivery } from '../../events/attemptDelivery.ts';
import { newestNumbers } from '../../events/reader.ts';
import type { StreamEvent } from '../../reads/events/streamEvent.ts';
import type { ServiceContext } from '../serviceContext.ts';
import { afterFailure } from './retry.ts';

export interface DeliveryOptions {
  /** Polling interval for deliveries that have become due, milliseconds; new events are notified. */
  pollMs?: number;
}

/**
 * Most concurrent turns of one process. A turn whose attempt takes longer than a second moves to the slow ones when
 * there is room, and a receiver whose last attempt was slow starts there, so that slow receivers, which cost only a
 * socket, delay nobody.
 */
const quickTurns = 64;
const slowTurns = 512;
/** Most quick turns for receivers of one user, and most turns of either kind for one origin. */
const mostPerUser = 4;
const mostPerOrigin = 4;
/** A turn ends after this many events or this time, so that others get a turn. */
const turnEvents = 100;
const turnMs = 5_000;

interface Turn {
  userId: string;
  origin: string;
  isSlow: boolean;
  /** Start of the attempt in progress, on the clock of `performance.now()`; null between two attempts. */
  sinceMs: number | null;
}

/**
 * Delivers events to webhooks until stopped. Each webhook has a position in its topic: its events are sent one by one
 * in the order of their numbers, and the position moves when the receiver has accepted one. A failure holds up the
 * whole webhook, so that no later event overtakes. Any number of processes may run this on one database.
 *
 * @returns Stops the deliveries; one in progress is aborted and repeated after the next start.
 */
export const deliverWebhooks = (
  context: ServiceContext,
  { pollMs = 2_000 }: DeliveryOptions = {},
): (() => Promise<void>) => {
  const { db, log, metrics, now, streams } = context;
  const stop = new AbortController();
  const turns = new Map<Promise<void>, Turn>();
  const unfollow: (() => void)[] = [];
  let isRung = false;
  let wake = new AbortController();
  const ring = (): void => {
    isRung = true;
    wake.abort();
  };
  streams.reader().then(
    (reader) => void unfollow.push(reader.onNew(ring)),
    (err: unknown) => log.warn({ err }, 'Webhooks hear of new events by looking only.'),
  );

  /** Webhooks that may have something to deliver. */
  const waiting = new Set<string>();
  const wait = (ids: readonly string[]): void => {
    for (const id of ids) waiting.add(id);
  };
  /** Numbers up to which the webhooks that want an event have been queued. */
  const seen = new Map<StreamTopic, number>();
  let sweptMs = -Infinity;

  const look = async (): Promise<void> => {
    for (const [topic, end] of await newestNumbers(db)) {
      const after = seen.get(topic) ?? end;
      if (end > after) wait(await interested(db, topic, after, end));
      seen.set(topic, end);
    }
    if (performance.now() - sweptMs < pollMs) return;
    await passIdle(db);
    wait(await withWork(db, new Date(now())));
    metrics.setWebhooks(await countByStatus(db));
    metrics.setReceivers(await countReceivers(db, new Date(now())));
    sweptMs = performance.now();
  };

  const startTurns = async (): Promise<void> => {
    if (stop.signal.aborted) return;
    const running = [...turns.values()];
    moveSlow(running);
    const room = roomBeside(running);
    if (room.quick <= 0 && room.slow <= 0) return;
    const owner = randomUUID(); // a new owner for these turns, so that an earlier turn that lost its lease cannot write
    const asked = [...waiting];
    const { webhooks, isMoreWaiting } = await claim(db, owner, asked, new Date(now()), room);
    // The others are finished, not due, or leased by another process.
    if (!isMoreWaiting) for (const id of asked) waiting.delete(id);
    for (const webhook of webhooks) {
      waiting.delete(webhook.id);
      const { user_id: userId, origin, was_slow: isSlow } = webhook;
      const place: Turn = { userId, origin, isSlow, sinceMs: null };
      const turn = takeTurn(context, owner, webhook, place, stop.signal)
        .then((hasMore) => wait(hasMore ? [webhook.id] : []))
        .catch((err: unknown) => log.error({ err, webhook: webhook.id }, 'A webhook could not be delivered.'))
        .finally(() => turns.delete(turn));
      turns.set(turn, place);
    }
  };

  const loop = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      isRung = false;
      wake = new AbortController();
      try {
        await look();
        await startTurns();
      } catch (err) {
        log.error({ err }, 'The webhooks could not be looked at.');
      }
      if (isRung) continue;
      // An ended turn frees a place and may leave work for its next turn; slow turns are checked together.
      const pauseMs = waiting.size > 0 && turns.size > 0 ? Math.min(pollMs, slowAfterMs / 4) : pollMs;
      const pause = setTimeout(pauseMs, undefined, { signal: AbortSignal.any([stop.signal, wake.signal]) });
      const quick = [...turns].flatMap(([turn, { isSlow }]) => (isSlow ? [] : [turn]));
      await Promise.race([pause.catch(() => undefined), ...quick]);
      wake.abort();
    }
    await Promise.all(turns.keys());
  };

  const ended = loop();
  return async () => {
    stop.abort();
    for (const end of unfollow) end();
    await ended;
  };
};

const countBy = (keys: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
};
/** Moves turns whose attempt takes long to the slow ones, as long as these have room. */
const moveSlow = (turns: readonly Turn[]): void => {
  let free = slowTurns - turns.filter(({ isSlow }) => isSlow).length;
  for (const turn of turns) {
    const isLong = turn.sinceMs !== null && performance.now() - turn.sinceMs > slowAfterMs;
    if (turn.isSlow || !isLong || free <= 0) continue;
    turn.isSlow = true;
    free -= 1;
  }
};

const roomBeside = (turns: readonly Turn[]): Room => {
  const quick = turns.filter(({ isSlow }) => !isSlow);
  return {
    quick: quickTurns - quick.length,
    slow: slowTurns - (turns.length - quick.length),
    perUser: mostPerUser,
    perOrigin: mostPerOrigin,
    quickOfUsers: countBy(quick.map(({ userId }) => userId)),
    ofUsers: countBy(turns.map(({ userId }) => userId)),
    ofOrigins: countBy(turns.map(({ origin }) => origin)),
  };
};

/**
 * Delivers the next events of a leased webhook until one fails, none is left, or the turn's time is over.
 *
 * @returns Whether there may be more to deliver now.
 */
const takeTurn = async (
  context: ServiceContext,
  owner: string,
  webhook: Webhook,
  place: Turn,
  stop: AbortSignal,
): Promise<boolean> => {
  const { db, metrics, now, webhookKeys } = context;
  const started = performance.now();
  const [{ events, missed, end }, keys] = await Promise.all([
    nextPage(db, webhook, turnEvents),
    webhookKeys.of(webhook.id, new Date(now())),
  ]);
  if (keys.length === 0) return false; // deleted meanwhile
  let failures = webhook.failures;
  for (const [index, event] of events.entries()) {
    const isOver = stop.aborted || performance.now() - started > turnMs;
    place.sinceMs = performance.now();
    const outcome = isOver
      ? null
      : await attemptDelivery(context, webhook, keys, event, index === 0 ? missed : null, stop);
    place.sinceMs = null;
    if (outcome === null || (stop.aborted && outcome.responseCode === null)) {
      await release(db, owner, webhook.id); // aborted by us, so it does not count against the receiver
      return true;
    }
    const delaySeconds = (now() - event.created_at.getTime()) / 1000;
    metrics.countDelivery(outcome.delivered ? 'delivered' : 'failed', delaySeconds);
    const isOurs = await note(context, owner, webhook, event, outcome, failures + 1);
    if (!isOurs) return true; // the cursor was moved, or the lease was taken over
    if (!outcome.delivered) return false; // `note` has released the lease until the next attempt
    failures = 0;
  }
  const isFull = events.length === turnEvents;
  // The page may also hold events published after `end` was read. A loss that was not reported yet keeps the cursor
  // where it is.
  const passed = Math.max(end, events.at(-1)?.seq ?? 0);
  await release(db, owner, webhook.id, isFull || (events.length === 0 && missed !== null) ? undefined : passed);
  return isFull;
};

/** Records the outcome of an attempt and the webhook's next state. */
const note = (
  { db, log, now }: ServiceContext,
  owner: string,
  webhook: Webhook,
  event: StreamEvent,
  outcome: Outcome,
  attempt: number,
): Promise<boolean> => {
  const at = new Date(now());
  const entry: Attempt = {
    seq: event.seq,
    attempt,
    cause: 'stream',
    response_code: outcome.responseCode,
    error: outcome.error,
    duration_ms: outcome.durationMs,
    at,
    next_attempt_at: null,
  };
  if (outcome.delivered) {
    const good = { status: 'active', failures: 0, failing_since: null, last_error: null } as const;
    return record(db, owner, webhook.id, entry, {
      ...good,
      cursor: event.seq,
      last_success_at: at,
      next_attempt_at: at,
    });
  }
  const since = attempt === 1 || webhook.failing_since === null ? at : webhook.failing_since;
  const { status, nextAttemptMs } = afterFailure(outcome, attempt, since.getTime(), at.getTime());
  const next = nextAttemptMs === null ? null : new Date(nextAttemptMs);
  if (status !== webhook.status) log.warn({ webhook: webhook.id, status }, 'A webhook fails for long.');
  return record(
    db,
    owner,
    webhook.id,
    { ...entry, next_attempt_at: next },
    {
      status,
      failures: attempt,
      failing_since: since,
      last_error: outcome.error,
      next_attempt_at: next ?? webhook.next_attempt_at,
    },
  );
};
