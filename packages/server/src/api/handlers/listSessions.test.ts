import { sql } from 'kysely';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ForeignIssuer, startForeignIssuer } from '../../../test/api/testing/foreignIssuer.ts';
import { meeting } from '../../../test/api/testing/meeting.ts';
import { type SignedIn, sessionOf, type TestApi, testApi } from '../../../test/api/testing/testApi.ts';
import { createPasskey } from '../../../test/world/authenticator.ts';

describe('sessions of a user', () => {
  let api: TestApi;
  let issuer: ForeignIssuer;
  let foreign: () => Promise<string>;
  beforeAll(async () => {
    issuer = await startForeignIssuer();
    api = await testApi({ env: { JWT_ISSUERS: issuer.jwtIssuers } });
    foreign = () => {
      const iat = Math.floor(api.clock.ms / 1000);
      return issuer.sign({ sub: 'ada', iat, exp: iat + 600 });
    };
  });
  afterAll(async () => {
    await api?.stop();
    await issuer?.stop();
  });

  type User = Pick<SignedIn, 'accessToken'>;
  const list = async ({ accessToken: bearer }: User) => (await api.call('listSessions', {}, { bearer })).body.sessions;
  const end = ({ accessToken: bearer }: User, id: string) => api.call('endSession', { id }, { bearer });
  const endOthers = ({ accessToken: bearer }: User) => api.call('endOtherSessions', {}, { bearer });
  const idOf = (user: User) => sessionOf(user).sessionId;
  const isOver = async ({ accessToken: bearer, refreshToken }: Pick<SignedIn, 'accessToken' | 'refreshToken'>) => {
    const statuses = [
      (await api.call('me', {}, { bearer })).status,
      (await api.call('authRefresh', { refreshToken })).status,
    ];
    return statuses.every((status) => status === 401);
  };
  /** An access token of this session as at its sign-in. */
  const confirmed = (user: User): Promise<string> =>
    api.context.auth.issueAccessToken({ ...sessionOf(user), confirmedAtMs: api.clock.ms });
  const addPasskey = async (bearer: string): Promise<SignedIn> => {
    const { body } = await api.call('passkeyRegisterOptions', {}, { bearer });
    const { credential } = createPasskey(body.options, { origin: 'http://localhost:8080' });
    return (await api.call('passkeyRegister', { credential, name: 'Phone' }, { bearer })).body;
  };

  it('listSessions default: each with what began it, when, and which one asks, newest first', async () => {
    const first = await api.signIn();
    const startedMs = api.clock.ms;
    api.clock.ms += 600_000;
    const second = await addPasskey(await confirmed(first));
    await api.call('authRefresh', { refreshToken: first.refreshToken });
    await api.signIn();
    const now = new Date(api.clock.ms).toISOString();
    const ofWallet = {
      id: idOf(first),
      current: true,
      by: 'wallet',
      wallet: first.address,
      passkey: null,
      device: null,
      createdAt: new Date(startedMs).toISOString(),
      refreshedAt: now,
    };
    const passkey = { by: 'passkey', wallet: null, passkey: 'Phone', device: null, createdAt: now, refreshedAt: now };
    expect(await list(first)).toEqual([{ id: idOf(second), current: false, ...passkey }, ofWallet]);
    expect((await list(second)).map(({ current }: { current: boolean }) => current)).toEqual([true, false]);
  });

  it('listSessions behavior: keeps the family of the browser that signed in, and nothing else of its words', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const { message } = (await api.call('authChallenge', { address: account.address })).body;
    const signature = await account.signMessage({ message });
    const answer = await api.inject({
      method: 'POST',
      url: '/functions/v1/auth/login',
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; secret) Gecko/20100101 Firefox/140.0' },
      payload: { message, signature },
    });
    expect(await list(answer.json())).toMatchObject([{ device: 'Firefox on Linux' }]);
    const rows = await api.context.db.selectFrom('session').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/secret|140\.0/); // random ids have digits, and no points
  });

  it('listSessions behavior: leaves out what nobody refreshed for 30 days', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    await api.signIn(account);
    const kept = await api.signIn(account);
    const before = api.clock.ms;
    api.clock.ms += 20 * 86_400_000;
    const { body: refreshed } = await api.call('authRefresh', { refreshToken: kept.refreshToken });
    api.clock.ms += 10 * 86_400_000;
    const { body: newest } = await api.call('authRefresh', { refreshToken: refreshed.refreshToken });
    expect(await list(newest)).toMatchObject([{ id: idOf(kept) }]);
    api.clock.ms = before;
  });

  it('endSession default: at once in this process, and within 5 seconds in others; the others go on', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const [mine, lost, third] = [await api.signIn(account), await api.signIn(account), await api.signIn(account)];
    expect((await api.call('me', {}, { bearer: lost.accessToken })).status).toBe(200);
    expect(await end(mine, idOf(lost))).toMatchObject({ status: 200, body: { success: true } });
    expect(await isOver(lost)).toBe(true);
    expect(await list(mine)).toHaveLength(2);
    expect((await api.call('authRefresh', { refreshToken: third.refreshToken })).status).toBe(200);
    // One's own too, as by signing out.
    expect((await end(mine, idOf(mine))).status).toBe(200);
    expect(await isOver(mine)).toBe(true);
  });

  it('endSession error: the session of another, one that has ended, and no id', async () => {
    const [mine, theirs] = [await api.signIn(), await api.signIn()];
    for (const id of [idOf(theirs), '00000000-0000-4000-8000-000000000000', 'x']) {
      expect((await end(mine, id)).body.code).toBe('INVALID_PARAMETERS');
    }
    expect(await list(theirs)).toHaveLength(1);
  });

  it('endOtherSessions default: all but the one that asks, and nobody else’s', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const others = [await api.signIn(account), await api.signIn(account)];
    const [mine, stranger] = [await api.signIn(account), await api.signIn()];
    expect((await endOthers(mine)).body).toEqual({ success: true, ended: 2 });
    for (const one of others) expect(await isOver(one)).toBe(true);
    expect(await list(mine)).toMatchObject([{ id: idOf(mine), current: true }]);
    expect(await list(stranger)).toHaveLength(1);
    expect((await endOthers(mine)).body).toEqual({ success: true, ended: 0 });
  });

  it('behavior: a foreign issuer’s sign-in is not in the list; it sees and ends the others', async () => {
    const accessToken = await foreign();
    const ofPasskey = await addPasskey(accessToken);
    expect(await list({ accessToken })).toMatchObject([{ id: idOf(ofPasskey), current: false }]);
    expect((await endOthers({ accessToken })).body).toEqual({ success: true, ended: 1 });
    expect(await isOver(ofPasskey)).toBe(true);
    expect((await api.call('me', {}, { bearer: accessToken })).status).toBe(200);
  });

  it('error: of two that end each other at once, one does, and nothing waits in a circle', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const [one, two] = [await api.signIn(account), await api.signIn(account)];
    const answers = await meeting(
      api.context.db,
      sql`select from session where user_id = ${one.userId} for key share`,
      [() => endOthers(one), () => endOthers(two)],
    );
    expect(answers).toMatchObject([{ status: 200 }, { status: 401 }]);
  });

  it('error: AUTHENTICATION_FAILED and SCOPE_MISSING without a session that goes on', async () => {
    const user = await api.signIn();
    const { body } = await api.call('createApiKey', { name: 'agent' }, { bearer: user.accessToken });
    for (const name of ['listSessions', 'endSession', 'endOtherSessions'] as const) {
      const input = name === 'endSession' ? { id: idOf(user) } : {};
      expect((await api.call(name, input, { bearer: body.key })).body.code).toBe('SCOPE_MISSING');
      expect((await api.call(name, input)).body.code).toBe('AUTHENTICATION_FAILED');
    }
    expect(await list(user)).toHaveLength(1);
  });
});
