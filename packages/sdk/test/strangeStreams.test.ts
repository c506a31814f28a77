import { describe, expect, it } from 'vitest';
import { createStreams } from '../src/sdk.ts';
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
        const items = over[transport]([subscribed, JSON.stringify(event)]).stream(
          { topic },
          { transport, signal: AbortSignal.timeout(400) },
        );
        expect((await items.next()).value).toMatchObject({ type: 'begin' });
        await expect(items.next(), JSON.stringify(event)).rejects.toThrow('timeout');
      }
    },
  );

  it.each(transports)('error: over %s, a code that objects have by themselves stays as it is', async (transport) => {
    for (const code of ['constructor', '__proto__']) {
      const { stream } = over[transport]([JSON.stringify({ type: 'error', code, message: 'No.' })]);
      expect((await errorOf(stream({ topic }, { transport }).next())).code).toBe(code);
    }
  });
});
