import { read } from '../command/read.ts';
import { facts, table } from '../output/table.ts';
import { ago, dollars } from '../output/words.ts';

export const fees = read({
  operation: 'getUserFees',
  fixed: { user_id: undefined },
  show: ({ balances, summary, wallets }) =>
    [
      table(balances, [
        { head: 'chain', of: ({ chain }) => chain },
        { head: 'currency', of: ({ currency_address }) => currency_address },
        { head: 'earned', isNumber: true, of: (fee) => fee.total_earned_with_decimals },
        { head: 'claimable', isNumber: true, of: (fee) => fee.claimable_amount_with_decimals },
        { head: 'last', isNumber: true, of: ({ last_distribution_at }) => ago(last_distribution_at) },
      ]),
      facts([
        ...wallets.map(({ address, claimable }) => ['Claimable', dollars(claimable), address] as const),
        ['Claimable in all', dollars(summary.total_claimable_usd)],
        ['Earned in all', dollars(summary.total_rewards_earned_usd)],
        ['Traders referred', summary.total_traders_referred],
      ]),
    ].join('\n\n'),
  follows: async (_, client) => {
    const { data } = await client.me({});
    return { topic: 'walletFees', wallets: data.wallets.map(({ address }) => address) };
  },
});
