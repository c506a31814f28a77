import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase } from '@mintage/devnet/testDatabase';
import type { Hash } from '@mintage/protocol';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eids } from '../../../test/eids.ts';
import { type Proofs, startProofs } from '../../../test/sign/proofs.ts';
import { openDatabase } from '../../db/openDatabase.ts';
import type { SignerDatabase } from '../../db/signerTables.ts';
import type { RunningDatabase } from '../../db/startDatabase.ts';
import { memoryKek } from '../../keys/keys.ts';
import type { Context, Db, Lane } from '../context.ts';
import { defaultPolicy } from '../policy/policy.ts';
import { dayOf } from '../signingLog/signingLog.ts';
import { completeStep, failStep } from './endStep.ts';
import { type SignedStep, updateOpen } from './recordStep.ts';

const wallet = `0x${'1'.repeat(40)}` as const;
const lane: Lane = { chain: { eid: eids.base, slug: 'base' }, wallet };
const credential = 'a key';
const late = { code: 'DEADLINE_PASSED', message: 'It came too late.' } as const;

describe('endStep', () => {
  let database: RunningDatabase;
  let proofs: Proofs;
  let db: Db;
  let context: Context;
  beforeAll(async () => {
    database = await testDatabase();
    proofs = await startProofs();
    db = openDatabase<SignerDatabase>(database.url, { maxConnections: 4 });
    const { intents, signingLog } = proofs;
    const keys = memoryKek(new Uint8Array(32));
    context = { db, keys, intents, signingLog, log: pino({ level: 'silent' }), pollMs: 1_000, policy: defaultPolicy };
  });
  afterAll(async () => {
    await db?.destroy();
    await database?.stop();
    await proofs?.stop();
  });

  const hashOf = (nonce: number) => `0x${nonce.toString(16).padStart(64, '0')}` as const;
  let nextNonce = 0;
  type Sent = SignedStep & { hash: Hash; user: string };
  /** An intent of so many sent steps, which counts 7 in the day's budget. */
  const sent = async (count: number): Promise<Sent[]> => {
    const key = { eid: eids.base, intent_id: randomUUID() };
    const user = randomUUID();
    const call = { to_address: wallet, value: 0n, data: '0x', gas_limit: 1, description: '' } as const;
    const steps = Array.from({ length: count }, (_, step) => {
      const nonce = nextNonce;
      nextNonce += 1;
      return { step, nonce, hash: hashOf(nonce) };
    });
    const proof = await proofs.signing.prove(
      {
        eid: key.eid,
        intentId: key.intent_id,
        userId: user,
        wallet,
        credential,
        budget: null,
        session: null,
        ownWallets: [wallet],
        acknowledged: null,
        premise: null,
        seenBlock: null,
        steps: steps.map(() => ({ to: wallet, value: 0n, data: '0x', gasLimit: 1 })),
      },
      Date.now() / 1_000 + 60,
    );
    const day = dayOf((await proofs.intents.verify(proof))?.issuedAt ?? 0);
    await proofs.signingLog.begin({
      outflow: { usd18: 0n, coins: 0n },
      day,
      userId: user,
      intentId: key.intent_id,
      eid: key.eid,
      wallet,
      credential,
      usd18: 7n,
      attempts: steps.map(({ hash, nonce }) => ({
        hash,
        raw: '0x',
        nonce,
        kind: 'call',
        fees: null,
        signedBlock: 1,
        validUntilBlock: null,
      })),
    });
    const counted = { credential, usd18: 7n, budget_day: day, signed_at: new Date(), proof };
    await db
      .insertInto('intent')
      .values({ ...key, ...counted, user_id: user, wallet, status: 'signed', expires_at: new Date() })
      .execute();
    await db
      .insertInto('intent_step')
      .values(steps.map((step) => ({ ...key, ...call, ...step, wallet, status: 'sent' as const })))
      .execute();
    return steps.map((step) => ({ ...step, intentId: key.intent_id, blockHash: null, user }));
  };
  const intent = ({ intentId }: SignedStep) =>
    db
      .selectFrom('intent')
      .select(['status', 'error_code', 'usd18'])
      .where('intent_id', '=', intentId)
      .executeTakeFirstOrThrow();
  /** What the user's intents of today count, by the signing log. */
  const counted = async ({ user }: Sent): Promise<bigint> => {
    const spent = await proofs.signingLog.spentOn(dayOf(Date.now() / 1_000), user);
    return spent.reduce((sum, one) => sum + (one.isReleased ? 0n : one.usd18), 0n);
  };

  const idle = (hash: Hash) => ({ hash, succeeded: false });

  it('default: the intent is done with its last step, and counts what it counted', async () => {
    const [first, second] = (await sent(2)) as [Sent, Sent];
    await completeStep(context, lane, first);
    expect(await intent(first)).toMatchObject({ status: 'signed' });
    await completeStep(context, lane, second);
    expect(await intent(first)).toEqual({ status: 'done', error_code: null, usd18: 7n });
    expect(await counted(first)).toBe(7n);
  });

  it('behavior: what did nothing counts nothing, once the chain shows it of the bytes in the signing log', async () => {
    const [alone] = (await sent(1)) as [Sent];
    await failStep(context, lane, alone, late, idle(alone.hash));
    await failStep(context, lane, alone, late, idle(alone.hash));
    expect(await intent(alone)).toEqual({ status: 'failed', error_code: late.code, usd18: 0n });
    expect(await counted(alone)).toBe(0n);

    // Of other bytes, of none, and of a part of an intent it says nothing.
    for (const given of [idle(hashOf(999_999)), null]) {
      const [other] = (await sent(1)) as [Sent];
      await failStep(context, lane, other, late, given);
      expect(await intent(other)).toMatchObject({ status: 'failed', usd18: 7n });
      expect(await counted(other)).toBe(7n);
    }
    const [first, second] = (await sent(2)) as [Sent, Sent];
    await completeStep(context, lane, first);
    await failStep(context, lane, second, late, idle(second.hash));
    expect(await intent(first)).toEqual({ status: 'failed', error_code: late.code, usd18: 7n });
    expect(await counted(first)).toBe(7n);
  });

  it('K1 error: a success that rows call a cancellation goes on counting', async () => {
    const [alone] = (await sent(1)) as [Sent];
    await failStep(context, lane, alone, late, { hash: alone.hash, succeeded: true });
    expect(await counted(alone)).toBe(7n);
  });

  it('behavior: two signers that end the last two steps at once end the intent', async () => {
    const [first, second] = (await sent(2)) as [Sent, Sent];
    let ending: Promise<void> | undefined;
    const ended = { isSo: false };
    await db.transaction().execute(async (tx) => {
      // As far as the other signer is before it commits.
      await tx.selectFrom('intent').select('eid').where('intent_id', '=', first.intentId).forUpdate().execute();
      await updateOpen(tx, lane, first).set({ status: 'final' }).execute();
      ending = completeStep(context, lane, second).then(() => {
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
