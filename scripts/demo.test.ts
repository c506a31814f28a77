import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type System, startSystem } from '@mintage/devnet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let system: System;
beforeAll(async () => {
  // A dollar token of 6 decimals and one of 18.
  system = await startSystem({ env: { CHAINS: 'base-sepolia,bnb-testnet', LOG_LEVEL: 'error' } });
});
afterAll(() => system?.stop());

const runDemo = async (slug: string): Promise<{ code: number; output: string }> => {
  const demo = spawn(process.execPath, [fileURLToPath(new URL('demo.ts', import.meta.url)), slug], {
    env: { ...process.env, PUBLIC_URL: system.url ?? '', ISSUER_URL: system.issuerUrl ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  demo.stdout.on('data', (chunk: Buffer) => (output += chunk));
  demo.stderr.on('data', (chunk: Buffer) => (output += chunk));
  const [code] = (await once(demo, 'close')) as [number];
  return { code, output };
};

describe('the demo', () => {
  test.each(['base-sepolia', 'bnb-testnet'])(
    'default: on %s every quote is what the chain did and no dollar is missing',
    async (slug) => {
      const { code, output } = await runDemo(slug);
      expect(output).toMatch(/\n\d{3} checks, 0 wrong\n/);
      expect(code).toBe(0);
    },
    180_000,
  );

  test('error: a service that is not there is a sentence and exit 1', async () => {
    const { code, output } = await runDemo('solana');
    expect(output).toMatch(/The demo stopped: The service at .* shows no local chain solana/);
    expect(code).toBe(1);
  });
});
