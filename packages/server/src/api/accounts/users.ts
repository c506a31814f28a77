import { randomUUID } from 'node:crypto';
import { type Address, MintageError } from '@mintage/protocol';
import { linkWallets } from '../../db/linkWallets.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db, Tx } from '../../db/serviceTables.ts';
import { type Embedded, waitsUntil } from './caller.ts';
import { type Accounts, type RowSeals, sealed } from './rowSeals.ts';

export interface Account {
  /** The sign-in wallet first, the embedded ones last. */
  wallets: Address[];
  /**
   * The embedded wallets. One that is created but not yet linked to the user (`execution/embeddedWallet.ts`) is not
   * among them.
   */
  embedded: Embedded;
  premium: boolean;
}

/** Null when there is no such user, or an operator froze the account. */
export const accountOf = async (db: Db, userId: string): Promise<Account | null> => {
  const rows = await db
    .selectFrom('app_user')
    .leftJoin('user_wallet', 'user_wallet.user_id', 'app_user.user_id')
    .leftJoin('embedded_wallet as own', (join) =>
      join.onRef('own.user_id', '=', 'app_user.user_id').onRef('own.address', '=', 'user_wallet.address'),
    )
    .select(['user_wallet.address', 'app_user.premium', 'own.chain_type'])
    .where('app_user.user_id', '=', userId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('account_freeze').select('user_id').where('user_id', '=', userId))),
    )
    .orderBy('user_wallet.created_at')
    .orderBy('user_wallet.address')
    .execute();
  const [first] = rows;
  if (first === undefined) return null;
  const linked = rows.flatMap(({ address, chain_type }) => (address === null ? [] : [{ address, chain_type }]));
  const made = linked.filter(({ chain_type }) => chain_type !== null);
  const others = linked.filter(({ chain_type }) => chain_type === null);
  return {
    wallets: [...others, ...made].map(({ address }) => address),
    embedded: Object.fromEntries(made.map(({ address, chain_type }) => [chain_type, address])),
    premium: first.premium,
  };
};

/** Who signs in by something. */
export interface WayIn {
  userId: string;
  /** From when it acts; null: it does not wait. */
  actsFrom: Date | null;
}

/**
 * The user who has this wallet; null when nobody has.
 *
 * @throws MintageError AUTHENTICATION_FAILED where the row is not one of ours.
 */
export const wayOfWallet = async ({ db, seals }: Accounts, address: Address): Promise<WayIn | null> => {
  const row = await db
    .selectFrom('user_wallet')
    .select(['address', 'user_id', 'acts_from', 'seal'])
    .where('address', '=', address)
    .executeTakeFirst();
  if (row === undefined) return null;
  if (!seals.holds(sealed.userWallet({ ...row, address }), row.seal)) throw unsealed();
  return { userId: row.user_id, actsFrom: row.acts_from };
};

const unsealed = (): MintageError =>
  new MintageError('AUTHENTICATION_FAILED', 'This way to sign in was not added by this service: ask its operator');

/**
 * The user who signs in with this wallet; created when there is none.
 *
 * @throws MintageError AUTHENTICATION_FAILED as `wayOfWallet`, and for a wallet that was unlinked.
 */
export const userOfWallet = async (accounts: Accounts, address: Address): Promise<WayIn> => {
  const find = (on: Accounts) => wayOfWallet(on, address);
  const claim = ({ db, seals }: Accounts, user_id: string) =>
    db
      .insertInto('user_wallet')
      .values({ address, user_id, seal: seals.of(sealed.userWallet({ address, user_id, acts_from: null })) })
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst();
  const found = await find(accounts);
  if (found !== null) return found;
  if ((await unlinkedFrom(accounts.db, address)) !== null)
    throw new MintageError(
      'AUTHENTICATION_FAILED',
      'This wallet was unlinked from its account: sign in to it another way to link it again',
    );
  return findOrMakeUser(accounts, find, claim);
};

/** The user whose account the wallet was unlinked from; null: it is linked, or was never. */
const unlinkedFrom = async (db: Db, address: Address): Promise<string | null> => {
  const row = await db
    .selectFrom('unlinked_wallet')
    .select('user_id')
    .where('address', '=', address)
    .executeTakeFirst();
  return row?.user_id ?? null;
};

