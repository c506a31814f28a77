import { randomUUID } from 'node:crypto';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withinFirstDays } from '../../../src/api/accounts/budgets.ts';
import { actsFrom } from '../../../src/api/accounts/newAccess.ts';
import { sealedWallets } from '../../../src/api/accounts/users.ts';
import { withWork } from '../../../src/api/accounts/webhooks/queue.ts';
import { tellHappenings } from '../../../src/api/notifications/tellHappenings.ts';
import { eids } from '../../eids.ts';
import { createPasskey, type SoftPasskey, usePasskey } from '../../world/authenticator.ts';
import { type ForeignIssuer, foreignIssuer, startForeignIssuer } from '../testing/foreignIssuer.ts';
import { signInOperator } from '../testing/operator.ts';
import { type TestApi, testApi, testChain } from '../testing/testApi.ts';

const origin = 'http://localhost:8080';
const [minute, hour] = [60_000, 3_600_000];

let api: TestApi;
let issuer: ForeignIssuer;
let foreign: (sub: string) => Promise<string>;

beforeAll(async () => {
  issuer = await startForeignIssuer();
  api = await testApi({
    chains: [testChain('base-sepolia', 'http://127.0.0.1:1')],
    patience: { walletMs: 0 },
    env: {
      NEW_ACCESS_DELAY_HOURS: '24',
      JWT_ISSUERS: issuer.jwtIssuers,
    },
  });
  foreign = (sub) => {
    const iat = Math.floor(api.clock.ms / 1000);
    return issuer.sign({ sub, iat, exp: iat + 3_600 });
  };
});
afterAll(async () => {
  await api?.stop();
  await issuer?.stop();
});

const newWallet = () => privateKeyToAccount(generatePrivateKey());
const lower = ({ address }: PrivateKeyAccount) => address.toLowerCase() as `0x${string}`;
const link = async (bearer: string, wallet: PrivateKeyAccount) => {
  const { body } = await api.call('linkWalletChallenge', { address: wallet.address }, { bearer });
  if (body.message === undefined) return { status: 0, body };
  const signature = await wallet.signMessage({ message: body.message });
  return api.call('linkWallet', { message: body.message, signature }, { bearer });
};
const addPasskey = async (bearer: string) => {
  const { body } = await api.call('passkeyRegisterOptions', {}, { bearer });
  if (body.options === undefined) return { answer: { status: 0, body }, passkey: undefined as unknown as SoftPasskey };
  const { credential, passkey } = createPasskey(body.options, { origin });
  return { answer: await api.call('passkeyRegister', { credential }, { bearer }), passkey };
};
const login = async (passkey: SoftPasskey) => {
  const { body } = await api.call('passkeyLoginOptions');
  return api.call('passkeyLogin', { credential: usePasskey(passkey, body.options, { origin }) });
};
const unlink = (bearer: string, wallet: PrivateKeyAccount) =>
  api.call('unlinkWallet', { address: wallet.address }, { bearer });
const send = (bearer: string) =>
  api.call('sendTransaction', { chainSlug: 'base-sepolia', to: lower(newWallet()), amount: '1' }, { bearer });

/** A wallet and a passkey of long ago, another wallet and passkey of just now, and a user at an issuer. */
const account = async () => {
  const [first, second, fresh] = [newWallet(), newWallet(), newWallet()];
  const { accessToken: begun, userId } = await api.signIn(first);
  const passkey = await addPasskey(begun);
  const removable = await addPasskey(begun);
  expect([passkey.answer.status, removable.answer.status, (await link(begun, second)).status]).toEqual([200, 200, 200]);
  await api.context.db
    .insertInto('user_identity')
    .values({
      issuer: foreignIssuer,
      subject: userId,
      user_id: userId,
      seal: api.context.seals.of(['user_identity', foreignIssuer, userId, userId]),
    })
    .execute();
  api.clock.ms += 25 * hour;
  const { accessToken } = await api.signIn(first);
  const { key } = (await api.call('createApiKey', { name: 'old' }, { bearer: accessToken })).body;
  api.clock.ms += 25 * hour;
  const { accessToken: again } = await api.signIn(first);
  const newPasskey = await addPasskey(again);
  expect([newPasskey.answer.status, (await link(again, fresh)).status]).toEqual([200, 200]);
  return { userId, first, second, fresh, passkey: passkey.passkey, removable: removable.passkey, newPasskey, key };
};
type Account = Awaited<ReturnType<typeof account>>;

