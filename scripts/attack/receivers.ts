import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from '@mintage/devnet/patientServer';
import type { Hex } from 'viem';
import { post } from './client.ts';

/** Something that webhooks deliver to, at an origin of its own. */
export interface Receiver extends Disposable {
  origin: string;
}

const listen = async (listener: RequestListener): Promise<Receiver> => {
  const server = createServer(patientServer, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
};

/** Answers at once. */
export interface GoodReceiver extends Receiver {
  /** When each trade came first, by its transaction; on the clock of `performance.now()`. */
  arrived: ReadonlyMap<Hex, number>;
}

export const goodReceiver = async (): Promise<GoodReceiver> => {
  const arrived = new Map<Hex, number>();
  const receiver = await listen(async (request, response) => {
    const at = performance.now();
    const { data } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    if (!arrived.has(data.tx_hash)) arrived.set(data.tx_hash, at);
    response.writeHead(204).end();
  });
  return { ...receiver, arrived };
};

/** What all slow receivers did together. */
export interface Held {
  now: number;
  most: number;
  answered: number;
}

/** Says yes so much later. */
export const slowReceiver = (answerAfterMs: number, held: Held): Promise<Receiver> =>
  listen((request, response) => {
    request.resume();
    held.now += 1;
    held.most = Math.max(held.most, held.now);
    const timer = setTimeout(() => {
      held.answered += 1;
      response.writeHead(204).end();
    }, answerAfterMs);
    response.once('close', () => {
      clearTimeout(timer);
      held.now -= 1;
    });
  });

/** Has every activity of all tokens delivered there. */
export const watch = async (url: string, bearer: string, receiver: string): Promise<void> => {
  const body = { url: receiver, subscription: { topic: 'tokenActivity' } };
  const { status, text } = await post(url, '/create-webhook', body, { bearer });
  if (status !== 200) throw new Error(`/create-webhook: ${status} ${text}`);
};
