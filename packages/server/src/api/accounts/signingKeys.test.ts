import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import { sql } from 'kysely';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessionOf, type TestApi, testApi } from '../../../test/api/testing/testApi.ts';
import { createEvmClient } from '../../chain/evm/evmClient.ts';
import { memoryKek } from '../../keys/fileKek.ts';
import {
  BrokenSealError,
  KekMissingError,
  KekUnavailableError,
  type KeyEncryption,
  type Sealed,
} from '../../keys/keyEncryption.ts';
import { keyRing } from '../../keys/keyRing.ts';
import { open } from '../../keys/seal.ts';
import { rewrapColumn } from '../../keys/sealedRows.ts';
import { createContext } from '../main.ts';
import type { ServiceContext } from '../surfaces/serviceContext.ts';
import { accessTokenSeconds, createAccessTokens } from './accessTokens.ts';
import { sealedSecrets, sealSecrets } from './sealedSecrets.ts';
import { sealRows } from './sealRows.ts';
import { createSigningKeys, endOtherKeys, longestTokenSeconds, makeKey, signingKeyColumn } from './signingKeys.ts';
import { webhookSeal } from './webhooks/webhookKeys.ts';

const issuer = 'http://127.0.0.1:8080';

/** A KEK whose provider can be switched off. */
const switchedKek = (): KeyEncryption & { away: boolean } => {
  const inner = memoryKek(randomBytes(32));
  const unlessAway = <T>(act: () => Promise<T>): Promise<T> =>
    kek.away ? Promise.reject(new KekUnavailableError(inner.id, 'away')) : act();
  const kek = {
    ...inner,
    away: false,
    wrap: (...args: Parameters<KeyEncryption['wrap']>) => unlessAway(() => inner.wrap(...args)),
    unwrap: (...args: Parameters<KeyEncryption['unwrap']>) => unlessAway(() => inner.unwrap(...args)),
  };
  return kek;
};

