import { MintageError } from '@mintage/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addToken,
  ask,
  graduationOf,
  heldRow,
  hex,
  startReads,
  tokenRow,
  tradeRow,
} from '../../../test/api/reads/readsFixture.ts';
import type { ChainClient, TokenContract } from '../../chain/chainClient.ts';
import type { NewRow } from '../../db/chainTables.ts';

const unit = 10n ** 18n;
/** Of the fixture. */
const launchpad = `0x${'1a'.repeat(20)}`;
const creator = hex(0xc0);
const other = hex(0x70);
const created = Date.parse('2026-01-01T00:00:00Z');
const after = (ms: number): Date => new Date(created + ms);

const fox = tokenRow('base-sepolia', hex(0xf0), { floor_usd: 2_000_000n });
/** Not traded yet. */
const owl = tokenRow('base-sepolia', hex(0xf1), { name: 'Owl' });
const graduation = graduationOf(50, 3);
const hen = tokenRow('bnb', hex(0xf2), {
  graduated_at: after(1),
  graduation,
  pool_id: hex(0x9001, 32),
  stage: 'graduated',
});

const code = { hash: hex(1, 32), publishedHash: hex(1, 32) };
const implementation = { address: hex(0xd0), hash: hex(2, 32), publishedHash: hex(2, 32) };
const contract: TokenContract = { block: 90, code: { ...code, implementation }, supply: 900_000_000n * unit };

let reads: Awaited<ReturnType<typeof startReads>>;
let readToken: ChainClient['readToken'];
beforeAll(async () => {
  reads = await startReads();
  const { db, context } = reads;
  for (const { client } of context.chains.values())
    Object.assign(client, { readToken: (...asked: Parameters<ChainClient['readToken']>) => readToken(...asked) });
  Object.assign(context, { log: { warn: () => {} } });
  await addToken(db, fox, 'red-fox');
  await addToken(db, owl, 'owl');
  await addToken(db, hen, 'hen');
  await db
    .updateTable('chain')
    .set({ indexed: 77, indexed_time: after(60_000) })
    .execute();
  const wallets = Array.from({ length: 12 }, (_, index) => hex(0xb000 + index));
  await db
    .insertInto('balance')
    .values([
      ...wallets.map((wallet, index) => heldRow(fox, wallet, { amount: BigInt(100 + index) * unit })),
      heldRow(fox, creator, { amount: 5n * unit }),
      heldRow(fox, other, { amount: 0n }),
    ])
    .execute();
  const buy = (block: number, logIndex: number, ms: number, row: Partial<NewRow<'trade'>> = {}) =>
    tradeRow(fox, block, logIndex, { time: after(ms), ...row });
  const sale = { side: 'sell', trader: creator } as const;
  await db
    .insertInto('trade')
    .values([
      buy(10, 0, 0, { trader: creator, tokens: 7n * unit, tx_hash: hex(0xa1, 32) }),
      buy(11, 0, 5_000, { trader: other, tokens: 3n * unit, tx_hash: hex(0xa2, 32) }),
      buy(11, 1, 5_000, { trader: other, tokens: unit, tx_hash: hex(0xa2, 32) }),
      buy(11, 2, 5_000, { side: 'sell', trader: other, tokens: unit }),
      // The window is over with the sixth second.
      buy(12, 0, 6_000, { trader: other, tokens: 500n * unit }),
      tradeRow(owl, 11, 5, { time: after(7_000), trader: other }),
      buy(20, 0, 20_000, { ...sale, tokens: 2n * unit, gross_usd: 4_000_000n, tx_hash: hex(0xa4, 32) }),
      buy(30, 0, 30_000, { ...sale, tokens: unit, gross_usd: 1n, foreign_router: true, tx_hash: hex(0xa5, 32) }),
      tradeRow(owl, 31, 0, { ...sale, tokens: 99n * unit }),
    ])
    .execute();
});
afterAll(() => reads?.stop());
beforeEach(() => {
  readToken = async () => contract;
});

const factsOf = async (token_id: string) => (await ask(reads.context, 'getTokenFacts', { token_id }, null)).facts;
const transaction = (hash: string, block: number, chain = 'base-sepolia') => ({
  kind: 'transaction',
  chain,
  hash,
  block,
});

