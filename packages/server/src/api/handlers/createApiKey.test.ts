import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, type TestApi, testApi } from '../../../test/api/testing/testApi.ts';

describe('createApiKey', () => {
  let api: TestApi;
  let user: SignedIn;
  beforeAll(async () => {
    api = await testApi();
    user = await api.signIn();
  });
  afterAll(() => api.stop());

  const make = (body: object) => api.call('createApiKey', { name: 'agent', ...body }, { bearer: user.accessToken });
  const keys = async () => (await api.call('listApiKeys', {}, { bearer: user.accessToken })).body.keys;

  it('H23 error: a field that does not exist is named, and no key is made', async () => {
    const wrong: [object, string][] = [
      [{ budgett: { perDayUsd: 5 } }, 'budgett'],
      [{ scope: ['read'] }, 'scope'],
      [{ expires_at: '2030-01-02T00:00:00Z' }, 'expires_at'],
      [{ expiry: '2030-01-02T00:00:00Z' }, 'expiry'],
      [{ Budget: {} }, 'Budget'],
      [{ budget: { perDayUSD: 5 } }, 'budget.perDayUSD'],
    ];
    for (const [body, path] of wrong) {
      const answer = await make(body);
      expect([answer.status, answer.body.code, answer.body.details]).toEqual([
        400,
        'INVALID_PARAMETERS',
        [{ path, message: 'is no field of this request' }],
      ]);
    }
    expect(await keys()).toEqual([]);
  });

  it('H23 error: of many unknown fields, and long ones, the answer stays short', async () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`${'x'.repeat(90)}${at}`, 1]));
    const answer = await make(many);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body).length).toBeLessThan(4_000);
  });

  it('H23 the answer repeats what the key may do, and for how long', async () => {
    const budget = { perTradeUsd: 25, perDayUsd: '100', chains: ['base-sepolia'] };
    const expiresAt = '2030-02-01T00:00:00.000Z';
    const { body } = await make({ scopes: ['read', 'execute'], expiresAt, budget });
    expect(body).toMatchObject({ scopes: ['read', 'execute'], expiresAt, budget: { ...budget, perTradeUsd: '25' } });
    const [listed] = await keys();
    for (const field of ['scopes', 'expiresAt', 'budget', 'createdAt', 'prefix'])
      expect(body[field]).toEqual(listed[field]);
    expect((await make({})).body).toMatchObject({
      scopes: ['read', 'prepare', 'execute', 'social'],
      expiresAt: null,
      budget: null,
    });
  });
});
