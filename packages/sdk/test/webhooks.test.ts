import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { patientServer } from '@mintage/devnet/patientServer';
import { until } from '@mintage/devnet/until';
import { chainBySlug } from '@mintage/protocol';
import { Webhook as Verifier } from 'standardwebhooks';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReader, MintageError, type Reader, session, signIn, verifyWebhook } from '../src/sdk.ts';
import { startService, type TestService } from './service.ts';

interface Delivery {
  headers: IncomingHttpHeaders;
  /** As it arrived. */
  text: string;
}

let service: TestService;
let client: Reader;
let webhook: Awaited<ReturnType<Reader['createWebhook']>>;
const got = new Map<number, Delivery>();
const receiver = createServer(patientServer, async (request, response) => {
  const body = await text(request);
  got.set(JSON.parse(body).seq, { headers: request.headers, text: body });
  response.writeHead(204).end();
});
beforeAll(async () => {
  service = await startService({ WEBHOOKS_TO_LOOPBACK: '1' });
  client = createReader({ baseUrl: service.url });
  client.use(session(await signIn(client, privateKeyToAccount(generatePrivateKey()))));
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  webhook = await client.createWebhook({ url, subscription: { topic: 'tokenActivity' } });
});
afterAll(async () => {
  await service?.stop();
  receiver.close();
});

/** What the service delivers of an event that the index tells of. */
const delivered = async (data: object = {}, retracts: number | null = null): Promise<Delivery> => {
  const topic = 'tokenActivity';
  const seq = await service.db.transaction().execute(async (tx) => {
    const { last_seq } = await tx
      .updateTable('stream_topic')
      .set((column) => ({ last_seq: column('last_seq', '+', 1) }))
      .where('topic', '=', topic)
      .returning('last_seq')
      .executeTakeFirstOrThrow();
    const { eid } = chainBySlug('base-sepolia');
    const row = { topic, eid, block_number: 1, time: new Date(), platform_id: null, wallet: null } as const;
    await tx
      .insertInto('stream_event')
      .values({ ...row, seq: last_seq, retracts, data: JSON.stringify(data) })
      .execute();
    return last_seq;
  });
  return until(() => got.get(seq));
};
const signed = ({ headers }: Delivery) => ({
  'webhook-id': String(headers['webhook-id']),
  'webhook-timestamp': String(headers['webhook-timestamp']),
  'webhook-signature': String(headers['webhook-signature']),
});
const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'taken',
    (error) => (error instanceof MintageError ? error.code : expect.fail(String(error))),
  );
const byReference = (secret: string, headers: Record<string, string>, body: string): string => {
  try {
    new Verifier(secret).verify(body, headers);
    return 'taken';
  } catch {
    return 'refused';
  }
};
/** Every text that differs in one place. */
const changedOnce = (text: string): string[] =>
  [...text].map(
    (one, at) => text.slice(0, at) + String.fromCodePoint((one.codePointAt(0) ?? 0) ^ 1) + text.slice(at + 1),
  );

/** The same 32 bytes, where the last two bits of the text, which no byte has, are not 0. */
const sameBytes = (signature: string): string => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return `${signature.slice(0, -2)}${alphabet[alphabet.indexOf(signature.at(-2) as string) + 1]}=`;
};

