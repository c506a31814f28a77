import { chainByEid, formatUnits, formatUsd18, tokenDecimalsOf, valueUsd18Down } from '@mintage/protocol';
import { definitions, platformIdKeysCamel } from '@mintage/protocol/operations';
import { type Holding, readHoldings } from '../reads/holdings.ts';
import { shownPlatformId } from '../tokens/identity.ts';
import { livingOn } from '../tokens/registrations.ts';
import { chainWarnings, servedChains } from '../tokens/servedChains.ts';
import { numberOf } from '../wire/usd.ts';
import type { Context } from './context.ts';
import { handler } from './handler.ts';

/** Prices are those of the last trade; a value is the balance at that price, not what selling it would yield. */
export const getUserPortfolio = handler(definitions.getUserPortfolio, async (context, input, { caller }) => {
  const filter = {
    chains: servedChains(context, input.chains),
    wallets: caller.wallets,
    token: null,
    closedToo: false,
  };
  const { page, total, value18 } = await readHoldings(context, filter, input.limit, input.offset);
  return {
    success: true,
    data: {
      tokens: page.map((holding) => portfolioToken(context, holding)),
      totalValueUsd: usdNumber(value18),
      totalTokensCount: total,
    },
    ...chainWarnings(context, input.chains),
  };
});

const portfolioToken = ({ config }: Context, { token, balances, value18 }: Holding) => ({
  tokenId: token.token_id,
  name: token.name,
  symbol: token.symbol,
  slug: token.slug,
  totalBalanceUsd: usdNumber(value18),
  chainBalances: balances.map(({ on, wallet, amount, first_acquired }) => ({
    chain: on.chain.slug,
    chainSlug: on.chain.slug,
    balance: amount.toString(),
    balanceFormatted: formatUnits(amount, tokenDecimalsOf(on.chain)),
    walletAddress: wallet,
    tokenAddress: token.address,
    decimals: tokenDecimalsOf(on.chain),
    eid: on.chain.eid,
    createdAt: first_acquired.toISOString(),
    priceUsd: usdNumber(token.price_usd18),
    valueUsd: usdNumber(valueUsd18Down(amount, token.price_usd18, tokenDecimalsOf(on.chain))),
  })),
  availableChains: livingOn(token).flatMap((eid) => chainByEid(eid)?.slug ?? []),
  ...(token.logo === null ? {} : { logo: token.logo }),
  ...platformIdKeysCamel(config.platformName, shownPlatformId(config, token)),
  firstAcquired: new Date(Math.min(...balances.map((held) => held.first_acquired.getTime()))).toISOString(),
});

const usdNumber = (amount18: bigint): number => numberOf(formatUsd18(amount18));
