import { type Eid, tokenDecimalsAt } from '@mintage/protocol';
import type { Kysely } from 'kysely';
import { chainTables, type Database } from '../db/chainTables.ts';
import { tablesOfAChain } from '../db/table.ts';
import { takeChain } from '../db/votingLocks.ts';
import { takeBackEarners } from './aggregates/earners.ts';
import { forgetLosses } from './aggregates/votes.ts';
import { networksOf } from './chainContext.ts';

/**
 * Deletes everything that the index holds of a chain, including its part of the rankings, so that the chain is read
 * from the beginning.
 */
export const forgetChain = async (db: Kysely<Database>, eid: Eid): Promise<void> => {
  await db.transaction().execute(async (tx) => {
    await takeChain(tx, eid);
    const chain = await tx
      .selectFrom('chain')
      .select(['slug', 'usd', 'usd_decimals', 'rolled_block', 'rolled_time'])
      .where('eid', '=', eid)
      .forUpdate()
      .executeTakeFirst();
    if (chain?.rolled_time) {
      const earning = { eid, usd: chain.usd, decimals: { usd: chain.usd_decimals }, networks: networksOf(chain.slug) };
      await takeBackEarners(tx, earning, { block: chain.rolled_block as number, time: chain.rolled_time }, null);
    }
    await forgetLosses(tx, { eid, decimals: { token: tokenDecimalsAt(eid) } });
    for (const table of tablesOfAChain(chainTables)) await tx.deleteFrom(table).where('eid', '=', eid).execute();
  });
};
