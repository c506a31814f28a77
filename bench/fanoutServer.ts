/** One WebSocket server as a process of its own: ours over the outbox, or the library with one send per client. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { configFromEnv, startApi } from '@mintage/server/api';
import { openDatabase } from '@mintage/server/db';
import { clientsOf } from '@mintage/server/families';
import { WebSocketServer } from 'ws';
import { messageOf } from './fanoutMessage.ts';

export type FanoutOrder = { burst: number } | { perSecond: number; seconds: number } | { usage: true };
export interface Usage {
  cpuSeconds: number;
  rssMiB: number;
}

const usage = (): Usage => {
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, rssMiB: process.memoryUsage().rss / 2 ** 20 };
};

const serveOurs = async (databaseUrl: string): Promise<number> => {
  const limits = JSON.stringify({ anonymous: 1e9, streams: 1e6 });
  const config = configFromEnv({ PORT: '0', LOG_LEVEL: 'error', RATE_LIMITS: limits, NODE_ENV: 'production' });
  const api = await startApi({ config, db: openDatabase(databaseUrl), chains: [], createClient: await clientsOf([]) });
  return Number(new URL(api.url).port);
};

/** What most servers do: every message is sent to every client. */
const servePlain = async (): Promise<number> => {
  const server = createServer();
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  const send = (seq: number): void => {
    const message = messageOf(seq);
    for (const client of sockets.clients) client.send(message);
  };
  const isBehind = (): boolean => [...sockets.clients].some((client) => client.bufferedAmount > 256 * 1024);
  process.on('message', async (order: FanoutOrder) => {
    if ('burst' in order) {
      for (let seq = 0; seq < order.burst; seq += 1) {
        send(seq);
        if (seq % 4 !== 3) continue;
        await new Promise((resolve) => setImmediate(resolve));
        while (isBehind()) await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }
    if ('perSecond' in order) {
      const startedMs = performance.now();
      for (let seq = 0; seq < order.perSecond * order.seconds; seq += 1) {
        const waitMs = startedMs + (seq * 1000) / order.perSecond - performance.now();
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
        send(seq);
      }
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

const { DATABASE_URL } = process.env;
process.on('message', (order: FanoutOrder) => {
  if ('usage' in order) process.send?.({ usage: usage() });
});
process.once('disconnect', () => process.exit());
process.send?.({ port: await (DATABASE_URL === undefined ? servePlain() : serveOurs(DATABASE_URL)) });
