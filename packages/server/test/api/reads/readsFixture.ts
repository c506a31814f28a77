import { testDatabase } from '@mintage/devnet/testDatabase';
import {
  type Address,
  chainBySlug,
  type Eid,
  type EvmDeployment,
  type Operation,
  platformIdOf,
  type Slug,
  tokenIdOf,
} from '@mintage/protocol';
import { type OperationName, type Operations, operations } from '@mintage/protocol/operations';
import type { Insertable } from 'kysely';
import type { z } from 'zod';
import type { Caller } from '../../../src/api/accounts/caller.ts';
import { perform } from '../../../src/api/call.ts';
import type { Context, Perform } from '../../../src/api/handlers/context.ts';
import { parseInput } from '../../../src/api/wire/parseInput.ts';
import { parseJson } from '../../../src/api/wire/parseJson.ts';
import type { ChainContext } from '../../../src/chain/chainContext.ts';
import { createPulse } from '../../../src/chain/pulse.ts';
import { chainChannel, chainOfNews } from '../../../src/db/chainChannel.ts';
import { type NewRow } from '../../../src/db/chainTables.ts';
import { makeMonths } from '../../../src/db/months.ts';
import { createNews } from '../../../src/db/news.ts';
import { type Db, type ServiceDatabase } from '../../../src/db/serviceTables.ts';
import { eids } from '../../eids.ts';

const onError = (error: Error): void => {
  throw error;
};

/** For the tests of the reads: a real database with rows put in by hand, and the context that their handlers use. */
export const startReads = async () => {
  const database = await testDatabase();
  const db: Db = database.db.withTables();
  await makeMonths(database.db, [new Date('2026-01-01T00:00:00Z')]);
  const chains = new Map((['base-sepolia', 'bnb', 'base'] as const).map((slug) => [slug, servedChain(slug)]));
  for (const { chain, deployment } of chains.values()) {
    const { slug, eid } = chain;
    const { usd, usdDecimals, launchpad } = deployment;
    await db
      .insertInto('chain')
      .values({
        eid,
        slug,
        usd,
        usd_decimals: usdDecimals,
        launchpad,
        treasury,
        indexed: 0,
        rolled_block: 0,
      })
      .execute();
  }
  const config = {
    platformName: 'Acme Pad',
    verifiedAt: 'confirmation',
    publicUrl: 'https://api.example',
    appUrl: 'https://app.example',
  };
  const inCall: Perform = (shown, input, call) => perform(context, shown, input, call);
  const chainNews = createNews(db, { channel: chainChannel, idOf: chainOfNews, onError });
  const context = { db, chains, chainNews, config, perform: inCall } as unknown as Context;
  return {
    context,
    db,
    async stop() {
      await chainNews.stop();
      await database.stop();
    },
  };
};

export const treasury = `0x${'7e'.repeat(20)}` as const;

const servedChain = (slug: Slug): ChainContext => {
  const chain = chainBySlug(slug);
  const deployment = {
    chainId: chain.chainId,
    usd: chain.dollarToken.address,
    usdDecimals: chain.dollarToken.decimals,
    usdSymbol: chain.dollarToken.symbol,
    launchpad: `0x${'1a'.repeat(20)}`,
    poolManager: `0x${'4b'.repeat(20)}`,
    venue: 'uniswap_v4',
    exchange: null,
  };
  const client = {} as ChainContext['client'];
  const pulse = createPulse({ slug: chain.slug, staleAfterMs: Number.POSITIVE_INFINITY, now: Date.now });
  const pulses = { indexPulse: pulse, headPulse: pulse };
  return { chain, deployment: deployment as EvmDeployment, client, ...pulses, publicRpcUrl: null, local: true };
};

/** An address, hash or any other hex value of `bytes` bytes that ends in `n`. */
export const hex = (n: number, bytes = 20): `0x${string}` => `0x${n.toString(16).padStart(2 * bytes, '0')}`;

export const callerWith = (...wallets: `0x${string}`[]): Caller => ({
  userId: '00000000-0000-4000-8000-000000000001',
  wallets,
  embedded: {},
  credential: null,
  session: null,
  waitsUntilMs: null,
  newUntilMs: null,
  method: 'jwt',
  premium: false,
  scopes: ['read'],
});

/** A token on its curve, at 0.00001 USD. */
export const tokenRow = (slug: Slug, address: Address, row: Partial<NewRow<'token'>> = {}): NewRow<'token'> => {
  const { eid, dollarToken } = chainBySlug(slug);
  const platformId = platformIdOf(address, eid);
  return {
    eid,
    address,
    token_id: tokenIdOf(platformId),
    platform_id: platformId,
    creator: hex(0xc0),
    pool_type: 7,
    name: 'Red Fox',
    symbol: 'FOX',
    uri: 'ipfs://x',
    salt: hex(1, 32),
    created_at: new Date('2026-01-01T00:00:00Z'),
    block_number: 10,
    log_index: 0,
    tx_hash: hex(2, 32),
    virtual_tokens: 10n ** 27n,
    virtual_usd: 10_000n * 10n ** BigInt(dollarToken.decimals),
    start_price_usd18: 10n ** 13n,
    price_usd18: 10n ** 13n,
    ...row,
  };
};

