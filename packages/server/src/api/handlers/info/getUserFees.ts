import { formatUnits } from '@mintage/protocol';
import { lastPaidAt, readFees, sumUsd18, type WalletFees } from '../../reads/fees.ts';
import { requireOwnAccount } from '../../reads/ownAccount.ts';
import { platformIdKeys } from '../../tokens/identity.ts';
import { servedChains } from '../../tokens/servedChains.ts';
import { formatUsd18 } from '../../wire/usd.ts';
import type { InfoAnswerer } from '../info.ts';

/** A row per wallet and currency: dollars of one symbol are one currency, whatever chain they are on. */
export const getUserFees: InfoAnswerer<'getUserFees'> = async (context, input, { caller }) => {
  requireOwnAccount(caller, input.user_id);
  const { fees, summary } = await readFees(context, servedChains(context, input.chains), caller.wallets);
  const byAccount = Map.groupBy(fees, ({ recipient, served }) => `${recipient} ${served.deployment.usdSymbol}`);
  return {
    success: true,
    data: {
      balances: [...byAccount.values()].map((parts) => {
        const [{ recipient, served }] = parts as [WalletFees, ...WalletFees[]];
        const { usdSymbol } = served.deployment;
        return {
          account: recipient,
          token_key: usdSymbol,
          ...platformIdKeys(context.config.platformName, null),
          token_name: usdSymbol,
          token_symbol: usdSymbol,
          balance: formatUsd18(sumUsd18(parts, 'claimable')),
          total_received: formatUsd18(sumUsd18(parts, 'earned')),
          last_updated_at: lastPaidAt(parts),
          per_chain_balances: Object.fromEntries(parts.map((part) => [part.served.chain.slug, chainBalance(part)])),
        };
      }),
      summary,
    },
  };
};

const chainBalance = (fees: WalletFees) => {
  const { usdDecimals } = fees.served.deployment;
  return {
    currency: fees.currency,
    token_decimals: usdDecimals,
    balance: formatUnits(fees.claimable, usdDecimals),
    balance_raw: fees.claimable.toString(),
    total_received: formatUnits(fees.earned, usdDecimals),
    total_received_raw: fees.earned.toString(),
    last_updated_at: lastPaidAt([fees]),
  };
};
