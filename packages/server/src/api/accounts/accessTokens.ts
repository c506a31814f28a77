import { randomUUID } from 'node:crypto';
import { Uuid } from '@mintage/protocol';
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import { type SigningKeys, signingAlgorithm } from './signingKeys.ts';

export const accessTokenSeconds = 900;
/** How far the clock of another process of ours may be ahead, seconds. */
const mostSkewSeconds = 60;
/** `typ` of access tokens (RFC 9068): tells an access token from every other JWT. */
const tokenType = 'at+jwt';

/** The user a token is issued to, and the sign-in session it belongs to. */
export interface TokenSession {
  /** Of `app_user`: `sub` of the token. */
  userId: string;
  /** Of `session`: `sid` of the token. */
  sessionId: string;
  /** When the user signed in, `auth_time` of the token; null or absent: it is refreshed. */
  confirmedAtMs?: number | null;
  /** From when the sign-in acts, `acts_from` of the token; null or absent: it acts. */
  actsFrom?: Date | null;
}

export interface VerifiedToken extends Required<TokenSession> {
  /** Milliseconds since 1970. */
  expiresAtMs: number;
}

export interface AccessTokens {
  /** Issues a token for this session, valid for `accessTokenSeconds`. */
  issue(session: TokenSession): Promise<string>;
  /** The contents of a token that this deployment issued; null when the token is foreign, altered or expired. */
  verify(token: string): Promise<VerifiedToken | null>;
}

/** @param issuer - Address of this deployment, used as issuer and audience of the tokens. */
export const createAccessTokens = (keys: SigningKeys, issuer: string, now: () => number): AccessTokens => ({
  async issue({ userId, sessionId, confirmedAtMs, actsFrom }) {
    const key = await keys.newest();
    const issuedAt = Math.floor(now() / 1000);
    const claims = {
      ...(typeof confirmedAtMs === 'number' && { auth_time: Math.floor(confirmedAtMs / 1000) }),
      ...(actsFrom && { acts_from: Math.ceil(actsFrom.getTime() / 1000) }),
    };
    return new SignJWT({ sid: sessionId, ...claims })
      .setProtectedHeader({ alg: signingAlgorithm, typ: tokenType, kid: key.kid })
      .setIssuer(issuer)
      .setAudience(issuer)
      .setSubject(userId)
      .setJti(randomUUID())
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + accessTokenSeconds)
      .sign(key.privateKey);
  },

  async verify(token) {
    try {
      const { kid } = decodeProtectedHeader(token);
      const key = kid === undefined ? null : await keys.byId(kid);
      if (!key) return null;
      const { payload } = await jwtVerify(token, key.publicKey, {
        algorithms: [signingAlgorithm],
        typ: tokenType,
        issuer,
        audience: issuer,
        requiredClaims: ['sub', 'sid', 'exp', 'iat'],
        currentDate: new Date(now()),
      });
      const { sub, sid, iat, exp, auth_time, acts_from } = payload as Record<string, unknown> & {
        iat: number;
        exp: number;
      };
      if (!Uuid.safeParse(sub).success || !Uuid.safeParse(sid).success) return null;
      if (iat > now() / 1000 + mostSkewSeconds) return null;
      return {
        userId: sub as string,
        sessionId: sid as string,
        expiresAtMs: exp * 1000,
        confirmedAtMs: typeof auth_time === 'number' ? auth_time * 1000 : null,
        actsFrom: typeof acts_from === 'number' ? new Date(acts_from * 1000) : null,
      };
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
      throw error;
    }
  },
});
