import { createECDH } from 'node:crypto';
import { encrypt } from 'http_ece';
import { SignJWT } from 'jose';
import type { PushKey } from '../accounts/pushKey.ts';

/** Where a browser is told, as it said. */
export interface Browser {
  /** https address of its push service. */
  endpoint: string;
  /** Its public key and its secret, base64url. */
  p256dh: string;
  auth: string;
}

export interface PushRequest {
  headers: Record<string, string>;
  body: Uint8Array;
}

/** How long a push service keeps what a browser does not fetch. */
const keptSeconds = 86_400;
const proofSeconds = 12 * 3_600;

/**
 * A request to a push service (RFC 8030), readable by the browser alone (RFC 8291), signed by this service (RFC 8292).
 *
 * @param topic - A later message with the same replaces one that was not fetched: at most 32 characters of base64url.
 * @param contact - Whom a push service writes to about us: an https address.
 * @throws When the browser's key is no point of the curve.
 */
export const pushRequest = async (
  { endpoint, p256dh, auth }: Browser,
  key: PushKey,
  message: { text: string; topic: string; contact: string; now: number },
): Promise<PushRequest> => {
  const own = createECDH('prime256v1');
  own.generateKeys();
  const body = encrypt(Buffer.from(message.text), {
    version: 'aes128gcm',
    dh: p256dh,
    privateKey: own,
    authSecret: auth,
  });
  const nowSeconds = Math.floor(message.now / 1000);
  const proof = await new SignJWT({ sub: message.contact })
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .setAudience(new URL(endpoint).origin)
    .setExpirationTime(nowSeconds + proofSeconds)
    .sign(key.privateKey);
  return {
    headers: {
      authorization: `vapid t=${proof}, k=${key.publicKey}`,
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      ttl: String(keptSeconds),
      urgency: 'normal',
      topic: message.topic,
    },
    body,
  };
};
