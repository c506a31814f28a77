import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Part } from './part.ts';

/** Two APIs, two indexers, two signers: each killed and restarted in its turn under load; the chains say what was done. */
export const attackKills: Part = async ({ find, tell }) => {
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
  const test = 'packages/devnet/test/scaleOut.deep.test.ts';
  const child = spawn(process.execPath, [vitest, 'run', test, '--maxWorkers=1'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const hear = (chunk: Buffer): void => {
    said += chunk;
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const [code] = (await once(child, 'exit')) as [number | null];
  const figure = /\d+ executed calls: .*/.exec(said)?.[0] ?? 'it did not come to its end';
  if (code !== 0) tell(said.slice(-4_000));
  find({
    what: 'executed calls over kills and restarts of six processes',
    figure,
    bound: 'none lost, none doubled',
    pass: code === 0,
  });
};
