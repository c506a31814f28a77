import { invalid, MintageError } from '@mintage/protocol/errors';
import type { StreamChange } from '../generated/types.ts';

/** What a delivery says: an event of a stream. */
export type WebhookEvent = StreamChange & {
  /** Of the webhook. */
  id: string;
  /** Only after a loss: numbers, both inclusive, that were dropped undelivered. Read the current state again then. */
  missed?: { from: number; to: number };
};

/** As `Request` has them, or Node's `IncomingMessage`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Milliseconds since 1970; absent: this machine's clock. */
  now?: number;
}

/** How far the time of an attempt may be from now, seconds: what Standard Webhooks has. */
const toleranceSeconds = 300;

/**
 * The event of a delivery that this secret signed, within five minutes of now. While secrets rotate two sign, and either is enough.
 *
 * Old deliveries may come again: an event whose `seq` is not above the last one was there already.
 *
 * @param secret - `whsec_…`, as `createWebhook` and `rotateWebhookSecret` answer it.
 * @param body - Exactly what arrived, not yet parsed.
 * @throws MintageError WEBHOOK_NOT_GENUINE; INVALID_PARAMETERS where the secret is none, which it does not repeat.
 *
 * Source: docs/webhooks.md.
 */
export const verifyWebhook = async (
  secret: string,
  headers: WebhookHeaders,
  body: string | Uint8Array | ArrayBuffer,
  { now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> => {
  const key = await keyOf(secret);
  const read = readerOf(headers);
  const [id, timestamp] = [read('webhook-id'), read('webhook-timestamp')];
  if (!/^\d{1,12}$/.test(timestamp) || !(Math.abs(now / 1_000 - Number(timestamp)) <= toleranceSeconds))
    throw notGenuine(`was made at ${timestamp}, which is not within ${toleranceSeconds} s of now`);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
  const signed = new Uint8Array([...new TextEncoder().encode(`${id}.${timestamp}.`), ...bytes]);
  for (const signature of read('webhook-signature').split(' ')) {
    // Whether it is the right one is compared by the platform, which takes as long for every wrong one.
    if (signatureForm.test(signature) && (await crypto.subtle.verify('HMAC', key, bytesOf(signature.slice(3)), signed)))
      return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent; // what the service signs is of this type
  }
  throw notGenuine('has no signature by this secret');
};

/** 32 bytes in the one form that base64 has for them, as everything beside it would be unsigned. */
const signatureForm = /^v1,[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const keyOf = async (secret: string): Promise<HmacKey> => {
  const text = secret.replace(/^whsec_/, '');
  if (!/^(?:[A-Za-z0-9+/]{4}){5,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text))
    throw invalid('secret', 'must be a signing secret, as `whsec_…`');
  return crypto.subtle.importKey('raw', bytesOf(text), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
};

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));

/** Names of headers are the same in any case. */
const readerOf = (headers: WebhookHeaders) => {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const texts = new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
  return (name: string): string => {
    const text = texts.get(name);
    if (typeof text !== 'string' || text === '') throw notGenuine(`has no header ${name}, or more than one`);
    return text;
  };
};

const notGenuine = (why: string): MintageError => new MintageError('WEBHOOK_NOT_GENUINE', `The delivery ${why}.`);
