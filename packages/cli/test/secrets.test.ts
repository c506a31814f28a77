import {
  lstatSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readProfiles, requireName } from '../src/profile/profiles.ts';
import { seal, unseal } from '../src/profile/sealed.ts';
import { hasKeychain, secretStore } from '../src/profile/secrets.ts';
import { privateKeyIn } from '../src/shell.ts';

const home = mkdtempSync(join(tmpdir(), 'mintage-cli-secrets-'));
beforeAll(() => {
  vi.stubEnv('XDG_CONFIG_HOME', home);
  vi.stubEnv('MINTAGE_PASSWORD', 'correct horse');
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

describe('secrets in a file', () => {
  const path = join(home, 'mintage/secrets/default.json');

  it('default: what was written is read, and only its owner may read the file, whatever the umask', async () => {
    const umask = process.umask(0);
    try {
      const store = await secretStore('file');
      await store.write('default', { apiKey: 'mintage_test_secret' });
      expect(await store.read('default')).toEqual({ apiKey: 'mintage_test_secret' });
    } finally {
      process.umask(umask);
    }
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, 'mintage')).mode & 0o077).toBe(0);
    expect(readFileSync(path, 'utf8')).not.toContain('secret');
  });

  it('error: another password, and every part of the file changed', async () => {
    const text = readFileSync(path, 'utf8');
    await expect(unseal(text, 'correct horsf', 'default')).rejects.toThrow('password is wrong');
    const parts = JSON.parse(text);
    for (const [group, name] of [
      ['kdf', 'salt'],
      ['cipher', 'iv'],
      ['cipher', 'tag'],
      ['cipher', 'text'],
    ] as const) {
      const bytes = Buffer.from(parts[group][name], 'base64');
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      const changed = { ...parts, [group]: { ...parts[group], [name]: bytes.toString('base64') } };
      await expect(unseal(JSON.stringify(changed), 'correct horse', 'default'), name).rejects.toThrow('was changed');
    }
    // A shorter tag is easier to guess.
    const short = {
      ...parts,
      cipher: { ...parts.cipher, tag: Buffer.from(parts.cipher.tag, 'base64').subarray(0, 4).toString('base64') },
    };
    await expect(unseal(JSON.stringify(short), 'correct horse', 'default')).rejects.toThrow('was changed');
    await expect(unseal('{', 'correct horse', 'default')).rejects.toThrow();
  });

  it('error: a file of another profile put in its place', async () => {
    const store = await secretStore('file');
    await store.write('other', { apiKey: 'another' });
    writeFileSync(path, readFileSync(join(home, 'mintage/secrets/other.json')));
    await expect(store.read('default')).rejects.toThrow('of another profile');
  });

  it('behavior: a link to a file kept elsewhere stays one', async () => {
    const elsewhere = join(home, 'elsewhere.json');
    renameSync(path, elsewhere);
    symlinkSync(elsewhere, path);
    const store = await secretStore('file');
    await store.write('default', { apiKey: 'through the link' });
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(statSync(elsewhere).mode & 0o777).toBe(0o600);
    expect(await store.read('default')).toEqual({ apiKey: 'through the link' });
  });

  it('behavior: the same text is sealed differently each time', async () => {
    const [one, other] = [JSON.parse(await seal('x', 'p', 'default')), JSON.parse(await seal('x', 'p', 'default'))];
    expect(one.kdf.salt).not.toBe(other.kdf.salt);
    expect(one.cipher.text).not.toBe(other.cipher.text);
  });
});

describe('secrets in a keychain', () => {
  it.runIf(process.platform === 'linux')(
    'error: where no Secret Service runs, nothing is kept in memory in its place',
    async () => {
      vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', 'unix:path=/none');
      vi.stubEnv('MINTAGE_PASSWORD', '');
      expect(await hasKeychain()).toBe(false);
      const store = await secretStore('keychain');
      await expect(store.has('default')).rejects.toThrow('keychain does not open');
      await expect(store.write('default', { apiKey: 'x' })).rejects.toThrow('keychain does not open');
    },
  );
});

describe('profiles', () => {
  it.each(['../x', '', 'A', 'a/b', '-a', 'a'.repeat(33)])(
    'error: %j is no name: it is also the name of a file',
    (name) => {
      expect(() => requireName(name)).toThrow('no name');
    },
  );

  it.each(['{', '[]', 'null', '{}', '{"current":"default","profiles":{"default":5}}'])(
    'error: a file that holds %s is told with its path',
    (text) => {
      writeFileSync(join(home, 'mintage/profiles.json'), text);
      expect(() => readProfiles()).toThrow(`${join(home, 'mintage/profiles.json')} holds no profiles`);
    },
  );

  it('error: a private key that is none is not repeated', () => {
    const almost = `0x${'ab'.repeat(31)}`;
    expect(() => privateKeyIn(almost)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('abab') }),
    );
    expect(privateKeyIn(` ${'AB'.repeat(32)}\n`)).toBe(`0x${'ab'.repeat(32)}`);
  });
});
