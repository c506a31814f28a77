import { distributionTypes } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, hex, startReads, tokenRow, tradeRow, windowRow } from '../../../test/api/reads/readsFixture.ts';
import type { NewRow } from '../../db/chainTables.ts';

const day = 86_400_000;
const now = new Date('2026-01-03T00:00:00Z');
const ago = (ms: number): Date => new Date(now.getTime() - ms);

const fox = tokenRow('base-sepolia', hex(0xf0), { created_at: ago(1), stage: 'graduating' });
const hen = tokenRow('base-sepolia', hex(0xf1), { created_at: ago(day), stage: 'graduated' });
const owl = tokenRow('bnb', hex(0xf2), { created_at: ago(day - 1), stage: 'new' });
const tokens = [fox, hen, owl];

const credit = (
  token: NewRow<'token'>,
  part: number,
  row: Partial<NewRow<'fee_credit'>> & { currency: NewRow<'fee_credit'>['currency'] },
): NewRow<'fee_credit'> => ({
  eid: token.eid,
  recipient: token.creator,
  block_number: 20,
  log_index: 0,
  part,
  block_hash: hex(20, 32),
  tx_hash: hex(20, 32),
  time: ago(1),
  amount: 1_000_001n,
  distribution_type: distributionTypes.creator,
  activity_id: 0,
  token: token.address,
  ...row,
});

describe('getMarketSummary', () => {
  let reads: Awaited<ReturnType<typeof startReads>>;
  const summary = (chains: string[] = []) => ask(reads.context, 'getMarketSummary', { chains }, null);

  beforeAll(async () => {
    reads = await startReads();
    const { db } = reads;
    await db.updateTable('chain').set({ indexed: 5, rolled_block: 5, indexed_time: now }).execute();
    // This one is far behind its head.
    await db.updateTable('chain').set({ rolled_block: 4 }).where('slug', '=', 'base').execute();
    await db
      .insertInto('token')
      .values([...tokens, tokenRow('base', hex(0xf3), { created_at: ago(1) })])
      .execute();
    await db
      .insertInto('token_window')
      .values([
        windowRow(fox, { volume_usd18_24h: 5n * 10n ** 17n, volume_usd18_1h: 9n * 10n ** 18n }),
        windowRow(hen, { volume_usd18_24h: 10n ** 18n }),
        windowRow(owl, { volume_usd18_24h: 2n * 10n ** 18n }),
      ])
      .execute();
    const trader = { trader: hex(0x70) };
    await db
      .insertInto('trade')
      .values([
        tradeRow(fox, 20, 0, { time: ago(1) }),
        tradeRow(fox, 20, 1, { time: ago(day - 1), side: 'sell' }),
        tradeRow(hen, 19, 0, { time: ago(day - 1), ...trader }),
        tradeRow(hen, 18, 0, { time: ago(day), trader: hex(0x71) }),
        tradeRow(hen, 20, 2, { time: ago(1), trader: hex(0x72), foreign_router: true }),
        tradeRow(owl, 20, 0, { time: ago(1), ...trader }),
      ])
      .execute();
    const [base, bnb] = (['base-sepolia', 'bnb'] as const).map(
      (slug) => reads.context.chains.get(slug)?.deployment.usd,
    ) as [`0x${string}`, `0x${string}`];
    await db
      .insertInto('fee_credit')
      .values([
        credit(fox, 0, { currency: base }),
        credit(fox, 1, { currency: base, time: ago(day), block_number: 1 }),
        credit(fox, 2, { currency: base, distribution_type: distributionTypes.builder }),
        credit(hen, 3, { currency: hen.address, block_number: 21 }),
        credit(owl, 0, { currency: bnb, amount: 25n * 10n ** 16n }),
      ])
      .execute();
  });
  afterAll(() => reads?.stop());

  test('default: all chains; the days of those that are near their head, dollars of any decimals', async () => {
    expect(await summary()).toEqual({
      success: true,
      chains: ['base-sepolia', 'bnb', 'base'],
      catching_up: ['base'],
      tokens: 4,
      by_stage: { new: 2, graduating: 1, graduated: 1 },
      created_24h: 2,
      volume_24h_usd: '3.5',
      paid_to_creators_24h_usd: '1.250001',
      traders_24h: 3,
    });
  });

  test('behavior: chains of the question only', async () => {
    expect(await summary(['bnb', 'ethereum'])).toMatchObject({
      chains: ['bnb'],
      catching_up: [],
      tokens: 1,
      by_stage: { new: 1, graduating: 0, graduated: 0 },
      volume_24h_usd: '2',
      paid_to_creators_24h_usd: '0.25',
      traders_24h: 1,
    });
  });

  test('behavior: while no chain is near its head the day is not known, which is not 0', async () => {
    expect(await summary(['base'])).toMatchObject({
      catching_up: ['base'],
      tokens: 1,
      created_24h: null,
      volume_24h_usd: null,
      paid_to_creators_24h_usd: null,
      traders_24h: null,
    });
  });

  test('error: something else than a list of chains', async () => {
    await expect(ask(reads.context, 'getMarketSummary', { chains: 'base' }, null)).rejects.toMatchObject({
      code: 'INVALID_PARAMETERS',
    });
  });
});
