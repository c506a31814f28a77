import type { Address, ChainContext } from '../../chain/servedChain.ts';
import type { Row } from '../../db/chainTables.ts';
import type { Context } from '../handlers/context.ts';
import { formatUsd18, usd18 } from '../wire/usd.ts';
import { oneOf } from './oneOf.ts';
import { countReferredTraders } from './referredTraders.ts';

/** What one wallet earned in one currency on one chain. */
export interface WalletFees extends Row<'fee_balance'> {
  served: ChainContext;
}

/**
 * The fee balances of wallets, and what they come to. The Launchpad credits its chain's dollar token only, so every
 * balance has that token's decimals and is worth USD.
 */
export const readFees = async (
  context: Context,
  chains: ReadonlyMap<number, ChainContext>,
  wallets: readonly Address[],
) => {
  const chainIds = [...chains.keys()];
  const [rows, referred] = await Promise.all([
    context.db
      .selectFrom('fee_balance')
      .selectAll()
      .where(oneOf('chain_id', chainIds))
      .where(oneOf('recipient', wallets))
      .orderBy('chain_id')
      .orderBy('currency')
      .orderBy('recipient')
      .execute(),
    countReferredTraders(context, chainIds, wallets),
  ]);
  const fees = rows.flatMap((row): WalletFees[] => {
    const served = chains.get(row.chain_id);
    return served ? [{ ...row, served }] : [];
  });
  return {
    fees,
    summary: {
      total_traders_referred: referred,
      total_rewards_earned_usd: formatUsd18(sumUsd18(fees, 'earned')),
      total_claimable_usd: formatUsd18(sumUsd18(fees, 'claimable')),
    },
  };
};

export const sumUsd18 = (fees: readonly WalletFees[], column: 'earned' | 'claimable'): bigint =>
  fees.reduce((sum, { served, [column]: amount }) => sum + usd18(amount, served.deployment.usdDecimals), 0n);

/** When one of them was last paid; null when none was. */
export const lastPaidAt = (fees: readonly WalletFees[]): string | null => {
  const times = fees.flatMap(({ last_distribution_at }) => last_distribution_at?.getTime() ?? []);
  return times.length === 0 ? null : new Date(Math.max(...times)).toISOString();
};
