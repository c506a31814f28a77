import { followersOf } from '@mintage/server';
import { chainTables, type Database, type RunningDatabase, tablesOfAChain } from '@mintage/server/db';
import { startIndexer } from '@mintage/server/index';
import { type Kysely, sql } from 'kysely';
import type { DevChain } from '../../src/devnet.ts';
import { testDatabase } from '../../src/testDatabase.ts';

/** How the tables came to be, not what the chain says. */
const notDerived = new Set<string>(['chain', 'block', 'journal', 'stream_event', 'token_before', 'fee_before']);

/** Every row of the index that a chain decides, as one comparable value. */
export const indexOf = async (db: Kysely<Database>): Promise<Record<string, string[]>> => {
  const content: Record<string, string[]> = {};
  for (const name of tablesOfAChain(chainTables)) {
    if (notDerived.has(name)) continue;
    const rows = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t order by 1`.execute(db);
    content[name] = rows.rows.map(({ row }) => row);
  }
  return content;
};

/** The index of the chains as they are now, read from nothing. They must not mine meanwhile. */
export const rebuiltIndex = async (chains: readonly DevChain[]): Promise<Record<string, string[]>> => {
  const database: RunningDatabase = await testDatabase();
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  try {
    const indexed = chains.map(({ chain, deployment, rpcUrl }) => ({ chain, deployment, rpcUrls: [rpcUrl] }));
    const indexer = await startIndexer({
      db: database.db,
      chains: indexed,
      createFollower: await followersOf(indexed),
      log: silent,
    });
    await indexer.caughtUp();
    await indexer.stop();
    return await indexOf(database.db);
  } finally {
    await database.stop();
  }
};
