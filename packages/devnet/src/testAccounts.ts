import type { RunningDatabase } from '@mintage/server/db';
import { type DatabaseAccount, makeAccounts, openDatabase } from '@mintage/server/db';
import { sql } from 'kysely';

/** The accounts of a test's database, one for each role. */
export interface TestAccounts extends Record<DatabaseAccount, Pick<RunningDatabase, 'db' | 'url'>> {
  /** Drops them, once the database is gone. */
  stop(): Promise<void>;
}

const roles: readonly DatabaseAccount[] = ['api', 'indexer', 'signer'];

/** Makes them as an operator does. Ends before its database does: call `stop` of this one first. */
export const testAccounts = async ({ db, url }: Pick<RunningDatabase, 'db' | 'url'>): Promise<TestAccounts> => {
  const nameOf = (role: DatabaseAccount): string => `${new URL(url).pathname.slice(1)}_${role}`;
  const password = 'of a test';
  await makeAccounts(db, Object.fromEntries(roles.map((role) => [role, { user: nameOf(role), password }])));
  const open = (role: DatabaseAccount) => {
    const own = new URL(url);
    own.username = nameOf(role);
    own.password = password;
    return { db: openDatabase(own.href), url: own.href };
  };
  const opened = { api: open('api'), indexer: open('indexer'), signer: open('signer') };
  return {
    ...opened,
    async stop() {
      for (const role of roles) {
        await opened[role].db.destroy();
        await sql`drop owned by ${sql.id(nameOf(role))}`.execute(db);
        await sql`drop role ${sql.id(nameOf(role))}`.execute(db);
      }
    },
  };
};
