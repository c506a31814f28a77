import { describe, expect, it } from 'vitest';
import { createClient, createStreams } from '../src/sdk.ts';
import { errorOf } from './errorOf.ts';

/** Streams of something that is not the service, or lies. */
const topic = 'tokenActivity';
const baseUrl = 'https://service.example';
const subscribed = JSON.stringify({ type: 'subscribed', topic, watermark: 5 });

/** A socket that says this once it is open, and nothing more. */
const socketSaying = (messages: readonly string[]) =>
  class extends EventTarget {
    readonly OPEN = 1;
    readonly readyState = 1;
    constructor() {
      super();
      setTimeout(() => {
        this.dispatchEvent(new Event('open'));
        for (const data of messages) this.dispatchEvent(Object.assign(new Event('message'), { data }));
      });
    }
    send(): void {}
    close(): void {}
  } as unknown as typeof WebSocket;

const eventsSaying =
  (messages: readonly string[]): typeof fetch =>
  async () =>
    new Response(messages.map((data) => `data: ${data}\n\n`).join(''));

/** One byte and then silence, or pieces of this size without an end. */
const endless =
  (status: number, size: number): typeof fetch =>
  async (_url, init) => {
    let given = 0;
    const start = (controller: ReadableStreamDefaultController): void =>
      init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
    const pull = (controller: ReadableStreamDefaultController): void | Promise<void> => {
      given += size;
      if (size === 1 && given > 1) return new Promise(() => {});
      if (given > 2 ** 27) return controller.close();
      controller.enqueue(new Uint8Array(size).fill(97));
    };
    return new Response(new ReadableStream({ start, pull }), { status });
  };

const over = {
  socket: (messages: readonly string[]) => createStreams({ baseUrl, WebSocket: socketSaying(messages), retries: 0 }),
  events: (messages: readonly string[]) => createStreams({ baseUrl, fetch: eventsSaying(messages), retries: 0 }),
};
const transports = ['socket', 'events'] as const;

describe('createStreams', () => {
  it.each(transports)('error: over %s, JSON that is no message ends a stream that has not begun', async (transport) => {
    for (const said of ['null', '5', '[]', '{}', '{"type":"subscribed"}', '{"type":"error"}']) {
      const { stream } = over[transport]([said]);
      expect((await errorOf(stream({ topic }, { transport }).next())).code, said).toBe('UNEXPECTED_ANSWER');
    }
  });

  it.each(transports)(
    'behavior: over %s, no event comes without its number, or of another topic',
    async (transport) => {
      for (const event of [
        { type: 'event', topic, data: {} },
        { type: 'event', topic, seq: '6', data: {} },
        { type: 'event', topic, seq: 6, data: null },
        { type: 'event', topic: 'walletFees', seq: 6, data: {} },
        { type: 'retract', topic, seq: 6, data: {} },
      ]) {
        const leaving = new AbortController();
        const items = over[transport]([subscribed, JSON.stringify(event)]).stream(
          { topic },
          { transport, signal: leaving.signal },
        );
        expect((await items.next()).value).toMatchObject({ type: 'begin' });
        const next = items.next();
        setTimeout(() => leaving.abort(new Error('nothing came')), 300);
        await expect(next, JSON.stringify(event)).rejects.toThrow('nothing came');
      }
    },
  );

  it.each(transports)('error: over %s, a code that objects have by themselves stays as it is', async (transport) => {
    for (const code of ['constructor', '__proto__']) {
      const { stream } = over[transport]([JSON.stringify({ type: 'error', code, message: 'No.' })]);
      expect((await errorOf(stream({ topic }, { transport }).next())).code).toBe(code);
    }
  });

  it('behavior: a wait that no timer can count is no reason to ask without a pause', async () => {
    let asked = 0;
    const fetch: typeof globalThis.fetch = async () => {
      asked += 1;
      if (asked === 1) return eventsSaying([subscribed])('');
      return Response.json(
        { code: 'SERVICE_UNAVAILABLE', error: 'Busy' },
        { status: 503, headers: { 'retry-after': '9999999' } },
      );
    };
    const { stream } = createStreams({ baseUrl, fetch });
    const leaving = new AbortController();
    const items = stream({ topic }, { transport: 'events', signal: leaving.signal });
    await items.next();
    const next = items.next();
    await expect.poll(() => asked).toBe(2);
    setTimeout(() => leaving.abort(new Error('nothing came')), 1_000);
    await expect(next).rejects.toThrow('nothing came');
    expect(asked).toBe(2);
    expect((await errorOf(stream({ topic }, { transport: 'events' }).next())).retryAfterMs).toBe(9_999_999_000);
    expect(asked).toBe(3);
  });

  it.each([200, 500])('error: an answer %i that never ends is given up', async (status) => {
    const slow = createStreams({ baseUrl, fetch: endless(status, 1), retries: 0, silenceMs: 300 });
    expect((await errorOf(slow.stream({ topic }, { transport: 'events' }).next())).code).toBe('UNREACHABLE');
    const large = createStreams({ baseUrl, fetch: endless(status, 2 ** 20), retries: 0 });
    const { code } = await errorOf(large.stream({ topic }, { transport: 'events' }).next());
    expect(code).toBe('UNEXPECTED_ANSWER');
  });
});

describe('createClient', () => {
  it('error: an answer that never ends is given up before it fills the memory', async () => {
    const client = createClient({ baseUrl, fetch: endless(200, 2 ** 20), retries: 0 });
    const error = await errorOf(client.health());
    expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER', message: expect.stringContaining('more than') });
  });
});
