import { MintageError } from '@mintage/protocol';
import type { Config } from '../../config.ts';
import type { Db, Tx } from '../../db/serviceTables.ts';
import type { Auth } from './auth.ts';
import { type Caller, waitsUntil } from './caller.ts';
import { type AccessChange, requireConfirmation, tellAccess } from './newAccess.ts';
import { holdSession, revokeSessions } from './sessions.ts';
import { lockUser } from './users.ts';
import { waysIn } from './waysIn.ts';

interface Removing {
  db: Db;
  auth: Pick<Auth, 'forgetUser'>;
  config: Pick<Config, 'jwtIssuers'>;
  now: () => number;
}

/** A passkey or wallet that is to sign in to the account no more. */
interface WayOut {
  name: 'passkey' | 'wallet';
  /** Of the passkey, or the wallet's address. */
  id: string;
  /** From when it acts; null: it does not wait. */
  actsFrom(tx: Tx): Promise<Date | null>;
  remove(tx: Tx): Promise<void>;
}

const columns = { passkey: 'passkey_id', wallet: 'wallet' } as const;
const changes = { passkey: 'passkey_removed', wallet: 'wallet_unlinked' } as const satisfies Record<
  string,
  AccessChange
>;

/**
 * Removes a way into the account, with the sessions that it began. One that does not act yet is undone by any sign-in that
 * does; another one needs a fresh one.
 *
 * @throws MintageError LAST_WAY_IN, CONFIRMATION_NEEDED, as `holdSession`, and what `way` throws.
 */
export const removeWayIn = async (
  context: Removing,
  caller: Pick<Caller, 'userId' | 'session'>,
  { name, id, actsFrom, remove }: WayOut,
): Promise<void> => {
  const { db, auth, config, now } = context;
  const { userId } = caller;
  await db.transaction().execute(async (tx) => {
    // Of two that remove each other at once, one stays.
    await lockUser(tx, userId);
    await holdSession(tx, caller, now());
    if (waitsUntil(await actsFrom(tx), now()) === null) await requireConfirmation({ ...context, db: tx }, caller);
    const ended = await tx
      .deleteFrom('session')
      .where(columns[name], '=', id as `0x${string}`)
      .where('user_id', '=', userId)
      .returning(['session_id', 'user_id'])
      .execute();
    await revokeSessions(tx, ended);
    await remove(tx);
    const { passkeys, wallets, identities } = await waysIn(tx, config, userId, now());
    if (passkeys + wallets + identities === 0)
      throw new MintageError('LAST_WAY_IN', `Without this ${name} no one could sign in to the account any more`);
    await tellAccess(tx, userId, changes[name], id, now());
  });
  auth.forgetUser(userId);
};
