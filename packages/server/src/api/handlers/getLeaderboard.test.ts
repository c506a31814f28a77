import { type Chain, chainByEid, type Eid } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, hex, startReads } from '../../../test/api/reads/readsFixture.ts';
import { eids } from '../../../test/eids.ts';
import type { NewRow } from '../../db/chainTables.ts';

const alice = '00000000-0000-4000-8000-000000000001';
const signIn = hex(0xff);
const embedded = hex(0x11);
const walker = hex(0xaa);

const earned = (eid: Eid, recipient: `0x${string}`, amount: bigint) => ({
  eid,
  recipient,
  currency: (chainByEid(eid) as Chain).dollarToken.address as `0x${string}`,
  earned: amount,
  claimable: 0n,
  last_distribution_at: null,
});

const week = (network: NewRow<'earner'>['network'], account: `0x${string}`, all: bigint, week7: bigint) => ({
  network,
  account,
  earned_usd18: all * 10n ** 17n,
  earned_7d_usd18: week7 * 10n ** 17n,
});

let reads: Awaited<ReturnType<typeof startReads>>;
beforeAll(async () => {
  reads = await startReads();
  await reads.db.insertInto('app_user').values({ user_id: alice }).execute();
  await reads.db
    .insertInto('user_wallet')
    .values([
      { address: signIn, user_id: alice, created_at: new Date('2026-01-01T00:00:00Z') },
      { address: embedded, user_id: alice, created_at: new Date('2026-01-02T00:00:00Z') },
    ])
    .execute();
  await reads.db.insertInto('earner_wallet').values({ wallet: embedded, account: signIn }).execute();
  await reads.db
    .insertInto('fee_balance')
    .values([
      earned(eids.baseSepolia, signIn, 3_000_000n),
      earned(eids.bnb, embedded, 2n * 10n ** 18n),
      earned(eids.base, embedded, 500_000n),
      earned(eids.baseSepolia, walker, 4_000_000n),
      earned(eids.base, hex(0xbb), 4_000_000n),
      earned(eids.ethereum, walker, 10n ** 12n),
    ])
    .execute();
  await reads.db
    .insertInto('earner')
    .values([
      week('both', signIn, 55n, 0n),
      week('mainnet', signIn, 25n, 0n),
      week('testnet', signIn, 30n, 0n),
      week('both', walker, 40n, 1n),
      week('testnet', walker, 40n, 1n),
      week('both', hex(0xbb), 40n, 15n),
      week('mainnet', hex(0xbb), 40n, 15n),
      // A reorg took all of these earnings back.
      week('both', hex(0xcc), 0n, 0n),
    ])
    .execute();
});
afterAll(() => reads?.stop());

const drawn = (whose: string): string => `https://api.example/functions/v1/avatar/${whose}.svg`;

const leaders = (body: unknown) => ask(reads.context, 'getLeaderboard', body, null);