const ways: Record<string, (of: Account) => Promise<string>> = {
  'a wallet, signed in just now': async ({ first }) => (await api.signIn(first)).accessToken,
  'a passkey, signed in just now': async ({ passkey }) => (await login(passkey)).body.accessToken,
  'a wallet, 6 minutes ago': async ({ first }) => {
    const { accessToken } = await api.signIn(first);
    api.clock.ms += 6 * minute;
    return accessToken;
  },
  'a refreshed session': async ({ first }) => {
    const { refreshToken } = await api.signIn(first);
    return (await api.call('authRefresh', { refreshToken })).body.accessToken;
  },
  'an issuer, just now': ({ userId }) => foreign(userId),
  'an API key': async ({ key }) => key,
  'a wallet that was linked just now': async ({ fresh }) => (await api.signIn(fresh)).accessToken,
  'the same, refreshed': async ({ fresh }) => {
    const { refreshToken } = await api.signIn(fresh);
    return (await api.call('authRefresh', { refreshToken })).body.accessToken;
  },
  'a passkey that was added just now': async ({ newPasskey }) => (await login(newPasskey.passkey)).body.accessToken,
  'the session that its adding began': async ({ newPasskey }) => newPasskey.answer.body.accessToken,
  'a wallet that was linked a day ago': async ({ fresh }) => {
    api.clock.ms += 24 * hour;
    return (await api.signIn(fresh)).accessToken;
  },
};

const actions: Record<string, (of: Account, bearer: string) => Promise<{ body: { code?: string } }>> = {
  'read the account': (_, bearer) => api.call('me', {}, { bearer }),
  'send everything out': (_, bearer) => send(bearer),
  'link a wallet': (_, bearer) => link(bearer, newWallet()),
  'add a passkey': async (_, bearer) => (await addPasskey(bearer)).answer,
  'make a key that spends': (_, bearer) => api.call('createApiKey', { name: 'x' }, { bearer }),
  'make a key that reads': (_, bearer) => api.call('createApiKey', { name: 'x', scopes: ['read'] }, { bearer }),
  'end the other sessions': (_, bearer) => api.call('endOtherSessions', {}, { bearer }),
  'resume execution': (_, bearer) => api.call('resumeExecution', {}, { bearer }),
  'remove a passkey': ({ removable }, bearer) => api.call('removePasskey', { id: removable.id }, { bearer }),
  'unlink a wallet': ({ second }, bearer) => unlink(bearer, second),
  'undo the new wallet': ({ fresh }, bearer) => unlink(bearer, fresh),
};

const [confirm, tooNew, noScope] = ['CONFIRMATION_NEEDED', 'ACCESS_TOO_NEW', 'SCOPE_MISSING'];
const all = (code: string | null) => Object.fromEntries(Object.keys(actions).map((action) => [action, code]));
const unconfirmed = {
  ...all(null),
  'link a wallet': confirm,
  'add a passkey': confirm,
  'make a key that spends': confirm,
  'resume execution': confirm,
  'remove a passkey': confirm,
  'unlink a wallet': confirm,
};
const waiting = { ...all(tooNew), 'read the account': null, 'add a passkey': confirm };
/** What each may do; a code: why not. */
const matrix: Record<string, Record<string, string | null>> = {
  'a wallet, signed in just now': all(null),
  'a passkey, signed in just now': all(null),
  'a wallet, 6 minutes ago': unconfirmed,
  'a refreshed session': unconfirmed,
  'an issuer, just now': unconfirmed,
  'an API key': { ...all(noScope), 'read the account': null, 'send everything out': null },
  'a wallet that was linked just now': waiting,
  'the same, refreshed': waiting,
  'a passkey that was added just now': waiting,
  'the session that its adding began': waiting,
  'a wallet that was linked a day ago': { ...all(null), 'undo the new wallet': null },
};
const refusals = new Set([confirm, tooNew, noScope, 'AUTHENTICATION_FAILED']);

