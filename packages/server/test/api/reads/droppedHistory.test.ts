import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeMonths } from '../../../src/db/months.ts';
import { dropMonths } from '../../../src/index/dropMonths.ts';
import { addToken, ask, callerWith, hex, startReads, tokenRow, tradeRow } from './readsFixture.ts';

/** Traded on the tenth of each month of half a year, the last time at the index's newest block. */
const times = Array.from({ length: 6 }, (_, i) => new Date(Date.UTC(2026, i, 10)));
const last = times.at(-1) as Date;
const wallet = hex(0x77);
const fox = tokenRow('base-sepolia', hex(0xf0), { trades: 6, last_trade_at: last });
const young = tokenRow('base-sepolia', hex(0xf1), { created_at: times[4], trades: 1, last_trade_at: last });

let reads: Awaited<ReturnType<typeof startReads>>;
beforeAll(async () => {
  reads = await startReads();
  Object.assign(reads.context, { log: { warn: () => {} } });
  await makeMonths(reads.db, times);
  await addToken(reads.db, fox, 'red-fox');
  await addToken(reads.db, young, 'young-fox');
  const trades = times.map((time, i) => tradeRow(fox, 10 + i, 0, { time, trader: wallet }));
  await reads.db
    .insertInto('trade')
    .values([...trades, tradeRow(young, 15, 1, { time: last, trader: hex(0x78) })])
    .execute();
  const one = { recipient: wallet, part: 0, currency: hex(6), amount: 5n, distribution_type: 0, activity_id: 0 };
  const credit = trades.map(({ eid, block_number, log_index, block_hash, tx_hash, time, token }) => ({
    ...one,
    eid,
    block_number,
    log_index,
    block_hash,
    tx_hash,
    time,
    token,
  }));
  await reads.db.insertInto('fee_credit').values(credit).execute();
  const sum = { eid: fox.eid, recipient: wallet, distribution_type: 0, credits: 6, earned: 30n };
  await reads.db.insertInto('fee_sum').values(sum).execute();
  await reads.db.updateTable('chain').set({ rolled_time: last, indexed_time: last }).execute();
});
afterAll(() => reads?.stop());

/** Blocks of the pages that a caller goes through, two rows each. */
const blocks = async (operation: 'getTokenTrades' | 'getWalletTrades' | 'getTokenActivity'): Promise<number[]> => {
  const read: number[] = [];
  for (let offset = 0; ; offset += 2) {
    const subject = operation === 'getWalletTrades' ? { wallet } : { token_id: fox.token_id };
    const { activities } = await ask(reads.context, operation, { ...subject, limit: 2, offset }, null);
    if (activities.length === 0) return read;
    read.push(...activities.map(({ evt_block_number }) => evt_block_number));
  }
};
const history = () => ask(reads.context, 'getUserFeeHistory', { limit: 100 }, callerWith(wallet));
const facts = async (token = fox) =>
  (await ask(reads.context, 'getTokenFacts', { token_id: token.token_id }, null)).facts;

describe('reads of a history of several months', () => {
  test('page through all of it, and after months were dropped through what is kept', async () => {
    expect(await blocks('getTokenTrades')).toEqual([15, 14, 13, 12, 11, 10]);
    expect(await blocks('getWalletTrades')).toEqual([15, 14, 13, 12, 11, 10]);
    expect(await blocks('getTokenActivity')).toEqual([15, 14, 13, 12, 11, 10]);
    expect((await history()).total_count).toBe(6);

    expect(await dropMonths(reads.context.db, 2)).toEqual(new Date('2026-04-01T00:00:00Z'));

    expect(await blocks('getTokenTrades')).toEqual([15, 14, 13]);
    expect(await blocks('getWalletTrades')).toEqual([15, 14, 13]);
    expect(await blocks('getTokenActivity')).toEqual([15, 14, 13]);
    const { total_count: total, distributions } = await history();
    expect([total, distributions.length]).toEqual([3, 3]);
  });

  test('facts that rest on trades which are gone are not known; those of a younger token are', async () => {
    const why = 'Trades before 2026-04-01T00:00:00.000Z are not kept.';
    const { first_trade, creator_sold, bought_in_opening } = await facts();
    expect([first_trade, creator_sold, bought_in_opening].map((fact) => fact.why)).toEqual([why, why, why]);
    expect((await facts(young)).first_trade.known).toBe(true);
  });
});
