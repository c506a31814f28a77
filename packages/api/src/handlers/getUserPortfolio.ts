import { formatPriceUsd, formatUnits, tokenDecimals } from '@mintage/protocol';
import type { ChainContext, HandlerOf } from '../context.ts';
import { platformIdKeysCamel } from '../reads/identity.ts';
import { oneOf } from '../reads/oneOf.ts';
import { tokenPrice, valueUsd18Floor } from '../reads/price.ts';
import { servedChains } from '../reads/servedChains.ts';
import { type KnownToken, selectTokens } from '../reads/tokenRef.ts';
import { formatUsd18, numberOf } from '../reads/usd.ts';

/** Prices are of the last trade; a value is what the balance is worth at that price, not what selling it would give. */
export const getUserPortfolio: HandlerOf<'getUserPortfolio'> = async (context, input, { caller }) => {
  const chains = servedChains(context, input.chains);
  const rows = await selectTokens(context.db)
    .innerJoin('balance', (join) =>
      join.onRef('balance.chain_id', '=', 'token.chain_id').onRef('balance.token', '=', 'token.address'),
    )
    .select(['balance.wallet', 'balance.amount', 'balance.first_acquired'])
    .where(oneOf('balance.chain_id', [...chains.keys()]))
    .where(oneOf('balance.wallet', caller.wallets))
    .where('balance.amount', '>', 0n)
    .orderBy('token.token_id')
    .orderBy('token.chain_id')
    .orderBy('balance.wallet')
    .execute();

  const holdings = rows.flatMap((row) => {
    const served = chains.get(row.chain_id);
    return served ? [holding(row, served)] : [];
  });
  const tokens = [...Map.groupBy(holdings, (held) => held.token.token_id).values()]
    .map((held) => grouped(held as [Holding, ...Holding[]]))
    .toSorted(byValue);
  return {
    success: true,
    data: {
      tokens: tokens.map(({ token, held, value18, firstAcquired }) => ({
        tokenId: token.token_id,
        name: token.name,
        symbol: token.symbol,
        slug: token.slug,
        totalBalanceUsd: numberOf(formatUsd18(value18)),
        chainBalances: held.map(({ balance }) => balance),
        availableChains: [...new Set(held.map(({ balance }) => balance.chainSlug))],
        ...(token.logo === null ? {} : { logo: token.logo }),
        ...platformIdKeysCamel(context.config.platformName, token.platform_id),
        firstAcquired: firstAcquired.toISOString(),
      })),
      totalValueUsd: numberOf(formatUsd18(tokens.reduce((sum, { value18 }) => sum + value18, 0n))),
      totalTokensCount: tokens.length,
    },
  };
};

type HeldRow = KnownToken & { wallet: `0x${string}`; amount: bigint; first_acquired: Date };

/** One wallet's balance of one token. */
const holding = (token: HeldRow, { chain, deployment }: ChainContext) => {
  const price = tokenPrice(token, deployment.usd);
  const value18 = valueUsd18Floor(token.amount, price, deployment.usdDecimals);
  return {
    token,
    value18,
    balance: {
      chain: chain.slug,
      chainSlug: chain.slug,
      balance: token.amount.toString(),
      balanceFormatted: formatUnits(token.amount, tokenDecimals),
      walletAddress: token.wallet,
      tokenAddress: token.address,
      decimals: tokenDecimals,
      eid: chain.eid,
      createdAt: token.first_acquired.toISOString(),
      priceUsd: numberOf(formatPriceUsd(price, deployment.usdDecimals)),
      valueUsd: numberOf(formatUsd18(value18)),
    },
  };
};

type Holding = ReturnType<typeof holding>;

/** All balances of one token. */
const grouped = (held: readonly [Holding, ...Holding[]]) => ({
  token: held[0].token,
  held,
  value18: held.reduce((sum, { value18 }) => sum + value18, 0n),
  firstAcquired: held.map(({ token }) => token.first_acquired).reduce((first, time) => (time < first ? time : first)),
});

const byValue = (a: { value18: bigint }, b: { value18: bigint }): number =>
  a.value18 === b.value18 ? 0 : a.value18 < b.value18 ? 1 : -1;
