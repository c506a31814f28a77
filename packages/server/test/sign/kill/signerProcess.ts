import { createPublicKey } from 'node:crypto';
import { verifyIntents } from '../../../src/db/intentProof.ts';
import { openDatabase } from '../../../src/db/openDatabase.ts';
import { signingOf } from '../../../src/families.ts';
import { memoryKek } from '../../../src/keys/keys.ts';
import { openSigningLog, type ServedChain, startSigner } from '../../../src/sign/signer.ts';

/** A signer as a process of its own, which tests may kill. */
export interface SignerOrder {
  databaseUrl: string;
  chains: readonly ServedChain[];
  /** Base64. */
  kek: string;
  /** Public key of the API, PEM. */
  publicKey: string;
  /** Folder of the signing log. */
  signingLog: string;
  pollMs: number;
}

const { databaseUrl, chains, kek, publicKey, signingLog, pollMs } = JSON.parse(
  process.env.SIGNER as string,
) as SignerOrder;
const words = (fields: object, message: string): void => {
  if (process.env.SIGNER_LOG === 'yes') console.error(process.pid, message, JSON.stringify(fields));
};
const db = openDatabase(databaseUrl);
const signer = await startSigner({
  db,
  chains,
  families: await signingOf(chains),
  keys: memoryKek(Buffer.from(kek, 'base64')),
  intents: await verifyIntents([createPublicKey(publicKey)], Date.now),
  signingLog: await openSigningLog(signingLog, Date.now),
  log: { info: words, warn: words, error: words },
  pollMs,
});
process.on('disconnect', async () => {
  await signer.stop();
  await db.destroy();
});
process.send?.('started');
