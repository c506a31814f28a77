import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StreamsServer, startStreams, tradeNews } from '../../testing/streamsFixture.ts';

let streams: Awaited<ReturnType<typeof startStreams>>;
let server: StreamsServer;
beforeAll(async () => {
  streams = await startStreams();
  server = await streams.serve();
});
afterAll(() => streams.stop());

/** A client that subscribes and then never takes another byte. */
const stalled = (query: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname, () => socket.write(query));
    socket.once('error', reject);
    socket.once('data', () => {
      if (query.includes('Upgrade')) {
        for (const message of [
          { op: 'auth' },
          { op: 'subscribe', id: 'x', subscription: { topic: 'tokenActivity' } },
        ]) {
          socket.write(masked(JSON.stringify(message)));
        }
      }
      setTimeout(() => {
        socket.pause();
        resolve(socket);
      }, 300);
    });
  });

const masked = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);

const upgrade = `GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`;
const events = 'GET /functions/v1/stream?topic=tokenActivity HTTP/1.1\r\nHost: x\r\n\r\n';

describe('streams to slow readers', () => {
  it('S2 clients that stop reading wait in bounded memory and are cut off; others lose nothing', async () => {
    const healthy = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const client = streams.client(server.socketUrl);
        await client.connect();
        await client.subscribe({ topic: 'tokenActivity' });
        return client;
      }),
    );
    const lazy = await Promise.all([
      ...Array.from({ length: 4 }, () => stalled(upgrade)),
      stalled(events),
      stalled(events),
    ]);
    const gone = lazy.map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())));
    // More than the kernel's socket buffers hold, so that the rest waits in the process.
    const pad = 'x'.repeat(30_000);
    const count = 600;
    let most = 0;
    for (let block = 0; block < count; block += 20) {
      await streams.publish(...Array.from({ length: 20 }, (_, i) => tradeNews(block + i, { pad })));
      // What waits is the lazy ones' then, however busy the machine is.
      await Promise.all(healthy.map((client) => client.heard(({ data }) => data?.evt_block_number === block + 19)));
      const sample = await server.context.metrics.registry.getMetricsAsJSON();
      const waiting = sample.find(({ name }) => name === 'mintage_stream_waiting_bytes');
      most = Math.max(most, ...(waiting?.values ?? []).map(({ value }) => value));
    }
    for (const client of healthy) {
      await client.heard(({ data }) => data?.evt_block_number === count - 1);
      expect(client.events().map(({ data }) => data.evt_block_number)).toEqual(
        Array.from({ length: count }, (_, i) => i),
      );
    }
    // The clients never read the closing message; reading now shows that the server closed the connection.
    const ended = server.context.metrics.registry.getSingleMetric('mintage_stream_ended_total');
    await expect
      .poll(async () => (await ended?.get())?.values.find(({ labels }) => labels.reason === 'tooSlow')?.value)
      .toBe(lazy.length);
    for (const socket of lazy) socket.resume();
    await Promise.all(gone);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(1024 * 1024 * (1 + lazy.length));
  });
});
