/** Many WebSocket clients as one process: bare connections that count bytes, of which some read the time stamps. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { messageLength, publishedMs } from './fanoutMessage.ts';

export type ClientsOrder = { connect: { port: number; count: number } } | { expect: number } | { latencies: true };

const frameLength = messageLength + 4;
/** Every so manieth client reads what it gets. */
const readerEvery = 50;

let received = 0;
let wanted = Number.POSITIVE_INFINITY;
let latenciesMs: number[] = [];
const sockets: Socket[] = [];

const ping = 0x89;
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

const frame = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);

const open = (port: number, isReader: boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.once('error', reject);
    let talk = '';
    let isLive = false;
    let rest = Buffer.alloc(0);
    /** Bytes of the frame at hand that are still to come. */
    let coming = 0;
    socket.once('connect', () =>
      socket.write(
        `GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n` +
          `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
      ),
    );
    socket.on('data', (bytes) => {
      if (!isLive) {
        const before = talk;
        talk += bytes.toString('latin1');
        if (!before.includes('\r\n\r\n') && talk.includes('\r\n\r\n')) {
          socket.write(frame('{"op":"auth"}'));
          socket.write(frame('{"op":"subscribe","id":"sub_1","subscription":{"topic":"tokenActivity"}}'));
          if (process.env.PLAIN === 'yes') isLive = true;
        }
        isLive ||= talk.includes('"subscribed"');
        if (isLive) resolve();
        return;
      }
      let at = coming;
      for (; at < bytes.length; at += bytes[at] === ping ? 2 : frameLength) {
        if (bytes[at] !== ping) continue;
        socket.write(pong);
        received -= 2;
      }
      coming = at - bytes.length;
      received += bytes.length;
      if (received >= wanted) {
        wanted = Number.POSITIVE_INFINITY;
        process.send?.({ received: true });
      }
      if (!isReader) return;
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      const nowMs = performance.timeOrigin + performance.now();
      while (rest.length >= frameLength || rest[0] === ping) {
        const isPing = rest[0] === ping;
        if (!isPing) latenciesMs.push(nowMs - publishedMs(rest.subarray(0, frameLength)));
        rest = rest.subarray(isPing ? 2 : frameLength);
      }
    });
  });

process.on('message', async (order: ClientsOrder) => {
  if ('connect' in order) {
    for (let i = 0; i < order.connect.count; i += 1) await open(order.connect.port, i % readerEvery === 0);
    process.send?.({ connected: true });
  }
  if ('expect' in order) {
    received = 0;
    latenciesMs = [];
    wanted = order.expect * frameLength * sockets.length;
    process.send?.({ ready: true });
  }
  if ('latencies' in order) process.send?.({ latencies: latenciesMs });
});
process.once('disconnect', () => process.exit());
