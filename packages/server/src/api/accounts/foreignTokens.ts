import { createRemoteJWKSet, decodeJwt, errors, jwtVerify } from 'jose';
import type { Logger } from 'pino';
import type { JwtIssuer } from '../../config.ts';
import { isReadable } from '../wire/readableText.ts';

export interface ForeignToken {
  issuer: string;
  subject: string;
  /** Null when the token does not say. */
  issuedAtMs: number | null;
  expiresAtMs: number;
}

/** A token of a configured foreign issuer, null when it is none or not good. */
export type VerifyForeignToken = (token: string) => Promise<ForeignToken | null>;

/** In characters: more than the 255 of OpenID Connect, and in UTF-8 as much as an index takes. */
const longestSubject = 512;

/** No more than any other text of a stranger is stored what PostgreSQL cannot hold: such a token proves nobody. */
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
