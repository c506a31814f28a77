import type { Operation } from '@mintage/protocol';
import { candleSeconds, type InfoTypeName, infoTypes, statsWindows } from '@mintage/protocol/operations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChainTruth, TokenTruth } from './chainTruth.ts';
import { decimal } from './decimal.ts';
import { cases, inputIn, wireTypes } from './infoCases.ts';
import { type Body, type ReadsWorld, startReadsWorld, worldSlugs } from './readsWorld.ts';

/**
 * The whole service over real chains: every read of `/info` and its REST twin is asked over HTTP and parsed by its schema,
 * and what they say of trades, prices, windows and holders is compared with the chain's own logs.
 */

let world: ReadsWorld;
beforeAll(async () => {
  world = await startReadsWorld();
});
afterAll(() => world?.stop());

/** Optional keys of an input, all null. */
const nullsOf = ({ input }: Operation): Record<string, null> => {
  const { shape } = input as unknown as { shape: Record<string, { safeParse(value: unknown): { success: boolean } }> };
  const optional = Object.entries(shape).filter(([, schema]) => schema.safeParse(undefined).success);
  return Object.fromEntries(optional.map(([key]) => [key, null]));
};

/** What must be sent of a full input. */
const requiredOf = (full: object, operation: Operation): object => {
  const optional = nullsOf(operation);
  return Object.fromEntries(Object.entries(full).filter(([key]) => !(key in optional)));
};

/** Answers at different moments differ in times and prices, not in their keys and kinds. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item)]));
};

describe('POST /info and its twins', () => {
  test('default: all types of the wire contract are served, and each has a case here', () => {
    expect(Object.keys(infoTypes)).toEqual(wireTypes);
    expect(Object.keys(cases).toSorted()).toEqual([...wireTypes].toSorted());
  });

  describe.each(wireTypes)('%s', (type) => {
    const { operation, output } = infoTypes[type];
    const { shows, nothing, who } = cases[type];
    const full = () => inputIn(world, cases[type].full);
    const bearer = () => (who === undefined ? undefined : world.bearers[who]);

    /** Both forms, each parsed by its schema. */
    const ask = async (input: object, as = bearer()): Promise<{ info: Body; twin: Body }> => {
      const [info, twin] = [
        await world.post('/info', { type, ...input }, as),
        await world.post(operation.path, input, as),
      ];
      expect([info.status, twin.status], JSON.stringify([info.body, twin.body])).toEqual([200, 200]);
      output.parse(info.body);
      operation.output.parse(twin.body);
      expect(info.body.type).toBe(type);
      expect(twin.body).not.toHaveProperty('type');
      return { info: info.body, twin: twin.body };
    };

    test('default: with something to show', async () => {
      const { info, twin } = await ask(full());
      for (const body of [info, twin]) expect(shows(body)).toBeTruthy();
      if (infoTypes[type].answer === operation.output) {
        const { type: _, ...answer } = info;
        expect(Object.keys(answer)).toEqual(Object.keys(twin));
      }
    });

    test('behavior: null counts as absent on every optional key, which changes nothing', async () => {
      const nulls = { ...nullsOf(operation), ...requiredOf(full(), operation) };
      const [given, left] = [await ask(nulls), await ask(requiredOf(full(), operation))];
      expect(shapeOf(given)).toEqual(shapeOf(left));
    });

    test('behavior: nothing to show', async () => {
      const { is } = nothing;
      const input = inputIn(world, nothing.input);
      if (typeof is !== 'string') {
        const { info, twin } = await ask(input, who === undefined ? undefined : world.bearers.stranger);
        for (const body of [info, twin]) expect(is(body)).toBe(0);
        return;
      }
      for (const [path, body] of [
        ['/info', { type, ...input }],
        [operation.path, input],
      ] as const) {
        const answer = await world.post(path, body);
        expect([answer.status, answer.body]).toMatchObject([
          400,
          { success: false, code: is, error: expect.any(String) },
        ]);
      }
    });
  });
});

