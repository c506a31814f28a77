import { type Address, type ChainSlug, type Eid, usd18 } from '@mintage/protocol';
import { sql } from 'kysely';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Row } from '../../db/chainTables.ts';
import { prepared } from '../../db/prepared.ts';
import type { Reading } from '../tokens/reading.ts';
import { oneOf } from './oneOf.ts';
import { recentCount } from './recentCount.ts';

export type NetworkMode = Row<'earner'>['network'];
export type Period = 'all' | '7d';

/** A user with all of their wallets, or a wallet that belongs to no user. Amounts are USD with 18 fraction digits. */
export interface Earner {
  /** The user's first wallet, or the wallet itself. */
  address: Address;
  /** Earned in the period. */
  earned18: bigint;
  /** Chains on which it was earned, over all time, highest first. */
  chains: { slug: ChainSlug; earned18: bigint }[];
}

const earnedIn = { all: 'earned_usd18', '7d': 'earned_7d_usd18' } as const satisfies Record<
  Period,
  keyof Row<'earner'>
>;

/**
 * Who earned most on the chains of this kind, ties by address; `total` counts everyone who earned in the period, and
 * may be slightly out of date.
 */
export const readEarners = async (
  context: Reading,
  ranking: { networkMode: NetworkMode; period: Period },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ page: Earner[]; total: number }> => {
  const earned = earnedIn[ranking.period];
  const ranked = context.db.selectFrom('earner').where('network', '=', ranking.networkMode).where(earned, '>', 0n);
  const [lines, total] = await Promise.all([
    ranked
      .select(['account', `${earned} as earned18`])
      .orderBy(earned, 'desc')
      .orderBy('account')
      .limit(limit)
      .offset(offset)
      .execute(),
    recentCount(context.db, `${ranking.networkMode} ${ranking.period}`, async () => {
      const counted = await ranked.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      return counted.total;
    }),
  ]);
  const accounts = lines.map(({ account }) => account);
  const chains = await chainsOf(context, ranking.networkMode, accounts);
  return {
    total,
    page: lines.map(({ account, earned18 }) => ({
      address: account,
      earned18,
      chains: chains.get(account) ?? [],
    })),
  };
};

/** Earnings of each account's wallets by chain: look-ups by key, for the accounts of the page only. */
const chainsOf = async ({ db, chains }: Reading, networkMode: NetworkMode, accounts: readonly Address[]) => {
  const counted = new Map<Eid, ChainContext>();
  for (const served of chains.values()) {
    if (networkMode === 'both' || served.chain.testnet === (networkMode === 'testnet'))
      counted.set(served.chain.eid, served);
  }
  const further = await prepared(
    db,
    db.selectFrom('earner_wallet').select(['wallet', 'account']).where(oneOf('account', accounts)),
  );
  const accountOf = new Map(accounts.map((account) => [account, account]));
  for (const { wallet, account } of further) accountOf.set(wallet, account);
  const earned = db
    .selectFrom('fee_balance')
    .innerJoin('chain', 'chain.eid', 'fee_balance.eid')
    .select(['fee_balance.eid', 'fee_balance.recipient', 'fee_balance.earned'])
    .where(oneOf('fee_balance.eid', [...counted.keys()]))
    .where(oneOf('fee_balance.recipient', [...accountOf.keys()]))
    .where('fee_balance.earned', '>', 0n)
    .whereRef('fee_balance.currency', '=', 'chain.usd')
    .where(sql<boolean>`fee_balance.recipient is distinct from chain.treasury`);

  const earnedOn = Map.groupBy(await prepared(db, earned), ({ recipient }) => accountOf.get(recipient));
  return new Map(accounts.map((account) => [account, mostFirst(earnedOn.get(account) ?? [], counted)]));
};

const mostFirst = (
  balances: readonly { eid: Eid; earned: bigint }[],
  counted: ReadonlyMap<Eid, ChainContext>,
): Earner['chains'] => {
  const perChain = new Map<ChainSlug, bigint>();
  for (const { eid, earned } of balances) {
    const served = counted.get(eid);
    if (!served) continue;
    const { slug } = served.chain;
    perChain.set(slug, (perChain.get(slug) ?? 0n) + usd18(earned, served.deployment.usdDecimals));
  }
  return [...perChain]
    .map(([slug, earned18]) => ({ slug, earned18 }))
    .toSorted((a, b) => (a.earned18 === b.earned18 ? 0 : a.earned18 < b.earned18 ? 1 : -1));
};
