import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, type TestApi, testApi } from '../../../../test/api/testing/testApi.ts';
import { eids } from '../../../../test/eids.ts';
import { type StepStatus, unsureSentence } from '../../../db/signerTables.ts';
import type { Caller } from '../../accounts/caller.ts';
import { requireSuccess } from './requireSuccess.ts';
import type { ToolCall } from './toolCall.ts';

describe('requireSuccess', () => {
  let api: TestApi;
  let user: SignedIn;
  beforeAll(async () => {
    api = await testApi();
    user = await api.signIn();
  });
  afterAll(() => api?.stop());

  const intent = async (status: StepStatus, error: string | null = null): Promise<string> => {
    const [intent_id, eid, wallet] = [randomUUID(), eids.baseSepolia, '0x'] as const;
    const { db } = api.context;
    const row = { intent_id, eid, wallet, user_id: user.userId, credential: null, status: 'signed' as const };
    await db
      .insertInto('intent')
      .values({ ...row, expires_at: new Date() })
      .execute();
    const bytes = { to_address: '0x', value: 0n, data: '0x', gas_limit: 21_000, description: 'a step' } as const;
    await db
      .insertInto('intent_step')
      .values({ intent_id, eid, wallet, step: 0, ...bytes, status, hash: '0x12', error })
      .execute();
    return intent_id;
  };
  const told = (answer: object, waitMs = 300) => {
    const call = { context: api.context, caller: { userId: user.userId } as Caller, request: { id: 'one' } };
    return requireSuccess(call as unknown as ToolCall, answer, performance.now() + 2_000 + waitMs);
  };

  it('H26 error: of a claim on several chains each one counts, not only the last', async () => {
    const [reverted, mined] = [await intent('mined', 'Too late.'), await intent('mined')];
    const transactions = [{ intentId: reverted }, { intentId: null }, { intentId: mined }];
    const error = await told({ executed: true, intentId: mined, transactions }).catch((one: unknown) => one);
    expect(error).toMatchObject({
      code: 'TRANSACTION_REVERTED',
      message: 'Too late.',
      details: { intentId: reverted, transactionHash: '0x12', final: false, otherIntents: [mined] },
    });
  });

  it('H26 error: what failed for good says so', async () => {
    const failed = await intent('failed', 'Too late.');
    await expect(told({ intentId: failed })).rejects.toMatchObject({
      code: 'TRANSACTION_FAILED',
      details: { intentId: failed, transactionHash: '0x12', final: true },
    });
  });

  it('H26 behavior: unsure is told only when it lasts to the end of the wait', async () => {
    const lasting = await intent('sent', unsureSentence);
    expect(await told({ intentId: lasting })).toEqual({ intentId: lasting, unsure: true });
    const brief = await intent('sent', unsureSentence);
    const answer = told({ intentId: brief }, 20_000);
    const minedWell = { status: 'mined' as const, error: null };
    await api.context.db.updateTable('intent_step').set(minedWell).where('intent_id', '=', brief).execute();
    expect(await answer).toEqual({ intentId: brief });
  });

  it('behavior: what is only on its way, or was not executed, is answered as it is', async () => {
    for (const answer of [{ intentId: await intent('sent') }, { intentId: null }, { total: 1 }])
      expect(await told(answer)).toBe(answer);
  });
});
