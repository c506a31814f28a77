import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Run by `heartbeat.test.ts` alone. */
let server: Server;
beforeAll(() => new Promise<void>((resolve) => (server = createServer().listen(0, resolve)).unref()));
afterAll(() => void server.close());

it('passes', () => expect(server.listening).toBe(true));
it.runIf(process.env.HUNG === 'test')('is never told', () => new Promise(() => undefined));
it.runIf(process.env.HUNG === 'poll')('never sees it', () => expect.poll(() => server.listening).toBe(false));
it('would wait for the same', () => undefined);
it.runIf(process.env.HUNG === 'rejection')('rejects a promise that it does not await', () => {
  void Promise.reject(new Error('not awaited'));
});
describe.runIf(process.env.HUNG === 'hooks').each([1, 2, 3, 4])('world %s', () => {
  beforeAll(() => new Promise(() => undefined));
  it('would use it', () => undefined);
});
