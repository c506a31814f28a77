import { randomUUID } from 'node:crypto';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eids } from '../../../test/eids.ts';
import { openDatabase } from '../../db/openDatabase.ts';
import type { SignerDatabase } from '../../db/signerTables.ts';
import type { RunningDatabase } from '../../db/startDatabase.ts';
import type { Db, Lane } from '../context.ts';
import type { Intent, Step } from './intents.ts';
import { whyNot } from './whyNot.ts';

describe('whyNot', () => {
  let database: RunningDatabase;
  let db: Db;
  beforeAll(async () => {
    database = await testDatabase();
    db = openDatabase<SignerDatabase>(database.url, { maxConnections: 4 });
  });
  afterAll(async () => {
    await db?.destroy();
    await database?.stop();
  });

  const steps = [{}] as Step[];
  let count = 0;
  /** A user with a wallet on EVM chains and one that is requested on others. */
  const newUser = async () => {
    const user_id = randomUUID();
    count += 1;
    const wallet = `0x${String(count).padStart(40, '0')}` as const;
    await db
      .insertInto('embedded_wallet')
      .values([
        { user_id, chain_type: 'evm', address: wallet, sealed_key: '{}' },
        { user_id, chain_type: 'solana' },
      ])
      .execute();
    const lane: Lane = { chain: { eid: eids.base, slug: 'base' }, wallet };
    return { user_id, lane, intent: { user_id } as Intent };
  };
  type User = Awaited<ReturnType<typeof newUser>>;
  const said = ({ lane, intent }: User, of: { steps?: typeof steps; owner?: string | undefined } = {}) => {
    const given = { steps, owner: intent.user_id, ...of };
    return db.transaction().execute((tx) => whyNot(tx, lane, intent, given.steps, given.owner));
  };
  const pause = ({ user_id }: User, type: 'evm' | 'solana') =>
    db
      .updateTable('embedded_wallet')
      .set({ paused_at: new Date() })
      .where('user_id', '=', user_id)
      .where('chain_type', '=', type)
      .execute();

  it('default: nothing', async () => {
    expect(await said(await newUser())).toBeUndefined();
  });

  it('error: another user’s wallet, a wallet without a key, nothing to sign', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const notTheirs = { code: 'INVALID_PARAMETERS', message: expect.stringContaining('is not the embedded wallet') };
    expect(await said({ ...user, lane: other.lane })).toEqual(notTheirs);
    expect(await said(user, { owner: undefined })).toEqual(notTheirs);
    expect((await said(user, { steps: [] }))?.message).toBe('There is nothing to sign.');
  });

  it('W4 behavior: a pause stops every wallet of the user, in whichever of them it is written', async () => {
    for (const type of ['evm', 'solana'] as const) {
      const [user, other] = [await newUser(), await newUser()];
      await pause(user, type);
      expect(await said(user)).toEqual({ code: 'EXECUTION_PAUSED', message: 'Execution is paused for this user.' });
      expect(await said(other)).toBeUndefined();
    }
  });

  it('W4 behavior: a pause waits until what is being signed is stored, in whichever wallet it is written', async () => {
    for (const type of ['evm', 'solana'] as const) {
      const user = await newUser();
      let isPaused = false;
      let pausing: Promise<unknown> | undefined;
      await db.transaction().execute(async (tx) => {
        expect(await whyNot(tx, user.lane, user.intent, steps, user.user_id)).toBeUndefined();
        pausing = pause(user, type).then(() => {
          isPaused = true;
        });
        await new Promise((resolve) => setTimeout(resolve, 100));
        expect(isPaused).toBe(false);
      });
      await pausing;
      expect((await said(user))?.code).toBe('EXECUTION_PAUSED');
    }
  });
});
