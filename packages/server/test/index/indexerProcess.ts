import type { ServedChain } from '../../src/chain/servedChain.ts';
import { openDatabase } from '../../src/db/openDatabase.ts';
import { createEvmFollower } from '../../src/index/evm/evmFollower.ts';
import { startIndexer } from '../../src/index/indexer.ts';
import { createSolanaFollower } from '../../src/index/solana/solanaFollower.ts';

/** An indexer as a process of its own, which tests may kill. Sends a message back once it has caught up with the chain. */
export interface IndexerOrder extends ServedChain {
  databaseUrl: string;
  pollMs?: number;
  /** Hears no announcement of a block, and only polls. */
  isDeaf?: boolean;
}

const { databaseUrl, pollMs, isDeaf = false, ...chain } = JSON.parse(process.env.INDEXER as string) as IndexerOrder;
const words = (fields: object, message: string): void => {
  if (process.env.INDEXER_LOG === 'yes') console.error(message, JSON.stringify(fields));
};
const create = chain.chain.family === 'solana' ? createSolanaFollower : createEvmFollower;
const db = openDatabase(databaseUrl);
const indexer = await startIndexer({
  db,
  chains: [chain],
  createFollower: (served, health, heard) => create(served, health, isDeaf ? () => {} : heard),
  log: { info: () => {}, warn: words, error: words },
  ...(pollMs === undefined ? {} : { pollMs }),
});
process.on('message', (message) => {
  if (message === 'caughtUp') void indexer.caughtUp().then(() => process.send?.('caughtUp'));
});
process.on('disconnect', async () => {
  await indexer.stop();
  await db.destroy();
});
process.send?.('started');
