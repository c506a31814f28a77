import { type Database, type SignerDatabase, signerTables, tablesOfAChain } from '@mintage/server/db';
import { forgetChain } from '@mintage/server/index';
import type { Kysely } from 'kysely';
import type { DevChain } from './chains.ts';

/**
 * Lets the index of a local chain begin anew when the chain does not know the block on which the index stands: the
 * chain's folder was deleted, or a crash took its last seconds. Reading a local chain again takes a moment. What was signed
 * for the lost chain goes too: its nonces are unused now.
 *
 * @returns Whether it was so.
 */
export const forgetLostChain = async (db: Kysely<Database>, chain: DevChain): Promise<boolean> => {
  const { chainId } = chain.chain;
  const index = await db
    .selectFrom('chain')
    .select(['indexed', 'indexed_hash', 'launchpad'])
    .where('chain_id', '=', chainId)
    .executeTakeFirst();
  if (index === undefined) return false;
  const isOurs = index.launchpad === chain.deployment.launchpad;
  if (isOurs && (index.indexed_hash === null || index.indexed_hash === (await hashOf(chain, index.indexed))))
    return false;
  const signerDb = db.withTables<SignerDatabase>();
  for (const table of tablesOfAChain(signerTables)) {
    await signerDb.deleteFrom(table).where('chain_id', '=', chainId).execute();
  }
  await forgetChain(db, chainId); // the last, because it is by the index that we know
  return true;
};

const hashOf = async (chain: DevChain, block: number): Promise<string | null> => {
  const found = await chain.rpc('eth_getBlockByNumber', [`0x${block.toString(16)}`, false]);
  return (found as { hash: string } | null)?.hash ?? null;
};
