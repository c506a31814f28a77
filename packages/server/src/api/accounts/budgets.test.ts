import { randomUUID } from 'node:crypto';
import { chainBySlug } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, type TestApi, testApi } from '../../../test/api/testing/testApi.ts';
import { createEvmClient } from '../../chain/evm/evmClient.ts';
import { buildApp, createContext } from '../main.ts';
import { basePath } from '../wire/limits.ts';
import { budgetOf } from './budgets.ts';
import { addGrant } from './grants.ts';

const recipient = '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB';
const contract = '0xCdCDCdCdcdcdcdCdcDcDCdcDcDCdCdcdCdcDCDcD';

describe('API keys with a budget', () => {
  let api: TestApi;
  let user: SignedIn;
  beforeAll(async () => {
    api = await testApi({ env: { RECIPIENT_DELAY_HOURS: '12' } });
    user = await api.signIn();
  });
  afterAll(() => api.stop());

  const make = (body: object, bearer = user.accessToken) =>
    api.call('createApiKey', { name: 'agent', ...body }, { bearer });
  const listed = async (id: string) => {
    const { body } = await api.call('listApiKeys', {}, { bearer: user.accessToken });
    return body.keys.find((key: { id: string }) => key.id === id);
  };
  const budgetRow = (credential: string) =>
    api.context.db.selectFrom('budget').selectAll().where('credential', '=', credential).executeTakeFirst();
  const reserve = (credential: string, daysAgo: number, usd18: bigint) =>
    api.context.db
      .insertInto('intent')
      .values({
        eid: chainBySlug('base').eid,
        intent_id: randomUUID(),
        user_id: user.userId,
        wallet: `0x${'1'.repeat(40)}`,
        credential,
        usd18,
        status: 'signed',
        expires_at: new Date(),
        budget_day: new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10),
      })
      .execute();

  it('K1 error: a writer of the database who deletes the budget of a key or an application frees neither', async () => {
    const { db, seals } = api.context;
    const budget = { perDayUsd: '1' };
    const { id: limited } = (await make({ budget })).body;
    const { id: free } = (await make({})).body;
    const grantId = 'grant-with-a-budget';
    const client = { clientId: 'client', clientName: 'Client', redirectHost: 'client.example' };
    const grant = { grantId, userId: user.userId, ...client, scopes: ['execute'] as const, budget };
    await addGrant(api.context, grant, api.clock.ms);
    const found = (credential: string) => db.transaction().execute((tx) => budgetOf(tx, seals, credential));
    for (const one of [limited, grantId]) expect(await found(one)).toMatchObject({ perDayUsd18: 10n ** 18n });
    expect(await found(free)).toBeNull();

    await db.deleteFrom('budget').where('credential', 'in', [limited, grantId]).execute();
    for (const one of [limited, grantId])
      await expect(found(one)).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });

  it('default: stored with the key in 18 decimals and lower case, and shown with what is reserved today', async () => {
    const budget = {
      perTradeUsd: 0.000001,
      perDayUsd: '100.000000000000000001',
      chains: ['base', 'opbnb'],
      contracts: [contract],
      recipients: [recipient, recipient.toLowerCase()],
      maxBuilderBps: 250,
    };
    const { status, body } = await make({ budget });
    expect(status).toBe(200);
    const row = await budgetRow(body.id);
    expect(row).toMatchObject({
      user_id: user.userId,
      per_trade_usd18: 1_000_000_000_000n,
      per_day_usd18: 100_000_000_000_000_000_001n,
      eids: [chainBySlug('base').eid, chainBySlug('op-bnb').eid],
      contracts: [contract.toLowerCase()],
      recipients: [recipient.toLowerCase()],
      max_builder_bps: 250,
      ended_at: null,
    });
    await reserve(body.id, 0, 1_500_000_000_000_000_000n);
    await reserve(body.id, 1, 7n);
    expect((await listed(body.id)).budget).toEqual({
      perTradeUsd: '0.000001',
      perDayUsd: '100.000000000000000001',
      reservedTodayUsd: '1.5',
      chains: ['base', 'op-bnb'],
      contracts: [contract.toLowerCase()],
      recipients: [recipient.toLowerCase()],
      recipientsFrom: new Date((row?.created_at.getTime() ?? 0) + 12 * 3_600_000).toISOString(),
      maxBuilderBps: 250,
    });
  });

  it('behavior: an empty budget has no caps but all other rules, 0 is a cap, and no budget is none', async () => {
    const { body: empty } = await make({ budget: {} });
    expect((await listed(empty.id)).budget).toMatchObject({
      perTradeUsd: null,
      perDayUsd: null,
      reservedTodayUsd: '0',
      chains: null,
      contracts: [],
      recipients: [],
      maxBuilderBps: 100,
    });
    const { body: nothing } = await make({ budget: { perTradeUsd: 0, perDayUsd: '0' } });
    expect(await budgetRow(nothing.id)).toMatchObject({ per_trade_usd18: 0n, per_day_usd18: 0n });
    const { body: free } = await make({});
    expect((await listed(free.id)).budget).toBeNull();
    expect(await budgetRow(free.id)).toBeUndefined();
    for (const { id } of [empty, nothing, free]) await api.call('revokeApiKey', { id }, { bearer: user.accessToken });
  });

  it('error: a budget that would be another one than was meant', async () => {
    for (const [budget, path] of [
      [{ perDayUSD: 5 }, 'budget.perDayUSD'],
      [{ perTradeUsd: -1 }, 'budget.perTradeUsd'],
      [{ perTradeUsd: '-1' }, 'budget.perTradeUsd'],
      [{ perTradeUsd: '1e3' }, 'budget.perTradeUsd'],
      [{ perDayUsd: '1.0000000000000000001' }, 'budget.perDayUsd'],
      [{ perDayUsd: true }, 'budget.perDayUsd'],
      [{ chains: ['nowhere'] }, 'budget.chains.0'],
      [{ recipients: ['alice'] }, 'budget.recipients.0'],
      [{ maxBuilderBps: 10_001 }, 'budget.maxBuilderBps'],
      [7, 'budget'],
    ] as const) {
      const { status, body } = await make({ budget });
      expect([status, body.code, body.details?.[0]?.path], JSON.stringify(budget)).toEqual([
        400,
        'INVALID_PARAMETERS',
        path,
      ]);
    }
    const inexact = await api.call('createApiKey', '{"name":"x","budget":{"perDayUsd":0.1234567890123456789}}', {
      bearer: user.accessToken,
    });
    expect(inexact.status).toBe(400);
  });

  it('W4 error: a key with a budget makes no keys, so that it cannot widen itself', async () => {
    const { body } = await make({ budget: { perDayUsd: 5 } });
    const before = (await api.call('listApiKeys', {}, { bearer: user.accessToken })).body.keys.length;
    for (const input of [{}, { budget: { perDayUsd: 1 } }]) {
      const refused = await make(input, body.key);
      expect([refused.status, refused.body.code, refused.body.details]).toEqual([
        403,
        'SCOPE_MISSING',
        [{ path: 'credential', message: 'an access token of a sign-in' }],
      ]);
    }
    expect((await api.call('listApiKeys', {}, { bearer: user.accessToken })).body.keys.length).toBe(before);
    await api.call('revokeApiKey', { id: body.id }, { bearer: user.accessToken });
  });

  it('W4 revoking ends the budget, and makes an ended one for a key that had none', async () => {
    for (const budget of [undefined, { perDayUsd: 5 }]) {
      const { body } = await make({ budget });
      await api.call('revokeApiKey', { id: body.id }, { bearer: user.accessToken });
      const row = await budgetRow(body.id);
      expect(row?.ended_at).toBeInstanceOf(Date);
      expect(row?.per_day_usd18 ?? null).toBe(budget === undefined ? null : 5n * 10n ** 18n);
    }
  });

  it("W5 error: who revokes another's key ends nothing", async () => {
    const { body } = await make({ budget: { perDayUsd: 5 } });
    const thief = await api.signIn();
    expect((await api.call('revokeApiKey', { id: body.id }, { bearer: thief.accessToken })).status).toBe(400);
    expect((await budgetRow(body.id))?.ended_at).toBeNull();
  });

  it('A6 a key revoked at one process stops within 5 seconds at another one', async () => {
    const { config, keys, intentKeys, log, now, db } = api.context;
    const other = buildApp(
      await createContext({
        chains: [],
        createClient: createEvmClient,
        config,
        keys,
        intentKeys,
        log,
        now,
        db: db as never,
      }),
    );
    const ask = async (key: string) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      return (await other.inject({ method: 'POST', url: `${basePath}/api-keys/list`, headers, payload: '{}' }))
        .statusCode;
    };
    const { body } = await make({ budget: { perDayUsd: 5 } });
    expect(await ask(body.key)).toBe(200);
    await api.call('revokeApiKey', { id: body.id }, { bearer: user.accessToken });
    expect((await api.call('listApiKeys', {}, { bearer: body.key })).status).toBe(401);
    api.clock.ms += 5_000;
    expect(await ask(body.key)).toBe(401);
    await other.close();
  });
});
