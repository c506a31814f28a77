import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { System } from '@mintage/devnet';
import { testSystem } from '@mintage/devnet/testSystem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let system: System;
beforeAll(async () => {
  // A chain on Uniswap v4, with dollars of 6 decimals, one that its token goes to, with 18 and another exchange, and a cluster.
  system = await testSystem({ env: { CHAINS: 'base-sepolia,bnb-testnet,solana-devnet', LOG_LEVEL: 'error' } });
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
  test.each(['base-sepolia', 'solana-devnet'])(
    'default: on %s every quote is what the chain did and no dollar is missing',
    async (slug) => {
      const { code, output } = await runDemo(slug);
      expect(output).toMatch(/\n\d{3} checks, 0 wrong\n/);
      expect(code).toBe(0);
    },
  );

  test.each(['solana', 'bnb-testnet'])(
    'error: on %s it does not play, which is a sentence and exit 1',
    async (slug) => {
      const { code, output } = await runDemo(slug);
      expect(output).toContain(
        `shows no local chain ${slug} with Uniswap v4 or a pool of the launchpad's own, where this story plays.`,
      );
      expect(output).toContain('Choose one of: base-sepolia, solana-devnet.');
      expect(code).toBe(1);
    },
  );
});
