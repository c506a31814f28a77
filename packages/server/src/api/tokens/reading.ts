import type { ChainContext } from '../../chain/chainContext.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/serviceTables.ts';

/** The configured chains by slug. */
export type Chains = ReadonlyMap<string, ChainContext>;

/** What reads use. */
export interface Reading {
  config: Config;
  db: Db;
  chains: Chains;
}
