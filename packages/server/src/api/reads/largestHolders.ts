import type { Address, Eid } from '@mintage/protocol';
import { sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';

export interface Held {
  wallet: Address;
  /** On all these chains together, base units. */
  amount: bigint;
}

/** So many of each chain are looked at first. */
const firstLook = 100;

/**
 * Who holds most of a token over these chains, largest first. Each chain is read along its own index: whoever is not among its
 * largest holds less than the last of them, and more are looked at while that could add up to more than what was found.
 */
export const largestHolders = async (
  db: Db,
  token: Address,
  eids: readonly Eid[],
  count: number,
  look = firstLook,
): Promise<Held[]> => {
  const onEach = eids.map(
    (eid) => sql`(select eid, wallet, amount from balance where eid = ${eid} and token = ${token} and amount > 0
      order by amount desc, wallet limit ${look})`,
  );
  const { rows } = await sql<Held & { beyond: bigint }>`
    with seen as materialized (${sql.join(onEach, sql` union all `)})
    select held.wallet, sum(held.amount) as amount, (
      select coalesce(sum(least_seen), 0)
      from (select min(amount) as least_seen from seen group by eid having count(*) = ${look}) last
    ) as beyond
    from balance held
    where held.eid = any(${eids}::bigint[]) and held.token = ${token} and held.wallet in (select wallet from seen)
    group by held.wallet order by amount desc, held.wallet limit ${count}`.execute(db);
  const [first] = rows;
  // On one chain whoever was not looked at holds no more than the last that was.
  const isSure = eids.length === 1 || first === undefined || first.beyond <= (rows[count - 1]?.amount ?? 0n);
  return isSure
    ? rows.map(({ wallet, amount }) => ({ wallet, amount }))
    : largestHolders(db, token, eids, count, look * 10);
};
