import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileKek, type KeyConfig, keysOf, makeKekFile } from './keys.ts';

describe('keysOf', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'mintage-keys-'));
  });
  afterEach(() => rmSync(home, { recursive: true }));

  const all = new Set(['api', 'indexer', 'signer']);
  const config = (more: Partial<KeyConfig>): KeyConfig => ({
    kekFiles: [],
    kmsKeyIds: [],
    home,
    devnet: false,
    roles: all,
    ...more,
  });

  it('default: on a laptop one is made, and found again', () => {
    const keys = keysOf(config({ devnet: true }));
    expect(keysOf(config({ devnet: true })).id).toBe(keys.id);
    expect(fileKek(join(home, 'kek')).id).toBe(keys.id);
  });

  it('behavior: so it is for a process that cannot open wallets', () => {
    keysOf(config({ roles: new Set(['api']) }));
    expect(readFileSync(join(home, 'kek'), 'utf8')).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
  });

  it('behavior: files in their order, behind the keys in the cloud', () => {
    const files = ['a', 'b'].map((name) => join(home, name));
    files.forEach(makeKekFile);
    const ids = files.map((file) => fileKek(file).id);
    expect(keysOf(config({ kekFiles: files }))).toMatchObject({ id: ids[0], ids });
    const cloud = keysOf(config({ kekFiles: files, kmsKeyIds: ['one', 'two'] }));
    expect(cloud.ids).toEqual(['aws-kms:one', 'aws-kms:two', ...ids]);
    expect(cloud.id).toBe('aws-kms:one');
    expect(existsSync(join(home, 'kek'))).toBe(false);
  });

  it('error: a signer over real chains without one does not start, and makes none', () => {
    for (const roles of [all, new Set(['signer'])]) {
      expect(() => keysOf(config({ roles }))).toThrow('The role signer seals wallets: set KEK_FILE or KMS_KEY_ID');
    }
    expect(existsSync(join(home, 'kek'))).toBe(false);
  });
});
