import { formatUnits } from '@mintage/protocol';
import { lastPaidAt, readFees, sumUsd18, type WalletFees } from '../reads/fees.ts';
import { requireOwnAccount } from '../reads/ownAccount.ts';
import { servedChains } from '../tokens/servedChains.ts';
import { formatUsd18 } from '../wire/usd.ts';
import type { HandlerOf } from './context.ts';

export const getUserFees: HandlerOf<'getUserFees'> = async (context, input, { caller }) => {
  requireOwnAccount(caller, input.user_id);
  const { fees, summary } = await readFees(context, servedChains(context, input.chains), caller.wallets);
  const byCurrency = Map.groupBy(fees, ({ chain_id, currency }) => `${chain_id} ${currency}`);
  return {
    balances: [...byCurrency.values()].map((parts) => feeBalance(parts as [WalletFees, ...WalletFees[]])),
    summary,
    wallets: caller.wallets.map((address) => {
      const own = fees.filter(({ recipient }) => recipient === address);
      return { address, claimable: formatUsd18(sumUsd18(own, 'claimable')) };
    }),
  };
};

/** One currency on one chain, all wallets together. */
const feeBalance = (parts: readonly [WalletFees, ...WalletFees[]]) => {
  const { served, currency } = parts[0];
  const decimals = served.deployment.usdDecimals;
  const earned = parts.reduce((sum, part) => sum + part.earned, 0n);
  const claimable = parts.reduce((sum, part) => sum + part.claimable, 0n);
  return {
    currency_address: currency,
    chain: served.chain.slug,
    total_earned: earned.toString(),
    claimable_amount: claimable.toString(),
    total_earned_with_decimals: formatUnits(earned, decimals),
    claimable_amount_with_decimals: formatUnits(claimable, decimals),
    decimals,
    last_distribution_at: lastPaidAt(parts),
  };
};
