import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { ServiceDatabase } from '@mintage/server/api';
import { type Database, type DatabaseAccount, type Login, makeAccounts } from '@mintage/server/db';
import type { Kysely } from 'kysely';

const roles: readonly string[] = ['api', 'indexer', 'signer'] satisfies DatabaseAccount[];
const usage = 'accounts needs the files with the DATABASE_URL of each role: accounts api=FILE indexer=FILE signer=FILE';

/**
 * Makes the database accounts of the roles, with least privileges, by the addresses that the processes themselves are given. The
 * environment names the account that owns the tables.
 *
 * @param args - `api=FILE`, and so for other roles. A file holds variables, or the address alone.
 */
export const accounts = async (db: Kysely<ServiceDatabase>, args: readonly string[]): Promise<string> => {
  if (args.length === 0) throw new Error(usage);
  const logins: Partial<Record<DatabaseAccount, Login>> = {};
  for (const arg of args) {
    const [role = '', path = ''] = arg.split(/=(.*)/s);
    if (!roles.includes(role) || path === '') throw new Error(usage);
    logins[role as DatabaseAccount] = loginIn(path);
  }
  await makeAccounts(db as unknown as Kysely<Database>, logins);
  const lines = Object.entries(logins).map(([role, { user }]) => `${role}: ${user}`);
  return `Each has the least that its role needs, and nothing else:\n${lines.join('\n')}`;
};

/** @throws Error, one sentence without what the file holds. */
const loginIn = (path: string): Login => {
  const text = readFileSync(path, 'utf8').trim();
  const address = /^postgres(ql)?:/.test(text) ? text : parseEnv(text).DATABASE_URL;
  if (address === undefined || !URL.canParse(address)) throw new Error(`${path} holds no DATABASE_URL`);
  const { username, password } = new URL(address);
  if (username === '') throw new Error(`The DATABASE_URL in ${path} names no user`);
  return { user: decodeURIComponent(username), password: password === '' ? null : decodeURIComponent(password) };
};
