import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { MintageError } from '@mintage/protocol';
import type { Subscription } from '@mintage/protocol/operations';
import { Counter, Gauge } from 'prom-client';
import { WebSocketServer } from 'ws';
import type { Caller } from '../../accounts/caller.ts';
import { createStreamReader, type StreamReader } from '../../events/reader.ts';
import { filterOf } from '../../events/streamFilter.ts';
import type { Context } from '../../handlers/context.ts';
import { clientAddress } from '../../limits/clientAddress.ts';
import { createEncodings } from '../../reads/events/messages.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { Client, type Ending, type Line } from './client.ts';
import { Conversation } from './conversation.ts';
import { EventsLine } from './eventsLine.ts';
import { Hub } from './hub.ts';
import { SocketLine } from './socketLine.ts';

/** The live streams of this process. Nothing is started before the first client connects. */
export interface Streams {
  /** The outbox reader of this process, once the positions of the topics are known. */
  reader(): Promise<StreamReader>;
  /**
   * Checks that this address may open another WebSocket, and returns the function that takes over its connection.
   *
   * @throws MintageError RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE.
   */
  prepareSocket(address: string): Promise<(request: IncomingMessage, socket: Socket, head: Buffer) => void>;
  /**
   * Events of one subscription as server-sent events.
   *
   * @param authorization - The header that proved the caller; checked again while the stream is open.
   * @throws MintageError when the subscription is not allowed or names an unknown token, and as `prepareSocket`.
   */
  openEvents(
    subscription: Subscription,
    who: { caller: Caller | null; authorization: string | undefined; address: string },
  ): Promise<Readable>;
  stop(): Promise<void>;
}

interface Needs extends Pick<Context, 'auth' | 'chains' | 'chainNews' | 'config' | 'db' | 'log'> {
  metrics: Metrics;
}

const mostClients = 20_000;
const largestMessage = 64 * 1024;
const everyMs = 1_000;
const heartbeatEvery = 20;

/** A connected client with the checks to run every second. */
interface Connected {
  client: Client;
  address: string;
  checkAuthority: () => Promise<void>;
}

