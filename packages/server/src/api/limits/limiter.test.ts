import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@mintage/devnet/freePort';
import { until } from '@mintage/devnet/until';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { callerWith } from '../../../test/api/reads/readsFixture.ts';
import { testApi } from '../../../test/api/testing/testApi.ts';
import { configFromEnv } from '../../config.ts';
import type { Caller } from '../accounts/caller.ts';
import { MemoryAllowances } from './allowance.ts';
import { clientAddress } from './clientAddress.ts';
import { createLimiter, type Limiter } from './limiter.ts';

const log = pino({ level: 'silent' });

describe('MemoryAllowances', () => {
  const at = { ms: 1_000 };
  const takeTimes = (allowances: MemoryAllowances, times: number, perMinute: number): number =>
    Array.from({ length: times }, () => allowances.take('key', perMinute)).filter(({ admitted }) => admitted).length;

  it('default: the allowance at once; each request counts until it is a minute old', () => {
    const allowances = new MemoryAllowances(() => at.ms);
    expect(takeTimes(allowances, 30, 60)).toBe(30);
    at.ms += 20_000;
    expect(takeTimes(allowances, 1_000, 60)).toBe(30);
    expect(allowances.take('key', 60)).toEqual({ admitted: false, remaining: 0, wholeInMs: 60_000, nextInMs: 40_000 });
    at.ms += 39_999;
    expect(takeTimes(allowances, 10, 60)).toBe(0);
    at.ms += 1;
    expect(allowances.take('key', 60)).toEqual({ admitted: true, remaining: 29, wholeInMs: 60_000, nextInMs: 0 });
    expect(takeTimes(allowances, 1_000, 60)).toBe(29);
    at.ms += 60_000;
    expect(takeTimes(allowances, 1_000, 60)).toBe(60);
  });

  it('L6 any minute, the first one too, has at most the allowance, and one who keeps to it is never refused', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.integer({ min: 0, max: 9_000 }), { minLength: 200, maxLength: 400 }),
        (perMinute, gapsMs) => {
          const allowances = new MemoryAllowances(() => at.ms);
          const admittedAt: number[] = [];
          for (const gapMs of gapsMs) {
            at.ms += gapMs;
            const { admitted, remaining } = allowances.take('key', perMinute);
            const inMinute = admittedAt.filter((ms) => at.ms - ms < 60_000).length;
            expect(admitted).toBe(inMinute < perMinute);
            if (admitted) admittedAt.push(at.ms);
            expect(remaining).toBe(perMinute - inMinute - (admitted ? 1 : 0));
          }
        },
      ),
      { numRuns: Number(process.env.CASES ?? 100) },
    );
  });

  it('L6 one who asks ten times too often gets the allowance in the first minute, and again in the second', () => {
    const allowances = new MemoryAllowances(() => at.ms);
    const minute = (): number => {
      let admitted = 0;
      for (let step = 0; step < 3_000; step += 1) {
        admitted += takeTimes(allowances, 1, 300);
        at.ms += 20;
      }
      return admitted;
    };
    expect([minute(), minute()]).toEqual([300, 300]);
  });

  it('behavior: keys that are whole again are forgotten', () => {
    const allowances = new MemoryAllowances(() => at.ms);
    for (let i = 0; i < 9_999; i += 1) allowances.take(`key ${i}`, 60);
    at.ms += 60_000;
    allowances.take('last', 60);
    expect(allowances.size).toBe(1);
  });
});

describe('clientAddress', () => {
  it('R4 an IPv4 address counts for itself, also when written as IPv6; an IPv6 address for its /56', () => {
    expect(clientAddress('203.0.113.7')).toBe('203.0.113.7');
    expect(clientAddress('::ffff:203.0.113.7')).toBe('203.0.113.7');
    expect(clientAddress('2001:db8:1:22ff::1')).toBe('2001:db8:1:2200::/56');
    expect(clientAddress('2001:db8:1:2200:dead:beef::9')).toBe('2001:db8:1:2200::/56');
    expect(clientAddress('2001:db8:1:2300::1')).not.toBe(clientAddress('2001:db8:1:2200::1'));
  });
});