describe('getTokenFacts', () => {
  test('default: what is kept on the curve, and who holds most', async () => {
    const facts = await factsOf('red-fox');
    expect(facts.liquidity).toMatchObject({
      known: true,
      why: null,
      // Of the 1,125,000,000 virtual tokens 1,000,000,000 are left, so 125,000,000 are sold; the test row has less virtual dollars.
      value: { where: 'curve', pool: null, locked_tokens: '875000000' },
      proofs: [
        {
          kind: 'contract',
          chain: 'base-sepolia',
          address: launchpad,
          block: null,
        },
      ],
    });
    // The ten largest of 100 to 111.
    expect(facts.ten_largest_holders).toMatchObject({
      value: { tokens: '1065', tokens_raw: `${1_065n * unit}`, percent: '0.0001065', wallets: 10 },
      proofs: [{ kind: 'query', path: '/get-token-holders', body: { token_id: fox.token_id }, block: 77 }],
    });
    expect(facts.creator_holds.value).toMatchObject({ wallet: creator, tokens: '5', percent: '0.0000005' });
    expect(facts.created).toMatchObject({
      value: { at: '2026-01-01T00:00:00.000Z', creator },
      proofs: [transaction(fox.tx_hash, 10)],
    });
  });

  test('default: what the creator sold, through other routers too, newest first', async () => {
    const { creator_sold: sold } = await factsOf('red-fox');
    expect(sold.value).toEqual({
      tokens: '3',
      tokens_raw: `${3n * unit}`,
      percent: '0.0000003',
      usd: '4.000001',
      trades: 2,
      through_other_routers: '1',
      last_at: after(30_000).toISOString(),
    });
    expect(sold.proofs).toEqual([transaction(hex(0xa5, 32), 30), transaction(hex(0xa4, 32), 20)]);
  });

  test('default: what was bought in the opening, by block time, with its transactions once each', async () => {
    const { bought_in_opening: opening, first_trade: first } = await factsOf('red-fox');
    expect(opening.value).toEqual({
      tokens: '11',
      tokens_raw: `${11n * unit}`,
      percent: '0.0000011',
      seconds: 6,
      wallets: 2,
      trades: 3,
      transactions: 2,
      creator_percent: '0.0000007',
      is_over: true,
    });
    expect(opening.proofs).toEqual([transaction(hex(0xa1, 32), 10), transaction(hex(0xa2, 32), 11)]);
    expect(first).toMatchObject({
      value: { at: after(0).toISOString(), wallet: creator, side: 'buy', usd: '1.5' },
      proofs: [transaction(hex(0xa1, 32), 10)],
    });
  });

  test('behavior: while the opening lasts, more may come', async () => {
    const chain = reads.db.updateTable('chain').where('eid', '=', fox.eid);
    await chain.set({ indexed_time: after(5_000) }).execute();
    const { bought_in_opening: opening } = await factsOf('red-fox');
    await chain.set({ indexed_time: after(60_000) }).execute();
    expect(opening.value?.is_over).toBe(false);
  });

  test('behavior: what did not happen is known, and has no value; nothing sold is 0', async () => {
    const facts = await factsOf('hen');
    expect(facts.first_trade).toEqual({ known: true, why: null, value: null, proofs: [] });
    expect(facts.creator_sold.value).toMatchObject({ tokens: '0', trades: 0, last_at: null });
    expect(facts.creator_sold.proofs).toEqual([
      {
        kind: 'query',
        chain: 'bnb',
        path: '/get-wallet-trades',
        body: { wallet: creator, chains: ['bnb'] },
        block: 77,
      },
    ]);
    expect((await factsOf('owl')).graduated).toEqual({ known: true, why: null, value: null, proofs: [] });
  });

  test('behavior: after graduation, what was locked and by which transaction', async () => {
    const { liquidity, graduated } = await factsOf('hen');
    // A dollar of 18 decimals.
    expect(liquidity.value).toMatchObject({
      where: 'pool',
      pool: hen.pool_id,
      locked_usd: '0.000000000025',
      locked_tokens: '1',
    });
    const proof = transaction(graduation.txHash, 50, 'bnb');
    expect([liquidity.proofs[0], graduated.proofs[0]]).toEqual([proof, proof]);
  });

  test('default: code and supply as the chain has them, with the block', async () => {
    const { contract_code, supply } = await factsOf('red-fox');
    expect(contract_code).toMatchObject({
      known: true,
      value: { matches: true, code_hash: code.hash, implementation: implementation.address },
      proofs: [
        { kind: 'contract', address: fox.address, block: 90 },
        { kind: 'contract', address: implementation.address, block: 90 },
      ],
    });
    expect(supply.value).toEqual({
      total_tokens: '1000000000',
      home_tokens: '900000000',
      home_tokens_raw: `${900_000_000n * unit}`,
      elsewhere_tokens: '100000000',
    });
  });

  test.each([
    ['of the token', { hash: hex(9, 32), publishedHash: code.publishedHash, implementation }],
    ['behind it', { ...code, implementation: { ...implementation, hash: hex(9, 32) } }],
  ])('behavior: other code %s is told, and nothing is said of the supply then', async (_, found) => {
    readToken = async () => ({ ...contract, code: found });
    const { contract_code, supply } = await factsOf('red-fox');
    expect(contract_code).toMatchObject({ known: true, value: { matches: false } });
    expect(supply).toMatchObject({ known: false, value: null, why: expect.stringMatching(/published/) });
  });

  test.each([
    ['the providers do not answer', () => Promise.reject(new MintageError('NETWORK_ERROR', 'away'))],
    [
      'nobody said which code was published',
      async () => ({ ...contract, code: { ...code, implementation: { ...implementation, publishedHash: null } } }),
    ],
    ['its tokens have no code', async () => ({ ...contract, code: null })],
  ])('behavior: where %s, code and supply are not known, and the rest is', async (_, read) => {
    readToken = read;
    const facts = await factsOf('red-fox');
    for (const fact of [facts.contract_code, facts.supply])
      expect(fact).toEqual({ known: false, why: expect.stringMatching(/\.$/), value: null, proofs: [] });
    expect(facts.creator_holds.known).toBe(true);
  });

  test('behavior: what nobody can know says so, and is not 0', async () => {
    expect((await factsOf('red-fox')).funded_by_creator).toEqual({
      known: false,
      why: 'No provider of this chain tells who paid whom before.',
      value: null,
      proofs: [],
    });
  });

  test('error: an unknown token', async () => {
    await expect(factsOf('nobody')).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' });
  });
});
