import { sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';

const keptDays = 90;
const keptOfUser = 1_000;

/** Deletes notifications of more than 90 days ago, and of users who were told something since, those beyond the newest 1,000. */
export const pruneNotifications = async (db: Db, since: Date, now: Date): Promise<void> => {
  await sql`delete from notification
    where created_at < ${now}::timestamptz - make_interval(days => ${keptDays})`.execute(db);
  await sql`delete from notification using (
      select told.user_id, oldest.seq from (
        select distinct user_id from notification where created_at >= ${since}) told,
      lateral (select seq from notification kept where kept.user_id = told.user_id
        order by seq desc offset ${keptOfUser} limit 1) oldest) beyond
    where notification.user_id = beyond.user_id and notification.seq <= beyond.seq`.execute(db);
};
