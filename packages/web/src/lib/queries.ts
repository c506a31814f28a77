import type { GetTokensV2Input } from '@mintage/sdk';
import { read } from './api.ts';

/** The questions that pages ask, each with its name in the cache. */

export const chains = () =>
  read(['chains'], (api, options) => api.chains({}, options), { staleTime: 10_000, refetchInterval: 15_000 });

export const tokens = (filter: GetTokensV2Input) =>
  read(['tokens', filter], (api, options) => api.getTokensV2(filter, options), { staleTime: 2_000 });
