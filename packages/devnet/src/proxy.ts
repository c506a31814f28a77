import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from './patientServer.ts';

export interface RpcRequest {
  id: unknown;
  method: string;
  params: readonly unknown[];
}

/** Decides how a request is answered. */
export type Intercept = (calls: readonly RpcRequest[], forward: () => Promise<string>) => Promise<string>;

/** A provider that forwards requests to a real chain, or misbehaves as told. */
export interface Proxy {
  url: string;
  /** Handler of requests; undefined: they are forwarded. */
  intercept: Intercept | undefined;
  stop(): Promise<void>;
}

export const startProxy = async (target: string): Promise<Proxy> => {
  const server = createServer(patientServer, async (request, response) => {
    try {
      const body = Buffer.concat(await request.toArray()).toString();
      const parsed = JSON.parse(body) as RpcRequest | RpcRequest[];
      const forward = async (): Promise<string> => {
        const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
        return (await fetch(target, init)).text();
      };
      const { intercept } = proxy;
      const text = await (intercept === undefined ? forward() : intercept([parsed].flat(), forward));
      response.setHeader('content-type', 'application/json');
      response.end(text);
    } catch {
      response.destroy();
    }
  });
  // `once` reports errors during the start.
  server.on('error', (error) => console.error(`The provider's proxy: ${error.message}`));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const proxy: Proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    intercept: undefined,
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
  return proxy;
};

interface RpcAnswer {
  id: unknown;
  result?: unknown;
  error?: unknown;
}

/** Changes every result of calls with this method; errors are forwarded. */
export const changing = (method: string, change: (result: unknown, request: RpcRequest) => unknown): Intercept =>
  replacing(method, (answer, call) =>
    'result' in answer ? { ...answer, result: change(answer.result, call) } : answer,
  );

/** Replaces every answer to calls with this method, errors too. */
export const replacing =
  (method: string, replace: (answer: RpcAnswer, request: RpcRequest) => Omit<RpcAnswer, 'id'>): Intercept =>
  async (calls, forward) => {
    const parsed = JSON.parse(await forward()) as RpcAnswer | RpcAnswer[];
    const answers = [parsed].flat().map((answer) => {
      const call = calls.find(({ id }) => id === answer.id);
      return call?.method === method ? { jsonrpc: '2.0', id: answer.id, ...replace(answer, call) } : answer;
    });
    return JSON.stringify(Array.isArray(parsed) ? answers : answers[0]);
  };
