import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { type Kysely, sql } from 'kysely';
import { type Database } from '../../../src/db/chainTables.ts';
import { Random } from '../random.ts';
import { contentOf, empty } from '../tables.ts';
import { finalityBlocks, type Ground, type Subject } from './ground.ts';

/** What is wanted of a run; it ends when it has had all of them. */
export interface Plan {
  seed: number;
  reorgs: number;
  /** Times that the indexer's process is killed; only on grounds where it is one. */
  kills: number;
  /** After how many steps in the mean the tables are compared; 4 when absent. */
  compareEvery?: number;
}

export interface Outcome {
  reorgs: number;
  /** Reorgs whose blocks were in the tables, so that they had to be undone, and the deepest of them. */
  undone: number;
  deepest: number;
  kills: number;
  /** Kills that met the process inside a transaction. */
  midWrite: number;
  restarts: number;
  troubles: number;
  /** Comparisons of every table with a rebuild. */
  comparisons: number;
  blocks: number;
  /** Rows in all tables at the last comparison. */
  rows: number;
}

/** The tables are not what a rebuild gives. */
export class DifferenceError extends Error {}

/**
 * A chain of random acts with reorgs of every depth that can happen, an indexer that is restarted, killed and lied to
 * meanwhile, and after every few steps a comparison of all its tables with those of a rebuild in an empty database.
 *
 * @throws DifferenceError with the seed, the tables that differ and their first rows.
 */
export const simulate = async (ground: Ground, { seed, reorgs, kills, compareEvery = 4 }: Plan): Promise<Outcome> => {
  const random = new Random(seed * 7919);
  const [database, rebuilt] = [await testDatabase(), await testDatabase()];
  const outcome = { ...nothing };
  let subject: Subject | undefined;
  try {
    let highest = await ground.height();
    let isHonest = true;
    let comparedAt = 0;
    const start = async (): Promise<Subject> => {
      subject = await ground.start(database);
      return subject;
    };
    await start();
    const caughtUp = async (): Promise<void> => {
      const waiting = new AbortController();
      const limit = sleep(longestCatchUpMs, true, { signal: waiting.signal }).catch(() => false);
      const isLate = await Promise.race([limit, subject?.caughtUp()]);
      waiting.abort();
      if (isLate) throw new DifferenceError(`seed ${seed}: the indexer is stuck: ${await problemOf(database.db)}`);
    };
    const mine = async (count: number): Promise<void> => {
      await ground.mine(count);
      highest = Math.max(highest, await ground.height());
    };
    /** Ends the trouble. Who was lied to rests a while before asking again; a restart asks at once. */
    const recover = async (): Promise<void> => {
      ground.honest();
      if (isHonest) return;
      isHonest = true;
      if (subject?.kill) await subject.kill();
      else await subject?.stop();
      await endLease(database.db);
      await start();
    };
    const compare = async (): Promise<void> => {
      // A branch that is only shorter looks like a provider that lags; the next block above the old head tells.
      const height = await ground.height();
      if (height <= highest) await mine(highest - height + 1);
      await recover();
      await caughtUp();
      await empty(rebuilt.db);
      await ground.rebuild(rebuilt.db, random.pick([0, 8, finalityBlocks, finalityBlocks, 100_000]));
      outcome.rows = await expectEqual(database.db, rebuilt.db, seed);
      outcome.comparisons += 1;
      comparedAt = outcome.reorgs + outcome.kills;
    };

    while (outcome.reorgs < reorgs || outcome.kills < kills) {
      await mine(random.whole(1, 8));
      if (random.chance(0.6)) await recover();
      if (isHonest && random.chance(0.5)) await caughtUp();
      if (outcome.reorgs < reorgs) {
        // Never below a block that was final when its branch was the longest.
        const allowed = (await ground.height()) - (highest - finalityBlocks);
        const depth = Math.min(depthOf(random), allowed);
        if (depth < 1) continue;
        if (isHonest && random.chance(0.9)) await caughtUp();
        const undone = (await indexedOf(database.db)) - ((await ground.height()) - depth);
        await ground.reorg(depth, random.whole(Math.max(0, depth - 2), depth + 4));
        highest = Math.max(highest, await ground.height());
        outcome.reorgs += 1;
        if (undone > 0) outcome.undone += 1;
        outcome.deepest = Math.max(outcome.deepest, undone);
      }
      if (random.chance(0.15)) {
        await subject?.stop();
        await start();
        outcome.restarts += 1;
      }
      if (random.chance(0.3)) {
        ground.trouble();
        isHonest = false;
        outcome.troubles += 1;
        await mine(random.whole(1, 4));
        await ground.suffer();
      }
      const killsNow = Math.min(random.whole(1, 3), kills - outcome.kills);
      for (let i = 0; i < killsNow; i += 1) {
        if (subject?.kill === undefined)
          throw new Error('on this ground the indexer is no process that could be killed');
        const growth = mine(random.whole(3, 8));
        if (random.chance(0.7)) outcome.midWrite += Number(await untilWriting(database.db));
        else await sleep(random.whole(0, 100));
        await subject.kill();
        outcome.kills += 1;
        await growth;
        await endLease(database.db);
        await start();
      }
      if (random.chance(1 / compareEvery)) await compare();
    }
    if (comparedAt < outcome.reorgs + outcome.kills || outcome.comparisons === 0) await compare();
    outcome.blocks = await ground.height();
    return outcome;
  } finally {
    await subject?.stop();
    await Promise.all([database.stop(), rebuilt.stop()]);
  }
};

