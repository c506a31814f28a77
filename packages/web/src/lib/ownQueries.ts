import { type Api, read } from './api.ts';
import type { Deployment } from './deployment.ts';
import { ownKey } from './session.ts';

/** Questions about the caller's own account: only somebody who is signed in asks them. */

const own = <Answer>(
  name: string,
  isSignedIn: boolean,
  refetchInterval: number,
  ask: (api: Api, options: { signal: AbortSignal }) => Promise<Answer>,
) => read([ownKey, name], ask, { enabled: isSignedIn, staleTime: 2_000, refetchInterval });

/** Wallets, balances of coins and dollars, and the invitation. */
export const account = ({ network }: Pick<Deployment, 'network'>, isSignedIn: boolean) =>
  own('account', isSignedIn, 15_000, async (api, options) => {
    const { data } = await api.me({ include_testnets: network === 'Testnet' }, options);
    return data;
  });

export type Account = Awaited<ReturnType<Api['me']>>['data'];

/** Fees and rewards: what was earned, as what, and what can be claimed where. */
export const fees = (isSignedIn: boolean) =>
  own('fees', isSignedIn, 5_000, (api, options) => api.getUserFees({}, options));

/** Of all tokens, most valuable first. */
export const profits = (isSignedIn: boolean) =>
  own('profits', isSignedIn, 5_000, async (api, options) => {
    const { data } = await api.getUserPnl({ limit: 500 }, options);
    return data;
  });

/** Which wallet holds how much of which token on which chain. */
export const holdings = (isSignedIn: boolean) =>
  own('holdings', isSignedIn, 5_000, async (api, options) => {
    const { data } = await api.getUserPortfolio({ limit: 500 }, options);
    return data;
  });
