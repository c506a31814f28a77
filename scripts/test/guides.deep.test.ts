import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { devKey, type System } from '@mintage/devnet';
import { demoUser } from '@mintage/devnet/demoUser';
import { freePort } from '@mintage/devnet/freePort';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { testSystem } from '@mintage/devnet/testSystem';
import type { RunningDatabase } from '@mintage/server/db';
import type { BrowserPage } from 'happy-dom';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matches, stepsOf } from '../guides/blocks.ts';
import { injectedWallet } from '../guides/injectedWallet.ts';
import { openPage } from '../guides/openPage.ts';
import { type Reader, readPage } from '../guides/readPage.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = ['README.md', ...globSync('docs/guides/*.md', { cwd: root }).toSorted()];

let system: System;
let database: RunningDatabase;
let reader: Reader;
beforeAll(async () => {
  system = await testSystem({ env: { LOG_LEVEL: 'error' } });
  const [home, away] = system.chains;
  if (home === undefined || away === undefined) throw new Error('Guides need two chains.');
  const user = await demoUser(system.url ?? '', system.config.home, home.accounts.alice);
  const port = await freePort();
  database = await testDatabase();
  reader = {
    here: {
      '$PWD/node_modules': `${root}node_modules`,
      '../scripts/start.mjs': `${root}scripts/start.mjs`,
      '../.mintage/chains': `${system.config.home}/chains`,
      // Outside the project Node 20 runs the packed SDK (`pack-sdk.test.ts`); here its sources need the project's.
      'node first.mjs': `${root}node_modules/.bin/node first.mjs`,
      'http://127.0.0.1:8090': `http://127.0.0.1:${port}`,
      'PORT=8090': `PORT=${port}`,
      'http://127.0.0.1:8080': system.url ?? '',
      'http://localhost:8080': system.config.appUrl,
      'http://127.0.0.1:8089': system.issuerUrl ?? '',
      'http://127.0.0.1:8545': home.rpcUrl,
      'http://127.0.0.1:8546': away.rpcUrl,
    },
    given: { KEY: user.apiKey, PRIVATE_KEY: devKey('alice'), DATABASE_URL: database.url },
    visits: { 'trade-box.html': (folder) => openPage(folder, 'trade-box.html', buyInBox) },
  };
});
afterAll(async () => {
  await system?.stop();
  await database?.stop();
});

/** A visitor who looks, says no to whatever the wallet asks, and then buys. */
const buyInBox = async ({ mainFrame }: BrowserPage): Promise<void> => {
  const [home] = system.chains;
  if (home === undefined) throw new Error('The box needs a chain.');
  const { window, document } = mainFrame;
  const refused = new Set<string>();
  const ethereum = injectedWallet(home.rpcUrl, home.accounts.dave, (method) => !refused.has(method));
  Object.assign(window, { ethereum });
  const said = () => document.querySelector('output')?.textContent;
  await expect.poll(said).toMatch(/^\d+ BOAT for \$10, 1 % of it fees$/);
  const usd = document.querySelector('input') ?? expect.fail('no input');
  const price = async (dollars: string): Promise<void> => {
    usd.value = dollars;
    usd.dispatchEvent(new window.Event('input'));
    await expect.poll(said).toContain(` for $${dollars}, `);
  };
  const press = () => document.querySelector('button')?.click();
  for (const [dollars, asked, answer] of [
    ['11', 'eth_requestAccounts', 'You said no.'],
    ['12', 'personal_sign', 'You said no.'],
    ['13', 'eth_sendTransaction', 'The wallet refused: its user declined. Nothing was sent.'],
  ] as const) {
    await price(dollars);
    refused.clear();
    refused.add(asked);
    press();
    await expect.poll(said).toContain(answer);
  }
  refused.clear();
  press();
  await expect.poll(said).toMatch(/^Bought \d+ BOAT\.$/);
};

describe('guides', () => {
  it.for(pages)('%s: every block is executed', async (page, { signal }) => {
    const steps = stepsOf(readFileSync(`${root}${page}`, 'utf8'));
    await readPage(steps, reader, signal);
  });
});

describe('blocks', () => {
  it.each([
    ['another language', '```python\nprint(1)\n```', 'is in a language that nothing runs: python'],
    ['no language', '```\nls\n```', 'has no language'],
    ['no fence', 'Run:\n\n    ls\n', 'is indented like a block without a language'],
    ['output of nothing', '```text\n1\n```', 'is the output of no command'],
    ['a file without a name', '```ts\nexport {};\n```', 'does not begin with the name of its file'],
    ['a file that nothing runs', '```ts\n// a.ts\n```\n\n```sh\nls\n```', 'No command names a.ts'],
    ['a file twice', '```ts\n// a.ts\n```\n\n```sh\nnode a.ts\n```\n\n```ts\n// a.ts\n```', 'is a.ts again'],
    ['an installation', '```sh\nnpm ci && npm start\n```', 'would change the project that reads it'],
    ['no end', '```sh\nls\n', 'has no end'],
  ])('error: %s', (_, page, message) => {
    expect(() => stepsOf(page)).toThrow(message);
  });

  it('behavior: output is compared, but for what … stands for', () => {
    expect(matches('a 1\nb 2\nc\n', 'a …\n…\nc\n')).toBe(true);
    expect(matches('a 1\nb 2\n', 'a 1\n')).toBe(false);
    expect(matches('a 2\n', 'a 1\n')).toBe(false);
  });
});
