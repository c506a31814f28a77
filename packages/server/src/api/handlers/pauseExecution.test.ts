import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApi, testApi } from '../../../test/api/testing/testApi.ts';

describe('pauseExecution and resumeExecution', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi();
  });
  afterAll(() => api.stop());

  const pausedAt = async (userId: string): Promise<Date | null | undefined> => {
    const row = await api.context.db
      .selectFrom('embedded_wallet')
      .select('paused_at')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row?.paused_at;
  };
  const keyOf = async (bearer: string, body: object) =>
    (await api.call('createApiKey', { name: 'agent', ...body }, { bearer })).body.key as string;

  it('default: before the wallet is made too, once, and undone by a session', async () => {
    const { userId, accessToken: bearer } = await api.signIn();
    const { status, body } = await api.call('pauseExecution', {}, { bearer });
    expect([status, body]).toEqual([200, { success: true, pausedAt: (await pausedAt(userId))?.toISOString() }]);
    expect((await api.call('pauseExecution', {}, { bearer })).body).toEqual(body);
    expect((await api.call('resumeExecution', {}, { bearer })).body).toEqual({ success: true });
    expect(await pausedAt(userId)).toBeNull();
    expect((await api.call('resumeExecution', {}, { bearer })).body).toEqual({ success: true });
  });

  it('behavior: nobody else is paused or resumed', async () => {
    const [first, second] = [await api.signIn(), await api.signIn()];
    for (const { accessToken: bearer } of [first, second]) await api.call('pauseExecution', {}, { bearer });
    await api.call('resumeExecution', {}, { bearer: first.accessToken });
    expect(await pausedAt(first.userId)).toBeNull();
    expect(await pausedAt(second.userId)).toBeInstanceOf(Date);
  });

  it('W4 error: SCOPE_MISSING, whoever pauses: no API key resumes, with a budget or without', async () => {
    const { userId, accessToken } = await api.signIn();
    for (const body of [{}, { budget: { perDayUsd: 1 } }]) {
      const bearer = await keyOf(accessToken, body);
      expect((await api.call('pauseExecution', {}, { bearer })).status).toBe(200);
      const refused = await api.call('resumeExecution', {}, { bearer });
      expect([refused.status, refused.body.code]).toEqual([403, 'SCOPE_MISSING']);
      expect(await pausedAt(userId)).toBeInstanceOf(Date);
    }
  });

  it('error: SCOPE_MISSING without execute', async () => {
    const { userId, accessToken } = await api.signIn();
    const bearer = await keyOf(accessToken, { scopes: ['read', 'prepare'] });
    for (const name of ['pauseExecution', 'resumeExecution'] as const) {
      const refused = await api.call(name, {}, { bearer });
      expect([refused.status, refused.body.code]).toEqual([403, 'SCOPE_MISSING']);
    }
    expect(await pausedAt(userId)).toBeUndefined();
  });

  it('error: AUTHENTICATION_FAILED without a credential', async () => {
    for (const name of ['pauseExecution', 'resumeExecution'] as const)
      expect((await api.call(name)).body.code).toBe('AUTHENTICATION_FAILED');
  });
});
