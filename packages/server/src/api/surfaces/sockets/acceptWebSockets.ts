import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Streams } from './streams.ts';

/**
 * Whether a request asks for a WebSocket. Other upgrades, such as to HTTP/2 without TLS, are ignored and answered as
 * ordinary requests.
 */
export const asksForWebSocket = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket';

/**
 * Routes WebSocket requests like all others, with limits and answers to wrong paths, up to the operation `ws`, where
 * the connection leaves HTTP. Call it before routes are added.
 */
export const acceptWebSockets = (app: FastifyInstance, { streams }: { streams: Streams }): void => {
  const upgrades = new WeakMap<IncomingMessage, { socket: Socket; head: Buffer }>();

  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    upgrades.set(request, { socket, head });
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.destroySoon()); // the client may keep its half of the connection open forever
    app.routing(request, response);
  });

  app.addHook('preHandler', async (request, reply) => {
    const upgrade = upgrades.get(request.raw);
    if (upgrade === undefined || request.routeOptions.config.operation?.name !== 'ws') return;
    const open = await streams.prepareSocket(request.ip);
    reply.hijack();
    reply.raw.detachSocket(upgrade.socket);
    open(request.raw, upgrade.socket, upgrade.head);
  });
};
