import { type NewRow, testDatabase } from '@mintage/indexer/db';
import { chainBySlug, type Deployment, type Operation, platformIdOf, type Slug, tokenIdOf } from '@mintage/protocol';
import { type OperationName, type Operations, operations } from '@mintage/protocol/operations';
import type { z } from 'zod';
import type { Call, Caller, ChainContext, Context, ServedChain } from '../context.ts';
import { type Db, serviceMigrations } from '../db/db.ts';
import { handlers } from '../handlers/handlers.ts';
import { parseInput } from '../http/parseInput.ts';
import { parseJson } from '../http/parseJson.ts';

/** For the tests of the reads: a real database with rows put in by hand, and the context that their handlers use. */
export const startReads = async () => {
  const database = await testDatabase(serviceMigrations);
  const db: Db = database.db.withTables();
  const chains = new Map((['base-sepolia', 'bnb', 'base'] as const).map((slug) => [slug, servedChain(slug)]));
  for (const { chain, deployment } of chains.values()) {
    const { slug, chainId } = chain;
    const { usd, usdDecimals, launchpad } = deployment;
    await db
      .insertInto('chain')
      .values({ chain_id: chainId, slug, usd, usd_decimals: usdDecimals, launchpad, treasury: treasury })
      .execute();
  }
  return {
    context: { db, chains, config: { platformName: 'Acme Pad' } } as unknown as Context,
    db,
    stop: database.stop,
  };
};

export const treasury = `0x${'7e'.repeat(20)}` as const;

const servedChain = (slug: Slug): ChainContext => {
  const chain = chainBySlug(slug) as ServedChain;
  const deployment = {
    chainId: chain.chainId,
    usd: chain.dollarToken.address,
    usdDecimals: chain.dollarToken.decimals,
    launchpad: `0x${'1a'.repeat(20)}`,
    poolManager: `0x${'4b'.repeat(20)}`,
  };
  const rpc = {} as ChainContext['rpc'];
  return { chain, deployment: deployment as Deployment, rpc, publicRpcUrl: null, local: true };
};

/** An address, hash or any other hex value of `bytes` bytes that ends in `n`. */
export const hex = (n: number, bytes = 20): `0x${string}` => `0x${n.toString(16).padStart(2 * bytes, '0')}`;

export const callerWith = (...wallets: `0x${string}`[]): Caller => ({
  userId: '00000000-0000-4000-8000-000000000001',
  wallets,
  method: 'jwt',
  scopes: ['read'],
});

/** A token on its curve, at 0.00001 USD. */
export const tokenRow = (slug: Slug, address: `0x${string}`, row: Partial<NewRow<'token'>> = {}): NewRow<'token'> => {
  const { chainId, eid, dollarToken } = chainBySlug(slug);
  const platformId = platformIdOf(address, eid);
  return {
    chain_id: chainId ?? 0,
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
    ...row,
  };
};

/** Inserts a token and claims `slug` for it. */
export const addToken = async (db: Db, token: NewRow<'token'>, slug: string): Promise<void> => {
  await db.insertInto('token').values(token).execute();
  await db.insertInto('token_slug').values({ slug, token_id: token.token_id }).execute();
};

/** What the creator told this service about a token. */
export const addDraft = async (db: Db, token: NewRow<'token'>, slug: string): Promise<void> => {
  await db
    .insertInto('token_draft')
    .values({
      token_id: token.token_id,
      chain_id: token.chain_id,
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
    })
    .execute();
};

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
  const handler = handlers[name] as unknown as (context: Context, input: unknown, call: Call) => Promise<unknown>;
  const output = await handler(context, parseInput(operation.input, parseJson(JSON.stringify(body))), {
    caller,
    requestId: 'test',
  });
  return operation.output.parse(output) as z.output<OperationOf<Name>['output']>;
};
