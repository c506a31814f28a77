import { createPrivateKey, sign } from 'node:crypto';
import { sql } from 'kysely';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oauthPages, webApp } from '../../../../src/api/accounts/passkeys/place.ts';
import { mostPasskeys } from '../../../../src/api/accounts/passkeys/register.ts';
import { startSession } from '../../../../src/api/accounts/sessions.ts';
import { buildApp, createContext } from '../../../../src/api/main.ts';
import { basePath } from '../../../../src/api/wire/limits.ts';
import { cbor, createPasskey, type Deviations, type SoftPasskey, usePasskey } from '../../../world/authenticator.ts';
import { type ForeignIssuer, startForeignIssuer } from '../../testing/foreignIssuer.ts';
import { meeting } from '../../testing/meeting.ts';
import { sessionOf, type TestApi, testApi } from '../../testing/testApi.ts';

const origin = 'https://app.acmepad.example';

/** As of a maker of authenticators: good until 2120, and its list of revoked ones is at `http://127.0.0.1:9`. */
const maker = {
  certificate: Buffer.from(
    'MIIByjCCAXCgAwIBAgIBATAKBggqhkjOPQQDAjBPMQswCQYDVQQGEwJVUzENMAsGA1UEChMEVGVzdDEiMCAGA1UECxMZQXV0aGVu' +
      'dGljYXRvciBBdHRlc3RhdGlvbjENMAsGA1UEAxMEVGVzdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowTzELMAkG' +
      'A1UEBhMCVVMxDTALBgNVBAoTBFRlc3QxIjAgBgNVBAsTGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xDTALBgNVBAMTBFRlc3Qw' +
      'WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAS15+jzLoLjw0kIllzCJrhgRqSJa6lJT7sgr2rnaJ3Cyj5cIcIrrJhQETzge3dNvvJA' +
      'CsamjeeyQEi2fQf5jniSozswOTAJBgNVHRMEAjAAMCwGA1UdHwQlMCMwIaAfoB2GG2h0dHA6Ly8xMjcuMC4wLjE6OS9saXN0LmNy' +
      'bDAKBggqhkjOPQQDAgNIADBFAiBqb3k4TL1vo+YV2id9h13kuq+pOpGXIJfsW50zojzAuQIhAJAnMdprpC4Dj2Qj/c4GPfxdPLBk' +
      'JBSILoJm0KrvD1sH',
    'base64',
  ),
  privateKey: createPrivateKey({
    key: Buffer.from(
      'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGITYDtBLcBOt4FcbBCj7LKCZLtr9uPK8j5I3x6m7zNqhRANCAAS1' +
        '5+jzLoLjw0kIllzCJrhgRqSJa6lJT7sgr2rnaJ3Cyj5cIcIrrJhQETzge3dNvvJACsamjeeyQEi2fQf5jniS',
      'base64',
    ),
    format: 'der',
    type: 'pkcs8',
  }),
};

