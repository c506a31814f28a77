import { createRemoteJWKSet, decodeJwt, errors, jwtVerify } from 'jose';
import type { Logger } from 'pino';
import type { JwtIssuer } from '../config.ts';

export interface ForeignToken {
  issuer: string;
  subject: string;
  /** Null when the token does not say. */
  issuedAtMs: number | null;
  expiresAtMs: number;
}

/** A token of a configured foreign issuer, null when it is none or not good. */
export type VerifyForeignToken = (token: string) => Promise<ForeignToken | null>;

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
      if (typeof payload.sub !== 'string' || payload.sub === '') return null;
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
