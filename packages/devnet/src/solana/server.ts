import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SOLANA_ERROR__JSON_RPC__INTERNAL_ERROR, SOLANA_ERROR__JSON_RPC__PARSE_ERROR } from '@solana/kit';
import { type WebSocket, WebSocketServer } from 'ws';
import { PortTakenError } from '../freePort.ts';
import { patientServer } from '../patientServer.ts';
import type { Faults } from './faults.ts';
import type { Methods } from './methods/method.ts';
import type { Subscriptions } from './subscriptions.ts';
import { readJson, writeJson } from './wire/json.ts';
import { Params } from './wire/params.ts';
import { RpcError, refused } from './wire/rpcError.ts';

interface Question {
  id: unknown;
  method: string;
  params: unknown;
}

export interface ServerOptions {
  port: { number: number; variable: string } | undefined;
  methods: Methods;
  subscriptions: Subscriptions;
  faults: Faults;
}

export interface Server {
  port: number;
  /** Breaks all subscriptions' connections, as a provider does now and then. */
  cutSockets(): void;
  close(): Promise<void>;
}

/** JSON-RPC over HTTP and, on the same port, subscriptions over WebSocket. */
export const startServer = async ({ port, methods, subscriptions, faults }: ServerOptions): Promise<Server> => {
  const http = createServer(patientServer, (request, response) => {
    respond(request, response, methods, faults).catch(() => response.destroy());
  });
  const sockets = new WebSocketServer({ server: http });
  sockets.on('error', () => {}); // told by the HTTP server
  sockets.on('connection', (socket) => serveSocket(socket, subscriptions));
  http.listen(port?.number ?? 0, '127.0.0.1');
  try {
    await once(http, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE' && port !== undefined)
      throw new PortTakenError(port.number, port.variable);
    throw error;
  }
  const cutSockets = (): void => {
    for (const socket of sockets.clients) socket.terminate();
  };
  return {
    port: (http.address() as AddressInfo).port,
    cutSockets,
    async close() {
      cutSockets();
      sockets.close();
      http.closeAllConnections();
      if (http.listening) await new Promise((resolve) => http.close(resolve));
    },
  };
};

const respond = async (
  request: IncomingMessage,
  response: ServerResponse,
  methods: Methods,
  faults: Faults,
): Promise<void> => {
  const asked = parse(await text(request));
  response.setHeader('content-type', 'application/json');
  if (asked === null) {
    response.end(writeJson(failure(null, SOLANA_ERROR__JSON_RPC__PARSE_ERROR, 'Parse error')));
    return;
  }
  const list = (Array.isArray(asked) ? asked : [asked]) as Question[];
  const answers: unknown[] = [];
  for (const question of list) {
    switch (faults.of(question.method)) {
      case 'hang':
        return;
      case 'cut':
        (request.socket as Socket).destroy();
        return;
      case 'busy':
        response.writeHead(429).end(writeJson(failure(question.id, 429, 'Too many requests')));
        return;
      case 'error':
        answers.push(failure(question.id, SOLANA_ERROR__JSON_RPC__INTERNAL_ERROR, 'Internal error'));
        break;
      case null:
        answers.push(await answer(question, methods, faults));
    }
  }
  response.end(writeJson(Array.isArray(asked) ? answers : answers[0]));
};

const parse = (body: string): unknown => {
  try {
    return readJson(body);
  } catch {
    return null;
  }
};

const answer = async ({ id, method, params }: Question, methods: Methods, faults: Faults): Promise<unknown> => {
  try {
    const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (run === undefined) throw refused.method(method);
    return { jsonrpc: '2.0', id, result: faults.thin(method, await run(new Params(params))) };
  } catch (error) {
    return failed(id, error);
  }
};

const failed = (id: unknown, error: unknown): unknown =>
  error instanceof RpcError
    ? failure(id, error.code, error.message, error.data)
    : failure(id, SOLANA_ERROR__JSON_RPC__INTERNAL_ERROR, (error as Error).message);

const failure = (id: unknown, code: number, message: string, data?: unknown): unknown => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data === undefined ? {} : { data }) },
});

/** One connection and its subscriptions, which end with it. */
const serveSocket = (socket: WebSocket, subscriptions: Subscriptions): void => {
  const own = new Set<number>();
  const send = (message: unknown): void => socket.send(writeJson(message));
  const subscribe = (kind: string, params: Params): number => {
    const notify = (result: unknown): void =>
      send({ jsonrpc: '2.0', method: `${kind}Notification`, params: { result, subscription: id } });
    const id: number = subscriptions.open(kind, params, notify, () => own.delete(id));
    own.add(id);
    return id;
  };
  const run = ({ id, method, params }: Question): void => {
    const [, kind = '', verb] = /^(\w+)(Subscribe|Unsubscribe)$/.exec(method) ?? [];
    const args = new Params(params);
    if (verb === 'Subscribe') {
      const opened = subscribe(kind, args);
      send({ jsonrpc: '2.0', id, result: opened });
      subscriptions.begin(opened);
    } else if (verb === 'Unsubscribe') {
      const closed = args.number(0);
      if (!own.delete(closed)) throw refused.params('Invalid subscription id.');
      send({ jsonrpc: '2.0', id, result: subscriptions.close(closed) });
    } else if (method !== 'ping') throw refused.method(method);
  };
  socket.on('error', () => {}); // its end follows
  socket.on('close', () => {
    for (const id of own) subscriptions.close(id);
  });
  socket.on('message', (message) => {
    const question = parse(String(message)) as Question | null;
    if (question === null) return;
    try {
      run(question);
    } catch (error) {
      send(failed(question.id, error));
    }
  });
};
