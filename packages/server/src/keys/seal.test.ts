import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  BrokenSealError,
  fileKek,
  KekMissingError,
  KekUnavailableError,
  type KeyEncryption,
  keyRing,
  makeKekFile,
  memoryKek,
  open,
  rewrap,
  type SealContext,
  type Sealed,
  seal,
} from './keys.ts';

const secret = randomBytes(32);
const context = { purpose: 'wallet', user: 'u-1', address: '0xab' };
const kek = () => memoryKek(randomBytes(32));

describe('seal', () => {
  it('default: opens to the same bytes, and no part of it says them', async () => {
    const keys = kek();
    const sealed = await seal(keys, secret, context);
    expect(Buffer.from(await open(keys, sealed, context))).toEqual(secret);
    expect(sealed.kek).toBe(keys.id);
    for (const part of Object.values(sealed)) {
      expect(Buffer.from(part, 'base64').includes(secret.subarray(0, 8))).toBe(false);
    }
  });

  it('behavior: every sealing has a data key and a nonce of its own, and the secret is left as it was', async () => {
    const keys = kek();
    const before = Buffer.from(secret);
    const all = await Promise.all(Array.from({ length: 50 }, () => seal(keys, secret, context)));
    for (const part of ['wrappedKey', 'nonce', 'ciphertext', 'tag'] as const) {
      expect(new Set(all.map((sealed) => sealed[part])).size).toBe(50);
    }
    expect(secret).toEqual(before);
  });

  it('behavior: the words may come in another order', async () => {
    const keys = kek();
    const sealed = await seal(keys, secret, context);
    const turned = { address: context.address, user: context.user, purpose: context.purpose };
    expect(Buffer.from(await open(keys, sealed, turned))).toEqual(secret);
  });

  it('behavior: an empty secret too', async () => {
    const keys = kek();
    expect((await open(keys, await seal(keys, new Uint8Array(), context), context)).length).toBe(0);
  });

  it('behavior: the data key is wiped, also when it could not be wrapped', async () => {
    const seen: Uint8Array[] = [];
    const inner = kek();
    const watched: KeyEncryption = {
      ...inner,
      wrap: (dataKey, words) => {
        seen.push(dataKey);
        return inner.wrap(dataKey, words);
      },
      unwrap: async (...args) => {
        const dataKey = await inner.unwrap(...args);
        seen.push(dataKey);
        return dataKey;
      },
    };
    const sealed = await seal(watched, secret, context);
    await open(watched, sealed, context);
    const away: KeyEncryption = {
      ...watched,
      wrap: async (dataKey) => {
        seen.push(dataKey);
        throw new KekUnavailableError('x', 'away');
      },
    };
    await expect(seal(away, secret, context)).rejects.toThrow(KekUnavailableError);
    expect(seen.map((dataKey) => Buffer.from(dataKey).toString('hex'))).toEqual(Array(3).fill('00'.repeat(32)));
  });

  it('error: W3 other words, so that a row cannot be put in the place of another', async () => {
    const keys = kek();
    const sealed = await seal(keys, secret, context);
    const others: SealContext[] = [
      { ...context, user: 'u-2' },
      { ...context, purpose: 'signing-key' },
      { purpose: 'wallet', user: 'u-1' },
      { ...context, more: '' },
      {},
    ];
    for (const other of others) {
      await expect(open(keys, sealed, other)).rejects.toThrow(BrokenSealError);
    }
  });

  it('error: any bit changed, any part cut or taken from another sealing', async () => {
    const keys = kek();
    const [sealed, other] = [await seal(keys, secret, context), await seal(keys, randomBytes(32), context)];
    for (const part of ['wrappedKey', 'nonce', 'ciphertext', 'tag'] as const) {
      const bytes = Buffer.from(sealed[part], 'base64');
      for (let bit = 0; bit < bytes.length * 8; bit += 7) {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        await expect(open(keys, { ...sealed, [part]: changed.toString('base64') }, context)).rejects.toThrow();
      }
      for (const bad of ['', bytes.subarray(0, -1).toString('base64'), other[part]]) {
        await expect(open(keys, { ...sealed, [part]: bad }, context)).rejects.toThrow(BrokenSealError);
      }
    }
  });

  it('error: another KEK says which one is needed', async () => {
    const keys = kek();
    const sealed = await seal(kek(), secret, context);
    const refused = open(keys, sealed, context);
    await expect(refused).rejects.toThrow(KekMissingError);
    await expect(refused).rejects.toThrow(`This needs the key-encryption key ${sealed.kek}; here is only ${keys.id}.`);
    await expect(open(keys, { ...sealed, kek: keys.id }, context)).rejects.toThrow(BrokenSealError);
  });
});