/** The user whom a foreign issuer identifies as `subject`; created when there is none. */
export const userOfIdentity = async (accounts: Accounts, issuer: string, subject: string): Promise<string> => {
  const find = async ({ db, seals }: Accounts) => {
    const row = await db
      .selectFrom('user_identity')
      .select(['issuer', 'subject', 'user_id', 'seal'])
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
    if (row === undefined) return null;
    if (!seals.holds(sealed.userIdentity({ ...row, issuer, subject }), row.seal)) throw unsealed();
    return { userId: row.user_id, actsFrom: null };
  };
  const claim = ({ db, seals }: Accounts, user_id: string) =>
    db
      .insertInto('user_identity')
      .values({ issuer, subject, user_id, seal: seals.of(sealed.userIdentity({ issuer, subject, user_id })) })
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst();
  return (await findOrMakeUser(accounts, find, claim)).userId;
};

/** The user's wallets that this service linked, by their seals, but for those that do not act yet. */
export const sealedWallets = async ({ db, seals }: Accounts, userId: string, nowMs: number): Promise<Address[]> => {
  const rows = await db
    .selectFrom('user_wallet')
    .select(['address', 'user_id', 'acts_from', 'seal'])
    .where('user_id', '=', userId)
    .execute();
  return rows
    .filter(
      (row) =>
        seals.holds(sealed.userWallet({ ...row, user_id: userId }), row.seal) &&
        waitsUntil(row.acts_from, nowMs) === null,
    )
    .map(({ address }) => address);
};

/** The user's wallets that are no embedded ones, with when they act. */
export const ownWallets = (db: Db, userId: string): Promise<{ address: Address; acts_from: Date | null }[]> =>
  db
    .selectFrom('user_wallet')
    .select(['address', 'acts_from'])
    .where('user_id', '=', userId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('embedded_wallet')
            .select('user_id')
            .where('user_id', '=', userId)
            .whereRef('embedded_wallet.address', '=', 'user_wallet.address'),
        ),
      ),
    )
    .execute();

/**
 * Makes others wait who change by what this user signs in, or which wallets the user has, until the transaction ends. Take it
 * before `holdSession`: a removal ends sessions while it holds this.
 */
export const lockUser = async (tx: Tx, userId: string): Promise<void> => {
  await prepared(tx, tx.selectFrom('app_user').select('user_id').where('user_id', '=', userId).forNoKeyUpdate());
};

/**
 * Gives a wallet to a user, and counts its earnings for the user's account. Repeating it changes nothing.
 *
 * @param seals - Null: an embedded wallet, whose address comes from the database. It signs nobody in.
 * @param acts_from - From when it acts; null: from now on.
 * @returns False when it is another user's, or was.
 */
export const addWallet = async (
  tx: Tx,
  seals: RowSeals | null,
  userId: string,
  { address, acts_from }: { address: Address; acts_from: Date | null },
): Promise<boolean> => {
  await lockUser(tx, userId);
  const before = await unlinkedFrom(tx, address);
  if (before !== null && before !== userId) return false;
  await tx.deleteFrom('unlinked_wallet').where('address', '=', address).execute();
  const [first] = await tx
    .selectFrom('user_wallet')
    .select('address')
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('address')
    .limit(1)
    .execute();
  await tx
    .insertInto('user_wallet')
    .values({
      address,
      user_id: userId,
      acts_from,
      seal: seals?.of(sealed.userWallet({ address, user_id: userId, acts_from })) ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = tx.selectFrom('user_wallet').select('user_id').where('address', '=', address);
  if ((await row.executeTakeFirst())?.user_id !== userId) return false;
  if (first !== undefined) await linkWallets(tx, first.address, address);
  return true;
};

/** When two first sign-ins happen at once, one creates the user and the other finds it. */
const findOrMakeUser = async (
  accounts: Accounts,
  find: (on: Accounts) => Promise<WayIn | null>,
  claim: (on: Accounts, userId: string) => Promise<unknown>,
): Promise<WayIn> => {
  const found = await find(accounts);
  if (found !== null) return found;
  return accounts.db.transaction().execute(async (tx) => {
    const on = { ...accounts, db: tx };
    const userId = randomUUID();
    await tx.insertInto('app_user').values({ user_id: userId }).execute();
    if (await claim(on, userId)) return { userId, actsFrom: null };
    await tx.deleteFrom('app_user').where('user_id', '=', userId).execute();
    const other = await find(on);
    if (other === null) throw new Error('A sign-in was taken and given back within one transaction.');
    return other;
  });
};
