import type { ChainSlug, GetTokensV2Input } from '@mintage/sdk';
import { read } from './api.ts';

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
