import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/serviceTables.ts';
import type { Log } from '../../log.ts';
import type { PushKeys } from '../accounts/pushKey.ts';
import type { Outcome, Post } from '../accounts/webhooks/post.ts';
import { inTurn } from '../limits/inTurn.ts';
import { oneOf } from '../reads/oneOf.ts';
import { type Browser, type PushRequest, pushRequest } from './pushMessage.ts';
import { shownNotifications } from './showNotifications.ts';

export interface Pushing {
  config: Config;
  db: Db;
  pushKeys: PushKeys;
  /** Sends requests to addresses of strangers. */
  webhooks: Post;
  log: Log;
  now: () => number;
}

/** Browsers at once, of all and of one user, and most that may wait: a push is a hint, and the list has what was not pushed. */
const places = 8;
const placesOfUser = 2;
const mostWaiting = 1_000;
const mostOfUser = 50;
/** How long a browser may fail before it is forgotten. */
const longestFailureMs = 3 * 86_400_000;
/** Before each further try. */
const triesAfterMs = [0, 2_000, 10_000];

export interface Pusher {
  /** Tells the browsers of whom these notifications are for; it never throws. */
  push(notificationIds: readonly string[]): Promise<void>;
  /** Gives up what still waits. */
  stop(): Promise<void>;
}

/** Tells browsers of notifications, each once, and forgets browsers whose push service knows them no more. */
export const createPusher = (context: Pushing): Pusher => {
  const { config, db, pushKeys, webhooks, log, now } = context;
  const stop = new AbortController();
  const turn = inTurn(places);
  const under = new Set<Promise<void>>();
  /** Pushes under way, and their places, by user. */
  const waiting = new Map<string, number>();
  const turnsOfUsers = new Map<string, ReturnType<typeof inTurn>>();

  const tryOnce = async (browser: Browser, request: PushRequest): Promise<boolean> => {
    const outcome = await webhooks.send(browser.endpoint, request.headers, request.body, stop.signal);
    if (outcome.delivered) await noteOutcome(db, browser, null);
    else if (!stop.signal.aborted) await noteOutcome(db, browser, isGone(outcome) ? 'gone' : new Date(now()));
    return mayTryAgain(outcome);
  };

  /** A place is held while something is sent, not between tries; a user has few of them at once. */
  const send = async (userId: string, browser: Browser, id: string, text: string): Promise<void> => {
    const message = { text, topic: id.replaceAll('-', ''), contact: contactOf(config), now: now() };
    const request = await pushRequest(browser, await pushKeys.key(), message);
    const ofUser = turnsOfUsers.get(userId) ?? inTurn(placesOfUser);
    turnsOfUsers.set(userId, ofUser);
    for (const waitMs of triesAfterMs) {
      await sleep(waitMs, undefined, { signal: stop.signal });
      if (!(await ofUser(() => turn(() => tryOnce(browser, request))))) return;
    }
  };

  const push = async (ids: readonly string[]): Promise<void> => {
    const wanted = await browsersOf(db, ids);
    if (wanted.length === 0) return;
    const shown = await shownNotifications(context, ids);
    for (const { notification_id: id, user_id: userId, ...browser } of wanted) {
      const notification = shown.get(id);
      if (notification === undefined) continue;
      if (under.size >= mostWaiting || (waiting.get(userId) ?? 0) >= mostOfUser) continue;
      const { type, text, post_id, token } = notification;
      const url = `${config.appUrl}/notifications`;
      const told = JSON.stringify({ id, type, text, post_id, token: token?.slug ?? null, url });
      waiting.set(userId, (waiting.get(userId) ?? 0) + 1);
      const sending = send(userId, browser, id, told)
        .catch((err: unknown) => {
          if (!stop.signal.aborted) log.warn({ err }, 'A browser could not be told of a notification.');
        })
        .finally(() => {
          under.delete(sending);
          const left = (waiting.get(userId) ?? 1) - 1;
          if (left > 0) waiting.set(userId, left);
          else for (const ofUsers of [waiting, turnsOfUsers]) ofUsers.delete(userId);
        });
      under.add(sending);
    }
  };

  return {
    push: (ids) =>
      ids.length === 0
        ? Promise.resolve()
        : push(ids).catch((err: unknown) => log.warn({ err }, 'Browsers could not be told of notifications.')),
    async stop() {
      stop.abort();
      await Promise.all(under);
    },
  };
};

const browsersOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('notification')
    .innerJoin('push_subscription as browser', 'browser.user_id', 'notification.user_id')
    .select(['notification_id', 'notification.user_id', 'endpoint', 'p256dh', 'auth'])
    .where(oneOf('notification_id', ids))
    .where('retracted_at', 'is', null)
    .execute();

/** Forgets a browser that is gone, or that has failed for days. */
const noteOutcome = async (db: Db, { endpoint }: Browser, failed: Date | 'gone' | null): Promise<void> => {
  if (failed === 'gone') {
    await db.deleteFrom('push_subscription').where('endpoint', '=', endpoint).execute();
    return;
  }
  if (failed === null) {
    const failing = db.updateTable('push_subscription').set({ failing_since: null }).where('endpoint', '=', endpoint);
    await failing.where('failing_since', 'is not', null).execute();
    return;
  }
  await db
    .updateTable('push_subscription')
    .set(({ fn, val }) => ({ failing_since: fn.coalesce('failing_since', val(failed)) }))
    .where('endpoint', '=', endpoint)
    .execute();
  await db
    .deleteFrom('push_subscription')
    .where('endpoint', '=', endpoint)
    .where('failing_since', '<', new Date(failed.getTime() - longestFailureMs))
    .execute();
};

/** The browser ended its subscription. */
const isGone = ({ responseCode }: Outcome): boolean => responseCode === 404 || responseCode === 410;

const mayTryAgain = ({ delivered, responseCode }: Outcome): boolean =>
  !delivered && (responseCode === null || responseCode === 429 || responseCode >= 500);

/** Push services take https addresses and mailto; a local deployment has neither. */
const contactOf = ({ publicUrl, appUrl }: Config): string =>
  [publicUrl, appUrl].find((url) => url.startsWith('https:')) ?? 'mailto:nobody@example.com';
