import { formatUnits } from '@mintage/protocol';
import type { HandlerOf } from '../context.ts';
import { oneOf } from '../reads/oneOf.ts';
import { requireOwnAccount } from '../reads/ownAccount.ts';
import { countReferredTraders } from '../reads/referredTraders.ts';
import { servedChains } from '../reads/servedChains.ts';
import { formatUsd18, usd18 } from '../reads/usd.ts';

/** The Launchpad credits its chain's dollar token only, so every balance has that token's decimals and is worth USD. */
export const getUserFees: HandlerOf<'getUserFees'> = async (context, input, { caller }) => {
  requireOwnAccount(caller, input.user_id);
  const chains = servedChains(context, input.chains);
  const chainIds = [...chains.keys()];
  const rows = await context.db
    .selectFrom('fee_balance')
    .selectAll()
    .where(oneOf('chain_id', chainIds))
    .where(oneOf('recipient', caller.wallets))
    .orderBy('chain_id')
    .orderBy('currency')
    .execute();

  const totals = new Map<string, Total>();
  const claimableUsd18 = new Map<string, bigint>(caller.wallets.map((wallet) => [wallet, 0n]));
  for (const row of rows) {
    const served = chains.get(row.chain_id);
    if (!served) continue;
    const decimals = served.deployment.usdDecimals;
    const key = `${row.chain_id} ${row.currency}`;
    const total = totals.get(key) ?? {
      currency: row.currency,
      chain: served.chain.slug,
      decimals,
      earned: 0n,
      claimable: 0n,
      lastDistributionAt: null,
    };
    totals.set(key, {
      ...total,
      earned: total.earned + row.earned,
      claimable: total.claimable + row.claimable,
      lastDistributionAt: later(total.lastDistributionAt, row.last_distribution_at),
    });
    claimableUsd18.set(row.recipient, (claimableUsd18.get(row.recipient) ?? 0n) + usd18(row.claimable, decimals));
  }

  const balances = [...totals.values()];
  const sumUsd = (amountOf: (total: Total) => bigint) =>
    formatUsd18(balances.reduce((sum, total) => sum + usd18(amountOf(total), total.decimals), 0n));
  return {
    balances: balances.map((total) => ({
      currency_address: total.currency,
      chain: total.chain,
      total_earned: total.earned.toString(),
      claimable_amount: total.claimable.toString(),
      total_earned_with_decimals: formatUnits(total.earned, total.decimals),
      claimable_amount_with_decimals: formatUnits(total.claimable, total.decimals),
      decimals: total.decimals,
      last_distribution_at: total.lastDistributionAt?.toISOString() ?? null,
    })),
    summary: {
      total_traders_referred: await countReferredTraders(context, chainIds, caller.wallets),
      total_rewards_earned_usd: sumUsd((total) => total.earned),
      total_claimable_usd: sumUsd((total) => total.claimable),
    },
    wallets: [...claimableUsd18].map(([address, claimable]) => ({ address, claimable: formatUsd18(claimable) })),
  };
};

/** One currency on one chain, all wallets together; base units. */
interface Total {
  currency: string;
  chain: string;
  decimals: number;
  earned: bigint;
  claimable: bigint;
  lastDistributionAt: Date | null;
}

const later = (a: Date | null, b: Date | null): Date | null => (a === null || (b !== null && b > a) ? b : a);
