import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addToken, ask, hex, startReads, tokenRow, windowRow } from '../../../test/api/reads/readsFixture.ts';
import type { NewRow } from '../../db/chainTables.ts';

const now = Date.parse('2026-01-03T00:10:00Z');
const ago = (seconds: number): Date => new Date(now - seconds * 1_000);
const [minute, day] = [60, 86_400] as const;
const usd18 = (dollars: number): bigint => BigInt(dollars) * 10n ** 18n;

const priced = (address: number, created: Date, row: Partial<NewRow<'token'>> = {}) =>
  tokenRow('base-sepolia', hex(address), {
    created_at: created,
    start_price_usd18: usd18(1),
    price_usd18: usd18(1),
    ...row,
  });

/** Traded for longer than a day. */
const old = priced(0xf0, ago(3 * day), { price_usd18: usd18(9) });
const quiet = priced(0xf1, ago(3 * day));
const young = priced(0xf2, ago(30 * minute + 20), { price_usd18: usd18(4) });
const newest = priced(0xf3, ago(0));
const elsewhere = tokenRow('ethereum', hex(0xf4));

const candle = (token: NewRow<'token'>, seconds: number, bucket: Date, close: bigint): NewRow<'candle'> => ({
  eid: token.eid,
  token: token.address,
  seconds,
  bucket,
  open_usd18: 1n,
  high_usd18: close,
  low_usd18: 1n,
  close_usd18: close,
  volume_tokens: 1n,
  volume_usd18: 1n,
  trades: 1,
});

describe('getSparklines', () => {
  let reads: Awaited<ReturnType<typeof startReads>>;
  beforeAll(async () => {
    reads = await startReads();
    const { db } = reads;
    const at = { indexed: 7, rolled_block: 7, indexed_time: new Date(now) };
    await db.updateTable('chain').set(at).where('eid', '=', old.eid).execute();
    const { eid } = elsewhere;
    await db
      .insertInto('chain')
      .values({ eid, slug: 'ethereum', usd: hex(1), usd_decimals: 6, launchpad: hex(2), ...at })
      .execute();
    await addToken(db, old, 'old');
    await addToken(db, quiet, 'quiet');
    await addToken(db, young, 'young');
    await addToken(db, newest, 'newest');
    await addToken(db, elsewhere, 'elsewhere');
    const time = (text: string): Date => new Date(`2026-01-${text}Z`);
    await db
      .insertInto('candle')
      .values([
        candle(old, 900, time('01T12:00:00'), usd18(2)),
        // Two of one half hour, in which a day ago lies: it is before the line.
        candle(old, 900, time('02T00:00:00'), usd18(3)),
        candle(old, 900, time('02T00:15:00'), usd18(4)),
        // The first half hour of the line.
        candle(old, 900, time('02T00:30:00'), usd18(5)),
        candle(old, 900, time('02T00:45:00'), usd18(6)),
        candle(old, 900, time('02T12:15:00'), usd18(7)),
        candle(old, 900, time('03T00:00:00'), usd18(9)),
        // Of other lengths, which do not count.
        candle(old, 60, time('02T13:00:00'), usd18(99)),
        candle(old, 1_800, time('02T13:00:00'), usd18(99)),
        candle(young, 60, time('02T23:50:00'), usd18(3)),
        candle(young, 60, time('03T00:10:00'), usd18(4)),
        candle(young, 900, time('03T00:00:00'), usd18(99)),
      ])
      .execute();
    await db
      .insertInto('token_window')
      .values(windowRow(old, { price_then_usd18_24h: usd18(4), price_then_usd18_1h: usd18(5) }))
      .execute();
  });
  afterAll(() => reads?.stop());

  const lines = async (...token_ids: string[]) =>
    (await ask(reads.context, 'getSparklines', { token_ids }, null)).sparklines;

  test('default: half hours of a day, and the price carried forward', async () => {
    const [line, ...others] = await lines('old');
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      asked: 'old',
      token_id: old.token_id,
      from: '2026-01-02T00:30:00.000Z',
      step_seconds: 1_800,
      change_24h_pct: '125',
    });
    const sixes = Array.from({ length: 23 }, () => '6');
    const sevens = Array.from({ length: 24 }, () => '7');
    expect(line?.closes).toEqual(['4', ...sixes, ...sevens, '9']);
  });

  test('behavior: without a trade in the last day, the last price before; before any, the first', async () => {
    const [line] = await lines('quiet');
    expect(line?.closes).toEqual(Array.from({ length: 49 }, () => '1'));
    // Its window is not computed.
    expect(line?.change_24h_pct).toBeNull();
  });

  test('behavior: a young token begins with its creation, in shorter steps', async () => {
    const [line, point] = await lines('young', 'newest');
    expect(line).toMatchObject({ from: ago(30 * minute + 20).toISOString(), step_seconds: 60 });
    const [ones, threes] = [Array.from({ length: 12 }, () => '1'), Array.from({ length: 20 }, () => '3')];
    expect(line?.closes).toEqual([...ones, ...threes, '4']);
    expect(point).toMatchObject({ from: ago(0).toISOString(), step_seconds: 60, closes: ['1', '1'] });
  });

  test('behavior: by any reference, in the order of the question, each as often as it is asked', async () => {
    const refs = [
      young.address.toUpperCase(),
      ` ${old.platform_id} `,
      old.token_id.toUpperCase(),
      'OLD',
      'quiet',
      'old',
    ];
    const found = await lines(...refs);
    expect(found.map(({ asked, token_id }) => [asked, token_id])).toEqual([
      [refs[0], young.token_id],
      [refs[1], old.token_id],
      [refs[2], old.token_id],
      [refs[3], old.token_id],
      [refs[4], quiet.token_id],
      [refs[5], old.token_id],
    ]);
  });

  test('behavior: what is not known or not served here is left out', async () => {
    // An id is the beginning of a platform id.
    const likeOld = old.platform_id.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    const nobody = ['nobody', hex(0x99), likeOld, '00000000-0000-4000-8000-000000000009', 'elsewhere'];
    expect((await lines(...nobody, 'old')).map(({ asked }) => asked)).toEqual(['old']);
    expect(await lines('nobody')).toEqual([]);
  });

  test('behavior: while its chain catches up, the change is not known', async () => {
    const chain = reads.db.updateTable('chain').where('eid', '=', old.eid);
    await chain.set({ rolled_block: 6 }).execute();
    const [line] = await lines('old');
    await chain.set({ rolled_block: 7 }).execute();
    expect(line?.change_24h_pct).toBeNull();
  });

  test.each([[], Array.from({ length: 101 }, () => 'old'), ['']])('error: R7 1 to 100 references', async (...ids) => {
    await expect(lines(...ids)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
  });
});