describe('limits over HTTP', () => {
  const start = (limits: object, env: Record<string, string> = {}) =>
    testApi({ env: { RATE_LIMITS: JSON.stringify(limits), ...env } });

  it('default: headers tell what is left, and who has nothing left is told when to come back', async () => {
    const api = await start({ anonymous: 2 });
    try {
      const first = await api.call('chains');
      expect(first.headers).toMatchObject({ 'ratelimit-policy': '"read";q=2;w=60', ratelimit: '"read";r=1;t=60' });
      await api.call('chains');
      const refused = await api.call('chains');
      expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(50);
      expect(refused.body.details).toEqual({ retryAfterSeconds: Number(refused.headers['retry-after']) });
      expect((await api.inject({ method: 'GET', url: '/nowhere' })).statusCode).toBe(429);
      expect((await api.call('health')).status).toBe(200);
      expect((await api.inject({ method: 'OPTIONS', url: '/functions/v1/chains' })).statusCode).toBe(204);
    } finally {
      await api.stop();
    }
  });

  it('R4 a caller has an own allowance, whatever the address; a premium one a larger; a wrong credential none', async () => {
    const api = await start({ anonymous: 8, authenticated: 3, premium: 5 });
    try {
      const [one, other] = [await api.signIn(), await api.signIn()];
      await api.context.db.updateTable('app_user').set({ premium: true }).where('user_id', '=', other.userId).execute();
      const statuses = async (bearer: string, times: number) => {
        const all: number[] = [];
        for (let i = 0; i < times; i += 1) all.push((await api.call('chains', {}, { bearer })).status);
        return all;
      };
      expect(await statuses(one.accessToken, 4)).toEqual([200, 200, 200, 429]);
      expect(await statuses(other.accessToken, 6)).toEqual([200, 200, 200, 200, 200, 429]);
      for (let i = 0; i < 8; i += 1) await api.call('chains', {}, { bearer: `forged-${i}` });
      expect((await api.call('chains')).status).toBe(429);
    } finally {
      await api.stop();
    }
  });

  it('behavior: sign-ins and writes have allowances of their own', async () => {
    const api = await start({ signIn: 2, writeDivisor: 600 });
    try {
      const { accessToken } = await api.signIn();
      expect((await api.call('authChallenge', {})).status).toBe(429);
      const statuses: number[] = [];
      for (const name of ['one', 'two', 'three']) {
        statuses.push((await api.call('createApiKey', { name }, { bearer: accessToken })).status);
      }
      expect(statuses).toEqual([200, 200, 429]);
      expect((await api.call('listApiKeys', {}, { bearer: accessToken })).status).toBe(200);
    } finally {
      await api.stop();
    }
  });

  it('R4 a header names the client only when a trusted proxy sends it', async () => {
    const from = (api: Awaited<ReturnType<typeof start>>, address: string) =>
      api.inject({ method: 'GET', url: '/functions/v1/chains', headers: { 'x-forwarded-for': address } });
    const [open, behind] = [
      await start({ anonymous: 1 }),
      await start({ anonymous: 1 }, { TRUSTED_PROXIES: '127.0.0.0/8' }),
    ];
    try {
      expect((await from(open, '198.51.100.1')).statusCode).toBe(200);
      expect((await from(open, '198.51.100.2')).statusCode).toBe(429);
      expect((await from(behind, '198.51.100.1')).statusCode).toBe(200);
      expect((await from(behind, '198.51.100.2')).statusCode).toBe(200);
      expect((await from(behind, '198.51.100.2')).statusCode).toBe(429);
      // The client wrote the first address itself.
      expect((await from(behind, '203.0.113.9, 198.51.100.2')).statusCode).toBe(429);
    } finally {
      await Promise.all([open.stop(), behind.stop()]);
    }
  });
});

