import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/serviceTables.ts';
import type { Log } from '../../log.ts';
import { fileUses } from './fileUses.ts';
import { endDays, giveRoomBack } from './quotas.ts';

/**
 * Files that are kept only while something refers to them, such as pictures of people, which change. They are addressed by content, so
 * several may refer to one, and a call stores a file before it refers to it. So nothing is deleted at once: whoever stores a file or
 * lets go of one puts its hour back, and a sweep takes those whose hour is over and to which nothing refers then.
 */

/** Far longer than any call lasts. */
const stayMs = 60 * 60_000;
const sweepEveryMs = 10 * 60_000;
const sweptAtOnce = 500;

/** Whoever has locked these rows decides alone whether their files stay. */
const lockLoose = async (tx: Tx, cids: readonly string[]): Promise<void> => {
  await tx.selectFrom('loose_file').select('cid').where('cid', 'in', cids).orderBy('cid').forUpdate().execute();
};

const putBack = async (tx: Tx, cids: readonly string[], nowMs: number): Promise<void> => {
  if (cids.length === 0) return;
  await lockLoose(tx, cids);
  const swept_from = new Date(nowMs + stayMs);
  await tx.updateTable('loose_file').set({ swept_from }).where('cid', 'in', cids).execute();
};

/**
 * Around the storing of blocks for good: no sweep takes them from then on.
 *
 * @param store - Stores them; gives the addresses of those that were not there.
 */
export const keepForGood = async (
  tx: Tx,
  cids: readonly string[],
  store: () => Promise<readonly string[]>,
): Promise<void> => {
  await tieDown(tx, cids);
  const added = await store();
  // Of the others some may have been stored for now meanwhile.
  if (added.length < cids.length) await tieDown(tx, cids);
};

const tieDown = async (tx: Tx, cids: readonly string[]): Promise<void> => {
  await lockLoose(tx, cids);
  await tx.deleteFrom('loose_file').where('cid', 'in', cids).execute();
};

interface Loose {
  cid: string;
  /** Other blocks of the file. */
  parts: readonly string[];
}

/**
 * Around the storing of blocks for as long as something refers to them.
 *
 * @param store - Stores them; gives the addresses of those that were not there.
 */
export const keepForNow = async (
  tx: Tx,
  blocks: readonly Loose[],
  nowMs: number,
  store: () => Promise<readonly string[]>,
): Promise<void> => {
  const cids = blocks.map(({ cid }) => cid);
  await putBack(tx, cids, nowMs);
  const added = new Set(await store());
  const swept_from = new Date(nowMs + stayMs);
  const rows = blocks
    .filter(({ cid }) => added.has(cid))
    .map(({ cid, parts }) => ({ cid, parts: [...parts], swept_from }));
  if (rows.length > 0) await tx.insertInto('loose_file').values(rows).execute();
};

/**
 * In the transaction in which something stops referring to these files.
 *
 * @param urls - As `MediaFile` has them; null: there was none.
 */
export const letGoOfFiles = async (tx: Tx, urls: readonly (string | null)[], nowMs: number): Promise<void> => {
  const cids = urls.flatMap((url) => url?.split('/').at(-1) ?? []);
  await putBack(tx, [...new Set(cids)], nowMs);
};

/** @returns How many blocks were deleted. */
export const sweepLooseFiles = (db: Db, nowMs: number): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const due = await tx
      .selectFrom('loose_file')
      .select(['cid', 'parts'])
      .where('swept_from', '<', new Date(nowMs))
      .orderBy('cid')
      .limit(sweptAtOnce)
      .forUpdate()
      .skipLocked()
      .execute();
    if (due.length === 0) return 0;
    const cids = due.map(({ cid }) => cid);
    const used = await usedOf(tx, cids);
    const unused = cids.filter((cid) => !used.has(cid));
    if (used.size > 0)
      await tx
        .updateTable('loose_file')
        .set({ swept_from: null })
        .where('cid', 'in', [...used])
        .execute();
    if (unused.length > 0) {
      for (const table of ['media_block', 'loose_file'] as const)
        await tx.deleteFrom(table).where('cid', 'in', unused).execute();
      await giveRoomBack(tx, unused);
    }
    const parts = due.flatMap((one) => (used.has(one.cid) ? [] : one.parts));
    if (parts.length > 0) await letGoOfParts(tx, parts, nowMs);
    return unused.length;
  });

/** Whoever holds one of them puts it back. */
const letGoOfParts = async (tx: Tx, parts: readonly string[], nowMs: number): Promise<void> => {
  const free = tx.selectFrom('loose_file').select('cid').where('cid', 'in', parts).forUpdate().skipLocked();
  const swept_from = new Date(nowMs + stayMs);
  await tx.updateTable('loose_file').set({ swept_from }).where('cid', 'in', free).execute();
};

/** To which of these files something refers. */
const usedOf = async (tx: Tx, cids: readonly string[]): Promise<Set<string>> => {
  const { rows } = await sql<{ cid: string }>`
    select distinct cid from (
      select cid from (${fileUses}) used
      union all select unnest(parts) from loose_file
    ) files where cid = any(${[...cids]})`.execute(tx);
  return new Set(rows.map(({ cid }) => cid));
};

/**
 * Sweeps until stopped; any number of processes may do it on one database.
 *
 * @param endUses - Ends what refers to files for a while only.
 */
export const keepSweeping = (
  { db, log, now }: { db: Db; log: Log; now: () => number },
  endUses: (db: Db, nowMs: number) => Promise<void>,
): (() => Promise<void>) => {
  const stop = new AbortController();
  const sweep = async (): Promise<void> => {
    await endUses(db, now());
    await endDays(db, now());
    let swept: number;
    do swept = await sweepLooseFiles(db, now());
    while (swept > 0 && !stop.signal.aborted);
  };
  const loop = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await sweep().catch((err: unknown) => log.error({ err }, 'Unused files could not be deleted.'));
      await setTimeout(sweepEveryMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  const ended = loop();
  return async () => {
    stop.abort();
    await ended;
  };
};
