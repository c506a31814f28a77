import { type TestAccounts, testAccounts } from '@mintage/devnet/testAccounts';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOwner, makeAccounts, missingGrants, privilegesOf, waitForAccount } from './accounts.ts';
import { type DatabaseAccount, functionGrants, type Grants, tableGrants } from './grants.ts';
import type { RunningDatabase } from './startDatabase.ts';

const roles: readonly DatabaseAccount[] = ['api', 'indexer', 'signer'];
/** Every verb that PostgreSQL has for tables; newer servers also have `maintain`. */
const verbs = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger'];

describe('makeAccounts', () => {
  let database: RunningDatabase;
  let accounts: TestAccounts;

  beforeAll(async () => {
    database = await testDatabase();
    accounts = await testAccounts(database);
  });
  afterAll(async () => {
    await accounts?.stop();
    await database?.stop();
  });

  /** As text, so that a difference names its table. */
  const rights = async (role: DatabaseAccount): Promise<string[]> => {
    const version = await sql<{
      is: boolean;
    }>`select current_setting('server_version_num')::int >= 170000 as is`.execute(database.db);
    const known = [...verbs, ...(version.rows[0]?.is ? ['maintain'] : [])];
    const { rows } = await sql<{ name: string }>`
      with ours as (select oid, relname, relkind from pg_class where relnamespace = current_schema()::regnamespace)
      select relname || ' ' || verb as name from ours, unnest(${known}::text[]) verb
        where case when relkind in ('r', 'p', 'v', 'm') then has_table_privilege(oid, verb) end
      union all select relname || '.' || attname || ' ' || verb from ours
        join pg_attribute on attrelid = oid and attnum > 0 and not attisdropped,
        unnest(${verbs.slice(0, 3)}::text[]) verb
        where case when relkind in ('r', 'p') then has_column_privilege(oid, attnum, verb) and not has_table_privilege(oid, verb) end
      union all select relname || ' usage' from ours
        where case when relkind = 'S' then has_sequence_privilege(oid, 'usage, select, update') end`.execute(
      accounts[role].db,
    );
    return rows.map(({ name }) => name);
  };

  it.each(roles)('K1 %s: may do what the list says with each table, and nothing else', async (role) => {
    const listed = Object.entries<Grants>(tableGrants).flatMap(([table, granted]) =>
      privilegesOf(granted[role] ?? '').map(({ verb, column }) =>
        column === null ? `${table} ${verb}` : `${table}.${column} ${verb}`,
      ),
    );
    expect((await rights(role)).toSorted()).toEqual(listed.toSorted());
    expect(await missingGrants(accounts[role].db, new Set([role]))).toEqual([]);
  });

  it('K1 the list names every table, and no other', async () => {
    const { rows } = await sql<{ name: string }>`select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`.execute(
      database.db,
    );
    expect(Object.keys(tableGrants).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  });

  it.each(roles)('K1 %s: makes nothing, and calls what acts for the owner only where it is named', async (role) => {
    const { db } = accounts[role];
    await expect(sql`create table mine ()`.execute(db)).rejects.toThrow('permission denied');
    await expect(sql`create temporary table token_search ()`.execute(db)).rejects.toThrow('permission denied');
    await expect(sql`drop table token_search`.execute(db)).rejects.toThrow('must be owner');
    await expect(sql`create function mine() returns int language sql return 1`.execute(db)).rejects.toThrow(
      'permission denied',
    );
    const { rows } = await sql<{ name: string; path: string[] }>`
      select oid::regprocedure::text as name, proconfig as path from pg_proc
      where pronamespace = current_schema()::regnamespace and prosecdef
      and has_function_privilege(oid, 'execute')`.execute(db);
    const types: Record<string, string> = { 'timestamp with time zone': 'timestamptz' };
    const callable = rows.map(({ name }) => name.replace(/\((.*)\)/, (_, type: string) => `(${types[type] ?? type})`));
    const listed = Object.entries(functionGrants).flatMap(([name, caller]) => (caller === role ? [name] : []));
    expect(callable.toSorted()).toEqual(listed.toSorted());
  });

  it('K1 what acts for the owner looks for tables in their schema alone', async () => {
    const { rows } = await sql<{ config: string[] }>`select proconfig as config from pg_proc
      where pronamespace = current_schema()::regnamespace and prosecdef`.execute(database.db);
    expect(rows.length).toBeGreaterThan(3);
    for (const { config } of rows) expect(config).toEqual(['search_path=public, pg_temp']);
  });

  it('behavior: run again it takes back what is not listed, and grants what is missing', async () => {
    const user = new URL(accounts.api.url).username;
    await sql`grant delete on table intent to ${sql.id(user)}`.execute(database.db);
    await sql`revoke insert on table intent from ${sql.id(user)}`.execute(database.db);
    expect(await missingGrants(accounts.api.db, new Set(['api']))).toEqual(['insert on intent']);
    await makeAccounts(database.db, { api: { user, password: null } });
    expect(await missingGrants(accounts.api.db, new Set(['api']))).toEqual([]);
    await expect(sql`delete from intent`.execute(accounts.api.db)).rejects.toThrow('permission denied');
    expect([await isOwner(database.db), await isOwner(accounts.api.db)]).toEqual([true, false]);
  });

  it('behavior: a process waits until it has what its role needs, and says for what', async () => {
    const user = new URL(accounts.signer.url).username;
    await sql`revoke update on table lane from ${sql.id(user)}`.execute(database.db);
    const told = Promise.withResolvers<object>();
    const waiting = waitForAccount(accounts.signer.db, new Set(['signer']), { warn: told.resolve });
    expect(await told.promise).toEqual({ migrations: [], missing: ['update on lane'] });
    await makeAccounts(database.db, { signer: { user, password: null } });
    await waiting;
  });

  it('error: the owner’s own account is none of a role', async () => {
    const user = new URL(database.url).username;
    await expect(makeAccounts(database.db, { signer: { user, password: null } })).rejects.toThrow('owns tables');
  });
});
