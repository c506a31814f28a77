import { formatUnits, formatUsd18 } from '@mintage/protocol';
import { definitions, platformIdKeysCamel, totalPage } from '@mintage/protocol/operations';
import { decimalsOf } from '../../chain/servedChain.ts';
import { type Holding, readHoldings, type Worth } from '../reads/holdings.ts';
import { shownPlatformId } from '../tokens/identity.ts';
import { chainWarnings, servedChains } from '../tokens/servedChains.ts';
import { requireServedToken } from '../tokens/servedToken.ts';
import type { Context } from './context.ts';
import { handler } from './handler.ts';

export const getUserPnl = handler(
  definitions.getUserPnl,
  async (context, { token_id, chains, ...page }, { caller }) => {
    const token = token_id === undefined ? null : (await requireServedToken(context, token_id)).token;
    const filter = { chains: servedChains(context, chains), wallets: caller.wallets, token, closedToo: true };
    const holdings = await readHoldings(context, filter, page.limit, page.offset);
    return {
      success: true,
      data: {
        ...worthKeys(holdings),
        tokens: holdings.page.map((holding) => position(context, holding)),
        pagination: totalPage(page, holdings.total),
      },
      ...chainWarnings(context, chains),
    };
  },
);

const worthKeys = ({ value18, pricedValue18, cost18, realised18 }: Worth) => ({
  valueUsd: formatUsd18(value18),
  costUsd: formatUsd18(cost18),
  unrealisedUsd: formatUsd18(pricedValue18 - cost18),
  realisedUsd: formatUsd18(realised18),
});

const position = ({ config }: Context, holding: Holding) => {
  const { token, served, balances, cost18 } = holding;
  type Summed = 'amount' | 'unpriced_tokens' | 'bought_usd' | 'bought_tokens' | 'sold_usd' | 'sold_tokens';
  const sum = (column: Summed) => balances.reduce((total, balance) => total + balance[column], 0n);
  const decimals = decimalsOf(served);
  const usd = (column: Summed) => formatUnits(sum(column), decimals.usd);
  const tokens = (column: Summed) => formatUnits(sum(column), decimals.token);
  const amount = sum('amount');
  const priced = amount - sum('unpriced_tokens');
  const firstAcquired = Math.min(...balances.map(({ first_acquired }) => first_acquired.getTime()));
  return {
    tokenId: token.token_id,
    ...platformIdKeysCamel(config.platformName, shownPlatformId(config, token)),
    name: token.name,
    symbol: token.symbol,
    slug: token.slug,
    ...(token.logo === null ? {} : { logo: token.logo }),
    chainSlug: served.chain.slug,
    tokenAddress: token.address,
    balance: formatUnits(amount, decimals.token),
    balanceRaw: amount.toString(),
    priceUsd: formatUsd18(token.price_usd18),
    ...worthKeys(holding),
    averageCostUsd: priced === 0n ? null : formatUsd18((cost18 * 10n ** BigInt(decimals.token)) / priced),
    unpricedTokens: tokens('unpriced_tokens'),
    boughtUsd: usd('bought_usd'),
    boughtTokens: tokens('bought_tokens'),
    soldUsd: usd('sold_usd'),
    soldTokens: tokens('sold_tokens'),
    firstAcquired: new Date(firstAcquired).toISOString(),
  };
};