describe('every way in, and what it may do', () => {
  it.each(Object.keys(ways))('H30 %s', async (way) => {
    const of = await account();
    const bearer = await (ways[way] as (of: Account) => Promise<string>)(of);
    const found: Record<string, string | null> = {};
    for (const [action, act] of Object.entries(actions)) {
      const { code } = (await act(of, bearer)).body;
      found[action] = code !== undefined && refusals.has(code) ? code : null;
    }
    expect(found).toEqual(matrix[way]);
  });
});

describe('a stolen access token', () => {
  it('H30 cannot take the account over: what it adds waits, is told, and is undone by any older way in', async () => {
    const [owner, thief] = [newWallet(), newWallet()];
    const { accessToken: stolen, userId } = await api.signIn(owner);
    expect((await link(stolen, thief)).body).toEqual({
      success: true,
      address: lower(thief),
      actsFrom: new Date(api.clock.ms + 24 * hour).toISOString(),
    });
    await api.context.db.transaction().execute(tellHappenings);
    const { body } = await api.call('getNotifications', {}, { bearer: stolen });
    expect(body.notifications).toMatchObject([
      { type: 'security', text: expect.stringContaining('wallet was linked') },
    ]);
    // Neither may budgeted keys pay it.
    expect(await sealedWallets(api.context, userId, api.clock.ms)).toEqual([lower(owner)]);

    api.clock.ms += hour;
    const theirs = await api.signIn(thief);
    expect(theirs.userId).toBe(userId);
    expect((await send(theirs.accessToken)).body.code).toBe(tooNew);
    // The session of the owner is an hour old, and good enough to undo it.
    const { accessToken: older } = await api.signIn(owner);
    api.clock.ms += 10 * minute;
    expect((await unlink(older, thief)).status).toBe(200);
    for (const call of [
      api.call('me', {}, { bearer: theirs.accessToken }),
      api.call('authRefresh', { refreshToken: theirs.refreshToken }),
    ])
      expect((await call).status).toBe(401);
    expect(await api.signIn(thief)).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    // It stays with this account, for which it earns.
    const other = await api.signIn();
    expect((await link(other.accessToken, thief)).body.code).toBe('WALLET_TAKEN');
    const { accessToken: confirmed } = await api.signIn(owner);
    expect((await link(confirmed, thief)).status).toBe(200);
  });

  it('H30 error: cannot silence what tells of it, and removes no last way in', async () => {
    const owner = newWallet();
    const { accessToken: bearer } = await api.signIn(owner);
    const silenced = await api.call('notificationSettings', { types: { security: false } }, { bearer });
    expect(silenced).toMatchObject({ status: 400, body: { code: 'INVALID_PARAMETERS' } });
    await link(bearer, newWallet());
    // The new wallet does not act yet, so the old one is the last way in.
    expect((await unlink(bearer, owner)).body.code).toBe('LAST_WAY_IN');
  });
});

describe('an account with no passkey or wallet', () => {
  it('behavior: the first one acts at once where the account is empty, after a fresh sign-in alone', async () => {
    const bearer = await foreign('empty');
    api.clock.ms += 6 * minute;
    expect((await link(bearer, newWallet())).body.code).toBe(confirm);
    expect((await addPasskey(await foreign('empty'))).answer.body.code).toBeUndefined();
    const wallet = newWallet();
    expect((await link(await foreign('other'), wallet)).body).toMatchObject({ success: true, actsFrom: null });
    expect((await link(await foreign('other'), newWallet())).body.code).toBe(confirm);
  });

  it('behavior: it waits where there is money, and a key executes nothing meanwhile', async () => {
    const bearer = await foreign('rich');
    const { userId } = (await api.call('me', {}, { bearer })).body.data;
    const address = lower(newWallet());
    const row = { user_id: userId, chain_type: 'evm', sealed_key: '{}', address } as const;
    await api.context.db
      .insertInto('embedded_wallet')
      .values(row)
      .onConflict((conflict) => conflict.columns(['user_id', 'chain_type']).doUpdateSet({ address, sealed_key: '{}' }))
      .execute();
    await api.call('me', {}, { bearer });
    const until = new Date(api.clock.ms + 24 * hour).toISOString();
    const { body } = await api.call('createApiKey', { name: 'x' }, { bearer });
    expect(body.actsFrom).toBe(until);
    expect((await send(body.key)).body.code).toBe(tooNew);
    // Its chain does not answer, so it may hold something.
    expect((await link(bearer, newWallet())).body.actsFrom).toBe(until);
  });

  it('behavior: earnings that are not claimed are money too', async () => {
    const { context, stop } = await testApi({ chains: [], env: { NEW_ACCESS_DELAY_HOURS: '24' } });
    const { db } = context;
    const [user_id, address] = [randomUUID(), lower(newWallet())];
    await db.insertInto('app_user').values({ user_id }).execute();
    await db.insertInto('embedded_wallet').values({ user_id, chain_type: 'evm', sealed_key: '{}', address }).execute();
    await db.insertInto('user_wallet').values({ user_id, address }).execute();
    expect(await actsFrom(context, { userId: user_id }, 'weak')).toBeNull();
    const claimable = { recipient: address, currency: lower(newWallet()), earned: 5n, claimable: 5n };
    await db
      .insertInto('fee_balance')
      .values({ eid: eids.base, ...claimable })
      .execute();
    expect(await actsFrom(context, { userId: user_id }, 'weak')).not.toBeNull();
    await stop();
  });
});

