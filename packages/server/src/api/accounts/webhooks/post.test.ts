import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { MintageError } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver, status } from '../../../../test/api/webhooks/webhooksFixture.ts';
import { isPublic } from '../../wire/publicHost.ts';
import { createPost, type Post, type PostOptions } from './post.ts';
import { webhookUrl } from './webhookUrl.ts';

const refusalOf = (text: string, toLoopback = false): string => {
  try {
    return `taken: ${webhookUrl(text, toLoopback).href}`;
  } catch (error) {
    return (error as MintageError).message;
  }
};

const octal = (n: number): string => `0${n.toString(8)}`;
const hexed = (n: number): string => `0x${n.toString(16)}`;
const loopback = async () => [{ address: '127.0.0.1', family: 4 as const }];
const errorOf = async (sender: Post, url: string) => (await sender.send(url, {}, '{}')).error;

/**
 * Spellings of private addresses: every form that a URL parser accepts as an IPv4 address, and their IPv6 equivalents.
 */
const innerAddresses =
  '127.0.0.1 127.255.255.254 127.0.0.53 0.0.0.0 0.1.2.3 10.0.0.1 10.1.2.3 10.255.255.255 100.64.0.1 ' +
  '100.127.255.254 169.254.0.1 169.254.169.254 169.254.170.2 172.16.0.1 172.17.0.1 172.31.255.255 192.0.0.8 192.0.2.1 ' +
  '192.168.0.1 192.168.1.1 192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255';
const innerSpellings = innerAddresses
  .split(' ')
  .flatMap((address) => {
    const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
    const word = ((a * 256 + b) * 256 + c) * 256 + d;
    const [high, low] = [(word >>> 16).toString(16), (word & 0xffff).toString(16)];
    return [
      address,
      `${address}.`,
      String(word),
      hexed(word),
      octal(word),
      [a, b, c, d].map(octal).join('.'),
      [a, b, c, d].map(hexed).join('.'),
      `${a}.${b}.${c * 256 + d}`,
      `${a}.${(b * 256 + c) * 256 + d}`,
      `${hexed(a)}.${octal(b)}.${c}.${hexed(d)}`,
      [...address].map((sign) => (sign === '.' ? '。' : String.fromCodePoint(sign.charCodeAt(0) + 0xfee0))).join(''),
      address.replaceAll('.', '%2e'),
      `[::ffff:${address}]`,
      `[::ffff:${high}:${low}]`,
      `[0:0:0:0:0:ffff:${address}]`,
      `[64:ff9b::${high}:${low}]`,
      `[2002:${high}:${low}::]`,
      `[::${high}:${low}]`,
    ];
  })
  .concat([
    '[::1]',
    '[::]',
    '[fd00::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    'localhost',
    'LOCALHOST.',
    'a.localhost',
  ]);

describe('webhookUrl', () => {
  it('default: https, kept without its fragment', () => {
    expect(webhookUrl('https://Hooks.example.com:8443/in?x=1#top', false).href).toBe(
      'https://hooks.example.com:8443/in?x=1',
    );
  });

  it('behavior: this machine where the configuration says so, also over http', () => {
    for (const here of ['http://127.0.0.1:99/', 'http://localhost:99/', 'http://[::1]:99/', 'https://127.0.0.1/'])
      expect(refusalOf(here, true)).toBe(`taken: ${here}`);
    expect(refusalOf('http://hooks.example.com/', true)).toBe('url: must start with https://');
    expect(refusalOf('http://10.0.0.1/', true)).toBe('url: must start with https://');
    expect(refusalOf('https://10.0.0.1/', true)).toBe('url: must lead to a public host');
  });

  it(`M1 error: ${innerSpellings.length} spellings of inner addresses`, () => {
    for (const host of innerSpellings) {
      expect(refusalOf(`https://${host}/`), host).toBe('url: must lead to a public host');
      expect(refusalOf(`https://${host}:8443/x`), host).toBe('url: must lead to a public host');
    }
  });

  it('error: not https, with a password, no address', () => {
    for (const text of ['http://hooks.example.com/', 'ftp://hooks.example.com/', 'file:///etc/passwd', 'javascript:1'])
      expect(refusalOf(text)).toBe('url: must start with https://');
    expect(refusalOf('https://me:secret@hooks.example.com/')).toBe('url: must not carry a user name or password');
    for (const text of ['hooks.example.com', '/in', 'https://', 'https://exa mple.com/'])
      expect(refusalOf(text)).toBe('url: must be an absolute web address');
  });
});

