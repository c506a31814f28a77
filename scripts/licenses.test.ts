import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Lock, licenseErrors, notShipped, shippedPaths, sourceErrors } from './licenses.ts';

/** A workspace whose server ships one package, and whose devnet uses a business-licensed one. */
const lock = (changes: Lock = {}): Lock => ({
  '': { license: 'MIT' },
  'packages/server': { license: 'MIT', dependencies: { '@mintage/protocol': '*', fastify: '5' } },
  'packages/protocol': { license: 'MIT' },
  'packages/devnet': { license: 'MIT', dependencies: { '@mintage/server': '*', '@uniswap/v4-core': '1' } },
  'node_modules/@mintage/protocol': { link: true, resolved: 'packages/protocol' },
  'node_modules/@mintage/devnet': { link: true, resolved: 'packages/devnet' },
  'node_modules/@uniswap/v4-core': { license: 'BUSL-1.1' },
  'node_modules/fastify': { license: 'MIT', dependencies: { semver: '7' } },
  'node_modules/fastify/node_modules/semver': { license: 'ISC' },
  'node_modules/semver': { license: 'GPL-3.0-only' },
  ...changes,
});
const errorsOf = (changes: Lock = {}) => {
  const changed = lock(changes);
  return licenseErrors(changed, (path) => changed[path]?.license ?? null);
};
const depending = (on: string): Lock => ({ 'packages/server': { license: 'MIT', dependencies: { [on]: '1' } } });

describe('licenseErrors', () => {
  test('default: nested packages count, those that nothing shipped asks for do not', () => {
    expect(errorsOf()).toEqual([]);
    expect(shippedPaths(lock())).toContain('node_modules/fastify/node_modules/semver');
    expect(shippedPaths(lock())).not.toContain('node_modules/semver');
  });

  test.each([
    'AGPL-3.0-or-later',
    'BUSL-1.1',
    'SSPL-1.0',
    'LGPL-3.0-or-later',
    'SEE LICENSE IN LICENSE.md',
    'MIT AND GPL-2.0',
  ])('error: a dependency of a dependency licensed %s', (license) => {
    expect(errorsOf({ 'node_modules/fastify/node_modules/semver': { license } })).toEqual([
      `node_modules/fastify/node_modules/semver ships and is licensed ${license}`,
    ]);
  });

  test('error: a dependency without a licence', () => {
    expect(errorsOf({ 'node_modules/fastify': {} })).toEqual(['node_modules/fastify ships and states no licence']);
  });

  test('error: the business-licensed package of local chains, asked for by what ships', () => {
    expect(errorsOf(depending('@uniswap/v4-core'))).toEqual([
      'node_modules/@uniswap/v4-core ships and is licensed BUSL-1.1',
    ]);
  });

  test('error: what ships depends on a package that does not', () => {
    expect(errorsOf(depending('@mintage/devnet'))).toContain(
      'packages/devnet ships, because a shipped package depends on it',
    );
  });

  test('error: a package of ours under another licence', () => {
    expect(errorsOf({ 'packages/protocol': {} })).toEqual(['packages/protocol is ours and says no licence, not MIT']);
  });

  test('behavior: one licence to choose suffices, and optional peers are not followed', () => {
    expect(errorsOf({ 'node_modules/fastify': { license: '(MIT OR GPL-3.0)' } })).toEqual([]);
    const peers = { license: 'MIT', peerDependencies: { '@uniswap/v4-core': '1' } };
    expect(errorsOf({ 'node_modules/fastify': peers })).toHaveLength(1);
    const optional = { ...peers, peerDependenciesMeta: { '@uniswap/v4-core': { optional: true } } };
    expect(errorsOf({ 'node_modules/fastify': optional })).toEqual([]);
  });

  test('behavior: an exception holds for its own package and licence only', () => {
    const libvips = '@img/sharp-libvips-linux-x64';
    const withLicense = (license: string) => ({ ...depending(libvips), [`node_modules/${libvips}`]: { license } });
    expect(errorsOf(withLicense('LGPL-3.0-or-later'))).toEqual([]);
    expect(errorsOf(withLicense('GPL-3.0-or-later'))).toHaveLength(1);
  });

  test('behavior: in this tree Uniswap is used by tests and local chains alone', () => {
    const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
    expect(shippedPaths(packages).filter((path) => path.includes('@uniswap/'))).toEqual([]);
    const users = Object.entries(packages as Lock).flatMap(([path, { dependencies, devDependencies }]) =>
      !path.includes('node_modules/') && '@uniswap/v4-core' in { ...dependencies, ...devDependencies } ? [path] : [],
    );
    expect(notShipped).toEqual(expect.arrayContaining(users));
    expect(users.length).toBeGreaterThan(0);
  });
});

describe('sourceErrors', () => {
  test('error: a contract that contains a file under another licence, or under none', () => {
    const sources = { 'src/Launchpad.sol': { license: 'MIT' }, 'v4-core/src/PoolManager.sol': { license: 'BUSL-1.1' } };
    expect(sourceErrors('Launchpad', sources)).toEqual([
      'Launchpad is deployed with code of v4-core/src/PoolManager.sol, which says BUSL-1.1',
    ]);
    expect(sourceErrors('Launchpad', { 'src/Launchpad.sol': {} })).toHaveLength(1);
  });
});
