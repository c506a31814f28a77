import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { signedChannel } from '../../db/signerTables.ts';
import { seal } from '../../keys/keys.ts';
import type { Context } from '../context.ts';
import { curve } from './curve.ts';
import { addressOf } from './walletKey.ts';
import { walletSeal } from './walletSeal.ts';

const atOnce = 50;

/**
 * Creates a key for every user who requested a wallet and has none. When several signers create one for the same user,
 * one is kept, before anybody has seen its address.
 *
 * @returns Whether more may be waiting.
 */
export const makeWallets = async (context: Context): Promise<boolean> => {
  const waiting = await context.db
    .selectFrom('embedded_wallet')
    .select('user_id')
    .where('address', 'is', null)
    .orderBy('requested_at')
    .limit(atOnce)
    .execute();
  for (const { user_id } of waiting) await makeWallet(context, user_id);
  return waiting.length === atOnce;
};

const makeWallet = async ({ db, keys, log }: Context, user: string): Promise<void> => {
  const key = newKey();
  try {
    const address = addressOf(key);
    const sealed = await seal(keys, key, walletSeal(user, address));
    const made = await db.transaction().execute(async (tx) => {
      await sql`set local synchronous_commit = on`.execute(tx);
      const { numUpdatedRows } = await tx
        .updateTable('embedded_wallet')
        .set({ address, sealed_key: JSON.stringify(sealed), made_at: sql<Date>`now()` })
        .where('user_id', '=', user)
        .where('address', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) await sql`select pg_notify(${signedChannel}, ${user})`.execute(tx);
      return numUpdatedRows > 0n;
    });
    if (made) log.info({ user, wallet: address, kek: sealed.kek }, 'wallet made');
  } finally {
    key.fill(0);
  }
};

const newKey = (): Buffer => {
  for (;;) {
    const key = randomBytes(32);
    if (curve.isKey(key)) return key;
  }
};
