import type { ChainSlug } from '@mintage/protocol';
import { sql } from 'kysely';
import type { ChainContext, Context } from '../context.ts';
import { oneOf } from './oneOf.ts';
import { usd18 } from './usd.ts';

export type NetworkMode = 'mainnet' | 'testnet' | 'both';

/** A user with all of his wallets, or a wallet that belongs to no user. USD with 18 fraction digits. */
export interface Earner {
  userId: string | null;
  /** The user's sign-in wallet, or the wallet itself. */
  address: string;
  earned18: bigint;
  /** Where it was earned, most first. */
  chains: { slug: ChainSlug; earned18: bigint }[];
}

/** Users and wallets without one, who earned most first, ties by name; `total` counts also those beyond `first`. */
interface Ranking {
  first: string[];
  total: number;
}

/** How deep a ranking is kept, and so how far a page may reach. */
export const deepestRank = 11_000;

/**
 * A ranking looks at every balance, so one is used again for twenty times as long as it took: a moment on a small
 * deployment, and never more than a twentieth of one connection on a large one.
 */
const reuseFactor = 20;

const kept = new WeakMap<Context['db'], Map<NetworkMode, { ranking: Promise<Ranking>; untilMs: number }>>();

/** Lines `offset` to `offset + limit` of the ranking over chains of this kind; treasuries do not take part. */
export const readEarners = async (
  context: Context,
  networkMode: NetworkMode,
  limit: number,
  offset: number,
): Promise<{ page: Earner[]; total: number }> => {
  const counted = [...context.chains.values()].filter(
    ({ chain }) => networkMode === 'both' || chain.testnet === (networkMode === 'testnet'),
  );
  const { first, total } = await recentRanking(context, networkMode, counted);
  const page = first.slice(offset, offset + limit);
  return { page: await withChains(context, counted, page), total };
};

const recentRanking = (context: Context, networkMode: NetworkMode, counted: readonly ChainContext[]) => {
  const rankings = kept.get(context.db) ?? new Map();
  kept.set(context.db, rankings);
  const last = rankings.get(networkMode);
  if (last && performance.now() < last.untilMs) return last.ranking;
  const started = performance.now();
  const ranking = rank(context, counted);
  const entry = { ranking, untilMs: Number.POSITIVE_INFINITY };
  rankings.set(networkMode, entry);
  ranking.then(
    () => {
      entry.untilMs = performance.now() + reuseFactor * (performance.now() - started);
    },
    () => rankings.delete(networkMode),
  );
  return ranking;
};

/** Amounts of chains with different decimals are added with 18 fraction digits. */
const rank = async ({ db }: Context, counted: readonly ChainContext[]): Promise<Ranking> => {
  const ids = counted.map(({ chain }) => chain.chainId);
  const scales = counted.map(({ deployment }) => usd18(1n, deployment.usdDecimals).toString());
  const { rows } = await sql<{ who: string; total: number }>`
    with wallet as (
      select b.recipient, sum(b.earned * s.scale) as earned18
      from unnest(${ids}::bigint[], ${scales}::numeric[]) as s(chain_id, scale)
      join chain c on c.chain_id = s.chain_id
      join fee_balance b on b.chain_id = s.chain_id and b.earned > 0 and b.recipient is distinct from c.treasury
      group by b.recipient
    ), earner as (
      select coalesce(u.user_id::text, wallet.recipient) as who, sum(wallet.earned18) as earned18
      from wallet left join user_wallet u on u.address = wallet.recipient
      group by 1
    )
    select who, count(*) over () as total from earner
    order by earned18 desc, who limit ${deepestRank}`.execute(db);
  return { first: rows.map(({ who }) => who), total: rows[0]?.total ?? 0 };
};

/** Each line's wallet, and what it earned where now: look-ups by key, for the page only. */
const withChains = async (
  { db }: Context,
  counted: readonly ChainContext[],
  page: readonly string[],
): Promise<Earner[]> => {
  const users = page.filter((who) => !isWallet(who));
  const owned = await db
    .selectFrom('user_wallet')
    .select(['user_id', 'address'])
    .where(oneOf('user_id', users))
    .orderBy('created_at')
    .orderBy('address')
    .execute();
  const walletsOf = Map.groupBy(owned, ({ user_id }) => user_id);
  const chains = new Map(counted.map((served) => [served.chain.chainId, served]));
  const wallets = page.flatMap((who) => walletsOf.get(who)?.map(({ address }) => address) ?? [who]);
  const balances = await db
    .selectFrom('fee_balance')
    .innerJoin('chain', 'chain.chain_id', 'fee_balance.chain_id')
    .select(['fee_balance.chain_id', 'fee_balance.recipient', 'fee_balance.earned'])
    .where(oneOf('fee_balance.chain_id', [...chains.keys()]))
    .where(oneOf('fee_balance.recipient', wallets))
    .where('fee_balance.earned', '>', 0n)
    .where(sql<boolean>`fee_balance.recipient is distinct from chain.treasury`)
    .execute();
  const balancesOf = Map.groupBy(balances, ({ recipient }): string => recipient);

  return page.map((who) => {
    const own = walletsOf.get(who)?.map(({ address }) => address) ?? [who];
    const perChain = new Map<ChainSlug, bigint>();
    for (const { chain_id, earned } of own.flatMap((address) => balancesOf.get(address) ?? [])) {
      const served = chains.get(chain_id);
      if (!served) continue;
      const { slug } = served.chain;
      perChain.set(slug, (perChain.get(slug) ?? 0n) + usd18(earned, served.deployment.usdDecimals));
    }
    return {
      userId: isWallet(who) ? null : who,
      address: own[0] ?? who,
      earned18: [...perChain.values()].reduce((sum, amount) => sum + amount, 0n),
      chains: [...perChain]
        .map(([slug, amount]) => ({ slug, earned18: amount }))
        .toSorted((a, b) => (a.earned18 === b.earned18 ? 0 : a.earned18 < b.earned18 ? 1 : -1)),
    };
  });
};

const isWallet = (who: string): boolean => who.startsWith('0x');
