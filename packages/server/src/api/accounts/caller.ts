import { type Address, type ChainType, MintageError } from '@mintage/protocol';

/** What every user may do, and let keys and applications do. */
export const scopes = ['read', 'prepare', 'execute', 'social'] as const;
export type UserScope = (typeof scopes)[number];
/** `moderate`: what only operators may do, signed in or by keys that they made for it. */
export type Scope = UserScope | 'moderate';

/** The caller that a credential identifies. */
export interface Caller {
  userId: string;
  /** The sign-in wallet first, the embedded ones last; empty for a user without a wallet. */
  wallets: readonly Address[];
  /** Those of `wallets` whose keys the signer holds, by the chains that they are for; absent before they are created. */
  embedded: Embedded;
  method: 'jwt' | 'apiKey' | 'wallet' | 'grant';
  /** Whether the user has the larger request allowance. */
  premium: boolean;
  scopes: readonly Scope[];
  /** The API key or grant that made the call, for which a budget may be set; null: the user. */
  credential: string | null;
  /** The session behind an access token; null when there is none, or none that can be checked. */
  session: CallerSession | null;
  /** Until when a new credential may do less: a sign-in or key that has to wait executes nothing. Null: it does not wait. */
  waitsUntilMs: number | null;
  /** Until when a key or grant spends within `NEW_KEY_USD_PER_DAY`; null: it is a sign-in. */
  newUntilMs: number | null;
}

/** At most one wallet for all chains of a type. */
export type Embedded = Readonly<Partial<Record<ChainType, Address>>>;

/** The id of a session of ours, or the time at which a foreign issuer made its token. */
export type CallerSession =
  | {
      sessionId: string;
      /** When its user signed in, where the token is of that sign-in and not of a later refresh; null: no one knows. */
      confirmedAtMs: number | null;
    }
  | { issuedAtMs: number };

/** What a credential may do before it acts. */
export const waitingScopes = ['read', 'prepare'] as const satisfies readonly Scope[];

export const tooNew = (until: Date): MintageError =>
  new MintageError(
    'ACCESS_TOO_NEW',
    `This way into the account is new: it only reads and prepares until ${until.toISOString()}`,
  );

/** When a credential that has to wait begins to act; null: it acts. */
export const waitsUntil = (actsFrom: Date | null, nowMs: number): number | null =>
  actsFrom !== null && actsFrom.getTime() > nowMs ? actsFrom.getTime() : null;
