import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/serviceTables.ts';
import type { Log } from '../../log.ts';
import type { PushKeys } from '../accounts/pushKey.ts';
import type { Outcome, Post } from '../accounts/webhooks/post.ts';
import { inTurn } from '../limits/inTurn.ts';
import { oneOf } from '../reads/oneOf.ts';
import { type Browser, pushRequest } from './pushMessage.ts';
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

/** Browsers at once, and most that may wait: a push is a hint, and the list has what was not pushed. */
const places = 8;
const mostWaiting = 1_000;
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

  const send = async (browser: Browser, id: string, text: string): Promise<void> => {
    const message = { text, topic: id.replaceAll('-', ''), contact: contactOf(config), now: now() };
    const { headers, body } = await pushRequest(browser, await pushKeys.key(), message);
    for (const waitMs of triesAfterMs) {
      await sleep(waitMs, undefined, { signal: stop.signal });
      const outcome = await webhooks.send(browser.endpoint, headers, body, stop.signal);
      if (isGone(outcome)) await db.deleteFrom('push_subscription').where('endpoint', '=', browser.endpoint).execute();
      if (!mayTryAgain(outcome)) return;
    }
  };

  const push = async (ids: readonly string[]): Promise<void> => {
    const wanted = await browsersOf(db, ids);
    if (wanted.length === 0) return;
    const shown = await shownNotifications(context, ids);
    for (const { notification_id: id, ...browser } of wanted) {
      const notification = shown.get(id);
      if (notification === undefined) continue;
      if (under.size >= mostWaiting)
        return log.warn({ waiting: under.size }, 'Too many pushes wait: browsers are not told of some notifications.');
      const { type, text, post_id, token } = notification;
      const url = `${config.appUrl}/notifications`;
      const told = JSON.stringify({ id, type, text, post_id, token: token?.slug ?? null, url });
      const sending = turn(() => send(browser, id, told))
        .catch((err: unknown) => {
          if (!stop.signal.aborted) log.warn({ err }, 'A browser could not be told of a notification.');
        })
        .finally(() => under.delete(sending));
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
    .select(['notification_id', 'endpoint', 'p256dh', 'auth'])
    .where(oneOf('notification_id', ids))
    .where('retracted_at', 'is', null)
    .execute();

/** The browser ended its subscription. */
const isGone = ({ responseCode }: Outcome): boolean => responseCode === 404 || responseCode === 410;

const mayTryAgain = ({ delivered, responseCode }: Outcome): boolean =>
  !delivered && (responseCode === null || responseCode === 429 || responseCode >= 500);

/** Push services take https addresses and mailto; a local deployment has neither. */
const contactOf = ({ publicUrl, appUrl }: Config): string =>
  [publicUrl, appUrl].find((url) => url.startsWith('https:')) ?? 'mailto:nobody@example.com';
