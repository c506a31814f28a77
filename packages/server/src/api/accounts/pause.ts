import type { Db } from '../../db/serviceTables.ts';

/** Whether signing by this user's embedded wallet is paused, by the user or by the operator. */
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
