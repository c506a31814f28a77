import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { arrowErrors, type Manifest } from './arrows.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const sources = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.endsWith('.test.ts'));
const manifest = (name: string) => JSON.parse(read(`packages/${name}/package.json`)) as Manifest;

/** Whoever can open a wallet's key runs no code of many strangers. A new line here is a decision: docs/decisions/0025-keys-at-rest.md */
const signerDependencies = [
  '@aws-sdk/client-kms',
  '@mintage/indexer',
  '@mintage/protocol',
  'kysely',
  'pino',
  'secp256k1',
  'tiny-secp256k1',
  'viem',
];

/** Files that a file imports, itself first, within its package. */
const reached = (path: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const [, specifier = ''] of read(path).matchAll(/from '(\.[^']+)'/g)) {
    reached(posix.join(posix.dirname(path), specifier), seen);
  }
  return seen;
};

describe('wallets are opened by the signer alone', () => {
  it('W3 the api may import of the signer its tables and the sealing of secrets, nothing else', () => {
    const manifests = { api: manifest('api'), signer: manifest('signer') };
    const importing = (specifier: string) =>
      arrowErrors([{ path: 'packages/api/src/a.ts', text: `import { x } from '${specifier}';` }], manifests);
    for (const allowed of ['@mintage/signer/db', '@mintage/signer/keys']) expect(importing(allowed)).toEqual([]);
    for (const other of ['@mintage/signer', '../../signer/src/wallets/unseal.ts', '@mintage/signer/wallets']) {
      expect(importing(other), other).toHaveLength(1);
    }
    expect(Object.keys(manifests.signer.exports ?? {})).toEqual(['.', './db', './keys']);
  });

  it('W3 these two entries reach nothing that knows wallets', () => {
    for (const entry of ['db/db.ts', 'keys/keys.ts']) {
      const files = [...reached(`packages/signer/src/${entry}`)];
      expect(files.length).toBeGreaterThan(1);
      expect(files.filter((path) => !/^packages\/signer\/src\/(db|keys)\//.test(path))).toEqual([]);
    }
  });

  it('W3 no file of the api reads a sealed wallet or knows what one is sealed to', () => {
    for (const path of sources('packages/api/src/**/*.ts')) {
      const text = read(path);
      expect([path, /purpose: 'wallet'/.test(text)]).toEqual([path, false]);
      const readsWallets = text.includes('embedded_wallet') && /sealed_key|selectAll\(|returningAll\(/.test(text);
      if (path !== 'packages/api/src/db/db.ts') expect([path, readsWallets]).toEqual([path, false]);
    }
  });

  it('W3 the signer depends on little', () => {
    expect(Object.keys(manifest('signer').dependencies ?? {}).toSorted()).toEqual(signerDependencies);
  });
});
