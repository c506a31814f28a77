import { openDatabase } from '../../../src/db/openDatabase.ts';
import { signingOf } from '../../../src/families.ts';
import { memoryKek } from '../../../src/keys/keys.ts';
import { type ServedChain, startSigner } from '../../../src/sign/signer.ts';

/** A signer as a process of its own, which tests may kill. */
export interface SignerOrder {
  databaseUrl: string;
  chains: readonly ServedChain[];
  /** Base64. */
  kek: string;
  pollMs: number;
}

const { databaseUrl, chains, kek, pollMs } = JSON.parse(process.env.SIGNER as string) as SignerOrder;
const words = (fields: object, message: string): void => {
  if (process.env.SIGNER_LOG === 'yes') console.error(process.pid, message, JSON.stringify(fields));
};
const db = openDatabase(databaseUrl);
const signer = await startSigner({
  db,
  chains,
  families: await signingOf(chains),
  keys: memoryKek(Buffer.from(kek, 'base64')),
  log: { info: words, warn: words, error: words },
  pollMs,
});
process.on('disconnect', async () => {
  await signer.stop();
  await db.destroy();
});
process.send?.('started');
