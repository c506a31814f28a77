import { formatUnits, formatUsd18, tokenDecimalsOf, valueUsd18Down } from '@mintage/protocol';
import { definitions, platformIdKeys } from '@mintage/protocol/operations';
import { readHoldings } from '../reads/holdings.ts';
import { shownPlatformId } from '../tokens/identity.ts';
import { servedChains } from '../tokens/servedChains.ts';
import { requireServedToken } from '../tokens/servedToken.ts';
import { handler } from './handler.ts';

export const getUserBalance = handler(definitions.getUserBalance, async (context, input, { caller }) => {
  const token = input.token_id === undefined ? null : (await requireServedToken(context, input.token_id)).token;
  const chains = new Map(
    [...servedChains(context)].filter(
      ([, { chain }]) => input.chain_id === undefined || chain.chainId === input.chain_id,
    ),
  );
  const filter = { chains, wallets: caller.wallets, token, closedToo: false };
  const { page, value18 } = await readHoldings(context, filter, input.limit, input.offset);
  return {
    success: true,
    data: {
      balances: page.flatMap(({ token: held, balances }) =>
        balances.map(({ on, wallet, amount }) => ({
          tokenId: held.token_id,
          ...platformIdKeys(context.config.platformName, shownPlatformId(context.config, held)),
          chainSlug: on.chain.slug,
          chainId: on.chain.chainId ?? 0,
          walletAddress: wallet,
          tokenAddress: held.address,
          balance: amount.toString(),
          balanceFormatted: formatUnits(amount, tokenDecimalsOf(on.chain)),
          decimals: tokenDecimalsOf(on.chain),
          valueUsd: formatUsd18(valueUsd18Down(amount, held.price_usd18, tokenDecimalsOf(on.chain))),
        })),
      ),
      totalUsd: formatUsd18(value18),
    },
  };
});
