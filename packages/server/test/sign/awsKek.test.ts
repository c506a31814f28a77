import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  awsKek,
  BrokenSealError,
  KekMissingError,
  KekUnavailableError,
  type KeyEncryption,
  keyRing,
  memoryKek,
  open,
  rewrap,
  type Sealed,
  seal,
} from '../../src/keys/keys.ts';
import { type FakeKms, type KmsMood, startFakeKms } from './fakeKms.ts';

const [first, second] = ['1234abcd-12ab-34cd-56ef-1234567890ab', 'mrk-0123456789abcdef'];
const context = { purpose: 'wallet', user: 'u-1' };
const secret = randomBytes(32);

describe('awsKek', () => {
  let kms: FakeKms;
  let keys: KeyEncryption;
  beforeAll(async () => {
    kms = await startFakeKms([first, second]);
    vi.stubEnv('AWS_ENDPOINT_URL_KMS', kms.url);
    vi.stubEnv('AWS_REGION', kms.region);
    vi.stubEnv('AWS_ACCESS_KEY_ID', kms.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', kms.secretAccessKey);
    keys = awsKek(first);
  });
  beforeEach(() => kms.become('well'));
  afterAll(async () => {
    vi.unstubAllEnvs();
    await kms.stop();
  });

  it('default: sealed and opened through the cloud, which sees the data key and never the secret', async () => {
    const sealed = await seal(keys, secret, context);
    expect(sealed.kek).toBe(`aws-kms:${first}`);
    expect(Buffer.from(await open(keys, sealed, context))).toEqual(secret);
    expect(kms.asked.slice(-2)).toEqual(['TrentService.Encrypt', 'TrentService.Decrypt']);
    const text = JSON.stringify(sealed);
    for (const plain of [secret, ...kms.seen]) {
      expect(text).not.toContain(plain.toString('base64'));
      expect(Buffer.from(sealed.wrappedKey, 'base64').includes(plain)).toBe(false);
    }
    expect(kms.seen.some((plain) => plain.equals(secret))).toBe(false);
  });

  it('behavior: the same key by its ARN', async () => {
    const byArn = awsKek(`arn:aws:kms:${kms.region}:111122223333:key/${first}`);
    expect(Buffer.from(await open(byArn, await seal(keys, secret, context), context))).toEqual(secret);
  });

  it('behavior: from a file to the cloud, and from one key of it to another', async () => {
    const file = memoryKek(randomBytes(32));
    const early = await seal(file, secret, context);
    const inCloud = (await rewrap(keyRing([keys, file]), early, context)) as Sealed;
    const other = awsKek(second);
    const moved = (await rewrap(keyRing([other, keys]), inCloud, context)) as Sealed;
    expect([early.kek, inCloud.kek, moved.kek]).toEqual([file.id, keys.id, other.id]);
    expect(Buffer.from(await open(other, moved, context))).toEqual(secret);
    await expect(open(keys, moved, context)).rejects.toThrow(KekMissingError);
  });

  it('behavior: two requests that are throttled, fail or are cut off are made again', async () => {
    for (const mood of ['throttles', 'fails', 'cutsOff'] as const) {
      kms.become(mood, 2);
      const sealed = await seal(keys, secret, context);
      expect(Buffer.from(await open(keys, sealed, context))).toEqual(secret);
    }
  });

  it('error: other words, or bytes that were changed, by the word of the cloud', async () => {
    const sealed = await seal(keys, secret, context);
    await expect(open(keys, sealed, { ...context, user: 'u-2' })).rejects.toThrow(BrokenSealError);
    const bytes = Buffer.from(sealed.wrappedKey, 'base64');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    const changed = { ...sealed, wrappedKey: bytes.toString('base64') };
    await expect(open(keys, changed, context)).rejects.toThrow(BrokenSealError);
    const relabelled = { ...sealed, kek: `aws-kms:${second}` };
    await expect(open(awsKek(second), relabelled, context)).rejects.toThrow(BrokenSealError);
  });

  it('error: KMS down in every way: nothing is sealed, nothing is opened, and no error holds a key', async () => {
    const sealed = await seal(keys, secret, context);
    const moods: KmsMood[] = ['throttles', 'fails', 'cutsOff', 'denies', 'babbles', 'emptyAnswer', 'hangs'];
    for (const mood of moods) {
      kms.become(mood);
      const tries = await Promise.allSettled([seal(keys, secret, context), open(keys, sealed, context)]);
      for (const tried of tries) {
        const error = tried.status === 'rejected' ? (tried.reason as Error) : null;
        expect([mood, error]).toEqual([mood, expect.any(KekUnavailableError)]);
        const told = `${error?.message}${error?.stack}${JSON.stringify(error)}${String(error?.cause)}`;
        for (const plain of kms.seen) expect(told).not.toContain(plain.toString('base64').slice(0, 8));
      }
    }
    kms.become('well');
    expect(Buffer.from(await open(keys, sealed, context))).toEqual(secret);
  });

  it('error: a key that KMS does not have, or credentials that it does not take', async () => {
    await expect(seal(awsKek('nothing'), secret, context)).rejects.toThrow(/NotFoundException.*does not exist/);
    process.env.AWS_SECRET_ACCESS_KEY = 'wrong';
    try {
      await expect(seal(awsKek(first), secret, context)).rejects.toThrow(/another signature/);
    } finally {
      process.env.AWS_SECRET_ACCESS_KEY = kms.secretAccessKey;
    }
  });
});