const unit = 10n ** 18n;
const minute = 60_000;
const sum = (values: bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

const read = async (type: InfoTypeName, address: string, input: object = {}): Promise<Body> => {
  const { body } = await world.post('/info', { type, token_id: address, ...input });
  expect(body.success, JSON.stringify(body)).toBe(true);
  return body;
};

/** The price at a moment: of the last trade until then. */
const priceAt = ({ trades, startPrice18 }: TokenTruth, timeMs: number): bigint =>
  trades.findLast((trade) => trade.timeMs <= timeMs)?.price18 ?? startPrice18;

describe.each(worldSlugs)('reads of %s against the logs of the chain', (slug) => {
  const usdUnit = () => 10n ** BigInt(world.chain(slug).deployment.usdDecimals);
  const tokens = (): [string, TokenTruth][] => [...(world.truths.get(slug) as ChainTruth).tokens];

  test('trades: every one, newest first, to the base unit', async () => {
    for (const [address, truth] of tokens()) {
      const { activities } = await read('getTokenTrades', address, { limit: 100 });
      expect(activities).toMatchObject(
        truth.trades.toReversed().map((trade) => ({
          chain: slug,
          token_address: address,
          evt_tx_hash: trade.txHash,
          evt_block_number: trade.block,
          evt_index: trade.index,
          evt_block_time: new Date(trade.timeMs).toISOString(),
          venue: trade.venue,
          trade_type: trade.side,
          wallet: trade.trader,
          token_amount_raw: trade.tokens.toString(),
          token_amount: decimal(trade.tokens, unit),
          usd_amount_raw: trade.grossUsd.toString(),
          usd_amount: decimal(trade.grossUsd, usdUnit()),
          price_usd_raw: trade.price18.toString(),
          price_usd: decimal(trade.price18, unit),
          market_cap_usd: decimal(trade.price18 * 1_000_000_000n, unit),
        })),
      );
    }
  });

  test('transfers: gifts between wallets, no legs of trades', async () => {
    for (const [address, truth] of tokens()) {
      const { activities } = await read('getTokenTransfers', address);
      expect(
        activities.map((row: Body) => [
          row.evt_block_number,
          row.evt_index,
          row.from_address,
          row.to_address,
          row.amount_raw,
        ]),
      ).toEqual(
        truth.transfers
          .toReversed()
          .map((move) => [move.block, move.index, move.from, move.to, move.amount.toString()]),
      );
    }
    expect(tokens().flatMap(([, truth]) => truth.transfers)).toHaveLength(1);
  });

  test('activity: all of it, in the order of the chain', async () => {
    for (const [address, truth] of tokens()) {
      const { activities } = await read('getTokenActivity', address, { limit: 100 });
      const expected = [
        ...truth.trades.map((trade) => ({ at: [trade.block, trade.index, 0], what: `trade:${trade.side}` })),
        ...truth.transfers.map((move) => ({ at: [move.block, move.index, 0], what: 'transfer:local' })),
        ...(truth.graduated === null
          ? []
          : [
              { at: [truth.graduated.block, truth.graduated.index, 1], what: 'lp:deposit' },
              { at: [truth.graduated.block, truth.graduated.index, 2], what: 'lifecycle:graduation' },
            ]),
      ].toSorted(({ at: a }, { at: b }) => {
        const place = [0, 1, 2].find((index) => a[index] !== b[index]) ?? 0;
        return (b[place] as number) - (a[place] as number);
      });
      expect(activities.map((row: Body) => `${row.activity_type}:${row.activity_subtype}`)).toEqual(
        expected.map(({ what }) => what),
      );
      expect(new Set(activities.map((row: Body) => row.pk)).size).toBe(expected.length);
    }
  });

  test.each(Object.entries(candleSeconds))(
    'candles of %s: the whole series, without a gap',
    async (interval, seconds) => {
      const length = seconds * 1_000;
      const { nowMs } = world.truths.get(slug) as ChainTruth;
      for (const [address, truth] of tokens()) {
        const expected = [];
        for (let start = Math.floor(truth.createdMs / length) * length; start <= nowMs; start += length) {
          const within = truth.trades.filter((trade) => trade.timeMs >= start && trade.timeMs < start + length);
          const open = priceAt(truth, start - 1);
          const prices = [open, ...within.map((trade) => trade.price18)];
          expected.push({
            bucket_start: new Date(start).toISOString(),
            bucket_end: new Date(start + length).toISOString(),
            open_price_usd_raw: `${open}`,
            high_price_usd_raw: `${prices.reduce((a, b) => (a > b ? a : b))}`,
            low_price_usd_raw: `${prices.reduce((a, b) => (a < b ? a : b))}`,
            close_price_usd_raw: `${prices.at(-1)}`,
            volume_token_raw: `${sum(within.map((trade) => trade.tokens))}`,
            volume_usd_raw: `${sum(within.map((trade) => trade.grossUsd))}`,
            trade_count: `${within.length}`,
          });
        }
        const { candles } = await read('getTokenCandles', address, { candle_interval: interval, limit: 5_000 });
        expect(candles).toMatchObject(expected);
      }
    },
  );

  test('stats and list: price, volume, windows and holders as the logs have them', async () => {
    const { nowMs, head } = world.truths.get(slug) as ChainTruth;
    const { body: list } = await world.post('/info', { type: 'getTokensV2', chains: [slug], limit: 100 });
    for (const [address, truth] of tokens()) {
      const [stats] = (await read('getTokenStats', address)).stats;
      const price = priceAt(truth, nowMs);
      const last = truth.trades.at(-1);
      expect(stats).toMatchObject({
        price_usd: decimal(price, unit),
        market_cap_usd: decimal(price * 1_000_000_000n, unit),
        holder_count: `${truth.holdersAt(nowMs)}`,
        last_trade_at: last === undefined ? null : new Date(last.timeMs).toISOString(),
        last_trade_venue: last?.venue ?? null,
        evt_block_number: head,
        updated_at: new Date(nowMs).toISOString(),
        total_volume_token_raw: `${sum(truth.trades.map((trade) => trade.tokens))}`,
        total_volume_usd_raw: `${sum(truth.trades.map((trade) => trade.grossUsd))}`,
      });
      for (const [window, seconds] of Object.entries(statsWindows)) {
        const since = nowMs - seconds * 1_000;
        const before = since - seconds * 1_000;
        const volumeIn = (from: number, to: number): bigint =>
          sum(truth.trades.filter(({ timeMs }) => timeMs > from && timeMs <= to).map((trade) => trade.grossUsd));
        const [volume, volumeBefore] = [volumeIn(since, nowMs), volumeIn(before, since)];
        const priceThen = priceAt(truth, since);
        const holders = [truth.holdersAt(nowMs), truth.holdersAt(since)].map(BigInt) as [bigint, bigint];
        expect(stats, window).toMatchObject({
          [`price_change_${window}_abs`]: decimal(price - priceThen, unit),
          [`price_change_${window}_pct`]: decimal((price - priceThen) * 100n, priceThen),
          [`volume_usd_${window}`]: decimal(volume, usdUnit()),
          [`volume_change_${window}_abs`]: decimal(volume - volumeBefore, usdUnit()),
          [`volume_change_${window}_pct`]:
            volumeBefore === 0n ? null : decimal((volume - volumeBefore) * 100n, volumeBefore),
          [`holder_count_change_${window}_abs`]: `${holders[0] - holders[1]}`,
          [`holder_count_change_${window}_pct`]:
            holders[1] === 0n ? null : decimal((holders[0] - holders[1]) * 100n, holders[1]),
        });
      }
      const record = list.tokens.find((token: Body) => token.token_addresses[0].address === address);
      expect(record).toMatchObject({
        trx: truth.trades.length,
        holders_count: truth.holdersAt(nowMs),
        price: Number(decimal(price, unit)),
        volume_5m: Number(stats.volume_usd_5m),
        volume_24h: Number(stats.volume_usd_24h),
        price_change_24h_percent: Number(stats.price_change_24h_pct),
        launchpad_progress_pct: Number(stats.launchpad_progress_pct),
        acme_pad_id: stats.platform_id,
      });
    }
    expect(list.tokens).toHaveLength(tokens().length);
  });

  test('the windows of the seeds differ, so that each is really looked at', () => {
    const { nowMs } = world.truths.get(slug) as ChainTruth;
    const ages = tokens().flatMap(([, { trades }]) => trades.map((trade) => nowMs - trade.timeMs));
    expect(ages.some((age) => age < 5 * minute)).toBe(true);
    expect(ages.some((age) => age > 5 * minute && age < 60 * minute)).toBe(true);
    expect(ages.some((age) => age > 60 * minute && age < 360 * minute)).toBe(true);
  });

  test('portfolio: what the caller holds', async () => {
    const { alice } = world.chain(slug).accounts;
    const { body } = await world.post('/info', { type: 'getUserPortfolio', chains: [slug] }, world.bearers.alice);
    const held = tokens().flatMap(([address, truth]) => {
      const balance = truth.balanceOf(alice.address);
      return balance === 0n ? [] : [[address, `${balance}`]];
    });
    const shown = body.data.tokens.flatMap((token: Body) =>
      token.chainBalances.map((one: Body) => [one.tokenAddress, one.balance]),
    );
    expect(shown.toSorted()).toEqual(held.toSorted());
    expect(body.data.tokens[0]).toHaveProperty('acmePadId');
  });
});
