import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStreams, tradeNews } from '../../../../test/api/testing/streamsFixture.ts';
import { createStreamReader, newestNumbers, type StreamReader } from '../../events/reader.ts';
import { createEncodings } from '../../reads/events/messages.ts';
import { Client, type Line } from './client.ts';
import { Hub } from './hub.ts';

/** A connection whose other end takes bytes when it is told to. */
class SlowLine implements Line {
  readonly encoding = createEncodings('Acme Pad').events;
  readonly #drained: (() => void)[] = [];
  /** Numbers of the events in the order in which they were written. */
  readonly seqs: number[] = [];
  isStuck = false;

  write(chunks: readonly Buffer[]): void {
    const text = Buffer.concat(chunks).toString();
    this.seqs.push(...Array.from(text.matchAll(/^id: (\d+)$/gm), ([, seq]) => Number(seq)));
  }
  waiting(): number {
    return this.isStuck ? 512 * 1024 : 0;
  }
  onceDrained(then: () => void): void {
    this.#drained.push(then);
  }
  drain(): void {
    this.isStuck = false;
    for (const then of this.#drained.splice(0)) then();
  }
  heartbeat(): boolean {
    return true;
  }
  end(): void {}
}

describe('Hub', () => {
  let streams: Awaited<ReturnType<typeof startStreams>>;
  let reader: StreamReader;
  let hub: Hub;
  let begin: number;
  beforeAll(async () => {
    streams = await startStreams();
    const { context } = await streams.serve();
    const onError = (error: unknown): void => {
      throw error;
    };
    reader = createStreamReader(context, onError);
    await reader.ready;
    hub = new Hub(context, reader);
    begin = all() + 1;
  });
  afterAll(async () => {
    await reader?.stop();
    await streams?.stop();
  });

  const connect = async (cursor: 'latest' | 'earliest' = 'latest') => {
    const line = new SlowLine();
    const client = new Client(
      line,
      (paused) => hub.pause(paused),
      () => {},
    );
    await hub.subscribe(client, { id: 'one', filter: { topic: 'tokenActivity' }, cursor });
    return { line, client };
  };
  /** Newest number that was passed on. */
  const all = () => reader.position('tokenActivity');
  let block = 0;
  /** Tells so many events, and has the reader pass them on. */
  const tell = async (count: number): Promise<void> => {
    const news = Array.from({ length: count }, () => tradeNews((block += 1)));
    await streams.publish(...news);
    const newest = (await newestNumbers(streams.db)).get('tokenActivity');
    await expect.poll(all, { interval: 5 }).toBe(newest);
  };
  const counted = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  /** What was written once the newest event was. */
  const seqsOf = async (line: SlowLine): Promise<number[]> => {
    await expect.poll(() => line.seqs.at(-1), { interval: 5 }).toBe(all());
    return line.seqs;
  };

  it('default: past events, then live ones, each once', async () => {
    await tell(3);
    const { line } = await connect('earliest');
    expect(await seqsOf(line)).toEqual(counted(begin, all()));
    await tell(250);
    expect(await seqsOf(line)).toEqual(counted(begin, all()));
  });

  it('behavior: a client that does not keep up gets nothing again and misses nothing once it does', async () => {
    const { line } = await connect();
    const from = all() + 1;
    await tell(3);
    expect(await seqsOf(line)).toEqual(counted(from, all()));
    line.isStuck = true;
    await tell(1); // written all the same, and then it is noticed
    const stuckAt = all();
    await tell(2);
    expect(line.seqs).toEqual(counted(from, stuckAt));
    line.drain();
    expect(await seqsOf(line)).toEqual(counted(from, all()));
    await tell(1);
    expect(await seqsOf(line)).toEqual(counted(from, all()));
  });

  it('behavior: nothing after the end of a subscription', async () => {
    const { line, client } = await connect();
    expect([hub.unsubscribe(client, 'one'), hub.unsubscribe(client, 'one')]).toEqual([true, false]);
    await tell(1);
    expect(line.seqs).toEqual([]);
  });
});
