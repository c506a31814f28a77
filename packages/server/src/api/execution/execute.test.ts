import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, type TestApi, testApi, testChain } from '../../../test/api/testing/testApi.ts';
import type { Caller } from '../accounts/caller.ts';
import { execute, type Wish } from './execute.ts';

const wallet = `0x${'e'.repeat(40)}` as const;

describe('execute', () => {
  let api: TestApi;
  let user: SignedIn;
  let caller: Caller;
  beforeAll(async () => {
    const patience = { signatureMs: 50 };
    api = await testApi({ chains: [testChain('base-sepolia', 'http://127.0.0.1:1')], patience });
    user = await api.signIn();
    caller = (await api.context.auth.verify(`Bearer ${user.accessToken}`)) as Caller;
  });
  afterAll(() => api?.stop());
  beforeEach(async () => {
    await sql`truncate intent, intent_step cascade`.execute(api.context.db);
  });

  const wish = (): Wish => {
    const [served] = api.context.chains.values();
    if (served === undefined) throw new Error('no chain');
    const call = { to: wallet, data: '0x', value: '5', gasLimit: '21000', description: 'Send 5 wei' } as const;
    return {
      served,
      sender: { executes: true, address: wallet, caller },
      transactions: [call],
      deadline: Math.floor(Date.now() / 1_000) + 60,
      seenBlock: 7,
    };
  };
  const intents = () =>
    api.context.db.selectFrom('intent').select(['status', 'wallet', 'idempotency_key', 'seen_block']).execute();
  /** A call with this key that has run for so many seconds. */
  const begun = async (key: string, seconds: number): Promise<void> => {
    const started_at = new Date(Date.now() - seconds * 1_000);
    const row = { user_id: user.userId, key, operation: 'sendTransaction', input_hash: randomUUID(), started_at };
    await api.context.db.insertInto('idempotent_call').values(row).execute();
  };

  it('behavior: what no signer takes in time is withdrawn, so that nobody signs it later', async () => {
    await begun('in time', 0);
    await expect(execute(api.context, wish(), { idempotencyKey: 'in time' })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('nothing will be'),
    });
    expect(await intents()).toEqual([{ status: 'refused', wallet, idempotency_key: 'in time', seen_block: 7 }]);
  });

  it('error: a call whose key counts as abandoned asks for nothing any more', async () => {
    await begun('too late', 61);
    await expect(execute(api.context, wish(), { idempotencyKey: 'too late' })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('Preparing took too long'),
    });
    expect(await intents()).toEqual([]);
  });

  it('error: nor does one whose answer is due before it could be withdrawn', async () => {
    await expect(execute(api.context, wish(), { untilMs: performance.now() + 9_500 })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(await intents()).toEqual([]);
  });
});