export const nothing: Outcome = {
  reorgs: 0,
  undone: 0,
  deepest: 0,
  kills: 0,
  midWrite: 0,
  restarts: 0,
  troubles: 0,
  comparisons: 0,
  blocks: 0,
  rows: 0,
};

/** Half of them shallow, as on a real chain; every depth up to what can happen. */
const depthOf = (random: Random): number =>
  random.chance(0.5) ? random.whole(1, 8) : random.chance(0.5) ? random.whole(9, 40) : random.whole(33, finalityBlocks);

/** Where it takes as long, wrong rows keep it from going on. */
const longestCatchUpMs = 180_000;

const problemOf = async (db: Kysely<Database>): Promise<string> => {
  const chain = await db.selectFrom('chain').select(['status', 'problem']).executeTakeFirst();
  return `${chain?.status}, ${chain?.problem}`;
};

const indexedOf = async (db: Kysely<Database>): Promise<number> =>
  (await db.selectFrom('chain').select('indexed').executeTakeFirst())?.indexed ?? -1;

/** Waits until somebody else on this database is inside a transaction; false when nobody was for a while. */
const untilWriting = async (db: Kysely<Database>): Promise<boolean> => {
  const until = performance.now() + 500;
  while (performance.now() < until) {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
      and pid <> pg_backend_pid() and xact_start is not null`.execute(db);
    if (rows.length > 0) return true;
  }
  return false;
};

/** A killed process cannot give its lease back; the test does not wait until it has run out. */
const endLease = async (db: Kysely<Database>): Promise<void> => {
  await sql`update chain set lease_owner = null, lease_until = null`.execute(db);
};

/** @returns The number of rows compared. */
const expectEqual = async (db: Kysely<Database>, rebuilt: Kysely<Database>, seed: number): Promise<number> => {
  const [ours, theirs] = [await contentOf(db), await contentOf(rebuilt)];
  const final = Math.max(await finalizedOf(db), await finalizedOf(rebuilt));
  [ours.block, theirs.block] = [await openBlocksOf(db, final), await openBlocksOf(rebuilt, final)];
  const names = Object.keys(theirs).filter((name) => hashOf(ours[name]) !== hashOf(theirs[name]));
  if (names.length > 0) {
    const lines = names.flatMap((name) => {
      const [left, right] = [new Set(ours[name]), new Set(theirs[name])];
      const tooMany = [...left].filter((row) => !right.has(row));
      const missing = [...right].filter((row) => !left.has(row));
      return [
        `${name}: ${tooMany.length} rows too many or other, ${missing.length} missing`,
        ...tooMany.slice(0, 3).map((row) => `  has     ${row}`),
        ...missing.slice(0, 3).map((row) => `  rebuild ${row}`),
      ];
    });
    throw new DifferenceError(`seed ${seed}: the tables differ from a rebuild\n${lines.join('\n')}`);
  }
  return Object.values(ours).reduce((total, rows) => total + rows.length, 0);
};

const hashOf = (rows: readonly string[] = []): string => createHash('sha256').update(rows.join('\n')).digest('hex');

/** Blocks that may be undone in both: their finality may differ. */
const openBlocksOf = async (db: Kysely<Database>, after: number): Promise<string[]> => {
  const blocks = await db.selectFrom('block').selectAll().where('number', '>', after).orderBy('number').execute();
  return blocks.map((block) => JSON.stringify(block));
};

const finalizedOf = async (db: Kysely<Database>): Promise<number> =>
  (await db.selectFrom('chain').select('finalized').executeTakeFirstOrThrow()).finalized;