describe('getLeaderboard', () => {
  test('default: ranks what was earned; the wallets of one user are one line; zeros are not in it', async () => {
    const { leaderboard, pagination } = await leaders({});
    expect(pagination).toEqual({ limit: 100, offset: 0, total: 3, has_more: false });
    expect(leaderboard).toEqual([
      {
        rank: 1,
        recipient_address: signIn,
        user_id: alice,
        username: '0x0000…00ff',
        profile_picture: drawn(alice),
        total_earned_all_tokens: 5.5,
        unique_chains_count: 3,
        chain_balances: [
          { chain: 'base-sepolia', balance: 3 },
          { chain: 'bnb', balance: 2 },
          { chain: 'base', balance: 0.5 },
        ],
      },
      {
        rank: 2,
        recipient_address: walker,
        user_id: null,
        username: '0x0000…00aa',
        profile_picture: drawn(walker),
        total_earned_all_tokens: 4,
        unique_chains_count: 1,
        chain_balances: [{ chain: 'base-sepolia', balance: 4 }],
      },
      {
        rank: 3,
        recipient_address: hex(0xbb),
        user_id: null,
        username: '0x0000…00bb',
        profile_picture: drawn(hex(0xbb)),
        total_earned_all_tokens: 4,
        unique_chains_count: 1,
        chain_balances: [{ chain: 'base', balance: 4 }],
      },
    ]);
  });

  test('behavior: C13 earnings of test chains count nothing on mainnet, and the other way round', async () => {
    const mainnet = await leaders({ network_mode: 'mainnet' });
    expect(mainnet.leaderboard.map((row) => [row.recipient_address, row.total_earned_all_tokens])).toEqual([
      [hex(0xbb), 4],
      [signIn, 2.5],
    ]);
    const testnet = await leaders({ network_mode: 'testnet' });
    expect(testnet.leaderboard.map((row) => [row.recipient_address, row.total_earned_all_tokens])).toEqual([
      [walker, 4],
      [signIn, 3],
    ]);
  });

  test('behavior: period 7d ranks what the last week brought', async () => {
    const { leaderboard, pagination } = await leaders({ period: '7d' });
    expect(leaderboard.map((row) => [row.rank, row.recipient_address, row.total_earned_all_tokens])).toEqual([
      [1, hex(0xbb), 1.5],
      [2, walker, 0.1],
    ]);
    expect(pagination.total).toBe(2);
    expect((await leaders({ period: '7d', network_mode: 'mainnet' })).leaderboard).toHaveLength(1);
  });

  test('behavior: as an info read, the same below data, without names and pictures where there are none', async () => {
    const body = { limit: 2, network_mode: 'mainnet' };
    const { leaderboard, pagination } = await leaders(body);
    const none = { username: null, profile_picture: null };
    expect(await ask(reads.context, 'info', { type: 'getLeaderboard', ...body }, null)).toEqual({
      type: 'getLeaderboard',
      success: true,
      data: { leaderboard: leaderboard.map((line) => ({ ...line, ...none })), pagination },
    });
  });

  test('behavior: a user is shown with name and picture, on both forms of the list, unless the wallet is hidden', async () => {
    const { db } = reads.context;
    const picture = 'https://api.example/functions/v1/ipfs/bafy';
    const name = { skeleton: 'alice', username: 'alice', user_id: alice, taken_at: new Date() };
    await db.insertInto('username').values(name).execute();
    await db
      .insertInto('profile')
      .values({ user_id: alice, profile_picture: picture, updated_at: new Date() })
      .execute();
    const shown = { user_id: alice, username: 'alice', profile_picture: picture };
    expect((await leaders({})).leaderboard[0]).toMatchObject(shown);
    expect(await ask(reads.context, 'info', { type: 'getLeaderboard' }, null)).toMatchObject({
      data: { leaderboard: [shown, {}, {}] },
    });
    await db.updateTable('profile').set({ show_wallet: false }).execute();
    const hidden = { user_id: null, username: '0x0000…00ff', profile_picture: drawn(signIn) };
    expect((await leaders({})).leaderboard[0]).toMatchObject(hidden);
    await db.deleteFrom('username').execute();
    await db.deleteFrom('profile').execute();
  });

  test('behavior: pages continue the ranks; a page beyond the end still counts', async () => {
    const second = await leaders({ limit: 1, offset: 1, network_mode: null });
    expect(second.leaderboard.map(({ rank, recipient_address }) => [rank, recipient_address])).toEqual([[2, walker]]);
    expect(second.pagination).toEqual({ limit: 1, offset: 1, total: 3, has_more: true });
    expect(await leaders({ offset: 50 })).toEqual({
      leaderboard: [],
      pagination: { limit: 100, offset: 50, total: 3, has_more: false },
    });
  });

  test.each([
    { limit: 0 },
    { limit: 1001 },
    { offset: -1 },
    { offset: 10_001 },
    { network_mode: 'devnet' },
    { period: '1d' },
  ])('error: R7 bounds are checked: %j', async (body) => {
    await expect(leaders(body)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
  });
});
