import { sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';

/** How much of these tokens each of these users holds in all wallets on all chains, in base units. */
export const holdingsOf = async (
  db: Db,
  tokenIds: readonly string[],
  userIds: readonly string[],
): Promise<(tokenId: string, userId: string) => bigint> => {
  const { rows } = await sql<{ token_id: string; user_id: string; amount: bigint }>`
    select place.token_id, user_wallet.user_id, sum(balance.amount) as amount
    from (
      select token_id, eid, address from token where token_id = any(${[...tokenIds]}::uuid[])
      union all
      select token_id, eid, address from remote_token where token_id = any(${[...tokenIds]}::uuid[])
    ) place
    join balance on balance.eid = place.eid and balance.token = place.address
    join user_wallet on user_wallet.address = balance.wallet
    where user_wallet.user_id = any(${[...userIds]}::uuid[])
    group by 1, 2`.execute(db);
  const held = new Map(rows.map(({ token_id, user_id, amount }) => [keyOf(token_id, user_id), amount]));
  return (tokenId, userId) => held.get(keyOf(tokenId, userId)) ?? 0n;
};

const keyOf = (tokenId: string, userId: string): string => `${tokenId} ${userId}`;
