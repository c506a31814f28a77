import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { News } from '../../../../src/db/outbox.ts';
import { eids } from '../../../eids.ts';
import type { Message } from '../../testing/streamClient.ts';
import { balanceNews, startStreams, tradeNews } from '../../testing/streamsFixture.ts';

/** Dropped connections; 1,000 for a release. */
const drops = Number(process.env.STREAM_DROPS ?? 100);
const seed = Number(process.env.STREAM_SEED ?? Math.floor(Math.random() * 1e9));

let streams: Awaited<ReturnType<typeof startStreams>>;
beforeAll(async () => {
  streams = await startStreams();
});
afterAll(() => streams.stop());

/** mulberry32 */
const randomOf = (start: number) => {
  let state = start >>> 0;
  return (most: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
};

describe('streams after drops', () => {
  it(`S4 ${drops} drops and reconnects at random points to two processes: every event once, in order, seed ${seed}`, async () => {
    const random = randomOf(seed);
    const servers = [await streams.serve(), await streams.serve()] as const;
    const { accessToken } = await streams.signIn(servers[0]);
    const clients = await Promise.all(
      Array.from({ length: 6 }, async (_, i) => {
        const client = streams.client((servers[i % 2] as (typeof servers)[0]).socketUrl, { bearer: accessToken });
        await client.connect();
        return client;
      }),
    );
    for (const [i, client] of clients.entries()) {
      await client.subscribe({ topic: 'tokenActivity', cursor: 'earliest', batchSize: 1 + i * 3 }, 'all');
      await client.subscribe({ topic: 'tokenActivity', cursor: 'earliest', chains: ['bnb'] }, 'some');
      await client.subscribe({ topic: 'walletBalances', cursor: 'earliest' }, 'balances');
    }
    for (let block = 1; clients.reduce((sum, one) => sum + one.drops, 0) < drops; block += 1) {
      const news: News[] = Array.from({ length: random(4) }, (_, i) =>
        tradeNews(block, { token: i, chain: random(2) ? 'bnb' : 'base' }),
      );
      if (random(3) === 0) news.push(balanceNews(block, '0x1'));
      await streams.publish(...news);
      // Some clients are dropped while catching up, some twice before they are back, some while nothing happens.
      for (const client of clients) if (random(4) === 0) client.drop();
      if (random(3) === 0) await new Promise((resolve) => setTimeout(resolve, random(12)));
    }
    await streams.publish(tradeNews(1_000_000, { chain: 'bnb' }), balanceNews(1_000_000, '0x1'));
    const rows = await streams.db.selectFrom('stream_event').selectAll().orderBy('seq').execute();
    const expected = {
      all: rows.filter(({ topic }) => topic === 'tokenActivity'),
      some: rows.filter(({ topic, eid }) => topic === 'tokenActivity' && eid === eids.bnb),
      balances: rows.filter(({ topic }) => topic === 'walletBalances'),
    };
    for (const client of clients) {
      for (const [id, list] of Object.entries(expected)) {
        const end = list.at(-1)?.seq;
        await client.heard((message) => message.id === id && message.seq === end);
        const seqs = client.events(id).map(({ seq }: Message) => seq);
        expect(seqs, `${id}, seed ${seed}`).toEqual(list.map(({ seq }) => seq));
      }
      expect(client.messages.filter(({ type }) => type === 'error')).toEqual([]);
    }
    expect(expected.some.length).toBeGreaterThan(10);
  });
});
