import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type System, startSystem } from '@mintage/devnet';
import { demoUser } from '@mintage/devnet/demoUser';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let system: System;
const children = new Set<ChildProcess>();
beforeAll(async () => {
  system = await startSystem({ env: { CHAINS: 'base-sepolia', LOG_LEVEL: 'error' } });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await system?.stop();
});

/** Runs an example as its reader does. */
const start = (name: string, args: string[], env: Record<string, string> = {}) => {
  const file = fileURLToPath(new URL(`../examples/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env.PATH, MINTAGE_URL: system.url ?? '', ...env },
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