describe('verifyWebhook', () => {
  it('default: the event of a delivery, from whatever holds its headers and its body', async () => {
    const delivery = await delivered({ name: 'Bœuf 🦊 \ufffd' });
    const { headers, text: body } = delivery;
    const event = { ...JSON.parse(body), type: 'event', topic: 'tokenActivity', id: webhook.webhook.id };
    const bytes = new TextEncoder().encode(body);
    const upper = Object.fromEntries(
      Object.entries(signed(delivery)).map(([name, value]) => [name.toUpperCase(), value]),
    );
    for (const [their, arrived] of [
      [headers, body],
      [new Headers(signed(delivery)), bytes],
      [upper, bytes.buffer],
    ] as const)
      expect(await verifyWebhook(webhook.secret, their, arrived)).toEqual(event);
    expect(byReference(webhook.secret, signed(delivery), body)).toBe('taken');
    // Bytes that are no text are not those that were signed, though a lenient reader sees the same in both.
    const at = bytes.findIndex((one, index) => one === 0xef && bytes[index + 1] === 0xbf && bytes[index + 2] === 0xbd);
    const broken = new Uint8Array([...bytes.slice(0, at), 0xff, ...bytes.slice(at + 3)]);
    expect(new TextDecoder().decode(broken)).toBe(body);
    expect(await codeOf(verifyWebhook(webhook.secret, headers, broken))).toBe('WEBHOOK_NOT_GENUINE');
  });

  it('error: anything changed in it is refused, and so is what the reference library refuses', async () => {
    const delivery = await delivered({ name: 'Paper Boat', wallet: `0x${'ab'.repeat(20)}` }, 1);
    const headers = signed(delivery);
    const all = [
      ...changedOnce(delivery.text).map((body) => ({ headers, body })),
      ...[`${delivery.text} `, delivery.text.slice(1), ''].map((body) => ({ headers, body })),
      ...Object.entries(headers).flatMap(([name, value]) =>
        [...changedOnce(value), `0${value}`, value.slice(0, -1), `${value}=`, `${value}0`, ''].map((text) => ({
          headers: { ...headers, [name]: text },
          body: delivery.text,
        })),
      ),
      { headers: { ...headers, 'webhook-signature': sameBytes(headers['webhook-signature']) }, body: delivery.text },
      ...Object.keys(headers).map((name) => ({ headers: { ...headers, [name]: undefined }, body: delivery.text })),
    ];
    const taken = [];
    for (const one of all) {
      const code = await codeOf(verifyWebhook(webhook.secret, one.headers, one.body));
      if (code !== 'WEBHOOK_NOT_GENUINE') taken.push({ ...one, code });
      if (one.headers === headers) expect(byReference(webhook.secret, headers, one.body)).toBe('refused');
    }
    expect(all.length).toBeGreaterThan(delivery.text.length);
    expect(taken).toEqual([]);
    expect(await codeOf(verifyWebhook(webhook.secret, headers, delivery.text))).toBe('taken');
  });

  it('behavior: good for five minutes around its time', async () => {
    const delivery = await delivered();
    const madeMs = Number(signed(delivery)['webhook-timestamp']) * 1_000;
    const at = (now: number) => codeOf(verifyWebhook(webhook.secret, delivery.headers, delivery.text, { now }));
    expect(await at(madeMs + 300_000)).toBe('taken');
    expect(await at(madeMs - 300_000)).toBe('taken');
    expect(await at(madeMs + 300_001)).toBe('WEBHOOK_NOT_GENUINE');
    expect(await at(madeMs - 300_001)).toBe('WEBHOOK_NOT_GENUINE');
    expect(await at(Number.NaN)).toBe('WEBHOOK_NOT_GENUINE');
  });

  it('behavior: while secrets rotate either verifies, afterwards the new one alone', async () => {
    const { id } = webhook.webhook;
    const { secret: next } = await client.rotateWebhookSecret({ id });
    const both = await delivered();
    expect(signed(both)['webhook-signature'].split(' ')).toHaveLength(2);
    const codes = async ({ headers, text: body }: Delivery, ...secrets: string[]) =>
      Promise.all(secrets.map((secret) => codeOf(verifyWebhook(secret, headers, body))));
    expect(await codes(both, webhook.secret, next)).toEqual(['taken', 'taken']);
    const { secret: last } = await client.rotateWebhookSecret({ id, overlapSeconds: 0 });
    const one = await delivered();
    expect(await codes(one, webhook.secret, next, last)).toEqual([
      'WEBHOOK_NOT_GENUINE',
      'WEBHOOK_NOT_GENUINE',
      'taken',
    ]);
    // As others write it, and with a signature of a kind that this client does not know.
    const more = { ...signed(one), 'webhook-signature': `v1a,AAAA ${signed(one)['webhook-signature']}` };
    expect(await codeOf(verifyWebhook(last.replace('whsec_', ''), more, one.text))).toBe('taken');
    expect(byReference(last, more, one.text)).toBe('taken');
  });

  it('error: a secret that is none is not repeated', async () => {
    for (const secret of ['', 'whsec_', 'whsec_not base64', 'whsec_AAAAA']) {
      const error = await verifyWebhook(secret, {}, '').catch((caught: MintageError) => caught);
      expect(error).toMatchObject({ code: 'INVALID_PARAMETERS', message: expect.not.stringContaining('not base64') });
    }
  });
});
