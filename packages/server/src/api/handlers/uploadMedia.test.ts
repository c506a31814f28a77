import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, type TestApi, testApi } from '../../../test/api/testing/testApi.ts';

const dataUri = (bytes: Uint8Array, type: string): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

const picture = async (width: number, height: number, format: 'png' | 'gif' = 'png'): Promise<string> => {
  const background = { r: 20, g: 90, b: 200, alpha: 0.5 };
  const bytes = await sharp({ create: { width, height, channels: 4, background } })
    .toFormat(format)
    .toBuffer();
  return dataUri(bytes, `image/${format}`);
};

/** Starts like an MP4. */
const film = (length: number): string => {
  const bytes = Buffer.alloc(length, 7);
  bytes.write('\0\0\0\x18ftypmp42', 0, 'latin1');
  return dataUri(bytes, 'video/mp4');
};

describe('uploadMedia', () => {
  let api: TestApi;
  let user: SignedIn;
  beforeAll(async () => {
    api = await testApi({ env: { RATE_LIMITS: JSON.stringify({ anonymous: 1e9, authenticated: 1e9, profile: 1e9 }) } });
    user = await api.signIn();
  });
  afterAll(() => api?.stop());

  const upload = (body: object) => api.call('uploadMedia', body, { bearer: user.accessToken });

  it.each([
    ['image', 900, 300, [900, 300]],
    ['avatar', 900, 300, [512, 512]],
    ['image', 4_000, 1_000, [2_048, 512]],
  ])('default: a picture as %s of %d by %d', async (kind, width, height, size) => {
    const { body } = await upload({ kind, data: await picture(width, height) });
    expect(body).toEqual({
      success: true,
      media: {
        cid: expect.any(String),
        url: `http://127.0.0.1:8080/functions/v1/ipfs/${body.media.cid}`,
        type: 'image',
        width: size[0],
        height: size[1],
        mime: 'image/webp',
      },
    });
    const { body: bytes } = await api.call('ipfs', { cid: body.media.cid });
    const shown = await sharp(bytes as Buffer).metadata();
    expect([shown.width, shown.height]).toEqual(size);
    expect((await api.context.media.stored(body.media.cid))?.size).toEqual({ width: size[0], height: size[1] });
  });

  it('default: a film stays as it is', async () => {
    const { body } = await upload({ kind: 'video', data: film(2_000_000) });
    expect(body.media).toMatchObject({ type: 'video', width: null, height: null, mime: 'video/mp4' });
    expect(await api.context.media.stored(body.media.cid)).toMatchObject({ mime: 'video/mp4', size: null, blocks: [] });
  });

  it('behavior: the size is that of what is kept, of animations and without losses too', async () => {
    const frame = { width: 30, height: 20, channels: 4 as const };
    const frames = Buffer.concat([Buffer.alloc(2_400, 10), Buffer.alloc(2_400, 200)]);
    const raw = { ...frame, height: 40, pageHeight: 20 };
    const animated = await sharp(frames, { raw })
      .gif({ delay: [90, 90] })
      .toBuffer();
    const { body } = await upload({ kind: 'image', data: dataUri(animated, 'image/gif') });
    expect(body.media).toMatchObject({ width: 30, height: 20 });
    for (const webp of [{ lossless: true }, { lossless: false }]) {
      const bytes = await sharp({ create: { ...frame, width: 301, background: 'red' } })
        .webp(webp)
        .toBuffer();
      const { webpSize } = await import('../media/webpSize.ts');
      expect(webpSize(bytes)).toEqual({ width: 301, height: 20 });
      expect(webpSize(bytes.subarray(0, 29))).toBeNull();
    }
  });

  it.each([
    [{ kind: 'video', url: 'https://a.example/film.mp4' }, 'MEDIA_INVALID'],
    [{ kind: 'video', data: 'data:video/mp4;base64,AAAA' }, 'MEDIA_INVALID'],
    [{ kind: 'image', data: 'data:image/png;base64,AAAA' }, 'MEDIA_INVALID'],
    [{ kind: 'image', data: film(500) }, 'MEDIA_INVALID'],
    [{ kind: 'image', url: 'http://127.0.0.1/secret.png' }, 'MEDIA_UNREACHABLE'],
    [{ kind: 'image', data: 'https://a.example/a.png' }, 'INVALID_PARAMETERS'],
    [{ kind: 'image', url: 'data:image/png;base64,AAAA' }, 'INVALID_PARAMETERS'],
    [{ kind: 'image' }, 'INVALID_PARAMETERS'],
    [{ kind: 'image', data: 'data:,', url: 'https://a.example' }, 'INVALID_PARAMETERS'],
    [{ kind: 'file', data: 'data:,' }, 'INVALID_PARAMETERS'],
  ])('error: %j answers %s', async (body, code) => {
    const answer = await upload(body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });

  it('error: what to do next speaks of films too', async () => {
    const { body } = await upload({ kind: 'video', data: 'data:video/mp4;base64,AAAA' });
    expect(body.error).toBe(
      'video: is neither MP4 nor WebM. Send a PNG, JPEG, GIF, WEBP or SVG image, or an MP4 or WebM video.',
    );
  });

  it('error: a film may have 8 MiB', async () => {
    expect((await upload({ kind: 'video', data: film(8 * 1024 * 1024 + 1) })).body.code).toBe('MEDIA_TOO_LARGE');
  });
});
