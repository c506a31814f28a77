import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { devKey, type System } from '@mintage/devnet';
import { chromiumPath } from '@mintage/devnet/chromium';
import { patientServer } from '@mintage/devnet/patientServer';
import { testSystem } from '@mintage/devnet/testSystem';
import { type Browser, chromium, type Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The SDK in a page of another origin than the service, and in a worker of that page, in a real browser. */
const program = `
import { createClient, execute, MintageError, prepare, readTrusted, session, signIn } from '@mintage/sdk';
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

export const run = async ({ service, chainUrl, key, transport }) => {
  const account = privateKeyToAccount(key);
  const client = createClient({ baseUrl: service });
  client.use(session(await signIn(client, account)));
  const trusted = await readTrusted(client);
  const chainSlug = 'base-sepolia';
  const { token } = await client.searchToken({ input: 'paper-boat' });
  const stream = client.stream({ topic: 'tokenActivity', tokenId: token.id }, { transport });
  const begun = (await stream.next()).value;
  const prepared = await prepare(client, 'tradeToken', {
    tokenId: token.id, chainSlug, direction: 'buy', buyAmountUSD: 3, userAddress: account.address,
  });
  const wallet = createWalletClient({ account, transport: http(chainUrl), pollingInterval: 50 });
  const { quoted, traded } = await execute(prepared, { wallet, trusted });
  const heard = (await stream.next()).value;
  await stream.return();
  const { key: apiKeyText } = await client.createApiKey({ name: 'page', scopes: ['read'] }, { idempotencyKey: crypto.randomUUID() });
  const refused = await client.getTokenAbout({ token_id: 'no-such-token' }).catch((error) => error);
  return {
    begun: begun.type,
    isExact: quoted.amountOut === traded.amountOut,
    heard: [heard.type, heard.data.activity_subtype, heard.data.usd_amount],
    hasKey: apiKeyText.length > 20,
    refused: [refused instanceof MintageError, refused.code, typeof refused.requestId],
  };
};
`;
const entries = {
  page: `import { run } from 'program'; globalThis.run = run; globalThis.ready = true;`,
  worker: `import { run } from 'program'; onmessage = ({ data }) => run(data).then(postMessage, (error) => postMessage(String(error)));`,
};

let system: System;
let browser: Browser;
let pages: Server;
let origin: string;

beforeAll(async () => {
  const bundled = await bundle();
  pages = createServer(patientServer, ({ url }, response) => {
    const name = url?.slice(1, -'.js'.length) ?? '';
    if (Object.hasOwn(bundled, name)) {
      response.setHeader('content-type', 'text/javascript').end(bundled[name]);
    } else
      response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><script type="module" src="/page.js"></script>');
  }).listen(0, '127.0.0.1');
  [system, browser] = await Promise.all([
    testSystem({ env: { CHAINS: 'base-sepolia', LOG_LEVEL: 'error' }, heartbeat: false }),
    chromium.launch({ executablePath: await chromiumPath(), args: ['--no-sandbox'] }),
  ]);
  origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser?.close();
  pages?.close();
  await system?.stop();
});

/** As a bundler makes it for browsers, with nothing of Node in it. */
const bundle = async (): Promise<Record<string, string>> => {
  const sources: Record<string, string> = { program, ...entries };
  const texts = Object.keys(entries).map(async (name) => {
    const build = await rolldown({
      input: name,
      platform: 'browser',
      plugins: [
        {
          name: 'sources',
          resolveId: (id, from) => {
            if (Object.hasOwn(sources, id)) return `\0${id}`;
            return from?.startsWith('\0') ? { id: fileURLToPath(import.meta.resolve(id)) } : null;
          },
          load: (id) => (id.startsWith('\0') ? sources[id.slice(1)] : null),
        },
      ],
    });
    const { output } = await build.generate({ format: 'es', codeSplitting: false });
    await build.close();
    return [name, output[0].code];
  });
  return Object.fromEntries(await Promise.all(texts));
};

const open = async (): Promise<{ page: Page; complaints: string[] }> => {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(origin);
  await page.waitForFunction('globalThis.ready');
  return { page, complaints };
};

const given = (transport: string, name: 'alice' | 'bob'): string =>
  JSON.stringify({ service: system.url, chainUrl: system.chains[0]?.rpcUrl, key: devKey(name), transport });

const expected = {
  begun: 'begin',
  isExact: true,
  heard: ['event', 'buy', '3'],
  hasKey: true,
  refused: [true, 'TOKEN_NOT_FOUND', 'string'],
};

describe('the SDK in a browser', () => {
  it.each(['socket', 'events'])(
    'trades by a wallet and follows a stream over %s from another origin',
    async (transport) => {
      const { page, complaints } = await open();
      expect(await page.evaluate(`run(${given(transport, 'alice')})`)).toEqual(expected);
      expect(complaints).toEqual([]);
    },
  );

  it('does the same in a worker', async () => {
    const { page } = await open();
    const inWorker = `new Promise((resolve, reject) => {
      const worker = new Worker('/worker.js', { type: 'module' });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(${given('socket', 'bob')});
    })`;
    expect(await page.evaluate(inWorker)).toEqual(expected);
  });
});
