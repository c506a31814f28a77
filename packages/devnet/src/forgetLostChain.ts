import type { Chain, Deployment } from '@mintage/protocol';
import { type Database, type SignerDatabase, signerTables, tablesOfAChain } from '@mintage/server/db';
import { forgetChain } from '@mintage/server/index';
import type { Kysely } from 'kysely';

/** A local chain of any family, as far as its index depends on it. */
export interface KnownChain {
  chain: Pick<Chain, 'eid'>;
  deployment: Pick<Deployment, 'launchpad'>;
  /** Of the block with this number; null where there is none. */
  hashOf(block: number): Promise<string | null>;
}

/**
 * Deletes the index of a local chain when the chain does not have the block at which the index is: the chain's folder
 * was deleted, or a crash lost its last seconds. Reading a local chain again takes a moment. What was signed for the
 * lost chain is deleted too: its nonces are unused now.
 *
 * @returns Whether the index was deleted.
 */
export const forgetLostChain = async (db: Kysely<Database>, chain: KnownChain): Promise<boolean> => {
  const { eid } = chain.chain;
  const index = await db
    .selectFrom('chain')
    .select(['indexed', 'indexed_hash', 'launchpad'])
    .where('eid', '=', eid)
    .executeTakeFirst();
  if (index === undefined) return false;
  const isOurs = index.launchpad === chain.deployment.launchpad;
  if (isOurs && (index.indexed_hash === null || index.indexed_hash === (await chain.hashOf(index.indexed))))
    return false;
  const signerDb = db.withTables<SignerDatabase>();
  for (const table of tablesOfAChain(signerTables)) {
    await signerDb.deleteFrom(table).where('eid', '=', eid).execute();
  }
  await forgetChain(db, eid); // last, because the index is what shows that the chain was lost
  return true;
};
