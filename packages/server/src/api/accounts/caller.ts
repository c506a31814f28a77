import type { Address } from '../../chain/servedChain.ts';

export const scopes = ['read', 'prepare', 'execute'] as const;
export type Scope = (typeof scopes)[number];

/** The caller that a credential identifies. */
export interface Caller {
  userId: string;
  /** Lower case, the sign-in wallet first, the embedded one last; empty for a user without a wallet. */
  wallets: readonly Address[];
  /** The one of `wallets` whose key the signer holds; null before it is created. */
  embedded: Address | null;
  method: 'jwt' | 'apiKey' | 'wallet' | 'grant';
  /** Whether the user has the larger request allowance. */
  premium: boolean;
  scopes: readonly Scope[];
  /** The API key or grant that made the call, for which a budget may be set; null: the user. */
  credential: string | null;
  /** The session behind an access token; null when there is none, or none that can be checked. */
  session: CallerSession | null;
}

/** The id of a session of ours, or the time at which a foreign issuer made its token. */
export type CallerSession = { sessionId: string } | { issuedAtMs: number };
