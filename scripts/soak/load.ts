import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DevChain, type SeedToken, seedAddress, seedTokensOn } from '@mintage/devnet';
import { platformIdOf, tokenIdOf } from '@mintage/protocol';
import { pictureOf } from '../../packages/devnet/src/picture.ts';
import { createClient } from '../../packages/devnet/test/scaleOut/client.ts';
import type { Cluster } from '../../packages/devnet/test/scaleOut/cluster.ts';
import { type Person, signIn } from '../../packages/devnet/test/scaleOut/load.ts';

export interface SoakLoad {
  /** How often each thing was done. */
  done: Record<string, number>;
  /** What went wrong, a line each. */
  errors: string[];
  /** Lets what runs end. */
  stop(): Promise<void>;
}

/** Clients of every kind, each at its own pace, which a machine of two cores bears for long. */
export const startSoakLoad = async ({ apis, chains }: Cluster, people: readonly Person[]): Promise<SoakLoad> => {
  const [chain] = chains as [DevChain];
  const { slug, eid } = chain.chain;
  const boat = seedTokensOn(chain).find(({ symbol }) => symbol === 'BOAT') as SeedToken;
  const tokenId = tokenIdOf(platformIdOf(await seedAddress(chain, boat), eid));
  const client = createClient(apis);
  const [person] = people as [Person];
  const stopping = new AbortController();
  const done: Record<string, number> = {};
  const errors: string[] = [];
  let turn = 0;
  const api = (): string => apis[turn++ % 2] as string;

  const fetched = async (path: string, body?: object, headers: Record<string, string> = {}): Promise<string> => {
    const posted = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const { port } = new URL(api());
    // By the machine's name, at which pages are.
    const answer = await fetch(`http://localhost:${port}${path}`, {
      ...posted,
      headers: { ...type, ...headers },
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 200)}`);
    return text;
  };

  const buy = async (): Promise<void> => {
    const order = { tokenId, chainSlug: slug, direction: 'buy', buyAmountUSD: 1, slippageBps: 2_000, execute: true };
    await client.write('/trade-token', order, { bearer: person.accessToken, key: randomUUID() }, false);
  };
  const read = async (): Promise<void> => {
    await client.read('/get-user-portfolio', {}, { bearer: person.accessToken });
    await client.read('/search-token', { input: 'boat' }, { bearer: person.accessToken });
  };
  const upload = async (): Promise<void> => {
    const symbol = randomBytes(4).toString('hex').toUpperCase();
    const image = pictureOf({ symbol, colour: `#${randomBytes(3).toString('hex')}` });
    const body = {
      name: `Soak ${symbol}`,
      symbol,
      description: 'Of a soak.',
      image,
      chainSlug: slug,
      userAddress: person.wallet,
    };
    await client.write('/create-token-transaction', body, { bearer: person.accessToken, key: randomUUID() }, false);
  };
  const tool = async (): Promise<void> => {
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search_token', arguments: { input: 'boat' } },
    };
    const text = await fetched('/functions/v1/mcp', message, {
      authorization: `Bearer ${person.apiKey.key}`,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    });
    if (!text.includes('"result"')) throw new Error(`The tool answered ${text.slice(0, 200)}`);
  };
  const page = async (): Promise<void> => {
    await fetched('/');
    await fetched('/token/paper-boat');
    await fetched('/og/paper-boat.png');
  };
  const join = async (): Promise<void> => {
    await signIn(client);
  };
  /** A session outlives its access token. */
  const refresh = async (): Promise<void> => {
    const { refreshToken } = person;
    Object.assign(person, await client.read('/auth/refresh', { refreshToken }, {}));
  };
  /** Listens for a while by one of both ways, and leaves. */
  const listen = async (): Promise<void> => {
    const leaving = AbortSignal.any([stopping.signal, AbortSignal.timeout(Math.round(5_000 + Math.random() * 20_000))]);
    if (turn++ % 2 === 0) {
      const socket = new WebSocket(`${api().replace(/^http/, 'ws')}/ws`);
      socket.addEventListener('open', () => {
        socket.send(JSON.stringify({ op: 'auth' }));
        socket.send(JSON.stringify({ op: 'subscribe', id: '1', subscription: { topic: 'tokenActivity' } }));
      });
      const ended = new Promise((resolve) => socket.addEventListener('close', resolve));
      const left = new Promise((resolve) => leaving.addEventListener('abort', resolve));
      await Promise.race([ended, left]);
      socket.close();
      return;
    }
    const response = await fetch(`${api()}/stream?topic=tokenActivity`, { signal: leaving });
    try {
      for await (const _ of response.body ?? []);
    } catch (error) {
      if (!leaving.aborted) throw error;
    }
  };

  const repeat = async (what: string, act: () => Promise<void>, pauseMs: number): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await act();
        done[what] = (done[what] ?? 0) + 1;
      } catch (error) {
        const { message, cause } = error as Error;
        errors.push(`${what}: ${message}${cause === undefined ? '' : ` (${cause})`}`);
      }
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = [
    repeat('trades', buy, 1_000),
    repeat('reads', read, 100),
    repeat('uploads', upload, 5_000),
    repeat('tool calls', tool, 250),
    repeat('pages', page, 1_000),
    repeat('sign-ins', join, 5_000),
    repeat('refreshes', refresh, 300_000),
    ...Array.from({ length: 20 }, () => repeat('streams', listen, 100)),
  ];
  return {
    done,
    errors,
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
};
