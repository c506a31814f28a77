import { type Address, type Eid, usd18 } from '@mintage/protocol';
import type { FeeSource, WalletFees } from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/chainContext.ts';
import type { Db } from '../../db/serviceTables.ts';
import { byChainId } from '../tokens/servedChains.ts';
import { currencyName } from './currencyName.ts';
import { oneOf } from './oneOf.ts';

/** The fee balances of wallets: in the dollar token of the chain, and in launched tokens that their pools earned. */
export const readFees = async (
  db: Db,
  chains: ReadonlyMap<Eid, ChainContext>,
  wallets: readonly Address[],
): Promise<WalletFees[]> => {
  const rows = await db
    .selectFrom('fee_balance')
    .leftJoin('token', (join) =>
      join.onRef('token.eid', '=', 'fee_balance.eid').onRef('token.address', '=', 'fee_balance.currency'),
    )
    .selectAll('fee_balance')
    .select(['token.symbol', 'token.price_usd18', 'token.platform_id'])
    .where(oneOf('fee_balance.eid', [...chains.keys()]))
    .where(oneOf('recipient', wallets))
    .orderBy('currency')
    .orderBy('recipient')
    .execute();
  return rows
    .toSorted(byChainId)
    .flatMap(({ eid, last_distribution_at: paidAt, symbol, price_usd18, platform_id, ...row }): WalletFees[] => {
      const served = chains.get(eid);
      if (!served) return [];
      const { recipient, currency, earned, claimable } = row;
      const fees = { recipient, chain: served.chain.slug, currency, earned, claimable, paidAt };
      return [{ ...fees, ...currencyName(served, symbol), priceUsd18: price_usd18, platformId: platform_id }];
    });
};

/** What wallets were credited by what they earned it as, most earned first. The index keeps the sums. */
export const readFeeSources = async (
  db: Db,
  chains: ReadonlyMap<Eid, ChainContext>,
  wallets: readonly Address[],
): Promise<FeeSource[]> => {
  const rows = await db
    .selectFrom('fee_sum')
    .select(['eid', 'distribution_type', 'credits', 'earned'])
    .where(oneOf('eid', [...chains.keys()]))
    .where(oneOf('recipient', wallets))
    .where('credits', '>', 0)
    .execute();
  const sources = Map.groupBy(rows, (row) => row.distribution_type);
  return [...sources]
    .map(([distributionType, parts]) => ({
      distributionType,
      credits: parts.reduce((sum, { credits }) => sum + credits, 0),
      earnedUsd18: parts.reduce(
        (sum, { eid, earned }) => sum + usd18(earned, chains.get(eid)?.deployment.usdDecimals ?? 0),
        0n,
      ),
    }))
    .toSorted((one, other) =>
      one.earnedUsd18 === other.earnedUsd18
        ? one.distributionType - other.distributionType
        : one.earnedUsd18 < other.earnedUsd18
          ? 1
          : -1,
    );
};
