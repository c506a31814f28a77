import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientServer } from '@mintage/devnet/patientServer';
import { MintageError } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPublic, type ResolvedAddress } from '../wire/publicHost.ts';
import { createFetcher } from './guardedFetch.ts';

const failure = async (attempt: Promise<unknown>): Promise<string> => {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof MintageError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'fetched';
};

const notPublic = 'MEDIA_UNREACHABLE: The address does not lead to a public host';

describe('isPublic', () => {
  it.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111', '::ffff:8.8.8.8'])('M1 %s is', (address) => {
    expect(isPublic(address)).toBe(true);
  });

  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::7f00:1',
    '4000::1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '100::1',
    '2001:db8::1',
    'localhost',
    '',
  ])('M1 %s is not', (address) => {
    expect(isPublic(address)).toBe(false);
  });
});

describe('createFetcher', () => {
  let server: Server;
  let port: number;
  let answer: RequestListener;
  let requests = 0;

  beforeAll(async () => {
    server = createServer(patientServer, (request, response) => {
      requests += 1;
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const loopback: ResolvedAddress[] = [{ address: '127.0.0.1', family: 4 }];
  /**
   * `files.example` resolves to the test server, which counts as public here; all other addresses are classified as
   * usual.
   */
  const open = createFetcher({
    maxBytes: 1_000,
    timeoutMs: 60_000,
    resolve: async () => loopback,
    isAllowed: (address) => address === '127.0.0.1' || isPublic(address),
  });
  const address = (path = '/'): string => `http://files.example:${port}${path}`;

  it('default', async () => {
    answer = (_request, response) => response.end('hello');
    expect(Buffer.from(await open(address())).toString()).toBe('hello');
  });

  const guarded = createFetcher({ timeoutMs: 60_000 });
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1.:80/',
    'http://0/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::7f00:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://192.168.0.1:8080/',
    'http://１２７.０.０.１/',
    'http://localhost/',
    'http://LOCALHOST:5432/',
    'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
  ])('M1 error: %s', async (spelling) => {
    const seen = requests;
    expect(await failure(guarded(spelling))).toBe(notPublic);
    expect(requests).toBe(seen);
  });

  it.each([
    'file:///etc/passwd',
    'ftp://files.example/',
    'gopher://127.0.0.1:6379/_INFO',
    'javascript:alert(1)',
    'http://user:secret@files.example/',
    '/etc/passwd',
    '../logo.png',
    'http://',
    '',
  ])('T7 M1 error: %j is no address', async (text) => {
    expect(await failure(guarded(text))).toMatch(/^MEDIA_INVALID/);
  });

  it('M1 error: a name with one inner address among public ones', async () => {
    const mixed = createFetcher({
      timeoutMs: 60_000,
      resolve: async () => [
        { address: '8.8.8.8', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ],
    });
    expect(await failure(mixed('http://mixed.example/'))).toBe(notPublic);
  });

  it('M1 the connection goes to the address that was checked, however often the name changes', async () => {
    let asked = 0;
    answer = (_request, response) => response.end('public');
    const changing = createFetcher({
      timeoutMs: 60_000,
      resolve: async () => {
        asked += 1;
        return asked === 1 ? loopback : [{ address: '10.0.0.1', family: 4 }];
      },
      isAllowed: (one) => one === '127.0.0.1',
    });
    expect(Buffer.from(await changing(address())).toString()).toBe('public');
    expect(asked).toBe(1);
    expect(await failure(changing(address()))).toBe(notPublic);
  });

  it.each(['http://10.0.0.1/', 'http://[::1]/', 'http://169.254.169.254/'])(
    'M1 error: redirected to %s',
    async (target) => {
      answer = (_request, response) => response.writeHead(302, { location: target }).end();
      expect(await failure(open(address()))).toBe(notPublic);
    },
  );

  it('M1 error: redirected to a file, or without end', async () => {
    answer = (_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    expect(await failure(open(address()))).toMatch(/^MEDIA_INVALID/);
    answer = (_request, response) => response.writeHead(302, { location: '/again' }).end();
    expect(await failure(open(address()))).toBe('MEDIA_UNREACHABLE: The address redirects more than 3 times');
  });

  it('behavior: follows a redirect', async () => {
    answer = (request, response) =>
      request.url === '/' ? response.writeHead(301, { location: '/there' }).end() : response.end('there');
    expect(Buffer.from(await open(address())).toString()).toBe('there');
  });

  it('error: too many bytes, announced or not', async () => {
    answer = (_request, response) => response.end('x'.repeat(1_001));
    expect(await failure(open(address()))).toMatch(/^MEDIA_TOO_LARGE/);
    answer = (_request, response) => {
      const more = setInterval(() => response.write('x'.repeat(400)), 1);
      response.on('close', () => clearInterval(more));
    };
    expect(await failure(open(address()))).toMatch(/^MEDIA_TOO_LARGE/);
  });

  it('error: another status, silence, a closed port, an unknown name: told without a detail of ours', async () => {
    answer = (_request, response) => response.writeHead(404).end();
    expect(await failure(open(address()))).toBe('MEDIA_UNREACHABLE: The address answers with status 404');
    const hasty = createFetcher({ timeoutMs: 50, resolve: async () => loopback, isAllowed: () => true });
    answer = () => undefined;
    expect(await failure(hasty(address()))).toBe('MEDIA_UNREACHABLE: The address cannot be fetched');
    expect(await failure(hasty('http://files.example:1/'))).toBe('MEDIA_UNREACHABLE: The address cannot be fetched');
    const lost = createFetcher({ resolve: () => Promise.reject(new Error('ENOTFOUND inner-dns.local')) });
    expect(await failure(lost('http://nowhere.example/'))).toBe('MEDIA_UNREACHABLE: The address cannot be fetched');
  });
});
