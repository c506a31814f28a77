import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from '@mintage/devnet/patientServer';
import { MintageError } from '@mintage/protocol';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApi, testApi } from '../../../test/api/testing/testApi.ts';
import { type MediaFile, maxBlockBytes, maxImageBytes, maxVideoBytes, type RemoteVideo } from './media.ts';

const dataUri = (bytes: Uint8Array | string, type = 'image/png'): string =>
  `data:${type};base64,${Buffer.from(bytes as string).toString('base64')}`;

const failure = async (attempt: Promise<unknown>): Promise<string> => {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof MintageError) return error.code;
    throw error;
  }
  return 'stored';
};

/** Starts like an MP4. */
const mp4 = (length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  bytes.write('\0\0\0\x18ftypmp42', 0, 'latin1');
  for (let at = 24; at < length; at += 1) bytes[at] = at % 251;
  return bytes;
};

const red = { r: 200, g: 30, b: 30, alpha: 1 };
const square = (side: number) => sharp({ create: { width: side, height: side, channels: 4, background: red } });

describe('media', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi();
  });
  afterAll(() => api.stop());

  const kept = async <File extends MediaFile | RemoteVideo>(file: File): Promise<File> => {
    await api.context.media.store([file]);
    return file;
  };
  const image = async (source: string) => kept(await api.context.media.image(source));
  const served = async (cid: string) => {
    const { status, body, headers } = await api.call('ipfs', { cid });
    return { status, bytes: body as Buffer, headers };
  };

  it.each(['png', 'jpeg', 'webp', 'gif'] as const)(
    'default: %s becomes WebP, served by its address',
    async (format) => {
      const { cid, url } = await image(dataUri(await square(64).toFormat(format).toBuffer()));
      expect(url).toBe(`http://127.0.0.1:8080/functions/v1/ipfs/${cid}`);
      const { status, bytes, headers } = await served(cid);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=3600',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'access-control-allow-origin': '*',
      });
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 64, height: 64 });
    },
  );

  it('behavior: the same picture has the same address and is stored once', async () => {
    const source = dataUri(await square(10).png().toBuffer());
    expect(await image(source)).toEqual(await image(source));
  });

  it('M2 an SVG is drawn, its scripts and links are gone', async () => {
    const hostile = `<?xml version="1.0"?>
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40" onload="alert(1)">
      <script>alert(1)</script><a xlink:href="javascript:alert(1)"><use href="file:///etc/passwd#x"/></a>
      <style>@import url(http://127.0.0.1:1/);</style><rect width="40" height="40" fill="red"/></svg>`;
    const { cid } = await image(dataUri(hostile, 'image/svg+xml'));
    const { bytes } = await served(cid);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 1_024 });
    expect(bytes.includes('alert')).toBe(false);
  });

  it('M3 bytes behind or inside a picture are not stored', async () => {
    const png = await square(20)
      .withExif({ IFD0: { Copyright: 'marker-in-metadata' } })
      .png()
      .toBuffer();
    const polyglot = Buffer.concat([png, Buffer.from('<script>marker-behind</script>')]);
    const { bytes } = await served((await image(dataUri(polyglot))).cid);
    expect(bytes.includes('marker')).toBe(false);
  });

  it('behavior: a large photo fits into one block', async () => {
    const noise = Buffer.alloc(1_200 * 1_200 * 3);
    for (let at = 0; at < noise.length; at += 1) noise[at] = (at * 2_654_435_761) >>> 13;
    const photo = await sharp(noise, { raw: { width: 1_200, height: 1_200, channels: 3 } })
      .jpeg({ quality: 80 })
      .toBuffer();
    const { bytes } = await served((await image(dataUri(photo))).cid);
    expect(bytes.length).toBeLessThanOrEqual(maxBlockBytes);
  });

  it('behavior: an animation stays one', async () => {
    const frames = Buffer.concat(
      await Promise.all(
        [10, 90, 170].map((r) =>
          sharp({ create: { width: 16, height: 16, channels: 4, background: { ...red, r } } })
            .raw()
            .toBuffer(),
        ),
      ),
    );
    const gif = await sharp(frames, { raw: { width: 16, height: 48, channels: 4, pageHeight: 16 } })
      .gif()
      .toBuffer();
    const { bytes } = await served((await image(dataUri(gif))).cid);
    expect(await sharp(bytes).metadata()).toMatchObject({ pages: 3, width: 16 });
  });

  it('M3 error: bombs', async () => {
    const flat = await sharp({ create: { width: 8_000, height: 8_000, channels: 3, background: red } })
      .png()
      .toBuffer();
    expect(await failure(image(dataUri(flat)))).toBe('MEDIA_TOO_LARGE');
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="20000" height="20000"><rect width="9" height="9"/></svg>';
    expect(await failure(image(dataUri(svg)))).toBe('MEDIA_TOO_LARGE');
    expect(await failure(image(dataUri(Buffer.alloc(maxImageBytes + 1))))).toBe('MEDIA_TOO_LARGE');
  });

  it.each([
    ['text', dataUri('hello')],
    ['an HTML page', dataUri('<html><script>alert(1)</script></html>', 'image/png')],
    ['a PDF', dataUri('%PDF-1.7 ...')],
    ['a TIFF', dataUri(Buffer.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0]))],
    ['a cut PNG', dataUri(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))],
    ['nothing', 'data:image/png;base64,'],
    ['no base64', 'data:image/png;base64,%%%'],
    ['a data URI in plain text', 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a file path', '/etc/passwd'],
  ])('M4 error: %s is not an image', async (_what, source) => {
    expect(await failure(image(source))).toBe('MEDIA_INVALID');
  });

  it('M3 error: a PNG that ends in the middle', async () => {
    const png = await square(300).png({ compressionLevel: 0 }).toBuffer();
    expect(await failure(image(dataUri(png.subarray(0, png.length / 2))))).toBe('MEDIA_INVALID');
  });

  it('M1 error: an address inside', async () => {
    expect(await failure(image('http://169.254.169.254/logo.png'))).toBe('MEDIA_UNREACHABLE');
  });

  it('behavior: JSON is stored as it is written', async () => {
    const { cid } = await kept(api.context.media.json({ name: 'Größe', amount: '1' }));
    // The same bytes under any IPFS node: sha2-256 of the text, raw codec, base32.
    expect(cid).toBe('bafkreigksdallvx5p7xgcgfftl3slkklzjop6gtsqaxzy2ixr2jfhajj5m');
    const { body, headers } = await api.call('ipfs', { cid });
    expect([body, headers['content-type']]).toEqual([{ name: 'Größe', amount: '1' }, 'application/json']);
  });

  it('error: JSON above one block', async () => {
    expect(() => api.context.media.json({ x: 'a'.repeat(maxBlockBytes) })).toThrow('larger than 1 MiB');
  });

  it('error: an unknown or impossible address', async () => {
    const unknown = await api.call('ipfs', { cid: 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi' });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'NOT_FOUND']);
    const impossible = await api.call('ipfs', { cid: '../../etc/passwd' });
    expect([impossible.status, impossible.body.code]).toEqual([400, 'INVALID_PARAMETERS']);
  });

  it('behavior: a video in several blocks is served whole', async () => {
    const bytes = mp4(2 * maxBlockBytes + 5);
    const { cid, url } = await kept(await api.context.media.video(dataUri(bytes, 'video/mp4')));
    // As `ipfs-unixfs-importer` 17.1.1 addresses it, with 1 MiB chunks and raw leaves.
    expect(cid).toBe('bafybeic65fb3yevcsmhdysjhktp5bvknle7jh5of2j3tita3o6oxbjghky');
    expect(url).toBe(`http://127.0.0.1:8080/functions/v1/ipfs/${cid}`);
    const answer = await served(cid as string);
    expect(answer.headers['content-type']).toBe('video/mp4');
    expect(answer.bytes.equals(bytes)).toBe(true);
  });

  it('behavior: a short video is one block', async () => {
    const { cid } = await kept(await api.context.media.video(dataUri(mp4(500))));
    expect(cid).toMatch(/^bafkrei/);
    expect((await served(cid as string)).headers['content-type']).toBe('video/mp4');
  });

  it('behavior: a video by web address stays there', async () => {
    expect(await api.context.media.video('https://video.example/clip')).toEqual({
      cid: null,
      url: 'https://video.example/clip',
      blocks: [],
    });
  });

  it('M4 error: what is no video, or too large', async () => {
    const { video } = api.context.media;
    expect(await failure(video(dataUri('<html>', 'video/mp4')))).toBe('MEDIA_INVALID');
    expect(await failure(video('http://video.example/clip'))).toBe('MEDIA_INVALID');
    expect(await failure(video('javascript:alert(1)'))).toBe('MEDIA_INVALID');
    expect(await failure(video(dataUri(mp4(maxVideoBytes + 1))))).toBe('MEDIA_TOO_LARGE');
  });
});

