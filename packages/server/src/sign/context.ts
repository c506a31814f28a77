import type { Address, Chain } from '@mintage/protocol';
import type { Kysely, Transaction } from 'kysely';
import type { IntentVerification } from '../db/intentProof.ts';
import type { SignerDatabase } from '../db/signerTables.ts';
import type { KeyEncryption } from '../keys/keys.ts';
import type { Log } from '../log.ts';
import type { PolicyConfig } from './policy/policyConfig.ts';
import type { SigningLog } from './signingLog/signingLog.ts';

export type Db = Kysely<SignerDatabase>;
export type Tx = Transaction<SignerDatabase>;

/** Created once at the start; all state that outlives a step is in `db`. */
export interface Context {
  db: Db;
  keys: KeyEncryption;
  intents: IntentVerification;
  signingLog: SigningLog;
  log: Log;
  /** How often open transactions are looked after, and how late a lost wake-up is noticed. */
  pollMs: number;
  policy: PolicyConfig;
}

/** One wallet on one chain: the unit in which transactions are ordered and locks are held. */
export interface Lane {
  chain: Pick<Chain, 'eid' | 'slug'>;
  wallet: Address;
}
