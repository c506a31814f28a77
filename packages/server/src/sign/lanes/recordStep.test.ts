import { randomUUID } from 'node:crypto';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { type Hash, toBase58 } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eids } from '../../../test/eids.ts';
import type { SignerDatabase } from '../../db/signerTables.ts';
import type { RunningDatabase } from '../../db/startDatabase.ts';
import type { Db, Lane } from '../context.ts';
import { type SignedStep, updateOpen } from './recordStep.ts';

describe('updateOpen', () => {
  let database: RunningDatabase;
  let db: Db;
  beforeAll(async () => {
    database = await testDatabase();
    db = database.db.withTables<SignerDatabase>();
  });
  afterAll(() => database?.stop());

  const wallet = `0x${'1'.repeat(40)}` as const;
  const lane: Lane = { chain: { eid: eids.base, slug: 'base' }, wallet };
  const [first, second]: Hash[] = [toBase58(new Uint8Array(64).fill(1)), toBase58(new Uint8Array(64).fill(2))];
  const place = () => ({ intentId: randomUUID(), step: 0, blockHash: null });
  const store = async ({ intentId, step }: SignedStep, signed: { nonce: number | null; hash: Hash | undefined }) => {
    const key = { eid: eids.base, intent_id: intentId };
    const intent = { ...key, user_id: randomUUID(), wallet, status: 'signed' as const, expires_at: new Date() };
    await db.insertInto('intent').values(intent).execute();
    await db
      .insertInto('intent_step')
      .values({
        ...key,
        step,
        wallet,
        to_address: wallet,
        value: 0n,
        data: '0x',
        gas_limit: 1,
        description: '',
        ...signed,
      })
      .execute();
  };
  const ended = async (step: SignedStep): Promise<bigint> => {
    const change = db
      .transaction()
      .execute((tx) => updateOpen(tx, lane, step).set({ status: 'failed' }).executeTakeFirst());
    return (await change).numUpdatedRows;
  };

  it('behavior: a step without nonces is that of the bytes that were looked up: not once it is signed again', async () => {
    const seen: SignedStep = { ...place(), nonce: null, hash: first as Hash };
    await store(seen, { nonce: null, hash: second });
    expect(await ended(seen)).toBe(0n);
    expect(await ended({ ...seen, hash: second as Hash })).toBe(1n);
  });

  it('default: a step with a nonce is that of the nonce, whichever bytes are newest', async () => {
    const seen: SignedStep = { ...place(), nonce: 7 };
    await store(seen, { nonce: 8, hash: first });
    expect(await ended(seen)).toBe(0n);
    expect(await ended({ ...seen, nonce: 8 })).toBe(1n);
  });
});