describe('limits shared through Redis', () => {
  let port: number;
  let folder: string;
  let server: ReturnType<typeof spawn>;
  const limiters: Limiter[] = [];

  const startServer = async () => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
    server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const chunk of server.stdout as NodeJS.ReadableStream) {
      if (String(chunk).includes('Ready to accept connections')) break;
    }
    server.stdout?.resume();
  };
  const stopServer = async () => {
    if (server.exitCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  };
  const limiter = (limits: object, answersWithinMs = 120_000) => {
    const env = { REDIS_URL: `redis://127.0.0.1:${port}`, RATE_LIMITS: JSON.stringify(limits) };
    // A generous time limit, so that a busy machine does not make Redis look unavailable.
    const made = createLimiter(configFromEnv(env), log, undefined, answersWithinMs);
    limiters.push(made);
    return made;
  };
  const user = (n: number): Caller => ({ ...callerWith(), userId: `user ${n}` });
  const takeMany = async (many: Limiter[], times: number, caller: Caller) => {
    const taken = await Promise.all(
      Array.from({ length: times }, async (_, i) => many[i % many.length]?.take(undefined, caller, '127.0.0.1')),
    );
    return taken.filter((one) => one?.admitted).length;
  };
  /**
   * Minutes begun since `started`: on a machine that is busy for more than a minute, the first requests have expired
   * when the last arrive.
   */
  const minutesFrom = (started: number): number => Math.ceil((performance.now() - started) / 60_000);
  const untilShared = async (one: Limiter) => {
    // Waits for the new connection to Redis; until then the stricter allowance of the process counts.
    let i = 1_000;
    await until(async () => (await one.take(undefined, user(i++), '127.0.0.1')).remaining === 99);
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mintage-redis-'));
    port = await freePort();
    await startServer();
  });
  afterEach(() => {
    for (const one of limiters.splice(0)) one.stop();
  });
  afterAll(async () => {
    await stopServer();
    rmSync(folder, { recursive: true, force: true });
  });

  it('R4 four servers under ten times the load admit the allowance once', async () => {
    const servers = [1, 2, 3, 4].map(() => limiter({ authenticated: 100 }));
    await Promise.all(servers.map(untilShared));
    const started = performance.now();
    const admitted = await takeMany(servers, 1_000, user(1));
    expect(admitted).toBeGreaterThanOrEqual(100);
    expect(admitted).toBeLessThanOrEqual(100 * minutesFrom(started));
    expect(await takeMany(servers, 100, user(2))).toBeGreaterThanOrEqual(100);
  });

  it('R4 four processes under ten times the load admit the allowance once', async () => {
    const env = { ...process.env, REDIS_URL: `redis://127.0.0.1:${port}`, RATE_LIMITS: '{"authenticated":600}' };
    const script = fileURLToPath(new URL('../../../test/api/limiterProcess.ts', import.meta.url));
    const processes = [1, 2, 3, 4].map(() => fork(script, { env }));
    const ask = async (one: ChildProcess, calls: number, userId: string) => {
      one.send({ calls, userId });
      return (await once(one, 'message'))[0] as { admitted: number; remaining: number };
    };
    try {
      // Until a process reaches Redis it counts by itself and admits a tenth.
      for (const [at, one] of processes.entries()) {
        for (let i = 0; (await ask(one, 1, `fresh ${at} ${i}`)).remaining !== 599; i += 1) continue;
      }
      const started = performance.now();
      const answers = await Promise.all(processes.map((one) => ask(one, 1_500, 'shared')));
      const admitted = answers.reduce((sum, answer) => sum + answer.admitted, 0);
      expect(admitted).toBeGreaterThanOrEqual(600);
      expect(admitted).toBeLessThanOrEqual(600 * minutesFrom(started));
      console.log(`${admitted} of 6,000 calls admitted by 4 processes, in ${minutesFrom(started)} minute(s) begun`);
    } finally {
      await Promise.all(
        processes.map(async (one) => {
          const ended = once(one, 'exit');
          one.kill();
          await ended;
        }),
      );
    }
  });

  it('H14 a Redis that hangs is waited for once, by who had asked; then it is tried in the background only', async () => {
    const one = limiter({ authenticated: 100 }, 1_000);
    await untilShared(one);
    const monitor = new Redis(port, '127.0.0.1');
    const takes = async () => Number(/cmdstat_evalsha:calls=(\d+)/.exec(await monitor.info('commandstats'))?.[1] ?? 0);
    const before = await takes();
    server.kill('SIGSTOP');
    try {
      expect(await takeMany([one], 50, user(10))).toBe(10); // all of these reach Redis concurrently
      for (let i = 0; i < 500; i += 1) expect(await takeMany([one], 1, user(10))).toBe(0);
      for (let i = 0; i < 500; i += 1) expect(await takeMany([one], 1, user(11))).toBe(i < 10 ? 1 : 0);
    } finally {
      server.kill('SIGCONT');
    }
    expect((await takes()) - before).toBeLessThanOrEqual(50);
    await untilShared(one);
    expect(await takeMany([one], 200, user(12))).toBe(100);
    monitor.disconnect();
  });

  it('R4 while Redis is away each server admits a tenth, and takes it up again', async () => {
    const servers = [1, 2].map(() => limiter({ authenticated: 100 }));
    await Promise.all(servers.map(untilShared));
    await stopServer();
    expect(await takeMany(servers, 400, user(3))).toBe(20);
    await startServer();
    await Promise.all(servers.map(untilShared));
    expect(await takeMany(servers, 100, user(4))).toBeGreaterThanOrEqual(100);
  });
});
