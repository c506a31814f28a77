import type { ChainType } from '@mintage/protocol';
import { sql } from 'kysely';
import { signedChannel } from '../../db/signerTables.ts';
import { seal } from '../../keys/keys.ts';
import type { Context } from '../context.ts';
import type { SigningFamily } from '../sender.ts';
import { walletSeal } from './walletSeal.ts';

const atOnce = 50;

/**
 * Creates a key for every wallet that was requested and has none; one of a family that this signer does not serve waits
 * for another signer. When several signers create one for the same user, one is kept, before anybody has seen its
 * address.
 *
 * @returns Whether more may be waiting.
 */
export const makeWallets = async (
  context: Context,
  families: ReadonlyMap<ChainType, SigningFamily>,
): Promise<boolean> => {
  if (families.size === 0) return false;
  const waiting = await context.db
    .selectFrom('embedded_wallet')
    .select(['user_id', 'chain_type'])
    .where('address', 'is', null)
    .where('chain_type', 'in', [...families.keys()])
    .orderBy('requested_at')
    .limit(atOnce)
    .execute();
  for (const { user_id, chain_type } of waiting) {
    const family = families.get(chain_type);
    if (family !== undefined) await makeWallet(context, family, user_id, chain_type);
  }
  return waiting.length === atOnce;
};

const makeWallet = async (
  { db, keys, log }: Context,
  family: SigningFamily,
  user: string,
  chainType: ChainType,
): Promise<void> => {
  const { secret, address } = family.newWallet();
  try {
    const sealed = await seal(keys, secret, walletSeal(user, address));
    const made = await db.transaction().execute(async (tx) => {
      await sql`set local synchronous_commit = on`.execute(tx);
      const { numUpdatedRows } = await tx
        .updateTable('embedded_wallet')
        .set({ address, sealed_key: JSON.stringify(sealed), made_at: sql<Date>`now()` })
        .where('user_id', '=', user)
        .where('chain_type', '=', chainType)
        .where('address', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) await sql`select pg_notify(${signedChannel}, ${user})`.execute(tx);
      return numUpdatedRows > 0n;
    });
    if (made) log.info({ user, wallet: address, kek: sealed.kek }, 'wallet made');
  } finally {
    secret.fill(0);
  }
};
