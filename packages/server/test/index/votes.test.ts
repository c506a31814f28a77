import { randomUUID } from 'node:crypto';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { type Address, chainBySlug } from '@mintage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { castVote, type Target } from '../../src/api/people/castVote.ts';
import type { Db } from '../../src/db/serviceTables.ts';
import type { RunningDatabase } from '../../src/db/startDatabase.ts';
import { chainContext } from '../../src/index/chainContext.ts';
import { follow } from '../../src/index/evm/follow.ts';
import { forgetChain } from '../../src/index/forgetChain.ts';
import { registerChain } from '../../src/index/registerChain.ts';
import { takeLease } from '../../src/index/store/lease.ts';
import { Store } from '../../src/index/store/store.ts';
import { Random } from './random.ts';
import { people, SyntheticChain, syntheticDeployment } from './syntheticChain.ts';
import { supply, VotingGround, wallets, walletsOf } from './votingGround.ts';

const chain = chainContext({ chain: chainBySlug('base-sepolia'), deployment: syntheticDeployment });
/** `CASES=200` for a release: each seed is a chain of some hundred blocks. */
const seeds = Number(process.env.CASES ?? 4);
const finalityBlocks = 10;

describe('votes and the index', () => {
  let database: RunningDatabase;
  let db: Db;
  /** Votes that weigh something at the end, and losses that were noted, of all seeds. */
  const seen = { weighing: 0, losses: 0, whole: 0 };
  beforeEach(async () => {
    database = await testDatabase();
    db = database.db.withTables();
  });
  afterEach(() => database.stop());

  const newStore = async (): Promise<Store> => {
    await registerChain(database.db, chain, syntheticDeployment);
    await takeLease(database.db, chain.eid, 'test');
    return new Store(database.db, chain, 'test');
  };

  /** @param most - Changes that are applied at most. */
  const catchUp = async (store: Store, source: SyntheticChain, most = Number.POSITIVE_INFINITY) => {
    const position = await store.position();
    let left = most;
    for await (const change of follow(source, position, { contracts: syntheticDeployment, finalityBlocks })) {
      if (change.type === 'idle') break;
      if (change.type === 'block') await store.apply(position, change);
      if (change.type === 'finalize') await store.finalize(position, change);
      if (change.type === 'reorg') {
        Object.assign(position, await store.undo(position, change));
        // The next page would mend what an undo forgets.
        await expectCounted('once blocks are undone');
      }
      left -= 1;
      if (left <= 0) break;
    }
    await store.write(position);
  };

  /** Users with one wallet each, but for the first, who has two. */
  const makeUsers = async (): Promise<string[]> => {
    const users = people.slice(1).map(() => randomUUID());
    await db
      .insertInto('app_user')
      .values(users.map((user_id) => ({ user_id })))
      .execute();
    const owned = people.map((address, i) => ({ address, user_id: users[Math.max(0, i - 1)] as string }));
    await db.insertInto('user_wallet').values(owned).execute();
    return users;
  };

  const makeTarget = async (): Promise<Target> => {
    const target: Target = { type: 'post', id: randomUUID() };
    await db
      .insertInto('tally')
      .values({ target_type: target.type, target_id: target.id, made_at: new Date() })
      .execute();
    return target;
  };

  /** What was held at the end of each block, the slow way: from every transfer and crossing. */
  const levelsOf = async (wallets: readonly string[], token: string) => {
    const transfers = await db
      .selectFrom('transfer')
      .selectAll()
      .where('token', '=', token as never)
      .execute();
    const sent = await db
      .selectFrom('bridge_sent')
      .selectAll()
      .where('token', '=', token as never)
      .execute();
    const received = await db
      .selectFrom('bridge_received')
      .selectAll()
      .where('token', '=', token as never)
      .execute();
    const isOwn = (wallet: string) => wallets.includes(wallet);
    const changes = [
      ...transfers.flatMap((row) => [
        { block: row.block_number, change: isOwn(row.sender) ? -row.amount : 0n },
        { block: row.block_number, change: isOwn(row.recipient) ? row.amount : 0n },
      ]),
      ...sent
        .filter((row) => isOwn(row.sender) && isOwn(row.recipient))
        .map((row) => ({ block: row.block_number, change: row.amount })),
      ...received
        .filter((row) => isOwn(row.recipient))
        .map((row) => ({ block: row.block_number, change: -row.amount })),
    ];
    return (block: number): bigint =>
      changes.filter((one) => one.block <= block).reduce((level, { change }) => level + change, 0n);
  };

  /** What every vote should weigh. */
  const expectedWeights = async (): Promise<Map<number, bigint>> => {
    const { indexed } = await db.selectFrom('chain').select('indexed').executeTakeFirstOrThrow();
    const votes = await db
      .selectFrom('vote')
      .leftJoin('vote_place', 'vote_place.vote_id', 'vote.vote_id')
      .leftJoin('voter', 'voter.voter_id', 'vote.voter_id')
      .leftJoin('token', 'token.token_id', 'vote.token_id')
      .select(['vote.vote_id', 'vote.base as total', 'wallets', 'token.address', 'start_block', 'vote_place.base'])
      .execute();
    const expected = new Map<number, bigint>();
    for (const vote of votes) {
      if (vote.wallets === null) {
        expected.set(vote.vote_id, 0n);
        continue;
      }
      const level = await levelsOf(vote.wallets, vote.address ?? '');
      const from = Math.min(vote.start_block ?? 0, indexed);
      const base = vote.base ?? 0n;
      let low = level(from);
      for (let block = from; block <= indexed; block += 1) {
        const at = level(block);
        if (at < low) low = at;
      }
      const lost = base > low ? base - low : 0n;
      expected.set(vote.vote_id, vote.total > lost ? vote.total - lost : 0n);
    }
    return expected;
  };

  const expectCounted = async (when: string): Promise<void> => {
    const votes = await db.selectFrom('vote').selectAll().orderBy('vote_id').execute();
    const weights = votes.map(({ vote_id, weight }) => [vote_id, weight] as const);
    expect(weights, when).toEqual([...(await expectedWeights())].toSorted(([a], [b]) => a - b));
    const tallies = await db.selectFrom('tally').selectAll().execute();
    for (const tally of tallies) {
      const of = votes.filter((vote) => vote.target_id === tally.target_id);
      const sum = (isUp: boolean) =>
        of.filter((vote) => vote.is_up === isUp).reduce((total, { weight }) => total + weight, 0n);
      const score = of.reduce((total, vote) => {
        const value = (vote.weight * vote.price_usd18) / 10n ** 18n;
        return vote.is_up ? total + value : total - value;
      }, 0n);
      expect(tally, when).toMatchObject({
        upvotes: of.filter(({ is_up }) => is_up).length,
        downvotes: of.filter(({ is_up }) => !is_up).length,
        up_weight: sum(true),
        down_weight: sum(false),
        score_usd18: score,
      });
    }
  };

  it.each(Array.from({ length: seeds }, (_, i) => i + 1))(
    'every vote weighs the least that was held since, through sales, crossings and reorgs; and after a rebuild, seed %i',
    async (seed) => {
      const choice = new Random(seed * 104_729);
      const source = new SyntheticChain(seed);
      const users = await makeUsers();
      const targets = [await makeTarget(), await makeTarget(), await makeTarget(), await makeTarget()];
      let store = await newStore();
      let highest = 0;
      source.mine(25);
      await catchUp(store, source);
      const vote = async (): Promise<void> => {
        const tokens = await db.selectFrom('token').select('token_id').orderBy('created_at').execute();
        const cast = {
          userId: choice.pick(users),
          target: choice.pick(targets),
          isUp: choice.pick([true, true, false, null]),
          tokenId: choice.chance(0.9) ? choice.pick(tokens.slice(0, 3)).token_id : null,
          at: new Date(),
        };
        await db.transaction().execute((tx) => castVote(tx, cast));
      };
      for (let round = 0; round < 14; round += 1) {
        for (let i = choice.whole(0, 6); i > 0; i -= 1) await vote();
        source.mine(choice.whole(0, 6));
        await catchUp(store, source, choice.chance(0.3) ? 1 : undefined);
        await expectCounted(`seed ${seed} round ${round}`);
        if (choice.chance(0.3)) store = await newStore();
        for (let i = choice.whole(0, 3); i > 0; i -= 1) await vote();
        highest = Math.max(highest, source.height);
        const depth = Math.min(choice.whole(1, 8), source.height - (highest - finalityBlocks));
        source.reorg(depth, choice.whole(Math.max(0, depth - 2), depth + 3));
        await catchUp(store, source, choice.chance(0.4) ? 1 : undefined);
        await expectCounted(`seed ${seed} round ${round}, after the reorg`);
      }
      source.mine(12);
      await catchUp(store, source);
      await expectCounted(`seed ${seed} at the end`);
      const followed = await db.selectFrom('vote').select(['vote_id', 'weight']).orderBy('vote_id').execute();
      seen.weighing += followed.filter(({ weight }) => weight > 0n).length;
      seen.losses += (await db.selectFrom('vote_low').select('voter_id').execute()).length;

      await forgetChain(database.db, chain.eid);
      const forgotten = await db.selectFrom('vote').select(['base', 'weight']).execute();
      expect(forgotten.every(({ base, weight }) => base === weight)).toBe(true);
      await catchUp(await newStore(), source);
      const rebuilt = await db.selectFrom('vote').select(['vote_id', 'weight']).orderBy('vote_id').execute();
      expect(rebuilt, `seed ${seed} rebuilt`).toEqual(followed);
      await expectCounted(`seed ${seed} rebuilt`);
    },
  );

  it.each(Array.from({ length: seeds }, (_, i) => i + 1))(
    'a holding that is passed on, crosses between two chains and is undone counts once at most, seed %i',
    async (seed) => {
      const random = new Random(seed * 7_907);
      const ground = new VotingGround(db, random);
      await ground.begin();
      const users = wallets.slice(1).map(() => randomUUID());
      await db
        .insertInto('app_user')
        .values(users.map((user_id) => ({ user_id })))
        .execute();
      const owned = wallets.map((address, i) => ({ address, user_id: users[Math.max(0, i - 1)] as string }));
      await db.insertInto('user_wallet').values(owned).execute();
      const targets = [await makeTarget(), await makeTarget()];
      const expectSafe = async (when: string): Promise<void> => {
        const votes = await ground.votes();
        expect(
          votes.filter(({ weight, expected }) => weight !== expected),
          when,
        ).toEqual([]);
        for (const { id } of targets) {
          const of = votes.filter(({ target_id }) => target_id === id);
          expect(
            of.reduce((sum, { weight }) => sum + weight, 0n),
            when,
          ).toBeLessThanOrEqual(supply);
        }
        seen.weighing += votes.filter(({ weight }) => weight > 0n).length;
      };
      for (let round = 0; round < 40; round += 1) {
        const when = `seed ${seed} round ${round}`;
        for (const chain of ground.chains) {
          for (let i = random.whole(0, 3); i > 0; i -= 1) ground.mine(chain);
          if (random.chance(0.7)) await ground.index(chain, random.whole(1, 4));
          await expectSafe(when);
          if (random.chance(0.2)) {
            ground.reorg(chain);
            await ground.undo(chain);
            await expectSafe(`${when}, undone`);
          }
        }
        for (let i = random.whole(0, 3); i > 0; i -= 1) {
          const cast = {
            userId: random.pick(users),
            target: random.pick(targets),
            isUp: random.chance(0.3) ? null : true,
            at: new Date(),
          };
          const found = await db.transaction().execute((tx) => castVote(tx, { ...cast, tokenId: ground.tokenId }));
          const own = owned.filter(({ user_id }) => user_id === cast.userId).map(({ address }) => address);
          expect(found?.weight18, when).toBe(cast.isUp === null ? 0n : ground.holding(own));
        }
        await expectSafe(`${when}, voted`);
      }
    },
  );

  it.each(Array.from({ length: seeds }, (_, i) => i + 1))(
    'one holding that is passed through 20 wallets of 20 users, on two chains and between them, never counts more than once, seed %i',
    async (seed) => {
      const random = new Random(seed * 6_101);
      const ground = new VotingGround(db, random);
      const passed = walletsOf(20);
      await ground.begin(passed.slice(0, 1));
      const owned = passed.map((address) => ({ address, user_id: randomUUID() }));
      await db
        .insertInto('app_user')
        .values(owned.map(({ user_id }) => ({ user_id })))
        .execute();
      await db.insertInto('user_wallet').values(owned).execute();
      const target = await makeTarget();
      const cast = (userId: string) =>
        db
          .transaction()
          .execute((tx) => castVote(tx, { userId, target, isUp: true, tokenId: ground.tokenId, at: new Date() }));
      const expectOnce = async (when: string): Promise<void> => {
        const votes = await ground.votes();
        expect(
          votes.filter(({ weight, expected }) => weight !== expected),
          when,
        ).toEqual([]);
        const { up_weight } = await db.selectFrom('tally').select('up_weight').executeTakeFirstOrThrow();
        expect(up_weight, when).toBe(votes.reduce((sum, { weight }) => sum + weight, 0n));
        expect(up_weight, when).toBeLessThanOrEqual(supply);
        if (up_weight === supply) seen.whole += 1;
      };
      for (const [at, { address, user_id }] of owned.entries()) {
        const when = `seed ${seed} wallet ${at}`;
        for (const chain of ground.chains) ground.arrive(chain);
        // As far as each chain is indexed, now or later.
        for (const chain of ground.chains) if (random.chance(0.6)) await ground.index(chain, 9);
        await cast(user_id);
        await expectOnce(`${when}, voted`);
        const next = passed[(at + 1) % passed.length] as Address;
        for (const chain of ground.chains) {
          ground.pass(chain, address, next, random.chance(0.4));
          if (random.chance(0.5)) await ground.index(chain, 9);
          await expectOnce(`${when}, passed on`);
        }
        if (random.chance(0.3)) await cast(random.pick(owned).user_id);
        await expectOnce(`${when}, another voted`);
        const chain = random.pick(ground.chains);
        if (random.chance(0.3)) {
          ground.reorg(chain);
          await ground.undo(chain);
          await expectOnce(`${when}, undone`);
        }
      }
    },
  );

  it('behavior: of two reorgs, the second deeper, the first forgets no loss that the second needs', async () => {
    const ground = new VotingGround(db, new Random(1));
    const [one, other, stranger] = walletsOf(3) as [Address, Address, Address];
    await ground.begin([one, other]);
    const [home] = ground.chains;
    if (home === undefined) throw new Error('no chain');
    const userId = randomUUID();
    await db.insertInto('app_user').values({ user_id: userId }).execute();
    await db
      .insertInto('user_wallet')
      .values([one, other].map((address) => ({ address, user_id: userId })))
      .execute();
    const vote = async () => {
      const cast = { userId, target: await makeTarget(), isUp: true, tokenId: ground.tokenId, at: new Date() };
      await db.transaction().execute((tx) => castVote(tx, cast));
    };
    const weights = async () => {
      const votes = await ground.votes();
      expect(votes.map(({ weight }) => weight)).toEqual(votes.map(({ expected }) => expected));
      return votes.map(({ weight }) => weight);
    };
    await ground.index(home, 1);
    await vote();
    // Half of it leaves and comes back, twice.
    for (const wallet of [one, other]) {
      ground.pass(home, wallet, stranger, false);
      ground.pass(home, stranger, wallet, false);
    }
    await ground.index(home, 4);
    await vote();
    const half = supply / 2n;
    expect(await weights()).toEqual([half, supply]);
    for (const [height, expected] of [
      [4, [half, half]],
      [3, [half, supply]],
    ] as const) {
      home.blocks.length = height;
      await ground.undo(home);
      expect(await weights()).toEqual(expected);
    }
  });

  it('these chains have votes that weigh something and votes that lost some', () => {
    expect(seen.weighing).toBeGreaterThan(0);
    expect(seen.losses).toBeGreaterThan(0);
    expect(seen.whole).toBeGreaterThan(0);
  });
});