export const createStreams = (context: Needs): Streams => {
  const { auth, config, log } = context;
  const encodings = createEncodings(config.platformName);
  const figures = createFigures(context);
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: largestMessage,
    perMessageDeflate: false,
  });
  sockets.on('error', (err) => log.warn({ err }, 'A stream client could not be taken.'));
  const connected = new Set<Connected>();
  const perAddress = new Map<string, number>();
  let parts: Promise<{ reader: StreamReader; hub: Hub }> | null = null;
  let delivering: Hub | undefined;
  let timer: NodeJS.Timeout | undefined;
  let ticks = 0;

  const start = async (): Promise<{ reader: StreamReader; hub: Hub }> => {
    const reader = createStreamReader(context, (err) => log.warn({ err }, 'The streams cannot be read; trying again.'));
    timer = setInterval(tick, everyMs).unref();
    await reader.ready;
    delivering = new Hub(context, reader);
    return { reader, hub: delivering };
  };
  const started = (): Promise<{ reader: StreamReader; hub: Hub }> => {
    parts ??= start();
    return parts;
  };

  const tick = (): void => {
    ticks += 1;
    for (const { client, checkAuthority } of connected) {
      client.check();
      if (ticks % heartbeatEvery === 0 && !client.line.heartbeat()) client.end('silent');
      // While a credential cannot be checked, the stream continues.
      checkAuthority().catch((err: unknown) => log.warn({ err }, 'A credential could not be checked.'));
    }
  };

  const admit = (address: string): string => {
    const from = clientAddress(address);
    if ((perAddress.get(from) ?? 0) >= config.rateLimits.streams) {
      throw new MintageError(
        'RATE_LIMIT_EXCEEDED',
        `More than ${config.rateLimits.streams} streams at once from one address`,
      );
    }
    if (connected.size >= mostClients)
      throw new MintageError('SERVICE_UNAVAILABLE', 'This process has all the streams it can take');
    return from;
  };

  const connect = (hub: Hub, line: Line, address: string): Connected => {
    const client = new Client(
      line,
      (paused) => hub.pause(paused),
      (ending) => figures.ended(ending),
    );
    const one = { client, address, checkAuthority: async () => {} };
    connected.add(one);
    perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
    return one;
  };
  const disconnect = (hub: Hub, one: Connected): void => {
    if (!connected.delete(one)) return;
    one.client.isEnded = true;
    hub.forget(one.client);
    const left = (perAddress.get(one.address) ?? 0) - 1;
    if (left > 0) perAddress.set(one.address, left);
    else perAddress.delete(one.address);
  };

  const converse = (hub: Hub, request: IncomingMessage, socket: Socket, head: Buffer, address: string): void => {
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const one = connect(hub, new SocketLine(webSocket, socket, encodings.socket), address);
      const conversation = new Conversation(context, hub, one.client);
      one.checkAuthority = () => conversation.checkAuthority();
      webSocket.on('message', (data, isBinary) => {
        if (isBinary) {
          one.client.error('INVALID_MESSAGE', 'Messages are JSON text, not binary.');
          one.client.end('notText');
        } else conversation.hear(data.toString());
      });
      webSocket.on('error', (err) => log.debug({ err }, 'A stream client broke the protocol.'));
      webSocket.on('close', () => {
        conversation.hangUp();
        disconnect(hub, one);
      });
    });
  };

  figures.collect(() => [...connected].map(({ client }) => client.line));
  figures.delivered(() => delivering?.delivered ?? 0);

  return {
    reader: async () => (await started()).reader,

    async prepareSocket(address) {
      const from = admit(address);
      const { hub } = await started();
      return (request, socket, head) => converse(hub, request, socket, head, from);
    },

    async openEvents(subscription, { caller, authorization, address }) {
      const from = admit(address);
      const filter = await filterOf(context, subscription, caller, '');
      const { hub } = await started();
      const line = new EventsLine(encodings.events, () => disconnect(hub, one));
      const one = connect(hub, line, from);
      one.checkAuthority = async () => {
        if (caller === null || authorization === undefined) return;
        const now = await auth.verify(authorization);
        if (now?.userId !== caller.userId || now.wallets.join() !== caller.wallets.join()) one.client.end('authEnded');
      };
      await hub.subscribe(one.client, { ...subscription, id: 'events', filter });
      return line.body;
    },

    async stop() {
      clearInterval(timer);
      for (const { client } of connected) client.end('goingAway');
      if (parts !== null) await (await parts).reader.stop();
    },
  };
};

const createFigures = ({ metrics: { registry } }: Pick<Needs, 'metrics'>) => {
  const registers = [registry];
  const ended = new Counter({
    name: 'mintage_stream_ended_total',
    help: 'Streams that this process ended, by reason.',
    labelNames: ['reason'],
    registers,
  });
  return {
    ended: (reason: Ending) => ended.inc({ reason }),
    collect(lines: () => Line[]) {
      registry.registerMetric(
        new Gauge({
          name: 'mintage_stream_clients',
          help: 'Open streams, by kind.',
          labelNames: ['kind'],
          registers: [],
          collect() {
            const open = lines();
            for (const kind of ['socket', 'events'] as const) {
              this.set({ kind }, open.filter(({ encoding }) => encoding.kind === kind).length);
            }
          },
        }),
      );
      registry.registerMetric(
        new Gauge({
          name: 'mintage_stream_waiting_bytes',
          help: 'Bytes that wait in this process for clients to take them.',
          registers: [],
          collect() {
            this.set(lines().reduce((sum, line) => sum + line.waiting(), 0));
          },
        }),
      );
    },
    delivered(count: () => number) {
      registry.registerMetric(
        new Gauge({
          name: 'mintage_stream_delivered',
          help: 'Events handed to clients since the start of the process.',
          registers: [],
          collect() {
            this.set(count());
          },
        }),
      );
    },
  };
};
