import { MintageError } from '@mintage/protocol';
import type { Db } from '../../db/serviceTables.ts';
import type { Caller } from '../accounts/caller.ts';
import { noUser } from './profile.ts';

/** Who asks, where what only they see is read: that takes a credential that may read. */
export const readerOf = (caller: Caller | null): Caller | null => (caller?.scopes.includes('read') ? caller : null);

/** Id of who asks; null: nobody, or a credential that may not read. */
export const readerIdOf = (caller: Caller | null): string | null => readerOf(caller)?.userId ?? null;

/**
 * The user whom a read is about.
 *
 * @param named - Id in any case; undefined: the reader.
 * @throws AUTHENTICATION_FAILED when nobody is named and nobody who may read is signed in.
 */
export const idAsked = (named: string | undefined, reader: Caller | null): string => {
  const userId = named?.toLowerCase() ?? reader?.userId;
  if (userId !== undefined) return userId;
  throw new MintageError('AUTHENTICATION_FAILED', 'Name a user, or send a credential that may read your own profile.');
};

/** @throws USER_NOT_FOUND */
export const requireUser = async (db: Db, userId: string): Promise<void> => {
  const row = await db.selectFrom('app_user').select('user_id').where('user_id', '=', userId).executeTakeFirst();
  if (row === undefined) throw noUser();
};
