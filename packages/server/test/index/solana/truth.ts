import { curveOf, mintagePoolOf, mintagePoolPrice, poolTypeById, priceUsd18Down, toBase58 } from '@mintage/protocol';
import { littleEndian, wellKnown } from '@mintage/protocol/solana';
import type { Kysely } from 'kysely';
import { expect } from 'vitest';
import type { Database } from '../../../src/db/chainTables.ts';
import type { Ground } from './ground.ts';

const decimals = { token: 6, usd: 6 };
const nobody = '1'.repeat(32);

/**
 * Compares the tables with the accounts on the chain, all of them.
 *
 * @param unseen - Whether tokens moved that nobody showed to the index, so that balances may differ.
 */
export const expectTruth = async (ground: Ground, db: Kysely<Database>, { unseen = false } = {}): Promise<void> => {
  await expectTokens(ground, db);
  await expectCredits(ground, db);
  await expectNumbers(ground, db);
  const [config] = await ground.states('Config');
  const chain = await db.selectFrom('chain').selectAll().executeTakeFirstOrThrow();
  expect(chain.treasury).toBe(config?.state.treasury);
  if (!unseen) await expectBalances(ground, db);
};

/** Every Launch, its curve or its pool. */
const expectTokens = async (ground: Ground, db: Kysely<Database>): Promise<void> => {
  const rows = await db.selectFrom('token').selectAll().execute();
  // The price is that of the last trade, which was on the curve.
  const untraded = new Set<string>(
    rows.flatMap(({ address, graduation, pool_usd: usd }) =>
      graduation !== null && BigInt(graduation.usdLocked) === usd ? [address] : [],
    ),
  );
  const truth = (await ground.states('Launch')).map(({ at, state }) => {
    const poolType = poolTypeById(Number(state.poolType));
    if (poolType === undefined) throw new Error('no such pool type');
    const { tokensLeft, reserveUsd, floorUsd } = state;
    const curve = curveOf(poolType, decimals, { tokensLeft, reserveUsd });
    const isGraduated = state.graduated === 1n;
    const pool = mintagePoolOf(poolType, { tokens: tokensLeft, usd: reserveUsd, floorUsd });
    const price = isGraduated ? mintagePoolPrice(pool) : { usd: curve.virtualUsd, tokens: curve.virtualTokens };
    return {
      address: state.mint,
      creator: state.creator,
      pool_id: isGraduated ? at : null,
      treasury_share: state.treasuryUsd,
      price_usd18: untraded.has(state.mint) ? null : priceUsd18Down(price, decimals),
      created_at: new Date(Number(state.created) * 1000),
      state: isGraduated
        ? { pool_tokens: tokensLeft, pool_usd: reserveUsd, floor: floorUsd, floor_usd: 0n }
        : { virtual_tokens: curve.virtualTokens, virtual_usd: curve.virtualUsd, floor_usd: floorUsd },
    };
  });
  const kept = rows.map((row) => ({
    address: row.address,
    creator: row.creator,
    pool_id: row.pool_id,
    treasury_share: row.treasury_share,
    price_usd18: untraded.has(row.address) ? null : row.price_usd18,
    created_at: row.created_at,
    state:
      row.graduation === null
        ? { virtual_tokens: row.virtual_tokens, virtual_usd: row.virtual_usd, floor_usd: row.floor_usd }
        : {
            pool_tokens: row.pool_tokens,
            pool_usd: row.pool_usd,
            floor: BigInt(row.graduation.floorUsd),
            floor_usd: row.floor_usd,
          },
  }));
  expect(kept.toSorted(by('address'))).toEqual(truth.toSorted(by('address')));
};

/** Every User: what it is owed, and its referrer. */
const expectCredits = async (ground: Ground, db: Kysely<Database>): Promise<void> => {
  const users = await ground.states('User');
  const credits = await db.selectFrom('fee_balance').selectAll().execute();
  const claimable = (wallet: string): bigint => credits.find((row) => row.recipient === wallet)?.claimable ?? 0n;
  expect(users.map(({ state }) => [state.wallet, claimable(state.wallet)])).toEqual(
    users.map(({ state }) => [state.wallet, state.creditUsd]),
  );
  expect(sum(credits.map((row) => row.claimable))).toBe(sum(users.map(({ state }) => state.creditUsd)));
  const referrers = await db.selectFrom('referrer').selectAll().execute();
  expect(Object.fromEntries(users.map(({ state }) => [state.wallet, referrerOf(referrers, state.wallet)]))).toEqual(
    Object.fromEntries(users.map(({ state }) => [state.wallet, state.referrer])),
  );
};

/** As many events of each account as it has numbered. */
const expectNumbers = async (ground: Ground, db: Kysely<Database>): Promise<void> => {
  const configs = await ground.states('Config');
  const accounts = [...(await ground.states('Launch')), ...(await ground.states('User')), ...configs];
  const counted = accounts.map(({ at, state }) => ({ account: at, next: Number(state.seq) }));
  const launched = { account: ground.deployment.program as string, next: Number(configs[0]?.state.launches) };
  const truth = [...counted, launched].filter(({ next }) => next > 0);
  const rows = await db.selectFrom('event_number').selectAll().execute();
  const kept = rows.map(({ account, next }) => ({ account: account as string, next }));
  expect(kept.toSorted(by('account'))).toEqual(truth.toSorted(by('account')));
};

const by =
  <Key extends string>(key: Key) =>
  (one: Record<Key, string>, other: Record<Key, string>): number =>
    one[key] < other[key] ? -1 : 1;

const sum = (list: readonly bigint[]): bigint => list.reduce((total, one) => total + one, 0n);

const referrerOf = (rows: readonly { trader: string; referrer: string | null }[], wallet: string): string =>
  rows.find((row) => row.trader === wallet)?.referrer ?? nobody;

/** Every wallet's tokens are those of its accounts, and who holds any is counted. */
export const expectBalances = async (ground: Ground, db: Kysely<Database>): Promise<void> => {
  const launches = await ground.states('Launch');
  const vaults = new Set(launches.map(({ at }) => at));
  const tokens = new Map(launches.map(({ state }) => [state.mint as string, new Map<string, bigint>()]));
  const accounts = (await ground.ask('getProgramAccounts', wellKnown.token2022, {
    commitment: 'confirmed',
    encoding: 'base64',
  })) as { account: { data: [string] } }[];
  for (const { account } of accounts) {
    const data = Uint8Array.from(Buffer.from(account.data[0], 'base64'));
    // A token account has its mint in front; a mint is shorter or says that it is one.
    if (data.length < 165 || (data.length > 165 && data[165] !== 2)) continue;
    const [mint, owner] = [toBase58(data.slice(0, 32)), toBase58(data.slice(32, 64))];
    const amount = littleEndian(data.slice(64, 72));
    const held = tokens.get(mint);
    if (held === undefined || vaults.has(owner) || amount === 0n) continue;
    held.set(owner, (held.get(owner) ?? 0n) + amount);
  }
  const truth = [...tokens].flatMap(([mint, held]) => [...held].map(([owner, amount]) => `${mint} ${owner} ${amount}`));
  const rows = await db.selectFrom('balance').selectAll().where('amount', '>', 0n).execute();
  expect(rows.map((row) => `${row.token} ${row.wallet} ${row.amount}`).toSorted()).toEqual(truth.toSorted());
  const holders = await db.selectFrom('token').select(['address', 'holders']).execute();
  expect(Object.fromEntries(holders.map((row) => [row.address, row.holders]))).toEqual(
    Object.fromEntries([...tokens].map(([mint, held]) => [mint, held.size])),
  );
};
