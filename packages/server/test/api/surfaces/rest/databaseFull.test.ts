import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealed } from '../../../../src/api/accounts/rowSeals.ts';
import { basePath } from '../../../../src/api/wire/limits.ts';
import { type TestApi, testApi, testChain } from '../../testing/testApi.ts';
import { whileReadOnly } from '../../testing/whileReadOnly.ts';

/** PostgreSQL itself raises the error with its real code, so that the test sees the error that the driver passes on. */
describe('a database that cannot do it now', () => {
  let api: TestApi;
  let bearer: string;
  beforeAll(async () => {
    api = await testApi();
    bearer = (await api.signIn()).accessToken;
  });
  afterAll(() => api?.stop());

  const refusing = async <T>(table: string, code: string, deferred: boolean, work: () => Promise<T>): Promise<T> => {
    const { db } = api.context;
    await sql`create function refuse() returns trigger language plpgsql as
      ${sql.raw(`$$ begin raise exception 'could not extend file' using errcode = '${code}'; end $$`)}`.execute(db);
    const kind = deferred ? 'constraint trigger refuse after insert' : 'trigger refuse before insert';
    const when = deferred ? 'deferrable initially deferred' : '';
    const trigger = `create ${kind} on ${table} ${when} for each row execute function refuse()`;
    await sql.raw(trigger).execute(db);
    try {
      return await work();
    } finally {
      await sql`drop function refuse cascade`.execute(db);
    }
  };
  const createKey = async (key: string) => {
    const answer = await api.inject({
      method: 'POST',
      url: `${basePath}/api-keys`,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', 'idempotency-key': key },
      payload: { name: 'full' },
    });
    return [answer.statusCode, answer.json().code, answer.headers['retry-after']];
  };
  const counted = async (reason: string): Promise<number> => {
    const text = await api.context.metrics.registry.metrics();
    const [, count] = new RegExp(`mintage_database_unavailable_total\\{reason="${reason}"\\} (\\d+)`).exec(text) ?? [];
    if (count === undefined) throw new Error(`Nothing counts ${reason}.`); // NaN plus one is NaN
    return Number(count);
  };
  const rows = async () => (await api.context.db.selectFrom('api_key').select('id').execute()).length;

  it.each([
    ['53100', 'disk full', 'full'],
    ['53200', 'out of memory', 'full'],
    ['53300', 'too many connections', 'full'],
    ['57P01', 'shutting down', 'away'],
    ['57P02', 'crashed', 'away'],
    ['57P03', 'cannot connect now', 'away'],
    ['08006', 'connection failure', 'away'],
    ['25006', 'read only', 'away'],
    ['57014', 'cancelled', 'slow'],
  ])('H17 error: %s, %s, is 503, counted as %s, and works again afterwards', async (code, _, reason) => {
    const [before, made] = [await counted(reason), await rows()];
    const key = randomUUID();
    const refused = await refusing('idempotent_call', code, false, () => createKey(key));
    expect(refused).toEqual([503, 'SERVICE_UNAVAILABLE', '2']);
    expect(await counted(reason)).toBe(before + 1);
    expect(await rows()).toBe(made);
    expect((await createKey(key))[0]).toBe(200);
    await api.context.db.deleteFrom('api_key').execute();
  });

  it('H17 error: a disk that is full only at the commit leaves nothing half done', async () => {
    const made = await rows();
    const refused = await refusing('api_key', '53100', true, () => createKey(randomUUID()));
    expect(refused).toEqual([503, 'SERVICE_UNAVAILABLE', '2']);
    expect(await rows()).toBe(made);
  });
});

describe('a database that only reads', () => {
  let api: TestApi;
  let session: string;
  let key: string;
  beforeAll(async () => {
    api = await testApi({ chains: [testChain('base-sepolia', 'http://127.0.0.1:1')] });
    session = (await api.signIn()).accessToken;
    key = (await api.call('createApiKey', { name: 'bot' }, { bearer: session })).body.key;
  });
  afterAll(() => api?.stop());

  it.each(['session', 'API key'])('H17 behavior: with the %s reads go on, and a write is 503', async (kind) => {
    const bearer = kind === 'session' ? session : key;
    const use = async () => {
      api.clock.ms += 61_000; // the cached credential has expired and its last use is due to be written again
      const reads = ['me', 'getUserPortfolio', 'getUserFees', 'listApiKeys', 'listWebhooks', 'claimRewards'] as const;
      const answers: [string, number][] = [];
      for (const name of reads) answers.push([name, (await api.call(name, {}, { bearer })).status]);
      return answers;
    };
    const write = async () => {
      const { status, body } = await api.call('pauseExecution', {}, { bearer });
      return [status, body.code];
    };
    const well = await use();
    expect(new Set(well.map(([, status]) => status))).toEqual(new Set([200]));
    await whileReadOnly(
      api.context.db,
      async () => {
        expect(await use()).toEqual(well);
        expect(await write()).toEqual([503, 'SERVICE_UNAVAILABLE']);
      },
      api.processDb,
    );
    expect(await write()).toEqual([200, undefined]);
  });

  it('H17 behavior: a signing key that is over is removed later', async () => {
    const { db, seals } = api.context;
    await sql`update signing_key set created_at = now() - interval '1 day'`.execute(db);
    const { public_jwk } = await db.selectFrom('signing_key').select('public_jwk').executeTakeFirstOrThrow();
    const seal = seals.of(sealed.signingKey({ kid: 'over', x: (public_jwk as { x: string }).x }));
    await sql`insert into signing_key (kid, sealed_key, public_jwk, created_at, seal)
      select 'over', sealed_key, public_jwk, created_at - interval '1 day', ${seal} from signing_key`.execute(db);
    const read = async () => {
      api.clock.ms += 6_000;
      return (await api.call('listApiKeys', {}, { bearer: session })).status;
    };
    const keys = async () => (await db.selectFrom('signing_key').select('kid').execute()).length;
    await whileReadOnly(db, async () => expect([await read(), await keys()]).toEqual([200, 2]), api.processDb);
    expect([await read(), await keys()]).toEqual([200, 1]);
  });

  it('H17 error: nothing lasting is given while it only reads', async () => {
    await whileReadOnly(
      api.context.db,
      async () => {
        const { status, body } = await api.call('createApiKey', { name: 'late' }, { bearer: session });
        expect([status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      },
      api.processDb,
    );
  });

  it('H17 error: a use that cannot be noted for another reason is an error', async () => {
    const { db } = api.context;
    await sql`alter table api_key add constraint broken check (last_used_at is null) not valid`.execute(db);
    try {
      api.clock.ms += 61_000;
      expect((await api.call('listApiKeys', {}, { bearer: key })).status).toBe(500);
    } finally {
      await sql`alter table api_key drop constraint broken`.execute(db);
    }
  });

  it('H17 behavior: a made wallet that cannot be linked now is linked by a later read', async () => {
    const user = await api.signIn();
    const address = `0x${'7'.repeat(40)}` as const;
    const row = { user_id: user.userId, chain_type: 'evm' as const, address, sealed_key: '{}', made_at: new Date() };
    await api.context.db.insertInto('embedded_wallet').values(row).execute();
    const wallets = async () => {
      const { status, body } = await api.call('me', {}, { bearer: user.accessToken });
      return [status, body.data.wallets.length];
    };
    await whileReadOnly(api.context.db, async () => expect(await wallets()).toEqual([200, 1]), api.processDb);
    expect(await wallets()).toEqual([200, 2]);
  });
});
