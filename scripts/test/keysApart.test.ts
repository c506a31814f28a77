import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const sources = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.endsWith('.test.ts'));

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
  it('W3 tables and the sealing of secrets reach nothing that knows wallets', () => {
    for (const entry of ['db/db.ts', 'keys/keys.ts']) {
      const files = [...reached(`packages/server/src/${entry}`)];
      expect(files.length).toBeGreaterThan(1);
      expect(
        files.filter((path) => !/^packages\/server\/src\/((db|keys)\/|(bell|backoff|jsonText|log)\.ts$)/.test(path)),
      ).toEqual([]);
    }
  });

  it('W3 no file outside the signer reads a sealed wallet or knows what one is sealed to', () => {
    const others = sources('packages/server/src/**/*.ts').filter((path) => !/src\/(sign|db)\//.test(path));
    expect(others.length).toBeGreaterThan(100);
    for (const path of others) {
      const text = read(path);
      const opensWallets = /purpose: 'wallet'/.test(text);
      const readsWallets = text.includes('embedded_wallet') && /sealed_key|selectAll\(|returningAll\(/.test(text);
      expect([path, opensWallets, readsWallets]).toEqual([path, false, false]);
    }
  });
});
