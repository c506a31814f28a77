import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IntentSigning, type IntentVerification, proveIntents, verifyIntents } from '../../src/db/intentProof.ts';
import { openSigningLog, type SigningLog } from '../../src/sign/signingLog/signingLog.ts';

/** The keys of an API, and the log of signers that know its public key. */
export interface Proofs {
  signing: IntentSigning;
  intents: IntentVerification;
  signingLog: SigningLog;
  /** PEM, for signers in processes of their own. */
  publicKey: string;
  /** Of the signing log. */
  folder: string;
  stop(): Promise<void>;
}

export const startProofs = async (): Promise<Proofs> => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const folder = await mkdtemp(join(tmpdir(), 'mintage-signing-log-'));
  return {
    signing: await proveIntents(privateKey, Date.now),
    intents: await verifyIntents([publicKey], Date.now),
    signingLog: await openSigningLog(folder, Date.now),
    publicKey: String(publicKey.export({ type: 'spki', format: 'pem' })),
    folder,
    stop: () => rm(folder, { recursive: true, force: true }),
  };
};
