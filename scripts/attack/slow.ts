import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, none, type Part } from './part.ts';
import { probedWhile } from './probe.ts';
import { startService } from './service.ts';

const halfSent = 100;
/** Headers within 10 s; how often the server looks comes on top, and a machine that has other things to do. */
const cutWithinS = 16;
const waitMs = 90_000;

/** Requests that are begun and not ended, and bodies that trickle. */
export const attackSlow: Part = async ({ connections, find, tell }) => {
  await using service = await startService({ NODE_ENV: 'production' });
  const { hostname, port } = new URL(service.url);
  const begin = (text: string): Slow => slowClient(connect(Number(port), hostname), text);
  const pid = service.process.pid();

  const head = 'POST /functions/v1/search-token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n';
  const body = `${head}Content-Length: 60000\r\n\r\n{"input":"`;
  for (const [what, text, trickle] of [
    ['half a request line', 'POST /functions/v1/sea', false],
    ['headers that never end', `${head}X-Header: `, true],
    ['a body slower than 8 KiB/s', body, true],
  ] as const) {
    const clients = Array.from({ length: halfSent }, () => begin(text));
    const timer = setInterval(() => trickle && clients.forEach((client) => client.say('a')), 1_000);
    const cut = await Promise.all(clients.map((client) => client.cutAfterMs));
    clearInterval(timer);
    const latest = Math.max(...cut) / 1000;
    tell(`${what}: cut after ${(Math.min(...cut) / 1000).toFixed(1)} to ${latest.toFixed(1)} s`);
    find(atMost(`${halfSent} × ${what}, the last one cut`, latest, cutWithinS, ' s'));
  }

  const alone = await probedWhile(service.url, () => sleep(5_000));
  const many = Array.from({ length: connections }, (_, i) => begin(i % 2 === 0 ? `${head}X-Header: ` : body));
  const beside = await probedWhile(service.url, () => sleep(5_000));
  for (const client of many) client.end();
  const [before, during] = [alone.p99, beside.p99].map((ms) => ms.toFixed(1));
  tell(`${connections} slow connections: /health p99 ${during} ms, without them ${before} ms`);
  // Under a few milliseconds a ratio says nothing.
  find(
    atMost(
      `/health p99 beside ${connections} slow connections (alone ${before} ms)`,
      beside.p99,
      Math.max(20, 2 * alone.p99),
      ' ms',
    ),
  );
  find(none('answers of /health other than 200', beside.failed));
  find(none('ends of the process', service.process.pid() === pid ? 0 : 1));
};

interface Slow {
  /** Infinite when it never was. */
  cutAfterMs: Promise<number>;
  say(text: string): void;
  end(): void;
}

const slowClient = (socket: Socket, text: string): Slow => {
  const started = performance.now();
  socket.on('error', () => socket.destroy()).resume();
  socket.write(text);
  const patience = setTimeout(() => socket.destroy(), waitMs);
  const cutAfterMs = new Promise<number>((resolve) => {
    socket.once('close', () => {
      clearTimeout(patience);
      const ms = performance.now() - started;
      resolve(ms >= waitMs ? Number.POSITIVE_INFINITY : ms);
    });
  });
  return {
    cutAfterMs,
    say: (more) => void (socket.writable && socket.write(more)),
    end: () => void socket.destroy(),
  };
};
