import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { buildApp } from '../../src/api/main.ts';
import { basePath } from '../../src/api/wire/limits.ts';
import { type TestApi, testApi } from './testing/testApi.ts';

/** Small, so that the test is short; what is asserted is who is cut, not when. */
const pace = {
  headersMs: 400,
  bytesPerSecond: 8 * 1024,
  windowMs: 400,
  bodyMs: 6_000,
  lingerMs: 100,
  idleMs: 600,
  checkEveryMs: 50,
};

describe('slow clients', () => {
  let api: TestApi;
  let app: FastifyInstance;
  let port: number;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    api = await testApi();
    app = buildApp({ ...api.context, config: { ...api.context.config, clientPace: pace } });
    await app.listen({ port: 0, host: '127.0.0.1' });
    port = (app.server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await app.close();
    await api.stop();
  });

  /** Never closes its own half: that the server ends is not enough, it has to let go. */
  const open = async (): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.add(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  const connections = () =>
    new Promise<number>((resolve, reject) => {
      app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  const untilNoneIsLeft = async () => {
    while ((await connections()) > 0) await sleep(20);
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  /** Writes a part again and again until the server has cut the connection, or `times` are over. */
  const trickle = async (socket: Socket, part: string, everyMs: number, times = Number.POSITIVE_INFINITY) => {
    const hungUp = new Promise<true>((resolve) => {
      socket.once('close', () => resolve(true));
      socket.on('error', () => resolve(true));
    });
    for (let i = 0; i < times; i += 1) {
      socket.write(part);
      if (await Promise.race([hungUp, sleep(everyMs, false)])) return true;
    }
    return false;
  };
  const post = (length: number) =>
    `POST ${basePath}/search-token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
  const chunkedPost =
    `POST ${basePath}/search-token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n` +
    'transfer-encoding: chunked\r\n\r\n';
  const get = `GET ${basePath}/health HTTP/1.1\r\nhost: x\r\n\r\n`;

  it('H10 who sends nothing, half of the headers, or headers one by one, is cut', async () => {
    const many = await Promise.all(Array.from({ length: 30 }, open));
    for (const [at, socket] of many.entries()) {
      if (at % 3 === 1) socket.write('GET /health HTTP/1.1\r\nhost: x\r\nx-a: ');
      if (at % 3 === 2) void trickle(socket, at === 2 ? 'GET /health HTTP/1.1\r\n' : 'x-a: b\r\n', 20);
    }
    await untilNoneIsLeft();
  });

  it('behavior: headers that did not arrive in time are answered as 503, since this process may have been the slow one', async () => {
    const socket = await open();
    socket.write('GET /health HTTP/1.1\r\nhost: x\r\nx-a: ');
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect(String(answer)).toContain('"code":"SERVICE_UNAVAILABLE"');
    await untilNoneIsLeft();
  });

  it('H10 a body that stands still or trickles is cut, whether or not it says its length, and whoever reads it', async () => {
    const bodies = [
      post(60_000),
      chunkedPost,
      post(60_000)
        .replace('/search-token', '/oauth/token')
        .replace('application/json', 'application/x-www-form-urlencoded'),
      post(60_000).replace('/search-token', '/nowhere'),
      post(60_000).replace('/search-token', '/me'),
      get.replace('\r\n\r\n', '\r\ncontent-length: 60000\r\n\r\n'),
    ];
    for (const head of bodies) {
      const [still, trickling] = [await open(), await open()];
      still.write(head);
      trickling.write(head);
      void trickle(trickling, head === chunkedPost ? '1\r\na\r\n' : 'a', 20);
    }
    await untilNoneIsLeft();
  });

  it('H10 a large body at the least pace does not hold its place until its end', async () => {
    const { accessToken } = await api.signIn();
    const socket = await open();
    const head = post(12_000_000).replace('/search-token', '/create-token-transaction');
    socket.write(head.replace('\r\n\r\n', `\r\nauthorization: Bearer ${accessToken}\r\n\r\n`));
    expect(await trickle(socket, ' '.repeat(1_024), 20, 1_000)).toBe(true);
    await untilNoneIsLeft();
  });

  it('H10 a connection without requests is cut, also when line ends keep it busy', async () => {
    const [idle, busy, half] = [await open(), await open(), await open()];
    for (const socket of [idle, busy, half]) {
      socket.write(get);
      await once(socket, 'data');
    }
    void trickle(busy, '\r\n', 20);
    half.write('GET /health HTT');
    await untilNoneIsLeft();
  });

  it('H10 who asks to leave HTTP where nothing else is spoken, and never hangs up, is cut', async () => {
    const upgrade = 'connection: upgrade\r\nupgrade: websocket\r\n\r\n';
    for (const head of [get, post(60_000), get.replace('/health', '/nowhere')]) {
      const socket = await open();
      socket.write(head.replace('\r\n\r\n', `\r\n${upgrade}`));
    }
    await untilNoneIsLeft();
  });

  it('H10 a slow body above the pace gets through; streams stay open', async () => {
    const webSocket = new WebSocket(`ws://127.0.0.1:${port}${basePath}/ws`);
    await once(webSocket, 'open');
    webSocket.send('{"op":"auth"}');
    await once(webSocket, 'message');

    const slow = await open();
    const part = ' '.repeat(1_024);
    const parts = 60; // a part in 20 ms, where one in 125 ms would do: for longer than a window
    slow.write(post(parts * part.length));
    const answered = once(slow, 'data');
    expect(await trickle(slow, part, 20, parts)).toBe(false);
    expect(String((await answered)[0])).toMatch(/^HTTP\/1.1 400 /);

    expect(webSocket.readyState).toBe(WebSocket.OPEN);
    webSocket.close();
    await untilNoneIsLeft();
  });
});