describe('passkeys', () => {
  let api: TestApi;
  let issuer: ForeignIssuer;
  let foreign: (sub: string) => Promise<string>;

  beforeAll(async () => {
    issuer = await startForeignIssuer();
    const JWT_ISSUERS = issuer.jwtIssuers;
    api = await testApi({ env: { PLATFORM_NAME: 'Acme Pad', APP_URL: `${origin}/`, DEVNET: '1', JWT_ISSUERS } });
    foreign = (sub) => {
      const seconds = Math.floor(api.clock.ms / 1000);
      return issuer.sign({ sub, iat: seconds, exp: seconds + 600 });
    };
  });
  afterAll(async () => {
    await api?.stop();
    await issuer?.stop();
  });

  const creationOptions = async (bearer?: string) => {
    const { status, body } = await api.call('passkeyRegisterOptions', {}, { bearer });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.options;
  };
  const requestOptions = async () => (await api.call('passkeyLoginOptions')).body.options;
  const create = async (bearer?: string, given: Partial<Deviations> = {}) => {
    const options = await creationOptions(bearer);
    const made = createPasskey(options, { origin, ...given });
    return { ...made, options, answer: await api.call('passkeyRegister', { credential: made.credential }, { bearer }) };
  };
  const login = async (passkey: SoftPasskey, given: Partial<Deviations> = {}) =>
    api.call('passkeyLogin', { credential: usePasskey(passkey, await requestOptions(), { origin, ...given }) });
  /** A new account with one passkey. */
  const newAccount = async (given: Partial<Deviations> = {}) => {
    const { passkey, answer } = await create(undefined, given);
    return { passkey, ...answer.body } as {
      passkey: SoftPasskey;
      userId: string;
      accessToken: string;
      refreshToken: string;
    };
  };
  const me = async (bearer: string) => (await api.call('me', {}, { bearer })).body.data;
  const remove = (id: string, bearer: string) => api.call('removePasskey', { id }, { bearer });
  const listed = async (bearer: string) =>
    (await api.call('listPasskeys', {}, { bearer })).body.passkeys.map(({ id }: { id: string }) => id);
  const refused = { status: 401, body: { code: 'AUTHENTICATION_FAILED' } };

  describe('passkeyRegisterOptions', () => {
    it('default: for a new account, for the host name of the web app, with the user verified', async () => {
      const { body } = await api.call('passkeyRegisterOptions');
      const { options } = body;
      expect(body.expiresAt).toBe(new Date(api.clock.ms + 300_000).toISOString());
      expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32);
      expect(options).toMatchObject({
        rp: { id: 'app.acmepad.example', name: 'Acme Pad' },
        user: { name: expect.stringMatching(/^Acme Pad [0-9a-f]{8}$/) },
        timeout: 300_000,
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
      });
      expect(options.pubKeyCredParams).toContainEqual({ type: 'public-key', alg: -7 });
      expect((await creationOptions()).user.id).not.toBe(options.user.id);
    });

    it('behavior: for the account signed in it names the passkeys that are there', async () => {
      const { passkey, accessToken, userId } = await newAccount();
      const options = await creationOptions(accessToken);
      expect(options.user.id).toBe(Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url'));
      expect(options.excludeCredentials).toEqual([{ id: passkey.id, type: 'public-key', transports: ['internal'] }]);
    });

    it('H7 error: an API key adds no passkey', async () => {
      const { accessToken } = await newAccount();
      const { body } = await api.call('createApiKey', { name: 'agent' }, { bearer: accessToken });
      const answer = await api.call('passkeyRegisterOptions', {}, { bearer: body.key });
      expect(answer).toMatchObject({ status: 403, body: { code: 'SCOPE_MISSING' } });
      const { credential } = createPasskey(await creationOptions(accessToken), { origin });
      const register = await api.call('passkeyRegister', { credential }, { bearer: body.key });
      expect(register).toMatchObject({ status: 403, body: { code: 'SCOPE_MISSING' } });
    });

    it('error: a sign-in that is over gets no new account instead', async () => {
      const user = await newAccount();
      const { credential } = createPasskey(await creationOptions(), { origin });
      await api.call('authLogout', { refreshToken: user.refreshToken });
      api.clock.ms += 5_000;
      for (const bearer of [user.accessToken, 'nonsense']) {
        expect(await api.call('passkeyRegisterOptions', {}, { bearer })).toMatchObject(refused);
        expect(await api.call('passkeyRegister', { credential }, { bearer })).toMatchObject(refused);
      }
    });
  });

  describe('passkeyRegister', () => {
    it('default: makes an account, signed in, without a wallet of its own', async () => {
      const { options, answer } = await create();
      expect(answer).toMatchObject({ status: 200, body: { expiresIn: 900 } });
      const { accessToken, userId, refreshToken } = answer.body;
      expect(Buffer.from(options.user.id, 'base64url').toString('hex')).toBe(userId.replaceAll('-', ''));
      expect(await me(accessToken)).toMatchObject({
        userId,
        authMethod: 'jwt',
        wallets: [],
        signIn: { passkeys: 1, wallets: 0, identities: 0 },
      });
      expect((await api.call('createApiKey', { name: 'agent' }, { bearer: accessToken })).status).toBe(200);
      expect((await api.call('authRefresh', { refreshToken })).body.userId).toBe(userId);
    });

    it('behavior: keeps name, whether it is synced, and when', async () => {
      const options = await creationOptions();
      const { credential } = createPasskey(options, { origin, isSynced: true });
      const { body } = await api.call('passkeyRegister', { credential, name: '  My phone ' });
      expect((await api.call('listPasskeys', {}, { bearer: body.accessToken })).body.passkeys).toEqual([
        {
          id: credential.id,
          name: 'My phone',
          synced: true,
          createdAt: new Date(api.clock.ms).toISOString(),
          lastUsedAt: null,
          actsFrom: null,
        },
      ]);
    });

    it('behavior: adds a further one to the account signed in, also to that of a wallet or of an issuer', async () => {
      const wallet = await api.signIn();
      const bearer = await foreign('adds');
      const { userId } = (await me(bearer)) as { userId: string };
      for (const user of [await newAccount(), wallet, { accessToken: bearer, userId }]) {
        const { passkey, answer } = await create(user.accessToken);
        expect(answer.body.userId).toBe(user.userId);
        expect((await login(passkey)).body.userId).toBe(user.userId);
      }
    });

    it('error: options for one account register no passkey of another', async () => {
      const [one, other] = [await newAccount(), await newAccount()];
      const register = async (optionsFor?: string, bearer?: string) => {
        const { credential } = createPasskey(await creationOptions(optionsFor), { origin });
        return api.call('passkeyRegister', { credential }, { bearer });
      };
      expect(await register(one.accessToken, other.accessToken)).toMatchObject(refused);
      expect(await register(one.accessToken)).toMatchObject(refused);
      expect(await register(undefined, one.accessToken)).toMatchObject(refused);
      for (const { accessToken, passkey } of [one, other]) expect(await listed(accessToken)).toEqual([passkey.id]);
    });

    const wrong: [string, Partial<Deviations>][] = [
      ['another origin', { origin: 'https://evil.example' }],
      ['the same host over http', { origin: 'http://app.acmepad.example' }],
      ['a page below our host', { origin: 'https://x.app.acmepad.example' }],
      ['another relying party', { rpId: 'acmepad.example' }],
      ['a challenge that is not ours', { challenge: 'A'.repeat(43) }],
      ['a sign-in instead of a creation', { type: 'webauthn.get' }],
      ['a user who was not verified', { isVerified: false }],
      ['a user who was not present', { isPresent: false }],
    ];
    it.each(wrong)('error: %s', async (_what, given) => {
      expect((await create(undefined, given)).answer).toMatchObject(refused);
    });

    it('M1 error: an attestation with certificates, whose revocation lists would be fetched', async () => {
      let fetched = 0;
      const original = globalThis.fetch;
      globalThis.fetch = (...of) => {
        fetched += 1;
        return original(...of);
      };
      try {
        for (const format of ['packed', 'fido-u2f', 'android-key', 'android-safetynet', 'apple', 'tpm']) {
          const statement = (signed: Uint8Array) =>
            cbor.map([
              [cbor.text('alg'), cbor.int(-7)],
              [cbor.text('sig'), cbor.bytes(sign('sha256', signed, maker.privateKey))],
              [cbor.text('x5c'), cbor.list([cbor.bytes(maker.certificate)])],
            ]);
          const { answer } = await create(undefined, { attestation: { format, statement } });
          expect([format, answer.status, answer.body.code]).toEqual([format, 401, 'AUTHENTICATION_FAILED']);
        }
        expect(fetched).toBe(0);
      } finally {
        globalThis.fetch = original;
      }
    });

    it('behavior: an attestation by the passkey itself is taken when it is its own, as browsers may send it', async () => {
      const by = (tamper: (signed: Uint8Array) => Uint8Array) =>
        create(undefined, {
          attestation: {
            format: 'packed',
            statement: (signed, key) =>
              cbor.map([
                [cbor.text('alg'), cbor.int(-7)],
                [cbor.text('sig'), cbor.bytes(sign('sha256', tamper(signed), key))],
              ]),
          },
        });
      expect((await by((signed) => signed)).answer.status).toBe(200);
      expect((await by((signed) => signed.slice(1))).answer).toMatchObject(refused);
    });

    it('error: what is no CBOR, no JSON, or no base64url', async () => {
      const { credential } = createPasskey(await creationOptions(), { origin });
      const { response } = credential;
      const send = (changed: object) =>
        api.call('passkeyRegister', { credential: { ...credential, response: { ...response, ...changed } } });
      expect(await send({ attestationObject: 'AAAA' })).toMatchObject(refused);
      for (const clientDataJSON of ['AAAA', 'bnVsbA', 'W10', Buffer.from('{"challenge":7}').toString('base64url')]) {
        expect(await send({ clientDataJSON })).toMatchObject(refused);
      }
      expect(await send({ attestationObject: '=' })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_PARAMETERS' },
      });
    });

    it('error: the same credential twice', async () => {
      const { credential } = await create();
      const options = await creationOptions();
      const clientData = { type: 'webauthn.create', challenge: options.challenge, origin, crossOrigin: false };
      const clientDataJSON = Buffer.from(JSON.stringify(clientData)).toString('base64url');
      const again = { ...credential, response: { ...credential.response, clientDataJSON } };
      const before = await api.context.db.selectFrom('app_user').selectAll().execute();
      expect(await api.call('passkeyRegister', { credential: again })).toMatchObject(refused);
      expect(await api.context.db.selectFrom('app_user').selectAll().execute()).toHaveLength(before.length);
    });

    it('error: TOO_MANY_PASSKEYS, also at once', async () => {
      const user = await newAccount();
      for (let count = 1; count < mostPasskeys - 1; count += 1) await create(user.accessToken);
      const made = await Promise.all(
        Array.from({ length: 3 }, async () => createPasskey(await creationOptions(user.accessToken), { origin })),
      );
      const answers = await Promise.all(
        made.map(({ credential }) => api.call('passkeyRegister', { credential }, { bearer: user.accessToken })),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
      const { body } = await api.call('passkeyRegisterOptions', {}, { bearer: user.accessToken });
      expect(body.code).toBe('TOO_MANY_PASSKEYS');
    });
  });

  describe('passkeyLogin', () => {
    it('default: the same user, found without a name, at any process', async () => {
      const { passkey, userId } = await newAccount();
      const { config, keys, intentKeys, log, now, db } = api.context;
      const elsewhere = buildApp(
        await createContext({
          chains: [],
          createClient: (() => undefined) as never,
          config,
          keys,
          intentKeys,
          log,
          now,
          db: db as never,
        }),
      );
      const options = await requestOptions();
      expect(options).toEqual({
        rpId: 'app.acmepad.example',
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        timeout: 300_000,
        userVerification: 'required',
      });
      const answer = await elsewhere.inject({
        method: 'POST',
        url: `${basePath}/auth/passkey/login`,
        payload: { credential: usePasskey(passkey, options, { origin }) },
      });
      await elsewhere.close();
      expect(answer.json()).toMatchObject({ userId, expiresIn: 900 });
      const bearer = answer.json().accessToken;
      const { body } = await api.call('listPasskeys', {}, { bearer });
      expect(body.passkeys[0].lastUsedAt).toBe(new Date(api.clock.ms).toISOString());
    });

    const wrong: [string, Partial<Deviations>][] = [
      ['another origin', { origin: 'https://evil.example' }],
      ['another relying party', { rpId: 'evil.example' }],
      ['a challenge that is not ours', { challenge: 'A'.repeat(43) }],
      ['a creation instead of a sign-in', { type: 'webauthn.create' }],
      ['a user who was not verified', { isVerified: false }],
      ['a user who was not present', { isPresent: false }],
      ['no user', { userHandle: null }],
      ['another user', { userHandle: Buffer.alloc(16, 7).toString('base64url') }],
    ];
    it.each(wrong)('error: %s', async (_what, given) => {
      const { passkey, userId } = await newAccount();
      expect(await login(passkey, given)).toMatchObject(refused);
      expect((await login(passkey)).body.userId).toBe(userId);
    });

    it('error: the credential of another, by name or by signature', async () => {
      const [mine, theirs] = [await newAccount(), await newAccount()];
      const signed = usePasskey(mine.passkey, await requestOptions(), { origin });
      const asTheirs = { ...signed, id: theirs.passkey.id, rawId: theirs.passkey.id };
      expect(await api.call('passkeyLogin', { credential: asTheirs })).toMatchObject(refused);
      const forged = { ...theirs.passkey, privateKey: mine.passkey.privateKey };
      expect(await login(forged)).toMatchObject(refused);
      const stranger = createPasskey(await creationOptions(), { origin });
      expect(await login(stranger.passkey)).toMatchObject(refused);
    });

    it('error: a challenge is good once, also after a failure, and of calls at once for one', async () => {
      const { passkey } = await newAccount();
      const options = await requestOptions();
      const credential = usePasskey(passkey, options, { origin });
      const all = await Promise.all(Array.from({ length: 6 }, () => api.call('passkeyLogin', { credential })));
      expect(all.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401, 401]);
      const second = await requestOptions();
      const bad = usePasskey(passkey, second, { origin: 'https://evil.example' });
      expect((await api.call('passkeyLogin', { credential: bad })).status).toBe(401);
      const good = usePasskey(passkey, second, { origin });
      expect((await api.call('passkeyLogin', { credential: good })).status).toBe(401);
    });

    it('error: a challenge of a creation signs nobody in, nor the other way round', async () => {
      const { passkey } = await newAccount();
      const creation = await creationOptions();
      const asLogin = { ...(await requestOptions()), challenge: creation.challenge };
      const credential = usePasskey(passkey, asLogin, { origin });
      expect(await api.call('passkeyLogin', { credential })).toMatchObject(refused);
      const asCreation = { ...(await creationOptions()), challenge: (await requestOptions()).challenge };
      const made = createPasskey(asCreation, { origin });
      expect(await api.call('passkeyRegister', { credential: made.credential })).toMatchObject(refused);
    });

    it('K1 error: a challenge that a writer of the database gave to another user makes no passkey for that user', async () => {
      const victim = await newAccount();
      const user_id = victim.userId;
      const { credential } = createPasskey(await creationOptions(), { origin });
      // With no more than the account of an API. What the signer keeps of the user stays.
      const db = api.processDb;
      for (const table of ['refresh_token', 'session', 'passkey', 'app_user'] as const)
        await db.deleteFrom(table).where('user_id', '=', user_id).execute();
      const [challenge] = await db.deleteFrom('passkey_challenge').where('is_new', '=', true).returningAll().execute();
      await db
        .insertInto('passkey_challenge')
        .values({ ...(challenge as NonNullable<typeof challenge>), user_id })
        .execute();
      expect(await api.call('passkeyRegister', { credential })).toMatchObject(refused);
    });

    it('error: after five minutes; what expired is thrown away', async () => {
      const { passkey } = await newAccount();
      const options = await requestOptions();
      const creation = createPasskey(await creationOptions(), { origin });
      api.clock.ms += 300_000;
      const credential = usePasskey(passkey, options, { origin });
      expect(await api.call('passkeyLogin', { credential })).toMatchObject(refused);
      expect(await api.call('passkeyRegister', { credential: creation.credential })).toMatchObject(refused);
      api.clock.ms += 300_000;
      await requestOptions();
      expect(await api.context.db.selectFrom('passkey_challenge').selectAll().execute()).toHaveLength(1);
    });

    it('error: a counter that does not go on; one that stays 0 is none', async () => {
      const { passkey } = await newAccount({ counter: 5 });
      expect((await login(passkey, { counter: 6 })).status).toBe(200);
      for (const counter of [6, 5, 0]) expect(await login(passkey, { counter })).toMatchObject(refused);
      expect((await login(passkey, { counter: 7 })).status).toBe(200);
      const plain = await newAccount();
      for (let use = 0; use < 2; use += 1) expect((await login(plain.passkey)).status).toBe(200);
    });

    it('behavior: two passkeys at once', async () => {
      const user = await newAccount();
      const second = await create(user.accessToken);
      const all = await Promise.all([user.passkey, second.passkey, user.passkey].map((passkey) => login(passkey)));
      expect(all.map(({ body }) => body.userId)).toEqual([user.userId, user.userId, user.userId]);
    });

    it('error: while the signing key is unavailable, the challenge is not used up', async () => {
      const { passkey, userId } = await newAccount();
      const credential = usePasskey(passkey, await requestOptions(), { origin });
      const { signingKeys } = api.context.auth;
      const { newest } = signingKeys;
      signingKeys.newest = () => Promise.reject(new Error('away'));
      expect((await api.call('passkeyLogin', { credential })).status).toBe(500);
      signingKeys.newest = newest;
      expect((await api.call('passkeyLogin', { credential })).body.userId).toBe(userId);
    });
  });

  describe('removePasskey', () => {
    it('default: who lost one of two passkeys gets in by the other, and removes the lost one', async () => {
      const user = await newAccount();
      const second = await create(user.accessToken);
      const lost = await login(user.passkey);
      const { body: saved } = await login(second.passkey);
      expect(saved.userId).toBe(user.userId);
      expect(await remove(user.passkey.id, saved.accessToken)).toMatchObject({ status: 200, body: { success: true } });
      expect(await login(user.passkey)).toMatchObject(refused);
      expect(await listed(saved.accessToken)).toEqual([second.passkey.id]);
      // Both sessions of the lost one are over: that of its creation, and that of its later use.
      for (const { refreshToken, accessToken } of [user, lost.body]) {
        expect((await api.call('authRefresh', { refreshToken })).status).toBe(401);
        expect((await api.call('createApiKey', { name: 'x' }, { bearer: accessToken })).status).toBe(401);
        expect((await api.call('me', {}, { bearer: accessToken })).status).toBe(401);
      }
      expect((await api.call('authRefresh', { refreshToken: saved.refreshToken })).status).toBe(200);
      expect((await login(second.passkey)).body.userId).toBe(user.userId);
    });

    it('behavior: a challenge that it signed before is worth nothing after', async () => {
      const user = await newAccount();
      const second = await create(user.accessToken);
      const credential = usePasskey(user.passkey, await requestOptions(), { origin });
      await remove(user.passkey.id, second.answer.body.accessToken);
      expect(await api.call('passkeyLogin', { credential })).toMatchObject(refused);
    });

    it('error: LAST_WAY_IN; a wallet or an issuer that is still taken is another way', async () => {
      const user = await newAccount();
      expect(await remove(user.passkey.id, user.accessToken)).toMatchObject({
        status: 409,
        body: { code: 'LAST_WAY_IN' },
      });
      expect((await login(user.passkey)).body.userId).toBe(user.userId);
      const ofWallet = await api.signIn();
      const bearer = await foreign('removes');
      for (const { accessToken } of [ofWallet, { accessToken: bearer }]) {
        const { passkey, answer } = await create(accessToken);
        expect((await remove(passkey.id, answer.body.accessToken)).status).toBe(200);
      }
      // An issuer whose tokens are not taken any more is no way in, and neither is an embedded wallet.
      const gone = await newAccount();
      const { db } = api.context;
      const user_id = gone.userId;
      const address = privateKeyToAccount(generatePrivateKey()).address.toLowerCase() as `0x${string}`;
      await db.insertInto('user_identity').values({ issuer: 'https://old.example', subject: 's', user_id }).execute();
      await db
        .insertInto('embedded_wallet')
        .values({ user_id, chain_type: 'evm', address, sealed_key: '{}' })
        .execute();
      await db.insertInto('user_wallet').values({ user_id, address }).execute();
      expect((await me(gone.accessToken)).signIn).toEqual({ passkeys: 1, wallets: 0, identities: 0 });
      expect((await remove(gone.passkey.id, gone.accessToken)).body.code).toBe('LAST_WAY_IN');
    });

    it('error: of two that remove each other at once, one stays', async () => {
      for (let round = 0; round < 5; round += 1) {
        const user = await newAccount();
        const second = await create(user.accessToken);
        const answers = await Promise.all([
          remove(second.passkey.id, user.accessToken),
          remove(user.passkey.id, second.answer.body.accessToken),
        ]);
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
        const left = [await login(user.passkey), await login(second.passkey)].map(({ status }) => status);
        expect(left.toSorted()).toEqual([200, 401]);
      }
    });

    it('error: of the last two, removed at once by sessions of neither, one stays', async () => {
      const { db, auth } = api.context;
      const user = await newAccount();
      const { passkey } = await create(user.accessToken);
      const { userId } = user;
      const session = await startSession(api.context, { userId }, api.clock.ms);
      const bearer = await auth.issueAccessToken({ ...session, confirmedAtMs: api.clock.ms });
      const held = sql`select from passkey where user_id = ${user.userId} for update`;
      const answers = await meeting(
        db,
        held,
        [user.passkey, passkey].map(
          ({ id }) =>
            () =>
              remove(id, bearer),
        ),
      );
      expect(answers).toMatchObject([{ status: 200 }, { status: 409, body: { code: 'LAST_WAY_IN' } }]);
      expect(await listed(bearer)).toEqual([passkey.id]);
    });

    it('H25 error: beside what its sessions write, nothing waits in a circle, and nothing is written after', async () => {
      for (let round = 0; round < 5; round += 1) {
        const user = await newAccount();
        const second = await create(user.accessToken);
        const { accessToken: bearer } = user;
        const answers = await Promise.all([
          ...Array.from({ length: 3 }, () => api.call('createApiKey', { name: 'late' }, { bearer })),
          remove(user.passkey.id, second.answer.body.accessToken),
          ...Array.from({ length: 3 }, () => api.call('createApiKey', { name: 'late' }, { bearer })),
          login(user.passkey),
        ]);
        for (const { status } of answers) expect([200, 401]).toContain(status);
        expect(answers[3]?.status).toBe(200);
        const sessions = api.context.db.selectFrom('session').selectAll().where('user_id', '=', user.userId);
        expect((await sessions.execute()).map(({ passkey_id }) => passkey_id)).toEqual([second.passkey.id]);
      }
    });

    it('error: the passkey of another, or none', async () => {
      const [mine, theirs] = [await newAccount(), await newAccount()];
      await create(mine.accessToken);
      for (const id of [theirs.passkey.id, 'nothing']) {
        expect((await remove(id, mine.accessToken)).body.code).toBe('INVALID_PARAMETERS');
      }
      expect((await login(theirs.passkey)).body.userId).toBe(theirs.userId);
    });
  });

  it('listPasskeys default: newest first, the caller’s alone', async () => {
    const user = await newAccount();
    api.clock.ms += 1_000;
    const second = await create(user.accessToken);
    expect(await listed(user.accessToken)).toEqual([second.passkey.id, user.passkey.id]);
    expect(await listed((await api.signIn()).accessToken)).toEqual([]);
    expect((await api.call('listPasskeys')).status).toBe(401);
    expect(sessionOf(user).userId).toBe(user.userId);
  });

  it('behavior: sign-ins by passkey count in the allowance of sign-ins', async () => {
    const limited = await testApi({ env: { RATE_LIMITS: JSON.stringify({ signIn: 3 }) } });
    const statuses: number[] = [];
    for (const name of ['passkeyLoginOptions', 'passkeyRegisterOptions', 'passkeyLogin', 'passkeyRegister'] as const) {
      statuses.push((await limited.call(name)).status);
    }
    await limited.stop();
    expect(statuses).toEqual([200, 200, 400, 429]);
  });
});

