import { mayWrite, type Operation } from '@mintage/protocol';
import { type OperationName, operations } from '@mintage/protocol/operations';
import type { JWTPayload } from 'jose';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../../src/api/accounts/caller.ts';
import { addGrant } from '../../../src/api/accounts/grants.ts';
import { startSession } from '../../../src/api/accounts/sessions.ts';
import { buildApp, createContext } from '../../../src/api/main.ts';
import { basePath } from '../../../src/api/wire/limits.ts';
import { createEvmClient } from '../../../src/chain/evm/evmClient.ts';
import { createPasskey } from '../../world/authenticator.ts';
import { type ForeignIssuer, startForeignIssuer } from '../testing/foreignIssuer.ts';
import { type SignedIn, type TestApi, testApi } from '../testing/testApi.ts';

/** How often the race between a logout and a write in the same session is repeated. */
const rounds = Number(process.env.CASES ?? 5);

/** Operations that write and that any credential may call, each with the reason why no sign-in is required. */
const open: Partial<Record<OperationName, string>> = {
  createReferralCode: 'wire contract 4: by an API key too; it gives no rights over the account',
  enterReferralCode: 'wire contract 8: the flow of an agent begins with it, with an API key and nothing else',
  pauseExecution: 'only takes away, in an emergency with whatever is at hand',
  deleteWebhook: 'only takes away',
  redeliverWebhook: 'goes on with what the user made, to the address that the user chose',
  createTokenTransaction: 'executes within the budget of the credential',
  tradeToken: 'executes within the budget of the credential',
  transferToken: 'executes within the budget of the credential',
  registerToken: 'executes within the budget of the credential',
  sendTransaction: 'executes within the budget of the credential',
  claimRewards: 'executes within the budget of the credential',
  mintUsd: 'executes within the budget of the credential',
  updateUser: 'changes what others see of its user, and has a scope of its own',
  vote: 'says something in its user’s name, and has a scope of its own',
  updateHub: 'changes what others see of the user’s own hub, by the same scope, as the next seven',
  joinHub: 'only for who has the hub open, or an invite',
  leaveHub: 'only takes away',
  createHubInvite: 'lets others speak in the hub, and ends with the role of who made it',
  setHubRole: 'within one hub, by its owner, who can take it back',
  banFromHub: 'within one hub, by who leads it, who can take it back',
  unbanFromHub: 'within one hub, by who leads it, who can take it back',
  pinPost: 'within one hub, by who leads it, who can take it back',
  followUser: 'as updateUser',
  unfollowUser: 'as updateUser',
  blockUser: 'as updateUser',
  unblockUser: 'as updateUser',
  uploadMedia: 'keeps a file, which gives no rights, and has the scope of what is said',
  createPost: 'speaks for its user, and has a scope of its own',
  deletePost: 'only takes away',
  reportPost: 'tells the operator, who decides',
  markNotificationsRead: 'changes what only its user sees',
  notificationSettings: 'changes what only its user is told',
  subscribePush: 'has its user told, in words that give nothing to act by, and can be taken back',
  unsubscribePush: 'only takes away',
  resolveReports: 'only for operators, whose keys have it only where they gave it, as the next three',
  hidePost: 'is written down, and can be taken back',
  suspendUser: 'is written down, and can be taken back',
  freezeAccount: 'is written down, and another operator can take it back',
  takeDownToken: 'is written down, and can be taken back',
  platformAction: 'each action has the rule of its own operation',
};

