import { read } from '../command/read.ts';
import { table } from '../output/table.ts';
import { abridged, counted, dollars, short } from '../output/words.ts';

export const portfolio = read({
  operation: 'getUserPortfolio',
  show: ({ data }) => {
    const rows = data.tokens.flatMap((token) => token.chainBalances.map((balance) => ({ ...token, ...balance })));
    const listed = table(rows, [
      { head: 'token', of: ({ name }) => name },
      { head: 'chain', of: ({ chainSlug }) => chainSlug },
      { head: 'wallet', of: ({ walletAddress }) => abridged(walletAddress) },
      { head: 'tokens', isNumber: true, of: ({ balanceFormatted }) => short(balanceFormatted) },
      { head: '', of: ({ symbol }) => symbol },
      { head: 'at the last price', isNumber: true, of: ({ valueUsd }) => dollars(valueUsd) },
    ]);
    return `${listed}\n\n${dollars(data.totalValueUsd)} in ${counted(Number(data.totalTokensCount), 'token')}`;
  },
  follows: async (_, client) => ({ topic: 'walletBalances', wallets: await ownWallets(client) }),
});

const ownWallets = async (client: Parameters<NonNullable<Parameters<typeof read>[0]['follows']>>[1]) => {
  const { data } = await client.me({});
  return data.wallets.map(({ address }) => address);
};
