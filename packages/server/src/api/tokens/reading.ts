import type { ChainContext } from '../../chain/chainContext.ts';
import type { Config } from '../../config.ts';
import type { News } from '../../db/news.ts';
import type { Db } from '../../db/serviceTables.ts';

/** The configured chains by slug. */
export type Chains = ReadonlyMap<string, ChainContext>;

/** What reads use. */
export interface Reading {
  config: Config;
  db: Db;
  chains: Chains;
  /** Of the indexers, by the endpoint id of the chain whose index moved. */
  chainNews: News;
}
