import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hex } from '../../reads/readsFixture.ts';
import type { Message } from '../../testing/streamClient.ts';
import { feeNews, type StreamsServer, startStreams, tradeNews } from '../../testing/streamsFixture.ts';

let streams: Awaited<ReturnType<typeof startStreams>>;
let server: StreamsServer;
beforeAll(async () => {
  streams = await startStreams();
  server = await streams.serve();
});
afterAll(() => streams.stop());

/**
 * A reader of server-sent events as the specification defines it: fields line by line, an empty line ends a message.
 */
const open = async (query: string, headers: Record<string, string> = {}) => {
  const stop = new AbortController();
  const answer = await fetch(`${server.url}/stream?${query}`, { headers, signal: stop.signal });
  const messages: { id?: string; data: Message }[] = [];
  const waiting: (() => void)[] = [];
  let text = '';
  const read = async () => {
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const fields = text
          .slice(0, end)
          .split('\n')
          .filter((line) => !line.startsWith(':'))
          .map((line) => line.split(/: (.*)/s));
        text = text.slice(end + 2);
        const { id, data } = Object.fromEntries(fields) as { id?: string; data?: string };
        if (data !== undefined) messages.push({ ...(id === undefined ? {} : { id }), data: JSON.parse(data) });
        for (const resolve of waiting.splice(0)) resolve();
      }
    }
  };
  const done = answer.ok ? read().catch(() => {}) : Promise.resolve();
  return {
    answer,
    messages,
    async until(is: (message: Message) => boolean): Promise<void> {
      while (!messages.some(({ data }) => is(data))) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    done,
    stop: () => stop.abort(),
  };
};

describe('stream', () => {
  it('default: subscribed, then events with their number as id, retractions too', async () => {
    const stream = await open(
      `topic=tokenActivity&tokenIds=${hex(5, 32)},${hex(6, 32)}&tokenIds=${hex(7, 32)}&chains=bnb,base`,
    );
    expect(stream.answer.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.answer.headers.get('access-control-allow-origin')).toBe('*');
    await stream.until(({ type }) => type === 'subscribed');
    const [
      {
        data: { watermark },
      },
    ] = stream.messages as [{ data: Message }];
    const first = tradeNews(1, { token: 5, chain: 'bnb' });
    await streams.publish(
      first,
      tradeNews(2, { token: 8, chain: 'bnb' }),
      tradeNews(3, { token: 6 }),
      { ...first, retracts: watermark + 1 },
      tradeNews(4, { token: 7, chain: 'base' }),
    );
    await stream.until(({ data }) => data?.evt_block_number === 4);
    const data = { ...first.data, acme_pad_id: hex(5, 32) };
    expect(stream.messages.slice(1, 3)).toEqual([
      { id: `${watermark + 1}`, data: { type: 'event', topic: 'tokenActivity', seq: watermark + 1, data } },
      {
        id: `${watermark + 4}`,
        data: { type: 'retract', topic: 'tokenActivity', seq: watermark + 4, retracts: watermark + 1, data },
      },
    ]);
    expect(stream.messages.length).toBe(4);
    stream.stop();
  });

  it('S4 Last-Event-ID goes on where a reader was; a cursor beside it counts for less', async () => {
    const news = Array.from({ length: 30 }, (_, i) => tradeNews(100 + i, { token: 9 }));
    await streams.publish(...news.slice(0, 20));
    const query = `topic=tokenActivity&tokenIds=${hex(9, 32)}&cursor=earliest&batchSize=3`;
    const before = await open(query);
    await before.until(({ data }) => data?.evt_block_number === 112);
    const { id } = before.messages.find(({ data }) => data.data?.evt_block_number === 112) as { id: string };
    before.stop();
    const after = await open(query, { 'last-event-id': id });
    await streams.publish(...news.slice(20));
    await after.until(({ data }) => data?.evt_block_number === 129);
    expect(after.messages.slice(1).map(({ data }) => data.data.evt_block_number)).toEqual(
      Array.from({ length: 17 }, (_, i) => 113 + i),
    );
    after.stop();
    const expired = await open('topic=tokenActivity', { 'last-event-id': '1' });
    await expired.until(({ code }) => code === 'CURSOR_EXPIRED');
    expired.stop();
  });

  it('S1 W5 error: what is not public needs a credential, fees are the caller’s own', async () => {
    const codeOf = async (query: string, headers?: Record<string, string>) => {
      const { answer } = await open(query, headers);
      return [answer.status, ((await answer.json()) as Message).code];
    };
    const [alice, bob] = await Promise.all([streams.signIn(server), streams.signIn(server)]);
    const authorization = `Bearer ${alice.accessToken}`;
    expect(await codeOf('topic=walletBalances')).toEqual([401, 'AUTHENTICATION_FAILED']);
    expect(await codeOf('topic=walletFees', { authorization: 'Bearer nonsense' })).toEqual([
      401,
      'AUTHENTICATION_FAILED',
    ]);
    expect(await codeOf(`topic=walletFees&wallets=${bob.address}`, { authorization })).toEqual([
      401,
      'AUTHENTICATION_FAILED',
    ]);
    const own = await open('topic=walletFees&activityIds=0,3&distributionTypes=0', { authorization });
    await own.until(({ type }) => type === 'subscribed');
    await streams.publish(feeNews(1, bob.address), feeNews(2, alice.address));
    await own.until(({ type }) => type === 'event');
    expect(own.messages[1]?.data.data.recipient).toBe(alice.address);
    streams.clock.ms += 16 * 60_000;
    await own.done; // the token expired
    expect(own.messages.at(-1)?.data).toMatchObject({
      type: 'closed',
      reason: expect.stringContaining('credential ended'),
    });
  });

  it.each([
    ['no topic', '', 'topic'],
    ['another topic', 'topic=x', 'topic'],
    ['an unknown chain', 'topic=tokenActivity&chains=mars', 'chains.0'],
    ['a filter of another topic', `topic=tokenActivity&wallets=${hex(1)}`, 'wallets'],
    ['no number', 'topic=walletFees&activityIds=a', 'activityIds.0'],
    ['a cursor that is none', 'topic=tokenActivity&cursor=-1', 'cursor'],
    ['a batch too large', 'topic=tokenActivity&batchSize=9999', 'batchSize'],
  ])('error: %s: 400 with the path', async (_, query, path) => {
    const { answer } = await open(query);
    const { code, details } = (await answer.json()) as Message;
    expect([answer.status, code, details[0].path]).toEqual([400, 'INVALID_PARAMETERS', path]);
  });

  it('error: an unknown token; a request for the head alone', async () => {
    const { answer } = await open('topic=tokenActivity&tokenIds=nobody');
    expect([answer.status, ((await answer.json()) as Message).code]).toEqual([400, 'TOKEN_NOT_FOUND']);
    expect((await fetch(`${server.url}/stream?topic=tokenActivity`, { method: 'HEAD' })).status).toBe(404);
  });

  it('behavior: a reader that goes away is forgotten', async () => {
    const clients = () => server.context.metrics.registry.getSingleMetric('mintage_stream_clients')?.get();
    const count = async () => (await clients())?.values.find(({ labels }) => labels.kind === 'events')?.value;
    await expect.poll(count).toBe(0);
    const stream = await open('topic=tokenActivity');
    expect(await count()).toBe(1);
    stream.stop();
    await expect.poll(count).toBe(0);
  });
});
