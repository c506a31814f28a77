import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { devKey, type System } from '@mintage/devnet';
import { demoUser } from '@mintage/devnet/demoUser';
import { freePort } from '@mintage/devnet/freePort';
import { testSystem } from '@mintage/devnet/testSystem';
import { until } from '@mintage/devnet/until';
import { createReader, session, signIn } from '@mintage/sdk';
import { sql } from 'kysely';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWay } from '../../packages/sdk/test/cuttableWay.ts';

let system: System;
const children = new Set<ChildProcess>();
beforeAll(async () => {
  system = await testSystem({ env: { CHAINS: 'base-sepolia', LOG_LEVEL: 'error' } });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await system?.stop();
});

/** Runs an example as its reader does. */
const start = (name: string, args: string[], env: Record<string, string> = {}) => {
  const file = fileURLToPath(new URL(`../../examples/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      MINTAGE_URL: system.url ?? '',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  return child;
};
const run = async (...asked: Parameters<typeof start>): Promise<{ code: number; said: string }> => {
  const child = start(...asked);
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { code, said };
};

/** What it has said so far; grows. */
const linesOf = (child: ChildProcess): string[] => {
  const lines: string[] = [];
  createInterface({ input: child.stdout as Readable }).on('line', (line) => lines.push(line));
  return lines;
};
/** The first line with this in it, once it is said. */
const says = (lines: readonly string[], part: string): Promise<string> =>
  until(() => lines.find((line) => line.includes(part)));

describe('examples', () => {
  it('agent-with-a-budget: buys within its budget, and is refused beyond it', async () => {
    const token = await (await fetch(`${system.issuerUrl}/token?name=owner`)).text();
    const { code, said } = await run('agent-with-a-budget', [], { OWNER_TOKEN: token });
    expect(said.split('\n')).toEqual([
      expect.stringMatching(/^bought [\d.]+ \S+ for \$5: 0x[0-9a-f]{64}$/),
      expect.stringMatching(/^refused \$6: \S/),
      expect.stringMatching(/^bought [\d.]+ \S+ for \$5: /),
      expect.stringMatching(/^refused \$5: \S/),
      '',
    ]);
    expect(code).toBe(0);
  });

  it('portfolio-page: shows what the demo user holds', async () => {
    const [chain] = system.chains;
    const user = await demoUser(system.url ?? '', system.config.home, chain?.accounts.alice ?? expect.fail('no chain'));
    const child = start('portfolio-page', [], { MINTAGE_API_KEY: user.apiKey });
    const [chunk] = await once(child.stdout, 'data');
    const page = await (await fetch(String(chunk).trim())).text();
    expect(page).toMatch(/<tr><td>[^<]+<\/td><td>base-sepolia<\/td><td>[\d.]+ \w+<\/td><td>\$\d+\.\d\d<\/td><\/tr>/);
    child.kill();
  });

  it('first-trade, webhook-receiver, market-follower: a trade is told to both, also after a cut, and taken back by a reorg', async () => {
    const [chain] = system.chains;
    const bob = privateKeyToAccount(devKey('bob'));
    const client = createReader({ baseUrl: system.url ?? '' });
    client.use(session(await signIn(client, bob)));
    const port = String(await freePort());
    const subscription = { topic: 'tokenActivity', tokenId: 'paper-boat', activityTypes: ['trade'] } as const;
    const { secret, webhook } = await client.createWebhook({ url: `http://127.0.0.1:${port}/`, subscription });
    const receiver = start('webhook-receiver', [], { WEBHOOK_SECRET: secret, PORT: port });
    const way = await startWay(system.url ?? '');
    const follower = start('market-follower', ['paper-boat'], { MINTAGE_URL: way.url });
    const [received, followed] = [receiver, follower].map(linesOf) as [string[], string[]];
    try {
      await says(received, `Receiving at http://127.0.0.1:${port}/`);
      const begun = await says(followed, 'Following, with ');
      const before = Number(/with (\d+)/.exec(begun)?.[1]);
      const trade = () => run('first-trade', ['paper-boat', '10'], { PRIVATE_KEY: devKey('bob') });

      const { code, said } = await trade();
      expect(code).toBe(0);
      const [, quoted, arrived, hash] = /^Quoted ([\d.]+) BOAT, arrived ([\d.]+): (0x[0-9a-f]{64})$/m.exec(said) ?? [];
      expect(said).toMatch(
        /^Paper Boat: \$10 buy [\d.]+ BOAT at this moment\nThe wallet signs for at least [\d.]+ BOAT$/m,
      );
      expect(arrived).toBe(quoted);
      const bought = `${bob.address.toLowerCase()} buy ${arrived}`;
      expect(await says(followed, bought)).toMatch(new RegExp(`; ${before + 1} trades$`));
      await says(received, bought);

      way.cut();
      await trade();
      const again = await says(followed, `; ${before + 2} trades`);
      // The same event once more does nothing, and what somebody else sends is refused.
      const { deliveries } = await client.listWebhookDeliveries({ id: webhook.id });
      const { delivery } = await client.redeliverWebhook({ id: webhook.id, seq: deliveries.at(-1)?.seq });
      expect(delivery).toMatchObject({ status: 'delivered', responseCode: 204 });
      expect((await fetch(webhook.url, { method: 'POST', body: '{}' })).status).toBe(401);

      const receipt = (await chain?.rpc('eth_getTransactionReceipt', [hash])) as { blockNumber: string };
      const head = (await chain?.rpc('eth_blockNumber')) as string;
      await chain?.rpc('anvil_reorg', [Number(head) - Number(receipt.blockNumber) + 2, []]);
      expect(await says(followed, `did not happen: ${again.split(' at ')[0]}`)).toMatch(/; \d+ trades$/);
      await says(followed, `; ${before} trades`);
      await says(received, `did not happen: ${bought}`);
      for (const lines of [received, followed]) expect(lines.filter((one) => one.startsWith(bought))).toHaveLength(1);
      expect(followed.filter((one) => one.startsWith('Following'))).toHaveLength(1);
    } finally {
      for (const child of [receiver, follower]) child.kill();
      await way.stop();
    }
  });

  it('first-trade: says what is missing', async () => {
    const { code, said } = await run('first-trade', ['paper-boat', '10'], { PRIVATE_KEY: generatePrivateKey() });
    expect(code).toBe(1);
    expect(said).toBe(
      'INSUFFICIENT_BALANCE: The wallet has too little of the coin for the transaction’s gas. Fund the wallet or lower the amount.\n',
    );
  });

  it('own-indexer-check: every balance is the chain’s, and one that is not is told', async () => {
    await system.caughtUp();
    expect(await run('own-indexer-check', ['paper-boat'])).toEqual({
      code: 0,
      said: expect.stringMatching(/^Paper Boat: [1-9]\d* holders, 0 differ\n$/),
    });
    await sql`UPDATE balance SET amount = 1`.execute(system.db);
    const { code, said } = await run('own-indexer-check', ['paper-boat']);
    expect(code).toBe(1);
    expect(said).toMatch(/^0x[0-9a-f]{40}: listed 1, real [1-9]\d*$/m);
  });
});
