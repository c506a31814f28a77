import { hash } from 'node:crypto';
import { Uuid } from '@mintage/protocol';
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import { ifWritable } from '../../../db/ifWritable.ts';
import type { Caller, Scope } from '../../accounts/caller.ts';
import { type Accounts, sealed } from '../../accounts/rowSeals.ts';
import { type SigningKeys, signingAlgorithm } from '../../accounts/signingKeys.ts';
import { accountOf } from '../../accounts/users.ts';
import { Remembered } from '../../wire/remembered.ts';
import type { Addresses } from './addresses.ts';

/** Lifetime of an access token of the tool server, seconds. */
export const toolTokenSeconds = 600;

/** How long a verified token is cached, milliseconds: a revoked grant takes effect within this time. */
const believedMs = 4_000;
const mostRemembered = 20_000;
const longestToken = 4_096;
/** How far the clock of another process of ours may be ahead, seconds. */
const mostSkewSeconds = 60;
/** Least time between two updates of a grant's `last_used_at`, milliseconds. */
const lastUsedEveryMs = 60_000;

export interface ToolTokens {
  /**
   * The caller that a token of the tool server proves: signed by us, issued by our authorization server for the tool
   * server, not expired, its grant neither ended nor revoked, its user still there. Null otherwise, and for every other
   * kind of credential.
   *
   * @param token - Without `Bearer`.
   */
  verifyToolToken(token: string): Promise<Caller | null>;
  /** Drops the cached tokens of a grant, so that a revoked grant stops working at once in this process. */
  forgetGrant(grantId: string): void;
}

interface Verified {
  caller: Caller;
  grantId: string;
}

interface ToolToken {
  userId: string;
  grantId: string;
  scopes: readonly string[];
  expiresAtMs: number;
}

/** What a token must match. */
export interface ToolTokenRules extends Accounts {
  keys: SigningKeys;
  addresses: Addresses;
  /** As configured. */
  newAccessDelayHours: number;
  now: () => number;
}

export const createToolTokens = ({
  db,
  seals,
  keys,
  addresses,
  newAccessDelayHours,
  now,
}: ToolTokenRules): ToolTokens => {
  /** Verified tokens by hash. */
  const remembered = new Remembered<Verified>(mostRemembered, now);

  const callerOf = async (token: ToolToken): Promise<Caller | null> => {
    const grant = await db
      .selectFrom('oauth_grant')
      .select(['grant_id', 'user_id', 'client_id', 'scopes', 'created_at', 'expires_at', 'last_used_at', 'seal'])
      .where('grant_id', '=', token.grantId)
      .where('user_id', '=', token.userId)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', new Date(now()))
      .executeTakeFirst();
    const asked = { grant_id: token.grantId, user_id: token.userId };
    if (grant !== undefined && !seals.holds(sealed.oauthGrant({ ...grant, ...asked }), grant.seal)) return null;
    const account = grant && (await accountOf(db, grant.user_id));
    if (!grant || !account) return null;
    if ((grant.last_used_at?.getTime() ?? 0) < now() - lastUsedEveryMs) {
      const used = db
        .updateTable('oauth_grant')
        .set({ last_used_at: new Date(now()) })
        .where('grant_id', '=', token.grantId);
      await ifWritable(() => used.execute());
    }
    // A client may ask for a token that allows less than its grant.
    const scopes = (grant.scopes as Scope[]).filter((scope) => token.scopes.includes(scope));
    return {
      userId: grant.user_id,
      ...account,
      method: 'grant',
      scopes,
      credential: token.grantId,
      session: null,
      waitsUntilMs: null,
      newUntilMs: grant.created_at.getTime() + newAccessDelayHours * 3_600_000,
    };
  };

  const read = async (token: string): Promise<ToolToken | null> => {
    try {
      const { kid } = decodeProtectedHeader(token);
      const key = kid === undefined ? null : await keys.byId(kid);
      if (!key) return null;
      const { payload } = await jwtVerify(token, key.publicKey, {
        algorithms: [signingAlgorithm],
        typ: 'at+jwt',
        issuer: addresses.issuer,
        audience: addresses.resource,
        requiredClaims: ['sub', 'exp', 'iat', 'grant', 'scope'],
        currentDate: new Date(now()),
      });
      const { sub, iat, exp, grant, scope } = payload as { sub: unknown; iat: number; exp: number } & JWTPayload;
      if (!Uuid.safeParse(sub).success || typeof grant !== 'string' || typeof scope !== 'string') return null;
      if (iat > now() / 1000 + mostSkewSeconds) return null;
      return { userId: sub as string, grantId: grant, scopes: scope.split(' '), expiresAtMs: exp * 1000 };
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
      throw error;
    }
  };

  return {
    async verifyToolToken(token) {
      if (token.length > longestToken) return null;
      const tokenHash = hash('sha256', token, 'base64');
      const known = remembered.get(tokenHash);
      if (known) return known.caller;
      const startedMs = now();
      const verified = await read(token);
      const caller = verified && (await callerOf(verified));
      if (!verified || !caller) return null;
      const untilMs = Math.min(verified.expiresAtMs, startedMs + believedMs);
      remembered.set(tokenHash, { caller, grantId: verified.grantId }, untilMs);
      return caller;
    },
    forgetGrant(grantId) {
      remembered.deleteWhere((entry) => entry.grantId === grantId);
    },
  };
};