describe('a new key', () => {
  it('behavior: spends within a small budget, to no stranger, until it is a day old', () => {
    const usd = (dollars: number) => BigInt(dollars) * 10n ** 18n;
    const [caller, config] = [{ newUntilMs: 1_000 }, { newKeyUsdPerDay: 100 }];
    const own = {
      perTradeUsd18: usd(25),
      perDayUsd18: usd(5_000),
      eids: [1 as never],
      contracts: ['0xc'],
      recipients: ['0xa'],
      maxBuilderBps: 7,
      createdAtMs: 5,
    };
    const narrow = { ...own, perDayUsd18: usd(100), contracts: [], recipients: [] };
    expect(withinFirstDays(own, caller, config, 999)).toEqual(narrow);
    expect(withinFirstDays(own, caller, config, 1_000)).toBe(own);
    expect(withinFirstDays(null, caller, config, 999)).toMatchObject({
      perTradeUsd18: usd(100),
      perDayUsd18: usd(100),
    });
    expect(withinFirstDays(null, caller, config, 1_000)).toBeNull();
    expect(withinFirstDays(null, { newUntilMs: null }, config, 999)).toBeNull();
  });
});

describe('freezeAccount', () => {
  it('behavior: ends sign-in, credentials and webhooks until another operator lifts it', async () => {
    const [wallet, one, two] = [newWallet(), await signInOperator(api), await signInOperator(api)];
    const user = await api.signIn(wallet);
    const { accessToken: bearer, userId: user_id, refreshToken } = user;
    const { key } = (await api.call('createApiKey', { name: 'x' }, { bearer })).body;
    const subscription = { topic: 'tokenActivity' };
    const hook = await api.call('createWebhook', { url: 'https://hooks.example/in', subscription }, { bearer });
    expect(hook.status).toBe(200);
    const freeze = (by: { accessToken: string }, frozen: boolean) =>
      api.call('freezeAccount', { user_id, frozen, reason: 'stolen' }, { bearer: by.accessToken });
    expect((await freeze(one, true)).body).toEqual({ success: true, frozen: true });
    for (const credential of [bearer, key])
      expect((await api.call('getNotifications', {}, { bearer: credential })).status).toBe(401);
    expect((await api.call('authRefresh', { refreshToken })).body.code).toBe('ACCOUNT_FROZEN');
    expect(await api.signIn(wallet)).toMatchObject({ code: 'ACCOUNT_FROZEN' });
    expect(await withWork(api.context.db, new Date(8.64e15))).toEqual([]);
    expect((await freeze(one, false)).body.code).toBe('NOT_AN_OPERATOR');
    expect((await freeze(two, false)).body).toEqual({ success: true, frozen: false });
    expect((await api.signIn(wallet)).userId).toBe(user_id);
    expect((await api.call('getNotifications', {}, { bearer: key })).status).toBe(200);
    const { body } = await api.call('getModerationLog', {}, { bearer: two.accessToken });
    expect(body.entries.slice(0, 3).map(({ action }: { action: string }) => action)).toEqual([
      'unfreeze_account',
      'freeze_account',
    ]);
  });
});
