import { createRemoteJWKSet, decodeJwt, errors, jwtVerify } from 'jose';
import type { Logger } from 'pino';
import type { JwtIssuer } from '../../config.ts';
import { isReadable } from '../wire/readableText.ts';

export interface ForeignToken {
  issuer: string;
  subject: string;
  /** Null when the token has no `iat` claim. */
  issuedAtMs: number | null;
  /** Milliseconds since 1970, as `issuedAtMs`. */
  expiresAtMs: number;
}

/** Verifies a token of a configured foreign issuer; null when it is not one, or is invalid. */
export type VerifyForeignToken = (token: string) => Promise<ForeignToken | null>;

/** Longest `sub`, in characters: OpenID Connect allows 255, and the database index holds more than this in UTF-8. */
const longestSubject = 512;

/**
 * A subject must be storable in PostgreSQL, like every text a caller sends; a token whose subject is not proves nobody.
 */
const isSubject = (sub: unknown): sub is string =>
  typeof sub === 'string' && sub !== '' && sub.length <= longestSubject && isReadable(sub);

export const createForeignTokens = (
  issuers: readonly JwtIssuer[],
  now: () => number,
  log: Logger,
): VerifyForeignToken => {
  const known = new Map(
    issuers.map((issuer) => [
      issuer.issuer,
      { ...issuer, keys: createRemoteJWKSet(new URL(issuer.jwksUrl), { timeoutDuration: 2_000 }) },
    ]),
  );
  return async (token) => {
    if (known.size === 0) return null;
    try {
      const issuer = known.get(decodeJwt(token).iss ?? '');
      if (!issuer) return null;
      const { payload, protectedHeader } = await jwtVerify(token, issuer.keys, {
        algorithms: [issuer.algorithm],
        issuer: issuer.issuer,
        audience: issuer.audience,
        requiredClaims: ['sub', 'exp'],
        currentDate: new Date(now()),
      });
      if (!['jwt', 'at+jwt', undefined].includes(protectedHeader.typ?.toLowerCase())) return null;
      if (!isSubject(payload.sub)) return null;
      return {
        issuer: issuer.issuer,
        subject: payload.sub,
        issuedAtMs: payload.iat === undefined ? null : payload.iat * 1000,
        expiresAtMs: (payload.exp as number) * 1000,
      };
    } catch (error) {
      if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) {
        log.warn({ err: error }, 'The keys of a foreign issuer cannot be read; its tokens are refused.');
      }
      return null;
    }
  };
};
