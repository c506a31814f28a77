import type { Address, Eid, Hash } from '@mintage/protocol';
import type { Kysely } from 'kysely';
import type { Database } from '../db/chainTables.ts';
import type { Moment } from './events/origin.ts';

/** How far a chain is indexed, with the state needed to continue: an in-memory copy of what the database holds. */
export interface Position {
  /** Newest block in the tables. */
  number: number;
  /** Null before the first block. */
  hash: Hash | null;
  /** Block at which token_window and earner are computed; null before the head was near for the first time. */
  rolled: Moment | null;
  /** Blocks up to here are never undone. */
  finalized: number;
  /** Hashes of the blocks that may still be reorganised and of the newest final one, by number. */
  hashes: Map<number, Hash>;
  /** Tokens that were launched here, or came from another chain. */
  tokens: Set<Address>;
  /** Graduated tokens by pool id. */
  pools: Map<Hash, Address>;
  /** Id of each token's pool type, of those that were launched here. */
  poolTypes: Map<Address, number>;
  /** Of each account that numbers its events, the number of its next one. */
  numbers: Map<Address, number>;
  treasury: Address | null;
  /** First block whose events reach the streams; null until the head was reached once. */
  liveFrom: number | null;
}

export const loadPosition = async (db: Kysely<Database>, eid: Eid): Promise<Position> => {
  const row = await db
    .selectFrom('chain')
    .select(['indexed', 'indexed_hash', 'finalized', 'treasury', 'live_from', 'rolled_block', 'rolled_time'])
    .where('eid', '=', eid)
    .executeTakeFirstOrThrow();
  const blocks = await db.selectFrom('block').select(['number', 'hash']).where('eid', '=', eid).execute();
  const tokens = await db
    .selectFrom('token')
    .select(['address', 'pool_id', 'pool_type'])
    .where('eid', '=', eid)
    .execute();
  const remote = await db.selectFrom('remote_token').select('address').where('eid', '=', eid).execute();
  const numbers = await db.selectFrom('event_number').select(['account', 'next']).where('eid', '=', eid).execute();
  const graduated = tokens.flatMap(({ address, pool_id }): [Hash, Address][] =>
    pool_id === null ? [] : [[pool_id, address]],
  );
  return {
    number: row.indexed,
    hash: row.indexed_hash,
    rolled:
      row.rolled_block === null || row.rolled_time === null ? null : { block: row.rolled_block, time: row.rolled_time },
    finalized: row.finalized,
    hashes: new Map(blocks.map(({ number, hash }) => [number, hash])),
    tokens: new Set([...tokens, ...remote].map(({ address }) => address)),
    pools: new Map(graduated),
    poolTypes: new Map(tokens.map(({ address, pool_type }) => [address, pool_type])),
    numbers: new Map(numbers.map(({ account, next }) => [account, next])),
    treasury: row.treasury,
    liveFrom: row.live_from,
  };
};
