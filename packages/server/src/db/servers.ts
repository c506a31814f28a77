import { setTimeout as sleep } from 'node:timers/promises';
import { Bell } from '../bell.ts';
import type { Log } from '../log.ts';
import type { DatabaseClient, WritableServers } from './databaseClient.ts';
import { type WatchedServer, watchServer } from './watchServer.ts';

/**
 * The servers of one database: one takes writes, the others are its standbys. Which one it is may change at any time, because the
 * operator promotes another (docs/decisions/0075-several-database-servers.md).
 */
export interface Servers extends WritableServers {
  readonly all: readonly WatchedServer[];
  writable(): WatchedServer;
  /** Asks all of them now. Resolves when each has answered or is given up. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

const everyMs = 1_000;
/** While none takes writes. */
const soonMs = 200;

/** @param urls - In any order; the first is believed to take writes until they were asked. */
export const watchServers = (urls: readonly [string, ...string[]], log: Log): Servers => {
  const all = urls.map(watchServer);
  let current = all[0] as WatchedServer;
  /** Highest that any server was on: one of an earlier one was left behind by a promotion, whatever it says. */
  let timeline = 0;
  /** Another database must never be written to instead. */
  let system: string | null = null;
  const kept = new Map<DatabaseClient, string>();
  const strangers = new Set<string>();
  const away = new Set<string>();
  const bell = new Bell();
  const ending = new AbortController();

  const judge = (): void => {
    system ??= systemOf(all);
    for (const { url, state, failure } of all) {
      if (state === null && !away.has(url)) {
        away.add(url);
        log.warn({ server: hostOf(url), err: failure }, 'A server of the database does not answer.');
      }
      if (state !== null && away.delete(url))
        log.info({ server: hostOf(url) }, 'A server of the database answers again.');
      if (state === null || system === null || state.system === system || strangers.has(url)) continue;
      strangers.add(url);
      log.error({ server: hostOf(url) }, 'A server of the list holds another database, and is not used.');
    }
    const ours = all.filter(({ state }) => state?.system === system);
    timeline = Math.max(timeline, ...ours.map(timelineOf));
    const newest = ours.find((server) => server.state?.isStandby === false && timelineOf(server) === timeline);
    if (newest === undefined) return;
    if (newest === current) return;
    log.warn({ from: hostOf(current.url), to: hostOf(newest.url) }, 'Another server of the database takes writes now.');
    current = newest;
    for (const [client, url] of kept)
      if (url !== current.url) client.cut(new Error('another server takes the writes now'));
  };
  const look = async (): Promise<void> => {
    // Which database it is, is known once each was asked; from then on each is judged when it answers.
    const known = system === null ? () => undefined : judge;
    await Promise.all(all.map((server) => server.look().then(known)));
    judge();
  };
  const isSure = (): boolean => current.state?.isStandby === false;
  const watch = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await bell.wait(isSure() ? everyMs : soonMs);
      // One that does not answer must not hold up what the others say.
      if (!ending.signal.aborted) await Promise.race([look(), sleep(everyMs)]);
    }
  };
  const watching = watch();

  return {
    all,
    writable: () => current,
    look,
    keep(client, url) {
      kept.set(client, url);
      client.once('end', () => kept.delete(client));
    },
    doubt: () => bell.ring(),
    async stop() {
      ending.abort();
      bell.ring();
      await watching;
      await Promise.all(all.map((server) => server.stop()));
    },
  };
};

/** Which database it is: that of the first server, or while it does not answer of more than half of all; null: not known. */
const systemOf = (all: readonly WatchedServer[]): string | null => {
  const said = all.flatMap(({ state }) => state?.system ?? []);
  const isOfMost = (system: string): boolean => said.filter((one) => one === system).length * 2 > all.length;
  return all[0]?.state?.system ?? said.find(isOfMost) ?? null;
};

const timelineOf = ({ state }: WatchedServer): number => state?.timeline ?? 0;

const hostOf = (url: string): string => new URL(url).host;