describe('where passkeys are good', () => {
  it('webApp: host name and origin of the web app', () => {
    expect(webApp({ appUrl: 'https://acme.example/app' })).toEqual({
      rpId: 'acme.example',
      origins: ['https://acme.example'],
      flow: null,
    });
    for (const appUrl of ['https://10.0.0.1', 'http://127.0.0.1:8080', 'https://[2001:db8::1]:8443']) {
      expect(() => webApp({ appUrl })).toThrow('host name');
    }
  });

  it('oauthPages: only where a browser lets them use the web app’s passkeys', () => {
    const at = (publicUrl: string, appUrl: string) => oauthPages({ publicUrl, appUrl }, 'flow')?.origins ?? null;
    expect(at('https://acme.example', 'https://acme.example')).toEqual(['https://acme.example']);
    expect(at('https://api.acme.example', 'https://acme.example')).toEqual(['https://api.acme.example']);
    expect(at('http://localhost:8080', 'http://localhost:3000')).toEqual(['http://localhost:8080']);
    expect(at('https://api.acme.example', 'https://app.acme.example')).toBeNull();
    expect(at('https://notacme.example', 'https://acme.example')).toBeNull();
    expect(at('http://api.acme.example', 'https://acme.example')).toBeNull();
    expect(at('http://127.0.0.1:8080', 'http://localhost:8080')).toBeNull();
    expect(at('https://10.0.0.1', 'https://10.0.0.1')).toBeNull();
  });
});
