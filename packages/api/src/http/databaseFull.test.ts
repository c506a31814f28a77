import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApi, testApi } from '../testing/testApi.ts';
import { basePath } from './limits.ts';

/** The server itself refuses, with the code that it has for this; so the error is the one that travels. */
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
