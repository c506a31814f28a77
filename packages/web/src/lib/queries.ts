import type { ChainSlug, GetTokensV2Input } from '@mintage/sdk';
import { read } from './api.ts';
import { ownKey } from './session.ts';

/** The questions that pages ask, each with its name in the cache. */

export const chains = () =>
  read(['chains'], (api, options) => api.chains({}, options), { staleTime: 10_000, refetchInterval: 15_000 });

export const tokens = (filter: GetTokensV2Input) =>
  read(['tokens', filter], (api, options) => api.getTokensV2(filter, options), { staleTime: 2_000 });

/** Counts by stage and the last day of some chains; of all where none is named. */
export const marketSummary = (chains: readonly ChainSlug[] = []) =>
  read(['market summary', chains], (api, options) => api.getMarketSummary({ chains }, options), {
    staleTime: 10_000,
    refetchInterval: 30_000,
  });

/** The books of every chain, without their tokens. */
export const books = () =>
  read(['books'], (api, options) => api.solvency({ limit: 0 }, options), {
    staleTime: 10_000,
    refetchInterval: 30_000,
  });

/** The caller's account: wallets, and what they have of money and gas on each chain. */
export const me = () => read([ownKey, 'me'], (api, options) => api.me({ include_testnets: true }, options));

/** What the caller's wallets have of a token. */
export const balancesOf = (tokenId: string) =>
  read([ownKey, 'balances', tokenId], (api, options) => api.getUserBalance({ token_id: tokenId }, options));

/**
 * The price of a token at the newest block, with the state that prices any amount of it. The amount asked for is of no consequence:
 * it is small enough for any state.
 */
export const quote = (tokenId: string, chainSlug: ChainSlug, direction: 'buy' | 'sell') =>
  read(
    [quoteKey, tokenId, chainSlug, direction],
    (api, options) => api.quoteToken({ tokenId, chainSlug, direction, ...smallest[direction] }, options),
    { staleTime: 1_000 },
  );

/** Prices of a token begin with this key and its id. */
export const quoteKey = 'quote';

const smallest = {
  buy: { inputToken: 'usdc', amount: 1 },
  sell: { inputToken: 'token', amount: 1_000 },
} as const;
