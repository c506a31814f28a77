import { testDatabase } from '@mintage/devnet/testDatabase';
import { type Address, type Slug, toBase58 } from '@mintage/protocol';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hex, tokenRow } from '../../../test/api/reads/readsFixture.ts';
import { testChain, testSolanaChain } from '../../../test/api/testing/testApi.ts';
import { startProofs } from '../../../test/sign/proofs.ts';
import type { ServedChain } from '../../chain/servedChain.ts';
import type { Database } from '../../db/chainTables.ts';
import { askForKeeperWallet } from '../../db/keeperWallet.ts';
import type { SignerDatabase } from '../../db/signerTables.ts';
import type { RunningDatabase } from '../../db/startDatabase.ts';
import { signingOf } from '../../families.ts';
import { memoryKek } from '../../keys/keys.ts';
import type { Context } from '../context.ts';
import { defaultPolicy } from '../policy/policy.ts';
import { makeWallets } from '../wallets/makeWallets.ts';
import { defaultKeeper, type KeptChain, keepTokens } from './keeper.ts';

const onSolana = toBase58(new Uint8Array(32).fill(9));
const away = 'http://127.0.0.1:1';
const lastTrade = new Date('2026-01-01T00:00:00Z');

const solana = testSolanaChain(away);
const [base, unichain] = (['base-sepolia', 'unichain-testnet'] as const).map((slug) => testChain(slug, away)) as [
  ServedChain,
  ServedChain,
];

describe('keepTokens', () => {
  let database: RunningDatabase;
  let context: Context;
  let kept: readonly KeptChain[];
  const stops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    database = await testDatabase();
    stops.push(database.stop);
    const db = database.db.withTables<SignerDatabase>();
    const keys = memoryKek(new Uint8Array(32));
    const { intents, signingLog, stop } = await startProofs();
    stops.push(stop);
    context = { db, keys, intents, signingLog, log: pino({ level: 'silent' }), pollMs: 1_000, policy: defaultPolicy };
    const served = [solana, base, unichain];
    const families = await signingOf(served);
    for (const type of families.keys()) await askForKeeperWallet(db, type);
    await makeWallets(context, families);
    kept = served.map((one) => {
      const type = one === solana ? 'solana' : 'evm';
      const sender = families.get(type)?.createSender(context, one);
      if (sender === undefined) throw new Error(`nothing signs for ${one.chain.slug}`);
      stops.push(() => sender.stop());
      return { chain: one.chain, sender };
    });
  });
  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop();
  });
  beforeEach(async () => {
    await sql`truncate chain, token, keeper_task, intent, intent_step cascade`.execute(database.db);
  });

  /** A sold-out token whose chain is indexed so many seconds after its last trade. */
  const soldOut = async ({ chain, deployment }: ServedChain, address: Address, indexedAfter = 60): Promise<void> => {
    const { slug, eid } = chain;
    const { usd, usdDecimals, launchpad } = deployment;
    const indexed_time = new Date(lastTrade.getTime() + indexedAfter * 1_000);
    await database.db
      .insertInto('chain')
      .values({ eid, slug, usd, usd_decimals: usdDecimals, launchpad, pool_manager: null, indexed_time })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const row = tokenRow(slug as Slug, address, { completed: true, last_trade_at: lastTrade });
    await database.db.insertInto('token').values(row).execute();
  };
  const keep = (settings = {}) => keepTokens(context, kept, { ...defaultKeeper, ...settings });
  const asked = async () => {
    const steps = context.db
      .selectFrom('intent_step')
      .innerJoin('intent', 'intent.intent_id', 'intent_step.intent_id')
      .select(['intent_step.description', 'intent.status']);
    return (await steps.orderBy('description').execute()).map(({ description }) => description);
  };

  it('default: a sold-out token is graduated once, from so many seconds after its last trade on', async () => {
    const { afterSeconds } = defaultKeeper;
    await soldOut(base, hex(1), afterSeconds - 1);
    await keep();
    expect(await asked()).toEqual([]);
    await database.db
      .withTables<Pick<Database, 'chain'>>()
      .updateTable('chain')
      .set({ indexed_time: new Date(lastTrade.getTime() + afterSeconds * 1_000) })
      .execute();
    await keep();
    await keep();
    expect(await asked()).toEqual([`Graduate ${hex(1)}`]);
  });

  it('behavior: a chain that is down keeps it from no other chain', async () => {
    await soldOut(solana, onSolana);
    await soldOut(base, hex(1));
    await soldOut(unichain, hex(2));
    await keep();
    expect(await asked()).toEqual([`Graduate ${hex(1)}`, `Graduate ${hex(2)}`]);
  });

  it('behavior: no more calls on one chain in a day than it may make', async () => {
    for (const n of [1, 2, 3]) await soldOut(base, hex(n));
    await soldOut(unichain, hex(4));
    await keep({ perDay: 2 });
    expect(await asked()).toHaveLength(3);
    expect(await asked()).toContain(`Graduate ${hex(4)}`);
  });

  it('behavior: one that failed is tried again after a pause that doubles', async () => {
    await soldOut(base, hex(1));
    await keep();
    const triedAgo = async (seconds: number): Promise<number> => {
      await context.db.updateTable('intent').set({ status: 'failed' }).execute();
      await sql`update keeper_task set tried_at = now() - ${seconds} * interval '1 second'`.execute(database.db);
      await keep();
      return (await asked()).length;
    };
    expect(await triedAgo(29)).toBe(1);
    expect(await triedAgo(31)).toBe(2);
    expect(await triedAgo(59)).toBe(2);
    expect(await triedAgo(61)).toBe(3);
  });
});
