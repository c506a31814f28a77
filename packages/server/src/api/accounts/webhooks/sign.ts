import { createHmac, randomBytes } from 'node:crypto';

/**
 * Signatures as the Standard Webhooks specification has them: HMAC-SHA256 over `id.timestamp.body`, one per key, newest
 * first. Cases: `sign.test.ts`, checked against the `standardwebhooks` package.
 */
export interface SignedHeaders {
  'webhook-id': string;
  /** Unix seconds. */
  'webhook-timestamp': string;
  'webhook-signature': string;
}

const secretPrefix = 'whsec_';

/** A new signing key: 32 random bytes in base64, as it is stored. */
export const newKey = (): string => randomBytes(32).toString('base64');

/** A key as its owner gets it. */
export const secretOf = (key: string): string => secretPrefix + key;

/** @param keys - Base64, at least one. */
export const signedHeaders = (keys: readonly string[], id: string, atMs: number, body: string): SignedHeaders => {
  const timestamp = String(Math.floor(atMs / 1000));
  const signatures = keys.map(
    (key) =>
      `v1,${createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
};