describe('signing keys', () => {
  const kek = switchedKek();
  let api: TestApi;
  /** Another process on the same database. */
  let other: ServiceContext;
  const contextWith = (keys: KeyEncryption): Promise<ServiceContext> => {
    const { config, db, log, now, intentKeys } = api.context;
    return createContext({
      config,
      db: db as never,
      chains: [],
      createClient: createEvmClient,
      log,
      now,
      keys,
      intentKeys,
    });
  };
  beforeAll(async () => {
    api = await testApi({ keys: kek });
    other = await contextWith(kek);
  });
  afterAll(() => api.stop());

  const kidOf = (token: string): string =>
    JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid as string;
  const isGood = async (context: ServiceContext, token: string) =>
    (await context.auth.verify(`Bearer ${token}`)) !== null;
  const published = async (context: ServiceContext) => (await context.auth.publicKeys()).map(({ kid }) => kid);
  const age = (seconds: number, ...kids: string[]) =>
    api.context.db
      .updateTable('signing_key')
      .set({ created_at: sql<Date>`created_at - make_interval(secs => ${seconds})` })
      .$if(kids.length > 0, (query) => query.where('kid', 'in', kids))
      .execute();
  const stored = async () => (await sql`select * from signing_key`.execute(api.context.db)).rows;

  it('default: W3 the database holds no private key, and one process signs what another verifies', async () => {
    const { accessToken } = await api.signIn();
    expect(await isGood(other, accessToken)).toBe(true);
    const rows = (await stored()) as { private_jwk: null; sealed_key: { kek: string }; public_jwk: object }[];
    expect(rows.map((row) => [row.private_jwk, row.sealed_key.kek])).toEqual([[null, kek.id]]);
    expect(rows.map((row) => Object.keys(row.public_jwk).toSorted())).toEqual([
      ['alg', 'crv', 'kid', 'kty', 'use', 'x'],
    ]);
  });

  it('behavior: no token outlives what its key is kept for', () => {
    expect(accessTokenSeconds).toBeLessThanOrEqual(longestTokenSeconds);
  });

  it('behavior: A5 after a rotation both keys verify everywhere, the new one signs, and the old goes in the end', async () => {
    const user = await api.signIn();
    const old = kidOf(user.accessToken);
    expect(await published(other)).toEqual([old]);

    await age(60);
    const fresh = await makeKey(api.context, kek);
    expect(await isGood(api.context, user.accessToken)).toBe(true);
    api.clock.ms += 5_000;
    for (const context of [api.context, other]) {
      expect(await published(context)).toEqual([fresh, old]);
      expect(await isGood(context, user.accessToken)).toBe(true);
      expect(kidOf(await context.auth.issueAccessToken(sessionOf(user)))).toBe(fresh);
    }
    expect((await api.call('jwks')).body.keys.map((key: { kid: string }) => key.kid)).toEqual([fresh, old]);

    await age(longestTokenSeconds); // the last token has expired, but a process with a slow clock may still accept it
    api.clock.ms += 5_000;
    expect(await published(other)).toEqual([fresh, old]);
    await age(400);
    api.clock.ms += 5_000;
    for (const context of [api.context, other]) {
      expect(await published(context)).toEqual([fresh]);
      expect(await isGood(context, user.accessToken)).toBe(false);
    }
    expect((await stored()).length).toBe(1);
    expect(await isGood(other, await api.context.auth.issueAccessToken(sessionOf(user)))).toBe(true);
  });

  it('behavior: the only key stays, however old', async () => {
    await age(10 * 365 * 24 * 3_600);
    api.clock.ms += 5_000;
    expect((await published(api.context)).length).toBe(1);
    expect((await stored()).length).toBe(1);
  });

  it('behavior: A5 a stolen key is ended, within ten seconds everywhere', async () => {
    const user = await api.signIn();
    for (const context of [api.context, other]) expect(await isGood(context, user.accessToken)).toBe(true);
    await endOtherKeys(api.context.db, await makeKey(api.context, kek));
    api.clock.ms += 10_000;
    for (const context of [api.context, other]) {
      expect(await isGood(context, user.accessToken)).toBe(false);
      expect(await isGood(context, await other.auth.issueAccessToken(sessionOf(user)))).toBe(true);
    }
  });

  it('behavior: while the KEK is away tokens are verified, and whoever opened the key goes on signing', async () => {
    const user = await api.signIn();
    const late = await contextWith(kek);
    kek.away = true;
    try {
      expect(await isGood(late, user.accessToken)).toBe(true);
      await expect(late.auth.issueAccessToken(sessionOf(user))).rejects.toThrow(KekUnavailableError);
      api.clock.ms += 60_000;
      expect(await isGood(late, await api.context.auth.issueAccessToken(sessionOf(user)))).toBe(true);
    } finally {
      kek.away = false;
    }
    expect(await isGood(other, await late.auth.issueAccessToken(sessionOf(user)))).toBe(true);
  });

  it('error: the KEK away at a sign-in is a planned 503 that costs neither text nor session, and nothing else signs', async () => {
    const { refreshToken } = await api.signIn();
    const account = privateKeyToAccount(generatePrivateKey());
    const { message } = (await api.call('authChallenge', { address: account.address })).body;
    const login = { message, signature: await account.signMessage({ message }) };
    await endOtherKeys(api.context.db, 'none');
    api.clock.ms += 5_000;
    kek.away = true;
    try {
      for (const answer of [await api.call('authRefresh', { refreshToken }), await api.call('authLogin', login)]) {
        expect([answer.status, answer.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
        expect(answer.body.error).not.toContain(kek.id);
      }
      expect(await stored()).toEqual([]);
    } finally {
      kek.away = false;
    }
    for (const answer of [await api.call('authRefresh', { refreshToken }), await api.call('authLogin', login)]) {
      expect(answer.status).toBe(200);
      expect(await isGood(other, answer.body.accessToken)).toBe(true);
    }
  });

  it('error: a row in the place of another does not open', async () => {
    const user = await api.signIn();
    const now = () => api.clock.ms;
    const kid = await makeKey(api.context, kek);
    await sql`update signing_key set sealed_key = (select sealed_key from signing_key where kid <> ${kid} limit 1)
      where kid = ${kid}`.execute(api.context.db);
    const tokens = createAccessTokens(createSigningKeys(api.context, kek, now), issuer, now);
    await expect(tokens.issue(sessionOf(user))).rejects.toThrow(BrokenSealError);
    await api.context.db.deleteFrom('signing_key').where('kid', '=', kid).execute();
  });

  it('error: a process with another KEK does not start, and says which one it needs', async () => {
    await api.signIn();
    const stranger = memoryKek(randomBytes(32));
    await expect(contextWith(stranger)).rejects.toThrow(KekMissingError);
    await expect(contextWith(stranger)).rejects.toThrow(
      `needs the key-encryption key ${kek.id}; here is only ${stranger.id}`,
    );
  });

  it('behavior: another KEK takes over step by step, without a sign-out', async () => {
    const user = await api.signIn();
    const next = memoryKek(randomBytes(32));
    const both = keyRing([next, kek]);
    const early = await contextWith(both);
    expect(await rewrapColumn(api.context.db, both, signingKeyColumn)).toEqual({ moved: 1, broken: [] });
    expect(await rewrapColumn(api.context.db, both, signingKeyColumn)).toEqual({ moved: 0, broken: [] });
    const late = await contextWith(next);
    await expect(contextWith(kek)).rejects.toThrow(KekMissingError);
    for (const context of [early, late]) {
      expect(await isGood(context, user.accessToken)).toBe(true);
      expect(kidOf(await context.auth.issueAccessToken(sessionOf(user)))).toBe(kidOf(user.accessToken));
    }
    await rewrapColumn(api.context.db, keyRing([kek, next]), signingKeyColumn);
  });
});

describe('sealed secrets', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi();
  });
  afterAll(() => api.stop());

  it('behavior: W3 those that an earlier version left readable are sealed at the next start, by several processes at once, and work as before', async () => {
    const { db, keys, now } = api.context;
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
    const [jwk, publicJwk] = [await exportJWK(privateKey), await exportJWK(publicKey)];
    const shown = { ...publicJwk, kid: 'early', alg: 'EdDSA', use: 'sig' };
    const user = await api.signIn();
    const url = 'http://127.0.0.1:9/';
    const made = await api.call(
      'createWebhook',
      { url, subscription: { topic: 'tokenActivity' } },
      { bearer: user.accessToken },
    );
    const id = made.body.webhook.id as string;
    const [secret, previous] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
    const writeEarly = async () => {
      await db.deleteFrom('signing_key').execute();
      await sql`insert into signing_key (kid, private_jwk, public_jwk)
        values ('early', ${JSON.stringify({ ...jwk, kid: 'early', alg: 'EdDSA' })}, ${JSON.stringify(shown)})`.execute(
        db,
      );
      await sql`update webhook_secret set sealed_secret = null, sealed_previous = null, secret = ${secret},
        previous = ${previous}, previous_until = ${new Date(now() + 60_000)} where webhook_id = ${id}`.execute(db);
    };

    await writeEarly();
    await Promise.all(Array.from({ length: 4 }, () => sealSecrets(db, keys)));
    await sealRows(api.context, { unsealed: true });
    const text = JSON.stringify([
      (await sql`select * from signing_key`.execute(db)).rows,
      (await sql`select * from webhook_secret`.execute(db)).rows,
    ]);
    for (const readable of [jwk.d as string, secret, previous]) expect(text).not.toContain(readable);
    expect(text).toContain(publicJwk.x);

    api.clock.ms += 5_000;
    const token = await createAccessTokens(createSigningKeys(api.context, keys, now), issuer, now).issue(
      sessionOf(user),
    );
    expect(JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString()).kid).toBe('early');
    expect((await api.call('listApiKeys', {}, { bearer: token })).status).toBe(200);
    expect(await api.context.webhookKeys.of(id, new Date(now()))).toEqual([secret, previous]);
    expect(await api.context.webhookKeys.of(id, new Date(now() + 60_000))).toEqual([secret]);

    const sealed = JSON.parse(await api.context.webhookKeys.seal('another', secret)) as Sealed;
    expect(Buffer.from(await open(keys, sealed, webhookSeal('another'))).toString('base64')).toBe(secret);
    await expect(open(keys, sealed, webhookSeal(id))).rejects.toThrow(BrokenSealError);
  });

  it('behavior: the list of what is sealed has every column of the database that holds a sealed secret', async () => {
    const { rows } = await sql<{ name: string }>`select table_name || '.' || column_name as name
      from information_schema.columns where table_schema = 'public' and column_name like 'sealed\\_%'
        and table_name <> 'embedded_wallet'`.execute(api.context.db);
    expect(sealedSecrets.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(
      rows.map(({ name }) => name).toSorted(),
    );
  });
});
