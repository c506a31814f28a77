import type { Db, Tx } from '../../db/serviceTables.ts';

/** Locks a user's embedded wallets, in the order in which the signer does. */
export const holdWallets = async (tx: Tx, userId: string): Promise<void> => {
  await tx
    .selectFrom('embedded_wallet')
    .select('user_id')
    .where('user_id', '=', userId)
    .orderBy('chain_type')
    .forUpdate()
    .execute();
};

/** Whether signing by this user's embedded wallets is paused, by the user or by the operator. */
export const isPaused = async (db: Db, userId: string): Promise<boolean> => {
  const { own, everybody } = await db
    .selectNoFrom((select) => [
      select
        .exists(select.selectFrom('embedded_wallet').where('user_id', '=', userId).where('paused_at', 'is not', null))
        .as('own'),
      select.exists(select.selectFrom('signing_pause')).as('everybody'),
    ])
    .executeTakeFirstOrThrow();
  return Boolean(own) || Boolean(everybody);
};