describe('media with an IPFS node', () => {
  let api: TestApi;
  let node: Server;
  let answer: { status: number; key: string | null } = { status: 200, key: null };
  const asked: string[] = [];
  let hangs = false;

  beforeAll(async () => {
    node = createServer(patientServer, (request, response) => {
      asked.push(request.url ?? '');
      if (hangs) return;
      request.resume().on('end', () => response.writeHead(answer.status).end(JSON.stringify({ Key: answer.key })));
    });
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
    const { port } = node.address() as AddressInfo;
    api = await testApi({ env: { IPFS_API_URL: `http://127.0.0.1:${port}` }, media: { ipfsWithinMs: 1_000 } });
  });
  afterAll(async () => {
    await api.stop();
    node.closeAllConnections();
    node.close();
  });

  it('M5 error: a node that fails or computes another address stores nothing here either', async () => {
    for (const bad of [
      { status: 500, key: null },
      { status: 200, key: 'bafkreiother' },
    ]) {
      answer = bad;
      const { media } = api.context;
      expect(await failure(media.store([media.json({ a: 1 })]))).toBe('SERVICE_UNAVAILABLE');
    }
    expect(await api.context.db.selectFrom('media_block').select('cid').execute()).toEqual([]);
  });

  it('default: pinned in the node, then stored here', async () => {
    const { media } = api.context;
    const file = media.json({ a: 1 });
    const { cid } = file;
    answer = { status: 200, key: cid };
    await media.store([file]);
    expect(asked.at(-1)).toBe('/api/v0/block/put?cid-codec=raw&mhtype=sha2-256&pin=true');
    expect(await api.context.media.read(cid)).toMatchObject({ contentType: 'application/json' });
  });

  it('H14 a node that hangs is asked once; until it answers again, files are refused without asking', async () => {
    const { media } = api.context;
    const file = media.json({ a: 2 });
    hangs = true;
    answer = { status: 200, key: file.cid };
    asked.length = 0;
    for (let i = 0; i < 50; i += 1) expect(await failure(media.store([file]))).toBe('SERVICE_UNAVAILABLE');
    expect(asked.filter((url) => url.startsWith('/api/v0/block/put'))).toHaveLength(1);
    hangs = false;
    await expect.poll(() => media.store([file]).then(() => 'stored', String)).toBe('stored');
    expect(await media.read(file.cid)).not.toBeNull();
  });
});
