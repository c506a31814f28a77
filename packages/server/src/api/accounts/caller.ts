import type { Address } from '../../chain/servedChain.ts';

export const scopes = ['read', 'prepare', 'execute'] as const;
export type Scope = (typeof scopes)[number];

/** Who the credential proves. */
export interface Caller {
  userId: string;
  /** Lower case, the sign-in wallet first, the embedded one last; empty for a user without a wallet. */
  wallets: readonly Address[];
  /** Of `wallets` the one whose key the signer holds; null before it is made. */
  embedded: Address | null;
  method: 'jwt' | 'apiKey' | 'wallet' | 'grant';
  /** Has the larger allowance. */
  premium: boolean;
  scopes: readonly Scope[];
  /** What a budget may be set for: the id of the API key or grant; null: the user. */
  credential: string | null;
  /** The sign-in behind an access token; null: there is none, or none that could be asked about. */
  session: CallerSession | null;
}

/** A session of ours, or when a foreign issuer made its token. */
export type CallerSession = { sessionId: string } | { issuedAtMs: number };
