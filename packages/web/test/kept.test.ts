import { readdirSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { keptBuild } from '../build/kept.ts';

it('default: what is built once is kept, and has its renderer and its manifest', async () => {
  const folder = await keptBuild('plain');
  const builtAt = statSync(folder).ctimeMs;
  expect(await keptBuild('plain')).toBe(folder);
  expect(statSync(folder).ctimeMs).toBe(builtAt);
  expect(readdirSync(`${folder}/client`)).toContain('manifest.json');
  expect(readdirSync(`${folder}/server`)).toContain('server.js');
});

it('behavior: the demo wallet is in the build of local chains, and in no other', async () => {
  const hasDemoWallet = (folder: string) =>
    readdirSync(`${folder}/client`).some((name) => name.startsWith('demoWallet'));
  expect(hasDemoWallet(await keptBuild('demo'))).toBe(true);
  expect(hasDemoWallet(await keptBuild('plain'))).toBe(false);
});
