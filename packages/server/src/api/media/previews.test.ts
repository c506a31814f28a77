import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createImages, type Images } from './images.ts';
import type { PreviewFacts } from './preview.ts';
import { createPreviews, type PreviewSource } from './previews.ts';

const facts: PreviewFacts = {
  name: 'Paper Boat',
  symbol: 'BOAT',
  chainName: 'Base',
  marketCap: '$1',
  raised: 0.5,
  graduated: false,
  progress: '50 % raised',
  platformName: 'Mintage',
  brandColor: null,
};
const asker = { owner: 'a', address: 'a' };
const source: PreviewSource = { facts, picture: null };

describe('createPreviews', () => {
  let images: Images;
  let drawn = 0;
  let nowMs = 1_000;
  beforeAll(() => {
    const real = createImages();
    images = {
      ...real,
      preview: (...args) => {
        drawn += 1;
        return real.preview(...args);
      },
    };
  });
  afterAll(() => images.close());

  const create = (read: Parameters<typeof createPreviews>[1] = async () => null) => {
    drawn = 0;
    return createPreviews(images, read, null, () => nowMs);
  };

  it('default: drawn once in 60 seconds', async () => {
    const preview = create();
    const first = await preview('boat', source, asker);
    nowMs += 59_999;
    expect(await preview('boat', { ...source, facts: { ...facts, name: 'Other' } }, asker)).toBe(first);
    expect(drawn).toBe(1);
    nowMs += 1;
    expect(
      Buffer.compare(await preview('boat', { ...source, facts: { ...facts, name: 'Other' } }, asker), first),
    ).not.toBe(0);
    expect(drawn).toBe(2);
  });

  it('H5 drawn once for all who ask meanwhile', async () => {
    const preview = create();
    const many = Array.from({ length: 200 }, (_, at) => preview('boat', source, { owner: `${at}`, address: `${at}` }));
    expect(new Set(await Promise.all(many)).size).toBe(1);
    expect(drawn).toBe(1);
  });

  it('behavior: whoever asked first may leave', async () => {
    const preview = create();
    const gone = new AbortController();
    const first = preview('boat', source, { ...asker, gone: gone.signal });
    const second = preview('boat', source, asker);
    gone.abort();
    expect(await second).toBe(await first);
  });

  it('behavior: a token has its own', async () => {
    const preview = create();
    const [one, other] = await Promise.all([
      preview('boat', source, asker),
      preview('kiln', { ...source, facts: { ...facts, name: 'Kiln' } }, asker),
    ]);
    expect(Buffer.compare(one, other)).not.toBe(0);
    expect(drawn).toBe(2);
  });

  it('error: a failure is not remembered', async () => {
    let isAway = true;
    const preview = create(async () => {
      if (isAway) throw new Error('the database is away');
      return null;
    });
    const withPicture = { ...source, picture: 'bafy' };
    await expect(preview('boat', withPicture, asker)).rejects.toThrow('the database is away');
    isAway = false;
    expect((await preview('boat', withPicture, asker)).length).toBeGreaterThan(10_000);
  });
});