describe('what gives rights or lasts', () => {
  let api: TestApi;
  /** Another process of the same deployment. */
  let elsewhere: ReturnType<typeof buildApp>;
  let issuer: ForeignIssuer;
  let foreign: (user: string, claims: JWTPayload) => Promise<string>;

  beforeAll(async () => {
    issuer = await startForeignIssuer();
    api = await testApi({
      env: { DEVNET: '1', JWT_ISSUERS: issuer.jwtIssuers },
    });
    foreign = (sub, claims) => issuer.sign({ sub, exp: Math.floor(api.clock.ms / 1000) + 86_400, ...claims });
    const { config, keys, intentKeys, log, now, db } = api.context;
    elsewhere = buildApp(
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
  });
  afterAll(async () => {
    await elsewhere.close();
    await api.stop();
    await issuer?.stop();
  });

  const ask = async (name: OperationName, input: object, bearer?: string) => {
    const { path } = operations.find((operation) => operation.name === name) as Operation;
    const answer = await elsewhere.inject({
      method: 'POST',
      url: basePath + path,
      headers: {
        'content-type': 'application/json',
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      },
      payload: JSON.stringify(input),
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  const keyOf = async ({ accessToken }: SignedIn, body: object = {}): Promise<string> =>
    (await api.call('createApiKey', { name: 'agent', ...body }, { bearer: accessToken })).body.key;

  const passkeyOf = async (bearer: string): Promise<string> => {
    const { body } = await api.call('passkeyRegisterOptions', {}, { bearer });
    const { credential } = createPasskey(body.options, { origin: 'http://localhost:8080' });
    const answer = await api.call('passkeyRegister', { credential }, { bearer });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return credential.id;
  };

  /** Creates one of each resource that a user can own. */
  const owned = async (userId: string, bearer: string) => {
    const url = 'https://hooks.example/in';
    const subscription = { topic: 'tokenActivity' };
    const { body: key } = await api.call('createApiKey', { name: 'first' }, { bearer });
    const { body: hook } = await api.call('createWebhook', { url, subscription }, { bearer });
    await api.call('pauseExecution', {}, { bearer });
    const grantId = `grant-of-${userId.replaceAll('-', '')}`;
    const app = { clientId: 'client', clientName: 'App', redirectHost: 'app.example' };
    const grant = { grantId, userId, ...app, scopes: ['read'] as Scope[], budget: {} };
    await addGrant(api.context, grant, api.clock.ms);
    const wallet = privateKeyToAccount(generatePrivateKey());
    const { body: text } = await api.call('linkWalletChallenge', { address: wallet.address }, { bearer });
    const { sessionId } = await startSession(api.context, { userId }, api.clock.ms);
    const inputs: Partial<Record<OperationName, object>> = {
      listSessions: {},
      endSession: { id: sessionId },
      endOtherSessions: {},
      removePasskey: { id: await passkeyOf(bearer) },
      linkWalletChallenge: { address: wallet.address },
      linkWallet: { message: text.message, signature: await wallet.signMessage({ message: text.message }) },
      unlinkWallet: { address: wallet.address },
      createApiKey: { name: 'child', scopes: ['read'] },
      revokeApiKey: { id: key.id },
      revokeGrant: { id: grantId },
      createWebhook: { url, subscription },
      rotateWebhookSecret: { id: hook.webhook.id },
      resumeExecution: {},
    };
    return inputs;
  };

  /** Everything these operations store for a user, as text, to compare before and after. */
  const stateOf = async (userId: string): Promise<string> => {
    const { db } = api.context;
    const rows = await Promise.all([
      db.selectFrom('api_key').select(['id', 'revoked_at']).where('user_id', '=', userId).orderBy('id').execute(),
      db
        .selectFrom('oauth_grant')
        .select(['grant_id', 'revoked_at'])
        .where('user_id', '=', userId)
        .orderBy('grant_id')
        .execute(),
      db
        .selectFrom('webhook')
        .innerJoin('webhook_secret', 'webhook_secret.webhook_id', 'webhook.id')
        .select(['id', 'sealed_secret'])
        .where('user_id', '=', userId)
        .orderBy('id')
        .execute(),
      db
        .selectFrom('embedded_wallet')
        .select('paused_at')
        .where('user_id', '=', userId)
        .orderBy('chain_type')
        .execute(),
      db.selectFrom('passkey').select('credential_id').where('user_id', '=', userId).orderBy('credential_id').execute(),
      db.selectFrom('session').select('session_id').where('user_id', '=', userId).orderBy('session_id').execute(),
      db.selectFrom('auth_challenge').select('nonce').where('user_id', '=', userId).orderBy('nonce').execute(),
      db.selectFrom('user_wallet').select('address').where('user_id', '=', userId).orderBy('address').execute(),
    ]);
    return JSON.stringify(rows);
  };

  const needing = operations.filter(({ access }) => access === 'session').map(({ name }) => name);
  /** Tells where else the user is, which a key has no use for. */
  const reading: OperationName[] = ['listSessions'];

  it('H7 every operation that writes is the user’s own, or has its reason', () => {
    const writing = operations.filter((operation) => mayWrite(operation)).map(({ name }) => name);
    expect([...needing, ...Object.keys(open)].toSorted()).toEqual([...writing, ...reading].toSorted());
  });

  /** Want a fresh sign-in with the account's passkey or wallet (newAccess.test.ts), so there is no wallet to unlink either. */
  const refusals: Partial<Record<OperationName, number>> = {
    linkWallet: 403,
    removePasskey: 403,
    resumeExecution: 403,
    unlinkWallet: 400,
  };

  it('H7 default: a session does them all, and a foreign issuer’s token of the last 15 minutes those without confirmation', async () => {
    const user = await api.signIn();
    const seconds = Math.floor(api.clock.ms / 1000);
    const token = await foreign('fresh', { iat: seconds - 290 });
    const stranger = (await api.context.auth.verify(`Bearer ${token}`))?.userId as string;
    for (const [userId, bearer] of [[user.userId, user.accessToken] as const, [stranger, token] as const]) {
      const inputs = await owned(userId, bearer);
      for (const name of needing) {
        const before = await stateOf(userId);
        const refusal = bearer === token ? refusals[name] : undefined;
        expect([name, (await ask(name, inputs[name] as object, bearer)).status]).toEqual([name, refusal ?? 200]);
        expect((await stateOf(userId)) === before, name).toBe(refusal !== undefined || reading.includes(name));
      }
    }
  });

  it('H7 H25 error: no other credential does any of them, whatever its scopes, at any process', async () => {
    const user = await api.signIn();
    const [loggedOut, stolen] = [await api.signIn(), await api.signIn()];
    const seconds = Math.floor(api.clock.ms / 1000);
    const stale = await foreign('stale', { iat: seconds - 10 });
    const ofForeign = (await api.context.auth.verify(`Bearer ${stale}`))?.userId as string;

    const cases: { kind: string; userId: string; bearer: string | undefined; inputs: Record<string, object> }[] = [];
    const add = async (kind: string, userId: string, inputs: object, bearer?: string) => {
      cases.push({ kind, userId, bearer, inputs: inputs as Record<string, object> });
      // Makes the other process cache the credential, if it is valid.
      await ask('listApiKeys', {}, bearer);
    };
    const inputs = await owned(user.userId, user.accessToken);
    for (const scopes of [['read'], ['prepare'], ['execute'], ['read', 'prepare', 'execute']]) {
      for (const more of [{}, { budget: { perDayUsd: 5 } }]) {
        const key = await keyOf(user, { scopes, ...more });
        await add(`an API key for ${scopes}, ${JSON.stringify(more)}`, user.userId, inputs, key);
      }
    }
    const expiresAt = new Date(api.clock.ms + 60_000).toISOString();
    await add('an API key that ends', user.userId, inputs, await keyOf(user, { expiresAt }));
    await add('the address of the wallet', user.userId, inputs, user.address);
    await add('a refresh token', user.userId, inputs, user.refreshToken);
    await add('no credential', user.userId, inputs);
    await add(
      'a session after its logout',
      loggedOut.userId,
      await owned(loggedOut.userId, loggedOut.accessToken),
      loggedOut.accessToken,
    );
    await add(
      'a session whose refresh token came too often',
      stolen.userId,
      await owned(stolen.userId, stolen.accessToken),
      stolen.accessToken,
    );
    const theirs = await owned(ofForeign, stale);
    await add('an old token of a foreign issuer', ofForeign, theirs, await foreign('stale', { iat: seconds - 901 }));
    await add('a foreign token of no time', ofForeign, theirs, await foreign('stale', {}));
    await add('a foreign token of tomorrow', ofForeign, theirs, await foreign('stale', { iat: seconds + 86_400 }));

    await api.call('authLogout', { refreshToken: loggedOut.refreshToken });
    const { body: next } = await api.call('authRefresh', { refreshToken: stolen.refreshToken });
    for (let again = 0; again < 2; again += 1) await api.call('authRefresh', { refreshToken: stolen.refreshToken });
    await add('the newer token of that session', stolen.userId, cases.at(-4)?.inputs as object, next.accessToken);

    for (const { kind, userId, bearer, inputs } of cases) {
      const before = await stateOf(userId);
      for (const name of needing) {
        const { status, body } = await ask(name, inputs[name] as object, bearer);
        expect([kind, name, status, body.code]).toEqual(
          status === 403 ? [kind, name, 403, 'SCOPE_MISSING'] : [kind, name, 401, 'AUTHENTICATION_FAILED'],
        );
      }
      expect(await stateOf(userId), kind).toBe(before);
    }
  });

  it('H25 a logout ends everything else of its access token within 5 seconds, of other sessions nothing', async () => {
    const mine = await api.signIn();
    const other = await api.signIn();
    for (const { accessToken } of [mine, other]) expect((await ask('listApiKeys', {}, accessToken)).status).toBe(200);
    await api.call('authLogout', { refreshToken: mine.refreshToken });
    api.clock.ms += 5_000;
    expect((await ask('listApiKeys', {}, mine.accessToken)).status).toBe(401);
    expect((await ask('listApiKeys', {}, other.accessToken)).status).toBe(200);
  });

  it('H25 a refreshed session goes on: its older access token too, until it expires', async () => {
    const user = await api.signIn();
    const { body } = await api.call('authRefresh', { refreshToken: user.refreshToken });
    for (const bearer of [user.accessToken, body.accessToken]) {
      expect((await ask('createApiKey', { name: 'x', scopes: ['read'] }, bearer)).status).toBe(200);
    }
  });

  it('H25 once a logout has answered, nothing that was on its way is written', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const user = await api.signIn();
      const made = async () => (await stateOf(user.userId)).split('"id"').length;
      const onTheWay = Array.from({ length: 6 }, (_, at) =>
        at % 2 === 0
          ? ask('createApiKey', { name: 'late' }, user.accessToken)
          : api.call('createApiKey', { name: 'late' }, { bearer: user.accessToken }),
      );
      await api.call('authLogout', { refreshToken: user.refreshToken });
      const atAnswer = await made();
      const answers = await Promise.all(onTheWay);
      expect(await made()).toBe(atAnswer);
      for (const { status } of answers) expect([200, 401]).toContain(status);
    }
  });

  it('H25 a logout beside a refresh ends the session, whichever comes first', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const user = await api.signIn();
      const { refreshToken } = user;
      const [refreshed] = await Promise.all([
        api.call('authRefresh', { refreshToken }),
        api.call('authLogout', { refreshToken }),
      ]);
      if (refreshed.status === 200) {
        const again = await api.call('authRefresh', { refreshToken: refreshed.body.refreshToken });
        expect(again.status).toBe(401);
        expect((await ask('createApiKey', { name: 'x' }, refreshed.body.accessToken)).status).toBe(401);
      }
    }
  });
});