/** Inserts a token and claims `slug` for it. */
export const addToken = async (db: Db, token: NewRow<'token'>, slug: string): Promise<void> => {
  await db.insertInto('token').values(token).execute();
  await db.insertInto('token_slug').values({ slug, token_id: token.token_id }).execute();
};

/** What the creator told this service about a token. */
export const addDraft = async (
  db: Db,
  token: NewRow<'token'>,
  slug: string,
  draft: Partial<Insertable<ServiceDatabase['token_draft']>> = {},
): Promise<void> => {
  await db
    .insertInto('token_draft')
    .values({
      token_id: token.token_id,
      eid: token.eid,
      address: token.address,
      creator: token.creator,
      user_id: null,
      pool_type: 'meme',
      name: token.name,
      symbol: token.symbol,
      slug,
      description: 'A fox that is red.',
      token_uri: token.uri,
      logo: 'http://127.0.0.1/fox.webp',
      banner: null,
      video: null,
      destination_chains: ['bnb', 'solana'],
      builder: null,
      ...draft,
    })
    .execute();
};

/** Where and when the event of a row was; later blocks are later by a second each. */
const placed = (token: NewRow<'token'>, block: number, logIndex: number) => ({
  eid: token.eid,
  token: token.address,
  block_number: block,
  log_index: logIndex,
  block_hash: hex(block, 32),
  tx_hash: hex(block * 1_000 + logIndex, 32),
  time: new Date(Date.parse('2026-01-01T00:00:00Z') + block * 1_000),
});

/** A buy of 2.5 tokens for 1.5 USD on the curve. */
export const tradeRow = (
  token: NewRow<'token'>,
  block: number,
  logIndex: number,
  row: Partial<NewRow<'trade'>> = {},
): NewRow<'trade'> => ({
  ...placed(token, block, logIndex),
  trader: hex(0x77),
  recipient: hex(0x78),
  side: 'buy',
  venue: 'curve',
  foreign_router: false,
  gross_usd: token.eid === eids.bnb ? 15n * 10n ** 17n : 1_500_000n,
  tokens: 25n * 10n ** 17n,
  fee_bps: 100,
  base: 0n,
  excess: 0n,
  builder: hex(0),
  builder_bps: 0,
  builder_fee: 0n,
  referral: hex(0),
  referrer: hex(0),
  cashback: 0n,
  state_a: 1n,
  state_b: 1n,
  tick: 0,
  price_usd18: 125n * 10n ** 11n,
  progress_pct18: 0n,
  ...row,
});

/** One token that a wallet holds since the third of January, for nothing. */
export const heldRow = (
  { eid, address }: Pick<NewRow<'token'>, 'eid' | 'address'>,
  wallet: `0x${string}`,
  row: Partial<NewRow<'balance'>> = {},
): NewRow<'balance'> => ({
  eid,
  token: address,
  wallet,
  amount: 10n ** 18n,
  first_acquired: new Date('2026-01-03T00:00:00Z'),
  updated_at: new Date('2026-01-03T00:00:00Z'),
  ...row,
});

/** Half a token between two wallets. */
export const transferRow = (
  token: NewRow<'token'>,
  block: number,
  logIndex: number,
  row: Partial<NewRow<'transfer'>> = {},
): NewRow<'transfer'> => ({
  ...placed(token, block, logIndex),
  sender: hex(0x77),
  recipient: hex(0x79),
  amount: 5n * 10n ** 17n,
  is_leg: false,
  holders: 2,
  ...row,
});

/** A graduation at the given place; a pool on which 20 USD and 1 token are locked. */
export const graduationOf = (block: number, logIndex: number): NonNullable<NewRow<'token'>['graduation']> =>
  ({
    txHash: hex(block * 1_000 + logIndex, 32),
    blockNumber: block,
    logIndex,
    sqrtPriceX96: (1n << 96n).toString(),
    tick: 0,
    fullRange: { tickLower: 0, tickUpper: 0, liquidity: '99' },
    floor: { tickLower: 0, tickUpper: 0, liquidity: '1' },
    usdLocked: '20000000',
    tokensLocked: `${10n ** 18n}`,
    floorUsd: '5000000',
    creatorReward: '0',
    dustUsd: '0',
    dustTokens: '0',
  }) as const;

type OperationOf<Name extends OperationName> = Extract<Operations[number], { name: Name }>;

/** Runs a handler on a body as the HTTP layer does: input by its schema, and the output by its own. */
export const ask = async <Name extends OperationName>(
  context: Context,
  name: Name,
  body: unknown,
  caller: Caller | null,
): Promise<z.output<OperationOf<Name>['output']>> => {
  const operation: Operation | undefined = operations.find((candidate) => candidate.name === name);
  if (!operation) throw new Error(`no operation ${name}`);
  const input = parseInput(operation.input, parseJson(JSON.stringify(body)));
  const output = await perform(context, { operation }, input, { caller, requestId: 'test', address: '' });
  return operation.output.parse(output) as z.output<OperationOf<Name>['output']>;
};

/** Windows of a token in which nothing happened, but for what is given. */
export const windowRow = (
  token: { eid: Eid; address: Address },
  figures: Partial<NewRow<'token_window'>>,
): NewRow<'token_window'> => ({
  eid: token.eid,
  token: token.address,
  price_then_usd18_5m: 1n,
  price_then_usd18_1h: 1n,
  price_then_usd18_6h: 1n,
  price_then_usd18_24h: 1n,
  ...figures,
});
