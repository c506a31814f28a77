import { MintageError } from '@mintage/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addToken, ask, hex, startReads, tokenRow } from '../../../test/api/reads/readsFixture.ts';
import { eids } from '../../../test/eids.ts';
import type { ChainClient, ReadTransaction } from '../../chain/chainClient.ts';

const fox = tokenRow('base-sepolia', hex(0xf0));
const hash = hex(0xab, 32);
const launchpad = `0x${'1a'.repeat(20)}` as const;

const found: ReadTransaction = {
  block: { number: 40, hash: hex(4, 32), time: 1_767_225_600 },
  from: hex(0x70),
  to: launchpad,
  value: 1_500_000_000_000_000_000n,
  feePaid: 21_000n,
  whyReverted: null,
  calls: [{ to: launchpad, function: 'create', args: { 'params.name': 'Fox' } }],
  events: [
    { address: fox.address, logIndex: 3, event: 'Transfer', args: { amount: '5' } },
    { address: hex(0xf9), logIndex: 4, event: 'Transfer', args: { amount: '6' } },
    { address: `0x${'4b'.repeat(20)}`, logIndex: 5, event: 'Transfer', args: {} },
  ],
  otherEvents: 2,
  isAlone: false,
};
const why = async (): Promise<string> => 'It was too late.';

describe('getTransaction', () => {
  let reads: Awaited<ReturnType<typeof startReads>>;
  let readTransaction: ChainClient['readTransaction'];
  beforeAll(async () => {
    reads = await startReads();
    for (const { client } of reads.context.chains.values())
      Object.assign(client, {
        readTransaction: (...asked: Parameters<ChainClient['readTransaction']>) => readTransaction(...asked),
      });
    await addToken(reads.db, fox, 'red-fox');
    // The same token on another chain.
    const { address, token_id, platform_id, creator, salt, name, symbol, block_number, log_index, tx_hash } = fox;
    const there = { address, token_id, platform_id, creator, salt, name, symbol, block_number, log_index, tx_hash };
    await reads.db
      .insertInto('remote_token')
      .values({ ...there, eid: eids.bnb, home_eid: fox.eid, registered_at: new Date(), supply: 1n, holders: 1 })
      .execute();
    await reads.db.updateTable('chain').set({ finalized: 40 }).where('slug', '=', 'bnb').execute();
    await reads.db.updateTable('chain').set({ finalized: 39 }).where('slug', '=', 'base-sepolia').execute();
  });
  afterAll(() => reads?.stop());
  beforeEach(() => {
    readTransaction = async () => found;
  });

  const look = (chainSlug = 'base-sepolia', asked: string = hash) =>
    ask(reads.context, 'getTransaction', { chainSlug, hash: asked }, null);

  test('default: block, money, calls and events, each with its contract', async () => {
    const asked: unknown[] = [];
    readTransaction = async (one) => {
      asked.push(one);
      return found;
    };
    expect(await look('base-sepolia', hash.toUpperCase().replace('0X', '0x'))).toEqual({
      success: true,
      chain: 'base-sepolia',
      hash,
      status: 'mined',
      one_provider: false,
      block_number: 40,
      time: '2026-01-01T00:00:00.000Z',
      from: hex(0x70),
      to: launchpad,
      value: '1.5',
      value_raw: '1500000000000000000',
      fee: '0.000000000000021',
      fee_raw: '21000',
      error: null,
      calls: [
        {
          contract: 'launchpad',
          address: launchpad,
          token_id: null,
          function: 'create',
          args: { 'params.name': 'Fox' },
        },
      ],
      events: [
        {
          contract: 'token',
          address: fox.address,
          token_id: fox.token_id,
          log_index: 3,
          event: 'Transfer',
          args: { amount: '5' },
        },
        {
          contract: 'other',
          address: hex(0xf9),
          token_id: null,
          log_index: 4,
          event: 'Transfer',
          args: { amount: '6' },
        },
        {
          contract: 'exchange',
          address: `0x${'4b'.repeat(20)}`,
          token_id: null,
          log_index: 5,
          event: 'Transfer',
          args: {},
        },
      ],
      other_events: 2,
      explorer_url: null,
    });
    expect(asked).toEqual([hash]);
  });

  test('behavior: how far it is, and why it failed', async () => {
    expect(await look('bnb')).toMatchObject({ status: 'final', error: null });
    readTransaction = async () => ({ ...found, whyReverted: why });
    expect(await look('bnb')).toMatchObject({ status: 'failed', error: 'It was too late.' });
    expect(await look()).toMatchObject({ status: 'reverted', error: 'It was too late.' });
    readTransaction = async () => ({ ...found, block: null, feePaid: null, to: null, isAlone: true });
    expect(await look()).toMatchObject({
      status: 'sent',
      block_number: null,
      time: null,
      to: null,
      fee: null,
      fee_raw: null,
      one_provider: true,
    });
  });

  test('behavior: a token is known away from its home; an explorer is linked for chains that one shows', async () => {
    const bnb = reads.context.chains.get('bnb') as { local: boolean };
    bnb.local = false;
    const { events, explorer_url } = await look('bnb');
    bnb.local = true;
    expect(events[0]).toMatchObject({ contract: 'token', token_id: fox.token_id });
    expect(explorer_url).toBe(`https://bscscan.com/tx/${hash}`);
  });

  test('error: an unknown transaction, a chain that is not served, providers that do not answer, no hash', async () => {
    readTransaction = async () => null;
    await expect(look()).rejects.toMatchObject({ code: 'TRANSACTION_NOT_FOUND', message: /Base Sepolia/ });
    await expect(look('ethereum')).rejects.toMatchObject({ code: 'UNSUPPORTED_CHAIN' });
    readTransaction = () => Promise.reject(new MintageError('NETWORK_ERROR', 'away'));
    await expect(look()).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    await expect(look('base-sepolia', '0x12')).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
  });
});
