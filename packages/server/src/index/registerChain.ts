import type { Deployment } from '@mintage/protocol';
import type { Kysely } from 'kysely';
import type { Database } from '../db/chainTables.ts';
import type { ChainContext } from './chainContext.ts';

/**
 * Creates the chain's row, positioned before the deployment's first block, if it does not exist.
 *
 * @throws When the database holds another deployment of this chain: its rows belong to other contracts.
 */
export const registerChain = async (
  db: Kysely<Database>,
  chain: ChainContext,
  deployment: Deployment,
): Promise<void> => {
  await db
    .insertInto('chain')
    .values({
      eid: chain.eid,
      slug: chain.slug,
      usd: chain.usd,
      usd_decimals: deployment.usdDecimals,
      launchpad: chain.launchpad,
      pool_manager: chain.poolManager,
      indexed: deployment.startBlock - 1,
    })
    .onConflict((conflict) => conflict.column('eid').doNothing())
    .execute();
  const { launchpad } = await db
    .selectFrom('chain')
    .select('launchpad')
    .where('eid', '=', chain.eid)
    .executeTakeFirstOrThrow();
  if (launchpad !== chain.launchpad) {
    throw new Error(
      `the database holds ${chain.slug} with launchpad ${launchpad}, this deployment has ${chain.launchpad}; use another database`,
    );
  }
};
