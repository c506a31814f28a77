import { randomUUID } from 'node:crypto';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { type Address, chainBySlug, type Hash, platformIdOf, tokenIdOf } from '@mintage/protocol';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { castVote, type Target } from '../../src/api/people/castVote.ts';
import { rankByVotes } from '../../src/api/people/tally.ts';
import type { Db, Tx } from '../../src/db/serviceTables.ts';
import type { RunningDatabase } from '../../src/db/startDatabase.ts';
import { chainContext } from '../../src/index/chainContext.ts';
import type { ChainEvent } from '../../src/index/handlers/events.ts';
import type { Position } from '../../src/index/position.ts';
import { registerChain } from '../../src/index/registerChain.ts';
import { takeLease } from '../../src/index/store/lease.ts';
import { Store } from '../../src/index/store/store.ts';
import { meeting } from '../api/testing/meeting.ts';
import { eids } from '../eids.ts';
import { hashOf, people, syntheticDeployment } from './syntheticChain.ts';

const chain = chainContext({ chain: chainBySlug('base-sepolia'), deployment: syntheticDeployment });
const token: Address = `0x${'7'.repeat(40)}`;
const zero: Address = `0x${'0'.repeat(40)}`;
const [voter, other] = people as [Address, Address];

describe('the locks of voters and pages', () => {
  let database: RunningDatabase;
  let db: Db;
  let store: Store;
  let position: Position;
  let userId: string;
  let tokenId: string;
  beforeEach(async () => {
    database = await testDatabase();
    db = database.db.withTables();
    await registerChain(database.db, chain, syntheticDeployment);
    await takeLease(database.db, chain.eid, 'test');
    store = new Store(database.db, chain, 'test');
    position = await store.position();
    await page(
      {
        name: 'TokenRegistered',
        token,
        homeEid: eids.ethereum,
        creator: voter,
        salt: hashOf('T'),
        tokenName: 'T',
        symbol: 'T',
      },
      { name: 'Transfer', token, from: zero, to: voter, amount: 100n },
    );
    ({ token_id: tokenId } = await db.selectFrom('remote_token').select('token_id').executeTakeFirstOrThrow());
    await sql`insert into chain (eid, slug, usd, usd_decimals, launchpad, indexed)
      values (${eids.ethereum}, 'ethereum', ${zero}, 6, ${zero}, 0)`.execute(db);
    await addHome(token, tokenId);
    userId = await newUser(voter);
  });
  afterEach(() => database.stop());

  const addHome = (address: Address, id: string) =>
    sql`insert into token (eid, address, token_id, platform_id, creator, pool_type, name, symbol, uri, salt, created_at,
        block_number, log_index, tx_hash, virtual_tokens, virtual_usd, start_price_usd18, price_usd18)
      values (${eids.ethereum}, ${address}, ${id}, ${id}, ${voter}, 7, 'T', 'T', '', '0x', now(), 0, 0, '0x', 1, 1, 1, 1)`.execute(
      db,
    );
  const newUser = async (address: Address): Promise<string> => {
    const user_id = randomUUID();
    await db.insertInto('app_user').values({ user_id }).execute();
    await db.insertInto('user_wallet').values({ address, user_id }).execute();
    return user_id;
  };
  const newTarget = async (id: string = randomUUID()): Promise<Target> => {
    const target: Target = { type: 'post', id };
    await db
      .insertInto('tally')
      .values({ target_type: target.type, target_id: target.id, made_at: new Date() })
      .execute();
    return target;
  };
  const cast = (tx: Tx, target: Target, isUp: boolean | null, by = userId, weighedBy = tokenId) =>
    castVote(tx, { userId: by, target, isUp, tokenId: weighedBy, at: new Date() });
  const vote = (target: Target, isUp: boolean | null, by = userId) =>
    db.transaction().execute((tx) => cast(tx, target, isUp, by));

  type Told = ChainEvent extends infer Event ? (Event extends unknown ? Omit<Event, 'at'> : never) : never;

  /** The next block, near the head. */
  const page = (...told: Told[]): Promise<void> => {
    const number = position.number + 1;
    const hash: Hash = hashOf(`block ${number}`);
    const header = { number, hash, parentHash: position.hash ?? hashOf('none'), timestamp: 1_800_000_000 + number };
    const at = { block: number, blockHash: hash, txHash: hash, time: new Date(header.timestamp * 1_000) };
    return store.apply(position, {
      type: 'block',
      from: number,
      to: header,
      headers: [header],
      events: told.map((event, logIndex) => ({ ...event, at: { ...at, logIndex } }) as ChainEvent),
      head: number,
      finalized: 0,
      pace: null,
    });
  };
  const sale = { name: 'Transfer', token, from: voter, to: other, amount: 40n } as const;
  const registration = {
    name: 'TokenRegistered',
    homeEid: eids.ethereum,
    creator: voter,
    salt: hashOf('U'),
    tokenName: 'U',
    symbol: 'U',
    token: `0x${'8'.repeat(40)}`,
  } as const;

  it.each([
    ['a vote is taken back', (target: Target) => vote(target, null)],
    [
      'the target goes with its votes',
      (target: Target) =>
        db.transaction().execute(async (tx) => {
          await tx.deleteFrom('tally').where('target_id', '=', target.id).execute();
          await tx.deleteFrom('vote').where('target_id', '=', target.id).execute();
        }),
    ],
  ])('behavior: while a page makes another token known and takes weight, %s', async (_, take) => {
    const target = await newTarget();
    expect(await vote(target, true)).toMatchObject({ weight18: 100n });
    const tallies = sql`select from tally for no key update`;
    await meeting<unknown>(db, tallies, [() => take(target), () => page(registration, sale)]);
    expect(await db.selectFrom('vote').select('vote_id').execute()).toEqual([]);
  });

  it('behavior: who ranks targets takes them in the order in which a page does', async () => {
    const [low, high] = [randomUUID(), randomUUID()].toSorted() as [string, string];
    for (const id of [high, low]) await vote(await newTarget(id), true);
    const lowest = sql`select from tally where target_id = ${low} for no key update`;
    const rank = () => db.transaction().execute((tx) => rankByVotes(tx, [{ type: 'post', ids: [high, low] }]));
    await meeting<unknown>(db, lowest, [() => page(sale), rank]);
    expect((await db.selectFrom('vote').select('weight').execute()).map(({ weight }) => weight)).toEqual([60n, 60n]);
    await rank();
    expect(await db.selectFrom('tally').select('ranked_votes').execute()).toEqual([
      { ranked_votes: 1 },
      { ranked_votes: 1 },
    ]);
  });

  it('behavior: who votes while a page waits for votes before it comes after the page', async () => {
    const second = await newUser(other);
    const [target, another] = [await newTarget(), await newTarget()];
    const first = { execute: (tx: Tx) => cast(tx, target, true) };
    await meeting<unknown>(db, first, [() => page(sale), () => vote(another, true, second)]);
    const places = db.selectFrom('vote').innerJoin('vote_place', 'vote_place.vote_id', 'vote.vote_id');
    const rows = await places.select(['user_id', 'start_block', 'weight']).where('eid', '=', chain.eid).execute();
    expect(rows.toSorted((one, next) => one.start_block - next.start_block)).toEqual([
      { user_id: userId, start_block: position.number - 1, weight: 60n },
      { user_id: second, start_block: position.number, weight: 40n },
    ]);
  });

  it('behavior: a page that makes the voting token known on one more chain waits for votes, and later votes for it', async () => {
    // So far it is on another chain alone.
    const platform = platformIdOf(registration.token, eids.ethereum);
    const elsewhere = tokenIdOf(platform);
    await addHome(registration.token, elsewhere);
    const at = new Date();
    await db
      .insertInto('balance')
      .values(
        [voter, other].map((wallet, i) => ({
          eid: eids.ethereum,
          token: registration.token,
          wallet,
          amount: BigInt(i + 5),
          first_acquired: at,
          updated_at: at,
        })),
      )
      .execute();
    const second = await newUser(other);
    const [target, another] = [await newTarget(), await newTarget()];
    const arrival = { name: 'Transfer', token: registration.token, from: zero, to: other, amount: 7n } as const;
    const first = { execute: (tx: Tx) => cast(tx, target, true, userId, elsewhere) };
    const later = () => db.transaction().execute((tx) => cast(tx, another, true, second, elsewhere));
    const [, voted] = await meeting<unknown>(db, first, [() => page(registration, arrival), later]);
    expect(voted).toMatchObject({ weight18: 13n });
  });
});
