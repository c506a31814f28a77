import { randomUUID } from 'node:crypto';
import type { Address } from '../../chain/servedChain.ts';
import type { Db } from '../../db/serviceTables.ts';

export interface Account {
  /** The sign-in wallet first, the embedded one last. */
  wallets: Address[];
  /**
   * The embedded wallet; null while there is none, also when it is created but not yet linked to the user
   * (`execution/embeddedWallet.ts`).
   */
  embedded: Address | null;
  premium: boolean;
}

/** Null when there is no such user. */
export const accountOf = async (db: Db, userId: string): Promise<Account | null> => {
  const rows = await db
    .selectFrom('app_user')
    .leftJoin('user_wallet', 'user_wallet.user_id', 'app_user.user_id')
    .leftJoin('embedded_wallet', 'embedded_wallet.user_id', 'app_user.user_id')
    .select(['user_wallet.address', 'app_user.premium', 'embedded_wallet.address as embedded'])
    .where('app_user.user_id', '=', userId)
    .orderBy('user_wallet.created_at')
    .orderBy('user_wallet.address')
    .execute();
  const [first] = rows;
  if (first === undefined) return null;
  const linked = rows.map((row) => row.address).filter((address) => address !== null) as Address[];
  const embedded = linked.find((address) => address === first.embedded) ?? null;
  const wallets = linked.filter((address) => address !== embedded);
  return { wallets: embedded === null ? wallets : [...wallets, embedded], embedded, premium: first.premium };
};

/** The user who signs in with this wallet; created when there is none. */
export const userOfWallet = async (db: Db, address: Address): Promise<string> => {
  const find = (on: Db) =>
    on.selectFrom('user_wallet').select('user_id').where('address', '=', address).executeTakeFirst();
  const claim = (on: Db, userId: string) =>
    on
      .insertInto('user_wallet')
      .values({ address, user_id: userId })
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst();
  return findOrMakeUser(db, find, claim);
};

/** The user whom a foreign issuer identifies as `subject`; created when there is none. */
export const userOfIdentity = async (db: Db, issuer: string, subject: string): Promise<string> => {
  const find = (on: Db) =>
    on
      .selectFrom('user_identity')
      .select('user_id')
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
  const claim = (on: Db, userId: string) =>
    on
      .insertInto('user_identity')
      .values({ issuer, subject, user_id: userId })
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst();
  return findOrMakeUser(db, find, claim);
};

type Row = { user_id: string } | undefined;

/** When two first sign-ins happen at once, one creates the user and the other finds it. */
const findOrMakeUser = async (
  db: Db,
  find: (on: Db) => Promise<Row>,
  claim: (on: Db, userId: string) => Promise<Row>,
): Promise<string> => {
  const found = await find(db);
  if (found) return found.user_id;
  return db.transaction().execute(async (tx) => {
    const userId = randomUUID();
    await tx.insertInto('app_user').values({ user_id: userId }).execute();
    if (await claim(tx, userId)) return userId;
    await tx.deleteFrom('app_user').where('user_id', '=', userId).execute();
    const other = await find(tx);
    if (!other) throw new Error('A sign-in was taken and given back within one transaction.');
    return other.user_id;
  });
};
