import { randomUUID } from 'node:crypto';
import { type Script, type ScriptedProvider, startScriptedProvider } from '@mintage/devnet/scriptedProvider';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { chainBySlug, requireHex } from '@mintage/protocol';
import { sql } from 'kysely';
import { pino } from 'pino';
import { type Hex, numberToHex, parseTransaction } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testChain } from '../../../test/api/testing/testApi.ts';
import { type Proofs, startProofs } from '../../../test/sign/proofs.ts';
import type { SignerDatabase } from '../../db/signerTables.ts';
import type { RunningDatabase } from '../../db/startDatabase.ts';
import { memoryKek } from '../../keys/keys.ts';
import type { Context } from '../context.ts';
import { defaultPolicy } from '../policy/policy.ts';
import { makeWallets } from '../wallets/makeWallets.ts';
import { accessTo, type EvmLane } from './chainAccess.ts';
import { evmSigning } from './evmSigning.ts';
import { gasPolicyOf } from './gasPolicy.ts';
import { signIntents } from './signIntents.ts';

const slug = 'base-sepolia';
const { eid } = chainBySlug(slug);
const { mostPerDay } = gasPolicyOf(chainBySlug(slug));
const word = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`;
const coin = 10n ** 18n;
const recipient: Hex = `0x${'99'.repeat(20)}`;

describe('signIntents', () => {
  let database: RunningDatabase;
  let context: Context;
  let proofs: Proofs;
  let provider: ScriptedProvider;
  let lane: EvmLane;
  const user = randomUUID();
  const quiet: Script = {
    eth_chainId: '0x14a34',
    eth_getBlockByNumber: {
      number: '0x28',
      hash: word(4),
      parentHash: word(3),
      timestamp: '0x64',
      baseFeePerGas: '0x64',
      transactions: [],
    },
    eth_getTransactionCount: '0x0',
    eth_getBalance: numberToHex(100n * coin),
    eth_maxPriorityFeePerGas: '0x1',
    eth_call: '0x',
  };
  const script: Script = {};

  beforeAll(async () => {
    database = await testDatabase();
    const db = database.db.withTables<SignerDatabase>();
    const log = pino({ level: 'silent' });
    const keys = memoryKek(new Uint8Array(32));
    proofs = await startProofs();
    const { intents, signingLog } = proofs;
    context = { db, keys, intents, signingLog, log, pollMs: 1_000, policy: defaultPolicy };
    await db.insertInto('embedded_wallet').values({ user_id: user, chain_type: 'evm' }).execute();
    await makeWallets(context, new Map([['evm', evmSigning]]));
    const { address } = await db.selectFrom('embedded_wallet').select('address').executeTakeFirstOrThrow();
    provider = await startScriptedProvider(script);
    lane = {
      chain: accessTo(testChain(slug, provider.url), log),
      wallet: requireHex(address ?? expect.fail('no wallet')),
    };
  });
  afterAll(async () => {
    await lane?.chain.rpc.stop();
    provider?.stop();
    await database?.stop();
    await proofs?.stop();
  });
  beforeEach(async () => {
    Object.assign(script, quiet);
    await sql`truncate intent, intent_step, attempt, lane`.execute(database.db);
  });

  interface Row {
    status?: 'queued' | 'signed';
    signedAt?: Date;
    value?: bigint;
    gasPaid?: bigint;
    nonce?: number;
    gasLimit?: number;
  }
  const add = async (row: Row = {}): Promise<string> => {
    const { status = 'queued', signedAt, value = 1n, gasPaid, nonce, gasLimit = 21_000 } = row;
    const key = { eid, intent_id: randomUUID() };
    const { wallet } = lane;
    const signed_at = signedAt ?? null;
    const expires_at = new Date(Date.now() + 3_600_000);
    const proof = await proofs.signing.prove(
      {
        eid,
        intentId: key.intent_id,
        userId: user,
        wallet,
        credential: null,
        budget: null,
        session: null,
        ownWallets: [wallet],
        acknowledged: null,
        premise: null,
        seenBlock: null,
        steps: [{ to: recipient, value, data: '0x', gasLimit }],
      },
      Date.now() / 1_000 + 60,
    );
    await context.db
      .insertInto('intent')
      .values({ ...key, user_id: user, wallet, status, signed_at, expires_at, proof })
      .execute();
    const mined = { status: 'mined' as const, gas_paid: gasPaid ?? null, block_number: 1, nonce: nonce ?? 0 };
    const call = { to_address: recipient, value, data: '0x', gas_limit: gasLimit, description: '' } as const;
    await context.db
      .insertInto('intent_step')
      .values({ ...key, ...call, step: 0, wallet, ...(status === 'signed' && mined) })
      .execute();
    return key.intent_id;
  };
  const statusOf = async (id: string) =>
    (await context.db.selectFrom('intent').select('status').where('intent_id', '=', id).executeTakeFirstOrThrow())
      .status;
  const sign = () => signIntents(context, lane);

  it('default: signs what is queued, the oldest first, with one nonce after the other', async () => {
    script.eth_getTransactionCount = '0x5';
    for (const value of [1n, 2n]) await add({ value });
    expect(await sign()).toBe('done');
    const attempts = await context.db.selectFrom('attempt').select('raw').orderBy('nonce').execute();
    const [first, second] = attempts.map(({ raw }) => parseTransaction(raw as Hex));
    expect(first).toMatchObject({ nonce: 5, to: recipient, value: 1n, chainId: 84_532, gas: 21_000n });
    expect(second).toMatchObject({ nonce: 6, to: recipient, value: 2n });
  });

  it('behavior: what the day has cost counts against its limit, and what the day before has cost does not', async () => {
    const before = { status: 'signed', gasPaid: mostPerDay } as const;
    await add({ ...before, signedAt: new Date(Date.now() - 24 * 3_600_000), nonce: 6 });
    const first = await add();
    expect([await sign(), await statusOf(first)]).toEqual(['done', 'signed']);
    await add({ ...before, signedAt: new Date(Date.now() + 60_000), nonce: 7 });
    const second = await add();
    expect([await sign(), await statusOf(second)]).toEqual(['waiting', 'queued']);
  });

  it('behavior: while gas is above its cap everything waits', async () => {
    script.eth_getBlockByNumber = { ...(quiet.eth_getBlockByNumber as object), baseFeePerGas: numberToHex(coin) };
    const id = await add();
    expect([await sign(), await statusOf(id)]).toEqual(['waiting', 'queued']);
    Object.assign(script, quiet);
    expect([await sign(), await statusOf(id)]).toEqual(['done', 'signed']);
  });

  it('error: what the wallet cannot pay for beside what is open is refused', async () => {
    script.eth_getBalance = numberToHex(coin);
    const [first, second] = [await add({ value: coin / 2n }), await add({ value: coin / 2n })];
    await sign();
    expect([await statusOf(first), await statusOf(second)]).toEqual(['signed', 'refused']);
  });

  it('error: a gas limit that no transaction has', async () => {
    const id = await add({ gasLimit: 20_999 });
    await sign();
    expect(await statusOf(id)).toBe('refused');
  });
});
