import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../db/serviceTables.ts';
import { notify } from './notify.ts';
import type { Teller } from './teller.ts';

const dayMs = 86_400_000;

/** When the fees of the day after the newest told are told, an hour after it: no chain takes back blocks that are as old. */
export const toldFrom = (day: RawBuilder<unknown>) =>
  sql`((${day}::date + 2)::timestamp + interval '1 hour') at time zone 'UTC'`;

/**
 * Once a day, tells users how many dollars of fees their wallets were credited with on the day before, in UTC.
 *
 * @returns Whether there may be a further day.
 */
export const tellFees = async (tx: Tx, { fees_day }: Teller, at: Date): Promise<boolean> => {
  const from = new Date(Date.parse(`${fees_day}T00:00:00Z`) + dayMs);
  const until = new Date(from.getTime() + dayMs);
  const { rows: due } = await sql<{ is_due: boolean }>`
    select ${at}::timestamptz >= ${toldFrom(sql`${fees_day}`)} as is_due`.execute(tx);
  if (due[0]?.is_due !== true) return false;
  // Of a day with very many credits; nobody waits for it.
  await sql`set local statement_timeout = 0`.execute(tx);
  const day = from.toISOString().slice(0, 10);
  const { rows } = await sql<{ user_id: string; usd18: bigint }>`
    select user_wallet.user_id, trunc(sum(credit.amount * 10::numeric ^ (18 - chain.usd_decimals))) as usd18
    from user_wallet join chain on true
    join fee_credit credit on credit.eid = chain.eid and credit.recipient = user_wallet.address
      and credit.currency = chain.usd and credit.time >= ${from} and credit.time < ${until}
    group by 1 having sum(credit.amount) > 0`.execute(tx);
  await notify(
    tx,
    rows.map(({ user_id, usd18 }) => ({
      user_id,
      type: 'fee_earned',
      key: `fees:${day}`,
      at,
      amount_usd18: usd18,
      detail: day,
    })),
  );
  await tx.updateTable('teller').set({ fees_day: day }).execute();
  return true;
};
