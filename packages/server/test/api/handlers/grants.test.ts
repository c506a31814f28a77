import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basePath } from '../../../src/api/wire/limits.ts';
import { newBrowser, newWallet, type OauthApi, oauthApi, tokenOf, walk } from '../oauth/oauthFixture.ts';
import { whileReadOnly } from '../testing/whileReadOnly.ts';

let api: OauthApi;
beforeAll(async () => {
  api = await oauthApi();
});
afterAll(() => api.stop());

/** Calls the second process; the OAuth flows run at the first. */
const post = async (path: string, body: object, bearer?: string) => {
  const answer = await newBrowser().post(`${api.urls[1]}${basePath}${path}`, body, {
    accept: '*/*',
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- the shape differs from call to call and is what the test asserts
  return { status: answer.status, body: (await answer.json()) as any };
};

const signIn = async (wallet = newWallet()) => {
  const { body: challenge } = await post('/auth/challenge', { address: wallet.address });
  const signature = await wallet.signMessage({ message: challenge.message });
  const { body } = await post('/auth/login', { message: challenge.message, signature });
  return { wallet, bearer: body.accessToken as string, userId: body.userId as string };
};

const keyWith = async (bearer: string, scopes: string[]): Promise<string> =>
  (await post('/api-keys', { name: 'key', scopes }, bearer)).body.key;

const executing = { scope: ['read', 'execute'], chain: 'base-sepolia', perTradeUsd: '5', perDayUsd: '20.50' };

describe('listGrants', () => {
  it('default: what was allowed to whom, with its budget, newest first', async () => {
    const { wallet, bearer, userId } = await signIn();
    expect((await post('/grants/list', {}, bearer)).body).toEqual({ grants: [] });
    const first = await walk(api, { wallet });
    api.clock.ms += 1_000;
    const second = await walk(api, { wallet, scope: 'read execute', choices: executing });
    const caller = await api.contexts[1].oauth.verifyToolToken(second.tokens.access_token as string);
    expect(caller?.userId).toBe(userId);
    const { body } = await post('/grants/list', {}, await keyWith(bearer, ['read']));
    const nothing = { reservedTodayUsd: '0', contracts: [], recipients: [], maxBuilderBps: 100 };
    expect(body.grants).toMatchObject([
      {
        id: caller?.credential,
        clientId: second.clientId,
        clientName: 'Strange Client',
        redirectHost: '127.0.0.1:7777',
        scopes: ['read', 'execute'],
        budget: { ...nothing, perTradeUsd: '5', perDayUsd: '20.5', chains: ['base-sepolia'] },
        createdAt: '2030-01-01T00:00:01.000Z',
        expiresAt: '2030-04-01T00:00:01.000Z',
        lastUsedAt: '2030-01-01T00:00:01.000Z',
      },
      {
        clientId: first.clientId,
        scopes: ['read', 'prepare'],
        budget: { ...nothing, perTradeUsd: '0', perDayUsd: '0', chains: [] },
        lastUsedAt: null,
      },
    ]);
  });

  it('H17 behavior: a token is good while its use cannot be noted, because the database only reads', async () => {
    const { tokens } = await walk(api, {});
    const [{ oauth, db }] = api.contexts;
    const verified = () => oauth.verifyToolToken(tokens.access_token as string);
    const caller = await verified();
    api.clock.ms += 61_000;
    expect(caller).not.toBeNull();
    expect(await whileReadOnly(db, verified)).toEqual(caller);
  });

  it('behavior: what may not execute may spend nothing, in the table that the signer reads', async () => {
    const { tokens } = await walk(api, { scope: 'read prepare execute', choices: { scope: ['read', 'prepare'] } });
    const [{ oauth, db }] = api.contexts;
    const caller = await oauth.verifyToolToken(tokens.access_token as string);
    const row = await db
      .selectFrom('budget')
      .select(['per_trade_usd18', 'per_day_usd18', 'eids'])
      .where('credential', '=', caller?.credential as string)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ per_trade_usd18: 0n, per_day_usd18: 0n, eids: [] });
  });

  it('error: AUTHENTICATION_FAILED without a credential', async () => {
    expect((await post('/grants/list', {})).body.code).toBe('AUTHENTICATION_FAILED');
  });

  it('error: SCOPE_MISSING', async () => {
    const { bearer } = await signIn();
    const key = await keyWith(bearer, ['prepare']);
    expect((await post('/grants/list', {}, key)).body.code).toBe('SCOPE_MISSING');
  });
});

describe('revokeGrant', () => {
  it('default: tokens end at once here and within 5 seconds elsewhere, and what waits for the signer too', async () => {
    const { wallet, bearer } = await signIn();
    const { tokens, server, clientId } = await walk(api, { wallet, scope: 'read execute', choices: executing });
    const token = tokens.access_token as string;
    const [one, two] = api.contexts;
    const id = (await one.oauth.verifyToolToken(token))?.credential as string;
    expect(await two.oauth.verifyToolToken(token)).not.toBeNull();
    expect(await post('/grants/revoke', { id }, bearer)).toEqual({ status: 200, body: { success: true } });
    expect(await two.oauth.verifyToolToken(token)).toBeNull();
    api.clock.ms += 4_001;
    expect(await one.oauth.verifyToolToken(token)).toBeNull();
    const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: tokens.refresh_token as string };
    expect((await tokenOf(server, form)).body.error).toBe('invalid_grant');
    expect((await post('/grants/list', {}, bearer)).body.grants).toEqual([]);
    const budget = await one.db.selectFrom('budget').select('ended_at').where('credential', '=', id).execute();
    expect(budget).toEqual([{ ended_at: expect.any(Date) }]);
    expect((await post('/grants/revoke', { id }, bearer)).body).toMatchObject({
      code: 'INVALID_PARAMETERS',
      details: [{ path: 'id' }],
    });
  });

  it("W5 error: another user's grant", async () => {
    const owner = await walk(api);
    const token = owner.tokens.access_token as string;
    const id = (await api.contexts[0].oauth.verifyToolToken(token))?.credential;
    const thief = await signIn();
    const refused = await post('/grants/revoke', { id }, thief.bearer);
    expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_PARAMETERS']);
    api.clock.ms += 4_001;
    expect(await api.contexts[1].oauth.verifyToolToken(token)).not.toBeNull();
  });

  it('error: AUTHENTICATION_FAILED without a credential, and with a token of the grant', async () => {
    const { tokens } = await walk(api, { scope: 'read execute', choices: executing });
    const token = tokens.access_token as string;
    const id = (await api.contexts[0].oauth.verifyToolToken(token))?.credential;
    for (const bearer of [undefined, token]) {
      expect((await post('/grants/revoke', { id }, bearer)).body.code).toBe('AUTHENTICATION_FAILED');
    }
  });

  it('error: SCOPE_MISSING', async () => {
    const { bearer } = await signIn();
    const key = await keyWith(bearer, ['read', 'prepare']);
    expect((await post('/grants/revoke', { id: 'x'.repeat(43) }, key)).body.code).toBe('SCOPE_MISSING');
  });
});
