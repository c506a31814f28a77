import type { Kysely, Transaction } from 'kysely';
import type { Hex } from 'viem';
import type { SignerDatabase } from '../db/signerTables.ts';
import type { KeyEncryption } from '../keys/keys.ts';
import type { Log } from '../log.ts';
import type { PolicyConfig } from './policy/policyConfig.ts';
import type { ChainAccess } from './servedChain.ts';

export type Db = Kysely<SignerDatabase>;
export type Tx = Transaction<SignerDatabase>;
export type { Hex };

/** Created once at the start; all state that outlives a step is in `db`. */
export interface Context {
  db: Db;
  keys: KeyEncryption;
  log: Log;
  /** How often open transactions are looked after, and how late a lost wake-up is noticed. */
  pollMs: number;
  policy: PolicyConfig;
}

/** One wallet on one chain: the unit in which nonces are counted and locks are held. */
export interface Lane {
  chain: ChainAccess;
  /** Lower case. */
  wallet: Hex;
}

/** The lane as chain questions name it. */
export const accountOf = ({ chain: { rpc, chainId }, wallet }: Lane) => ({ rpc, chainId, wallet });
