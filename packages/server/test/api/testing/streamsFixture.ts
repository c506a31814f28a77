import type { AddressInfo } from 'node:net';
import { chainBySlug } from '@mintage/protocol';
import type { FastifyInstance } from 'fastify';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { ServiceContext } from '../../../src/api/surfaces/serviceContext.ts';
import { basePath } from '../../../src/api/wire/limits.ts';
import { configFromEnv } from '../../../src/config.ts';
import { type News, publish } from '../../../src/db/outbox.ts';
import { startApiWorld } from '../../world/apiWorld.ts';
import { hex } from '../reads/readsFixture.ts';
import { StreamClient } from './streamClient.ts';

/** One process that serves streams, on a port of its own. */
export interface StreamsServer {
  app: FastifyInstance;
  context: ServiceContext;
  url: string;
  socketUrl: string;
  stop(): Promise<void>;
}

/** Streams over a real database whose outbox the test fills by hand, through any number of servers. */
export const startStreams = async () => {
  const { db, clock, ...world } = await startApiWorld();
  const clients = new Set<StreamClient>();

  const serve = async (env: Record<string, string> = {}, fixedPort = 0): Promise<StreamsServer> => {
    const limits = JSON.stringify({ anonymous: 1_000_000, signIn: 1_000_000, streams: 10_000 });
    const started = await world.start(
      configFromEnv({ PORT: '0', PLATFORM_NAME: 'Acme Pad', RATE_LIMITS: limits, ...env }),
    );
    const { app, context } = started;
    await app.listen({ port: fixedPort, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const server: StreamsServer = {
      app,
      context,
      url: `http://127.0.0.1:${port}${basePath}`,
      socketUrl: `ws://127.0.0.1:${port}${basePath}/ws`,
      stop: started.stop,
    };
    return server;
  };

  return {
    db,
    clock,
    serve,
    /** Appends to the outbox as the indexer does. */
    publish: (...news: readonly News[]) => db.transaction().execute((tx) => publish(tx as never, news)),
    client(url: string, options: { bearer?: string } = {}): StreamClient {
      const client = new StreamClient(url, options);
      clients.add(client);
      return client;
    },
    /** A new user's access token and wallet. */
    async signIn({ url }: StreamsServer): Promise<{ accessToken: string; address: `0x${string}`; userId: string }> {
      const account = privateKeyToAccount(generatePrivateKey());
      const post = async (path: string, body: object) => {
        const headers = { 'content-type': 'application/json' };
        // oxlint-disable-next-line typescript/no-explicit-any -- the shape differs from call to call
        return (await (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as any;
      };
      const { message } = await post('/auth/challenge', { address: account.address });
      const session = await post('/auth/login', { message, signature: await account.signMessage({ message }) });
      return { ...session, address: account.address.toLowerCase() as `0x${string}` };
    },
    async stop() {
      for (const client of clients) client.close();
      await world.stop();
    },
  };
};

export type NewsChain = 'base-sepolia' | 'bnb' | 'base';

/** News of a trade of `token` in `block`, in the indexer's form; `data` replaces keys. */
export const tradeNews = (
  block: number,
  {
    token = 1,
    chain = 'base-sepolia' as NewsChain,
    ...data
  }: Record<string, unknown> & { token?: number; chain?: NewsChain } = {},
): News => {
  const time = new Date(Date.parse('2030-01-01T00:00:00Z') + block * 1_000);
  return {
    topic: 'tokenActivity',
    eid: chainBySlug(chain).eid,
    block_number: block,
    time,
    platform_id: hex(token, 32),
    wallet: null,
    retracts: null,
    data: {
      pk: `${chain}:${hex(block, 32)}:0:trade`,
      chain,
      activity_type: 'trade',
      activity_subtype: 'buy',
      evt_block_number: block,
      evt_block_time: time.toISOString(),
      platform_id: hex(token, 32),
      ...data,
    },
  };
};

/** News of a fee credited to `recipient`. */
export const feeNews = (block: number, recipient: string, data: Record<string, unknown> = {}): News => ({
  ...tradeNews(block),
  topic: 'walletFees',
  wallet: recipient,
  data: {
    chain: 'base-sepolia',
    recipient,
    currency: hex(9),
    amount_raw: '5',
    activity_id: 0,
    distribution_type: 0,
    ...data,
  },
});

/** News of what `wallet` holds of `token` after `block`. */
export const balanceNews = (block: number, wallet: string, token = 1): News => ({
  ...tradeNews(block, { token }),
  topic: 'walletBalances',
  wallet,
  data: {
    chain: 'base-sepolia',
    wallet,
    platform_id: hex(token, 32),
    evt_block_number: block,
    balance_raw: `${block}`,
  },
});
