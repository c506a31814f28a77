import type { Eid } from '@mintage/protocol';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../db/serviceTables.ts';
import { notify } from './notify.ts';
import type { Teller } from './teller.ts';

const mostAtOnce = 500;
/** A transaction commits some time after the clock that it wrote down: what ended this long before is looked at once more. */
export const endedAfter = (newest: RawBuilder<unknown>) => sql`${newest} - interval '1 minute'`;

/**
 * Tells users how transactions of their embedded wallets ended.
 *
 * @returns Whether there may be more.
 */
export const tellIntents = async (tx: Tx, { intents_at }: Teller): Promise<boolean> => {
  const { rows } = await sql<{
    intent_id: string;
    user_id: string;
    eid: Eid;
    status: 'done' | 'failed';
    ended_at: Date;
    hash: string | null;
  }>`
    select intent.intent_id, intent.user_id, intent.eid, intent.status, intent.ended_at,
      (select hash from intent_step step where step.eid = intent.eid and step.intent_id = intent.intent_id
        and hash is not null order by step desc limit 1) as hash
    from intent join app_user using (user_id) left join notification_setting setting on setting.user_id = intent.user_id
      and setting.type = case status when 'done' then 'transaction_final' else 'transaction_failed' end
    where ended_at > ${endedAfter(sql`${intents_at}::timestamptz`)} and status in ('done', 'failed')
      and setting.is_on is not false
      and not exists (select from notification told
        where told.user_id = intent.user_id and told.key = 'intent:' || intent.intent_id)
    order by ended_at limit ${mostAtOnce}`.execute(tx);
  await notify(
    tx,
    rows.map(({ intent_id, user_id, eid, status, ended_at: at, hash }) => ({
      user_id,
      type: status === 'done' ? 'transaction_final' : 'transaction_failed',
      key: `intent:${intent_id}`,
      at,
      eid,
      ...(hash !== null && { tx_hash: hash }),
    })),
  );
  const newest = rows.at(-1)?.ended_at;
  if (newest !== undefined && newest > intents_at) await tx.updateTable('teller').set({ intents_at: newest }).execute();
  return rows.length === mostAtOnce;
};