describe('createPost', () => {
  let receiver: Receiver;
  const posts: Post[] = [];
  const post = (options: PostOptions): Post => {
    const made = createPost({ timeoutMs: 60_000, ...options });
    posts.push(made);
    return made;
  };
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await Promise.all(posts.map((one) => one.close()));
    await receiver.stop();
  });
  const named = () => receiver.url.replace('127.0.0.1', 'hooks.example');
  const notPublic = 'The address does not lead to a public host';

  it('default', async () => {
    const sender = post({ isAllowed: () => true });
    const outcome = await sender.send(receiver.url, { 'x-test': 'yes' }, '{"a":1}');
    expect(outcome).toMatchObject({ delivered: true, responseCode: 204, error: null, retryAfterMs: 0 });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(0);
    expect(receiver.got.at(-1)?.text).toBe('{"a":1}');
    expect(receiver.got.at(-1)?.headers['x-test']).toBe('yes');
  });

  it('M1 error: an inner address in any spelling, a name of one, or a name with one among public ones', async () => {
    const seen = receiver.got.length;
    const guarded = post({});
    for (const host of innerSpellings.filter((one) => one !== 'a.localhost'))
      expect(await errorOf(guarded, `http://${host}/`), host).toBe(notPublic);
    expect(await errorOf(post({ resolve: loopback }), named())).toBe(notPublic);
    const mixed = async () => [{ address: '8.8.8.8', family: 4 as const }, ...(await loopback())];
    expect(await errorOf(post({ resolve: mixed }), named())).toBe(notPublic);
    expect(receiver.got.length).toBe(seen);
  });

  it('M1 the connection goes to the address that was checked, however often the name changes', async () => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return asked === 1 ? loopback() : [{ address: '10.0.0.1', family: 4 as const }];
    };
    const changing = post({ perOrigin: 1, resolve, isAllowed: (one) => one === '127.0.0.1' || isPublic(one) });
    expect(await errorOf(changing, named())).toBeNull();
    receiver.answer = (_request, response) => response.writeHead(204, { connection: 'close' }).end();
    expect(await errorOf(changing, named())).toBeNull(); // the same connection
    expect(asked).toBe(1);
    expect(await errorOf(changing, named())).toBe(notPublic);
    receiver.answer = status(204);
  });

  it('M1 error: a redirect is not followed', async () => {
    const elsewhere = await startReceiver();
    receiver.answer = status(307, { location: elsewhere.url });
    const outcome = await post({ isAllowed: () => true }).send(receiver.url, {}, '{}');
    expect(outcome).toMatchObject({ delivered: false, responseCode: 307 });
    expect(outcome.error).toBe('The receiver answered 307; redirects are not followed');
    expect(elsewhere.got).toEqual([]);
    receiver.answer = status(204);
    await elsewhere.stop();
  });

  it('error: refused, with the time to wait', async () => {
    const sender = post({ isAllowed: () => true });
    receiver.answer = status(503, { 'retry-after': '120' });
    expect(await sender.send(receiver.url, {}, '{}')).toMatchObject({
      delivered: false,
      responseCode: 503,
      error: 'The receiver answered 503',
      retryAfterMs: 120_000,
    });
    receiver.answer = status(429, { 'retry-after': 'Wed, 21 Oct 2099 07:28:00 GMT' });
    expect((await sender.send(receiver.url, {}, '{}')).retryAfterMs).toBe(0);
    receiver.answer = status(204);
  });

  it('behavior: an answer without end is cut off and counts by its status', async () => {
    receiver.answer = (_request, response) => {
      response.writeHead(200);
      const more = setInterval(() => response.write('x'.repeat(4_096)), 1);
      response.on('close', () => clearInterval(more));
    };
    const outcome = await post({ isAllowed: () => true, timeoutMs: 600_000 }).send(receiver.url, {}, '{}');
    expect(outcome).toMatchObject({ delivered: true, responseCode: 200 });
    receiver.answer = status(204);
  });

  it('error: silence, a closed port, an unknown name, no HTTP, a bad certificate', async () => {
    receiver.answer = () => undefined;
    const hasty = post({ isAllowed: () => true, timeoutMs: 100 });
    expect(await errorOf(hasty, receiver.url)).toBe('The receiver did not answer within 0.1 s');
    receiver.answer = status(204);

    const noise = createServer((socket) =>
      socket.on('error', () => undefined).end('hello\r\n\r\n', () => socket.destroy()),
    );
    await new Promise<void>((resolve) => noise.listen(0, '127.0.0.1', resolve));
    const port = (noise.address() as AddressInfo).port;
    const sender = post({ isAllowed: () => true });
    expect(await errorOf(sender, `http://127.0.0.1:${port}/`)).toBe('The connection failed');
    expect(await errorOf(sender, `https://127.0.0.1:${port}/`)).toMatch(
      /^The (connection failed|certificate is not valid)$/,
    );
    await new Promise((resolve) => noise.close(resolve));
    expect(await errorOf(sender, `http://127.0.0.1:${port}/`)).toBe('The connection was refused');

    const lost = post({ resolve: () => Promise.reject(Object.assign(new Error('inner-dns'), { code: 'ENOTFOUND' })) });
    expect(await errorOf(lost, named())).toBe(notPublic);
  });

  it('behavior: stopped by us', async () => {
    receiver.answer = () => undefined;
    const stop = new AbortController();
    const sent = post({ isAllowed: () => true }).send(receiver.url, {}, '{}', stop.signal);
    stop.abort();
    expect(await sent).toMatchObject({ delivered: false, responseCode: null });
    receiver.answer = status(204);
  });
});
