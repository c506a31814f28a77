import type { Lane, Tx } from '../context.ts';

/**
 * Locks the lane until the transaction ends.
 *
 * @returns Its next nonce as the tables know it, 0 on chains without nonces; undefined while another signer holds it.
 */
export const lockLane = async (tx: Tx, { chain, wallet }: Lane): Promise<number | undefined> => {
  await tx
    .insertInto('lane')
    .values({ eid: chain.eid, wallet, next_nonce: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await tx
    .selectFrom('lane')
    .select('next_nonce')
    .where('eid', '=', chain.eid)
    .where('wallet', '=', wallet)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row?.next_nonce;
};

export const setNextNonce = async (tx: Tx, { chain, wallet }: Lane, nonce: number): Promise<void> => {
  await tx
    .updateTable('lane')
    .set({ next_nonce: nonce })
    .where('eid', '=', chain.eid)
    .where('wallet', '=', wallet)
    .execute();
};