describe('keyRing', () => {
  it('default: the first seals, all open, and a rewrapped secret needs the first alone', async () => {
    const [old, fresh] = [kek(), kek()];
    const early = await seal(old, secret, context);
    const both = keyRing([fresh, old]);
    expect((await seal(both, secret, context)).kek).toBe(fresh.id);
    expect(Buffer.from(await open(both, early, context))).toEqual(secret);

    const late = (await rewrap(both, early, context)) as Sealed;
    expect([late.kek, late.ciphertext]).toEqual([fresh.id, early.ciphertext]);
    expect(Buffer.from(await open(fresh, late, context))).toEqual(secret);
    await expect(open(old, late, context)).rejects.toThrow(KekMissingError);
    expect(await rewrap(both, late, context)).toBeNull();
  });

  it('error: rewrap needs the KEK and the words', async () => {
    const [old, fresh] = [kek(), kek()];
    const sealed = await seal(old, secret, context);
    await expect(rewrap(fresh, sealed, context)).rejects.toThrow(KekMissingError);
    await expect(rewrap(keyRing([fresh, old]), sealed, { ...context, user: 'u-2' })).rejects.toThrow(BrokenSealError);
  });
});

describe('fileKek', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mintage-kek-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string, mode = 0o600): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  };

  it('default: base64 or hex, with or without a line end, name the same KEK', async () => {
    const key = randomBytes(32);
    const texts = [
      key.toString('base64'),
      `${key.toString('base64')}\n`,
      key.toString('hex'),
      key.toString('hex').toUpperCase(),
    ];
    const keks = texts.map((text, place) => fileKek(write(`good-${place}`, text)));
    expect(new Set(keks.map(({ id }) => id))).toEqual(new Set([memoryKek(key).id]));
    const sealed = await seal(keks[0] as KeyEncryption, secret, context);
    expect(Buffer.from(await open(keks[3] as KeyEncryption, sealed, context))).toEqual(secret);
    expect(keks[0]?.id).toMatch(/^kek-[0-9a-f]{12}$/);
  });

  it('behavior: a made file is for its owner alone, whoever was first, and leaves no draft', () => {
    const path = join(folder, 'made', 'kek');
    makeKekFile(path);
    const text = readFileSync(path, 'utf8');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    makeKekFile(path);
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(readdirSync(join(folder, 'made'))).toEqual(['kek']);
    expect(fileKek(path).ids.length).toBe(1);
  });

  it('error: readable by others, with the command that mends it', () => {
    for (const mode of [0o644, 0o640, 0o604, 0o620]) {
      const path = write('open', randomBytes(32).toString('hex'), mode);
      expect(() => fileKek(path)).toThrow(`Others may read the key-encryption key ${path}; run: chmod 600 ${path}`);
    }
  });

  it('error: missing, a folder, or something else; the text is never repeated', () => {
    expect(() => fileKek(join(folder, 'nowhere'))).toThrow(/cannot be read: ENOENT/);
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
    for (const text of ['', 'hunter2', randomBytes(31).toString('base64'), randomBytes(33).toString('hex')]) {
      const path = write('bad', text);
      expect(() => fileKek(path)).toThrow(/must hold a key-encryption key/);
      if (text !== '') expect(() => fileKek(path)).not.toThrow(text);
    }
  });
});
