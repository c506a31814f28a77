/** A load generator as a process of its own: one request in flight on each of some kept connections, for a given time. */
import { connect } from 'node:net';

export interface LoadOrder {
  host: string;
  port: number;
  /** The whole request, head and body. */
  request: string;
  connections: number;
  /** The round ends after this time, or after `most` answers. */
  ms: number;
  most: number;
  /**
   * Requests a second over all connections, however long the answers take: one that is due while its connection waits
   * counts from when it was due. Absent: each after the answer before it.
   */
  perSecond?: number;
}

export interface LoadResult {
  answers: number;
  /** Answers with another status than 200. */
  refused: number;
  seconds: number;
  /** Of the last answer. */
  bodyLength: number;
  p50Ms: number;
  p99Ms: number;
}

const headEnd = Buffer.from('\r\n\r\n');

const fire = (order: LoadOrder): Promise<LoadResult> =>
  new Promise((resolve, reject) => {
    const request = Buffer.from(order.request);
    const started = performance.now();
    const until = started + order.ms;
    const latenciesMs: number[] = [];
    let refused = 0;
    let bodyLength = 0;
    let open = order.connections;

    const pauseMs = order.perSecond === undefined ? 0 : (order.connections * 1_000) / order.perSecond;

    const drive = (connection: number): void => {
      let dueMs = started + (pauseMs * connection) / order.connections;
      const socket = connect({ host: order.host, port: order.port, noDelay: true });
      let head: Buffer = Buffer.alloc(0);
      let expected = 0;
      let got = 0;
      let sentAt = 0;
      const next = (): void => {
        const waitMs = dueMs - performance.now();
        if (waitMs > 0) setTimeout(() => send(performance.now()), waitMs);
        else send(pauseMs > 0 ? dueMs : performance.now());
        dueMs += pauseMs;
      };
      const send = (now: number): void => {
        if (now >= until || latenciesMs.length >= order.most) {
          socket.end();
          return;
        }
        head = Buffer.alloc(0);
        expected = 0;
        sentAt = now;
        socket.write(request);
      };
      socket.once('connect', next);
      socket.on('data', (chunk) => {
        if (expected === 0) {
          head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
          const end = head.indexOf(headEnd);
          if (end < 0) return;
          const text = head.toString('latin1', 0, end);
          if (!text.startsWith('HTTP/1.1 200')) refused += 1;
          bodyLength = Number(/content-length: (\d+)/i.exec(text)?.[1]);
          expected = end + headEnd.length + bodyLength;
          got = head.length;
        } else got += chunk.length;
        if (got < expected) return;
        latenciesMs.push(performance.now() - sentAt);
        next();
      });
      socket.once('error', reject);
      socket.once('close', () => {
        open -= 1;
        if (open > 0) return;
        const sorted = latenciesMs.toSorted((a, b) => a - b);
        resolve({
          answers: sorted.length,
          refused,
          seconds: (performance.now() - started) / 1000,
          bodyLength,
          p50Ms: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
          p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
        });
      });
    };
    for (let i = 0; i < order.connections; i++) drive(i);
  });

process.on('message', (order: LoadOrder) => {
  fire(order).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error);
      process.exitCode = 1;
      process.disconnect();
    },
  );
});
