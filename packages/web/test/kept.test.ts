import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hashOfSources, keptBuild } from '../build/kept.ts';

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

it('behavior: another byte of a source, of its name or of the libraries is another build, and a test is not', () => {
  const root = mkdtempSync(join(tmpdir(), 'mintage-kept-'));
  try {
    const write = (path: string, text: string): void => {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    const hash = (): string => hashOfSources(join(root, 'packages/'));
    write('package-lock.json', '{}');
    write('packages/web/src/app.tsx', 'one');
    const hashes = [hash()];
    for (const [path, text] of [
      ['packages/web/src/app.tsx', 'two'],
      ['packages/web/src/other.ts', ''],
      ['packages/brand/src/tokens.css', ':root {}'],
      ['package-lock.json', '{ }'],
    ] as const) {
      write(path, text);
      hashes.push(hash());
    }
    expect(new Set(hashes).size).toBe(5);
    write('packages/web/src/app.test.ts', 'anything');
    write('packages/server/src/main.ts', 'anything');
    expect(hash()).toBe(hashes[4]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
