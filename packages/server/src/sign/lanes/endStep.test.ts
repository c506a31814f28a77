import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eids } from '../../../test/eids.ts';
import { openDatabase } from '../../db/openDatabase.ts';
import type { SignerDatabase } from '../../db/signerTables.ts';
import type { RunningDatabase } from '../../db/startDatabase.ts';
import { memoryKek } from '../../keys/keys.ts';
import type { Context, Db, Lane } from '../context.ts';
import { defaultPolicy } from '../policy/policy.ts';
import { endStep, failStep } from './endStep.ts';
import { type SignedStep, updateOpen } from './recordStep.ts';

const wallet = `0x${'1'.repeat(40)}` as const;
const lane: Lane = { chain: { eid: eids.base, slug: 'base' }, wallet };
const credential = 'a key';
const day = '2030-01-01';
const late = { code: 'DEADLINE_PASSED', message: 'It came too late.' } as const;

describe('endStep', () => {
  let database: RunningDatabase;
  let db: Db;
  let context: Context;
  beforeAll(async () => {
    database = await testDatabase();
    db = openDatabase<SignerDatabase>(database.url, { maxConnections: 4 });
    const keys = memoryKek(new Uint8Array(32));
    context = { db, keys, log: pino({ level: 'silent' }), pollMs: 1_000, policy: defaultPolicy };
    await db.insertInto('budget_day').values({ credential, day, reserved_usd18: 100n }).execute();
  });
  afterAll(async () => {
    await db?.destroy();
    await database?.stop();
  });

  const hashOf = (nonce: number) => `0x${nonce.toString(16).padStart(64, '0')}` as const;
  let nextNonce = 0;
  /** An intent of so many sent steps, which has reserved 7 of the day's budget. */
  const sent = async (count: number): Promise<SignedStep[]> => {
    const key = { eid: eids.base, intent_id: randomUUID() };
    const reserved = { credential, usd18: 7n, budget_day: day, signed_at: new Date() };
    const intent = { ...key, ...reserved, user_id: randomUUID(), wallet, status: 'signed' as const };
    await db
      .insertInto('intent')
      .values({ ...intent, expires_at: new Date() })
      .execute();
    const call = { to_address: wallet, value: 0n, data: '0x', gas_limit: 1, description: '' } as const;
    const steps = Array.from({ length: count }, (_, step) => {
      const nonce = nextNonce;
      nextNonce += 1;
      return { step, nonce, hash: hashOf(nonce) };
    });
    await db
      .insertInto('intent_step')
      .values(steps.map((step) => ({ ...key, ...call, ...step, wallet, status: 'sent' as const })))
      .execute();
    return steps.map(({ step, nonce }) => ({ intentId: key.intent_id, step, nonce, blockHash: null }));
  };
  const intent = ({ intentId }: SignedStep) =>
    db
      .selectFrom('intent')
      .select(['status', 'error_code', 'usd18'])
      .where('intent_id', '=', intentId)
      .executeTakeFirstOrThrow();
  const reserved = async (): Promise<bigint> =>
    (await db.selectFrom('budget_day').select('reserved_usd18').executeTakeFirstOrThrow()).reserved_usd18;

  it('default: the intent is done with its last step, and keeps what it had reserved', async () => {
    const [first, second] = (await sent(2)) as [SignedStep, SignedStep];
    const before = await reserved();
    await endStep(context, lane, first, 'final');
    expect(await intent(first)).toMatchObject({ status: 'signed' });
    await endStep(context, lane, second, 'final');
    expect(await intent(first)).toEqual({ status: 'done', error_code: null, usd18: 7n });
    expect(await reserved()).toBe(before);
  });

  it('behavior: what nothing of was executed releases what it had reserved, once; of a part it stays', async () => {
    const before = await reserved();
    const [alone] = (await sent(1)) as [SignedStep];
    await failStep(context, lane, alone, late);
    await failStep(context, lane, alone, late);
    expect(await intent(alone)).toEqual({ status: 'failed', error_code: late.code, usd18: 0n });
    expect(await reserved()).toBe(before - 7n);

    const [first, second] = (await sent(2)) as [SignedStep, SignedStep];
    await endStep(context, lane, first, 'final');
    await failStep(context, lane, second, late);
    expect(await intent(first)).toEqual({ status: 'failed', error_code: late.code, usd18: 7n });
    expect(await reserved()).toBe(before - 7n);
  });

  it('behavior: two signers that end the last two steps at once end the intent', async () => {
    const [first, second] = (await sent(2)) as [SignedStep, SignedStep];
    let ending: Promise<void> | undefined;
    const ended = { isSo: false };
    await db.transaction().execute(async (tx) => {
      // As far as the other signer is before it commits.
      await tx.selectFrom('intent').select('eid').where('intent_id', '=', first.intentId).forUpdate().execute();
      await updateOpen(tx, lane, first).set({ status: 'final' }).execute();
      ending = endStep(context, lane, second, 'final').then(() => {
        ended.isSo = true;
      });
      while (!ended.isSo && !(await isSomebodyWaiting(db))) await sleep(5);
    });
    await ending;
    expect(await intent(first)).toMatchObject({ status: 'done' });
  });
});

const isSomebodyWaiting = async (db: Db): Promise<boolean> => {
  const { rows } = await sql`select from pg_locks where not granted`.execute(db);
  return rows.length > 0;
};
