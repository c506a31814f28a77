import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Log } from '../log.ts';
import type { Database } from './chainTables.ts';
import { type DatabaseAccount, functionGrants, type Grants, tableGrants } from './grants.ts';
import { unappliedMigrations } from './migrate.ts';

/** How a role of the service logs in. */
export interface Login {
  user: string;
  /** Null: the server asks for none, or knows it from elsewhere. */
  password: string | null;
}

/**
 * Makes the accounts, or gives them these passwords, and grants them what `tableGrants` says and nothing else. Needs the account that
 * owns the tables and may create others. Run it after every migration: what it granted before is taken back first.
 *
 * @throws When an account is the owner's, or one that may do everything.
 */
export const makeAccounts = (
  db: Kysely<Database>,
  logins: Readonly<Partial<Record<DatabaseAccount, Login>>>,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('accounts'))`.execute(tx);
    const { rows } = await sql<Surroundings>`select current_database() as database, current_schema() as schema`.execute(
      tx,
    );
    const place = rows[0] as Surroundings;
    await closeToAll(tx, place);
    for (const [account, login] of Object.entries(logins) as [DatabaseAccount, Login][]) {
      await makeLogin(tx, login);
      await grantOnly(tx, account, login.user, place);
    }
  });

interface Surroundings {
  database: string;
  schema: string;
}

/**
 * What PostgreSQL gives every account: temporary tables, by which functions that act with the rights of the owner would be
 * misled, and calls of those functions.
 */
const closeToAll = async (tx: Transaction<Database>, { database, schema }: Surroundings): Promise<void> => {
  await sql`revoke temporary on database ${sql.id(database)} from public`.execute(tx);
  await sql`revoke create on schema ${sql.id(schema)} from public`.execute(tx);
  const { rows } = await sql<{ name: string }>`select oid::regprocedure::text as name from pg_proc
    where pronamespace = current_schema()::regnamespace and prosecdef`.execute(tx);
  for (const { name } of rows) {
    await sql`revoke all on function ${sql.raw(name)} from public`.execute(tx);
    await sql`alter function ${sql.raw(name)} set search_path = ${sql.id(schema)}, pg_temp`.execute(tx);
  }
};

const makeLogin = async (tx: Transaction<Database>, { user, password }: Login): Promise<void> => {
  const { rows } = await sql<{ owns: boolean }>`
    select rolsuper or exists (select from pg_class where relnamespace = current_schema()::regnamespace
      and pg_has_role(rolname, relowner, 'member')) as owns
    from pg_roles where rolname = ${user}`.execute(tx);
  if (rows[0]?.owns) throw new Error(`${user} owns tables or may do everything: name another account for the role`);
  if (rows.length === 0) await sql`create role ${sql.id(user)}`.execute(tx);
  await sql`alter role ${sql.id(user)} login nocreatedb nocreaterole`.execute(tx);
  if (password !== null) await sql`alter role ${sql.id(user)} password ${sql.lit(password)}`.execute(tx);
};

const grantOnly = async (
  tx: Transaction<Database>,
  account: DatabaseAccount,
  user: string,
  { database, schema }: Surroundings,
): Promise<void> => {
  const to = sql.id(user);
  await sql`grant connect on database ${sql.id(database)} to ${to}`.execute(tx);
  await sql`grant usage on schema ${sql.id(schema)} to ${to}`.execute(tx);
  await sql`revoke all on all tables in schema ${sql.id(schema)} from ${to}`.execute(tx);
  await sql`revoke all on all functions in schema ${sql.id(schema)} from ${to}`.execute(tx);
  for (const [table, granted] of Object.entries<Grants>(tableGrants)) {
    const privileges = granted[account];
    if (privileges !== undefined)
      await sql`grant ${sql.raw(privileges)} on table ${sql.id(table)} to ${to}`.execute(tx);
  }
  for (const [name, caller] of Object.entries(functionGrants))
    if (caller === account) await sql`grant execute on function ${sql.raw(name)} to ${to}`.execute(tx);
};

/** Whether the account of this connection owns the tables, or is the first to make them. */
export const isOwner = async (db: Kysely<Database>): Promise<boolean> => {
  const { rows } = await sql<{ is: boolean }>`select coalesce(
    (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('migration')), true) as is`.execute(
    db,
  );
  return rows[0]?.is ?? true;
};

/** Privileges of these roles that the account of this connection does not have, in words. */
export const missingGrants = async (db: Kysely<Database>, roles: ReadonlySet<DatabaseAccount>): Promise<string[]> => {
  const wanted = [...roles].flatMap((account) =>
    Object.entries<Grants>(tableGrants).flatMap(([table, granted]) =>
      privilegesOf(granted[account] ?? '').map(({ verb, column }) => ({ table, verb, column })),
    ),
  );
  const { rows } = await sql<{ name: string }>`
    select verb || ' on ' || "table" || coalesce('.' || "column", '') as name
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as wanted ("table" text, verb text, "column" text)
    where not case when "column" is null then has_table_privilege("table", verb)
      else has_column_privilege("table", "column", verb) end`.execute(db);
  return rows.map(({ name }) => name);
};

export interface Privilege {
  verb: string;
  /** Null: of the whole table. */
  column: string | null;
}

/** The privileges of a line of `grants`. */
export const privilegesOf = (text: string): Privilege[] =>
  [...text.matchAll(/(\w+)(?: \(([^)]*)\))?/g)].flatMap(([, verb = '', columns]): Privilege[] =>
    columns === undefined ? [{ verb, column: null }] : columns.split(', ').map((column) => ({ verb, column })),
  );

const lookAgainMs = 1_000;
const tellEvery = 30;

/** Waits until the owner has run all migrations, and granted what these roles need. */
export const waitForAccount = async (
  db: Kysely<Database>,
  roles: ReadonlySet<DatabaseAccount>,
  log: Pick<Log, 'warn'>,
): Promise<void> => {
  for (let looked = 0; ; looked++) {
    const migrations = await unappliedMigrations(db);
    // Tables that are not there yet have no privileges to ask for.
    const missing = migrations.length > 0 ? [] : await missingGrants(db, roles);
    if (migrations.length + missing.length === 0) return;
    if (looked % tellEvery === 0)
      log.warn(
        { migrations, missing },
        'This account does not own the tables. Waiting for `npm run admin -- accounts`.',
      );
    await sleep(lookAgainMs);
  }
};
