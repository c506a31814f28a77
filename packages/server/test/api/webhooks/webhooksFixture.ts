import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from '@mintage/devnet/patientServer';
import type { StreamTopic } from '@mintage/protocol/operations';
import type { PostOptions } from '../../../src/api/accounts/webhooks/post.ts';
import type { ServedChain } from '../../../src/api/main.ts';
import type { DeliveryOptions } from '../../../src/api/surfaces/webhooks/deliver.ts';
import type { Db } from '../../../src/db/serviceTables.ts';
import { eids } from '../../eids.ts';
import { type SignedIn, type TestApi, testApi } from '../testing/testApi.ts';

/** Fixture for webhook tests: receivers that really listen, and events inserted into the outbox. */

export interface Delivery {
  headers: IncomingHttpHeaders & Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;
  /** The body as it arrived. */
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- the shape differs from topic to topic and is what the test asserts
  body: any;
}

export interface Receiver {
  url: string;
  /** All deliveries so far, including refused ones. */
  got: Delivery[];
  /** Numbers of the events that came so far. */
  seqs(): number[];
  /** How the next requests are answered; 204 by default. */
  answer: RequestListener;
  stop(): Promise<void>;
}

export const ok: RequestListener = (_request, response) => response.writeHead(204).end();
export const status =
  (code: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(code, headers).end('refused');

/** @param port - 0 takes a free one. */
export const startReceiver = async (port = 0): Promise<Receiver> => {
  const got: Delivery[] = [];
  const server = createServer(patientServer, async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    got.push({ headers: request.headers as Delivery['headers'], text, body: JSON.parse(text) });
    receiver.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?token=sesame`,
    got,
    seqs: () => got.map(({ body }) => body.seq),
    answer: ok,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
};

export interface Told {
  wallet?: string;
  platform_id?: string;
  retracts?: number;
  time?: Date;
  data?: Record<string, unknown>;
}

/** Appends events to a topic as the indexer does; returns their numbers. */
export const tell = (db: Db, topic: StreamTopic, events: readonly Told[]): Promise<number[]> =>
  db.transaction().execute(async (tx) => {
    const { last_seq: last } = await tx
      .updateTable('stream_topic')
      .set((column) => ({ last_seq: column('last_seq', '+', events.length) }))
      .where('topic', '=', topic)
      .returning('last_seq')
      .executeTakeFirstOrThrow();
    const rows = events.map((event, place) => ({
      topic,
      seq: last - events.length + 1 + place,
      eid: eids.baseSepolia,
      block_number: 1 + place,
      time: event.time ?? new Date('2030-01-01T00:00:00Z'),
      platform_id: (event.platform_id ?? null) as `0x${string}` | null,
      wallet: (event.wallet ?? null) as `0x${string}` | null,
      retracts: event.retracts ?? null,
      data: JSON.stringify({ chain: 'base-sepolia', place, ...event.data }),
    }));
    if (rows.length > 0) await tx.insertInto('stream_event').values(rows).execute();
    return rows.map(({ seq }) => seq);
  });

export const many = (count: number): Told[] => Array.from({ length: count }, () => ({}));

export interface WebhookWorld {
  api: TestApi;
  db: Db;
  /** Milliseconds that the service's clock is ahead of the real one. */
  ahead: { ms: number };
  user: SignedIn;
  /** Makes a webhook, by default of the first user, on every activity from now on. */
  make(
    url: string,
    subscription?: object,
    user?: SignedIn,
  ): Promise<{ id: string; secret: string; cursor: number; subscription: object }>;
  /** A receiver that is stopped at the end. */
  receiver(): Promise<Receiver>;
  stop(): Promise<void>;
}

export const startWebhookWorld = async (
  options: { webhooks?: PostOptions & DeliveryOptions; chains?: ServedChain[] } = {},
): Promise<WebhookWorld> => {
  const ahead = { ms: 0 };
  const api = await testApi({
    env: { PLATFORM_NAME: 'Acme Pad' },
    now: () => Date.now() + ahead.ms,
    ...options,
  });
  const receivers: Receiver[] = [];
  const user = await api.signIn();
  return {
    api,
    db: api.context.db,
    ahead,
    user,
    async make(url, subscription = { topic: 'tokenActivity' }, by = user) {
      const { status: code, body } = await api.call('createWebhook', { url, subscription }, { bearer: by.accessToken });
      if (code !== 200) throw new Error(`${code} ${JSON.stringify(body)}`);
      return { ...body.webhook, secret: body.secret };
    },
    async receiver() {
      const one = await startReceiver();
      receivers.push(one);
      return one;
    },
    async stop() {
      await Promise.all(receivers.map((one) => one.stop()));
      await api.context.webhooks.close();
      await api.stop();
    },
  };
};
