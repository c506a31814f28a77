import { randomUUID } from 'node:crypto';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { targetOf } from '../../packages/server/test/api/fuzz/target.ts';
import type { Service } from './service.ts';

export interface Answer {
  /** 0: the connection broke. */
  status: number;
  text: string;
  ms: number;
}

export interface Ask {
  bearer?: string | undefined;
  /** Where it seems to come from, to a service that trusts us to say so. */
  address?: string | undefined;
}

export const post = async (url: string, path: string, body: object | string, ask: Ask = {}): Promise<Answer> => {
  const started = performance.now();
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
    ...(ask.bearer === undefined ? {} : { authorization: `Bearer ${ask.bearer}` }),
    ...(ask.address === undefined ? {} : { 'x-forwarded-for': ask.address }),
  };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  try {
    const answer = await fetch(`${url}/functions/v1${path}`, { method: 'POST', headers, body: text });
    return { text: await answer.text(), status: answer.status, ms: performance.now() - started };
  } catch (error) {
    return { text: String((error as Error).cause ?? error), status: 0, ms: performance.now() - started };
  }
};

/** Somebody who has signed in, with an embedded wallet that holds enough. */
export interface User {
  bearer: string;
  wallet: string;
}

export const newUser = async (service: Service): Promise<User> => {
  const { accessToken, wallet } = await targetOf(service.url);
  await service.fill(wallet);
  return { bearer: accessToken, wallet };
};

/** @returns The access token of somebody new, who has nothing yet. */
export const signIn = async (url: string): Promise<string> => {
  const account = privateKeyToAccount(generatePrivateKey());
  const { message } = JSON.parse((await post(url, '/auth/challenge', { address: account.address })).text);
  const signature = await account.signMessage({ message });
  return JSON.parse((await post(url, '/auth/login', { message, signature })).text).accessToken;
};

/** The user's embedded wallet sends one wei. */
export const send = (url: string, { bearer }: User, to: string): Promise<Answer> =>
  post(url, '/send-transaction', { to, amount: '1', chainSlug: 'base-sepolia' }, { bearer });

export const smallPng =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Prepares a token with this picture, of which nothing is simulated. */
export const create = (
  url: string,
  bearer: string,
  image: string,
  address?: string,
  video?: string,
): Promise<Answer> => {
  const body = { name: 'Attack', symbol: 'ATT', description: 'A picture', image, video, chainSlug: 'base-sepolia' };
  return post(url, '/create-token-transaction', { ...body, simulate: false }, { bearer, address });
};

/** Answers by status. */
export class Tally {
  readonly counts = new Map<number, number>();

  add({ status }: Pick<Answer, 'status'>): void {
    this.counts.set(status, (this.counts.get(status) ?? 0) + 1);
  }

  of(...statuses: number[]): number {
    return statuses.reduce((sum, status) => sum + (this.counts.get(status) ?? 0), 0);
  }

  get all(): number {
    return this.of(...this.counts.keys());
  }

  toString(): string {
    return [...this.counts]
      .toSorted(([a], [b]) => a - b)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ');
  }
}

/** Does it over and over in so many lanes, until it is stopped. */
export const startLoad = (lanes: number, work: () => Promise<void>): { stop(): Promise<void> } => {
  const stopping = new AbortController();
  const lane = async (): Promise<void> => {
    while (!stopping.signal.aborted) await work();
  };
  const running = Promise.all(Array.from({ length: lanes }, lane));
  running.catch(() => undefined); // `stop` says it
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
};

/** Asks again every tenth of a second. @returns Milliseconds until it was so, infinite when it never was. */
export const untilSo = async (isSo: () => Promise<boolean>, mostMs = 60_000): Promise<number> => {
  const started = performance.now();
  while (performance.now() - started < mostMs) {
    if (await isSo()) return performance.now() - started;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return Number.POSITIVE_INFINITY;
};

export const median = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
