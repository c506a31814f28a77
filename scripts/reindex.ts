/**
 * `npm run reindex -- SLUG`: has the index of one chain forgotten, so that it is read anew from the deployment's first
 * block. For a chain that is paused because the provider's blocks differ from final ones of ours: look first who is right.
 * Answers about this chain are incomplete until it has caught up; nothing else is touched. With `DATABASE_URL` an
 * indexer that runs takes it up at once; the embedded database must not be in use.
 */

import { chains } from '@mintage/protocol';
import { configFromEnv } from '@mintage/server/api';
import { startDatabase } from '@mintage/server/db';
import { forgetChain } from '@mintage/server/index';

const [slug = ''] = process.argv.slice(2);
const eid = chains.find((chain) => chain.slug === slug)?.eid;
if (eid === undefined) throw new Error('npm run reindex -- SLUG, where SLUG is a chain such as base-sepolia');
const { home, databaseUrl, databaseReplicaUrls: replicaUrls } = configFromEnv(process.env);
const database = await startDatabase({ home, url: databaseUrl ?? undefined, replicaUrls });
try {
  await forgetChain(database.db, eid);
  console.log(`The index of ${slug} is forgotten; the indexer reads it anew.`);
} finally {
  await database.stop();
}
