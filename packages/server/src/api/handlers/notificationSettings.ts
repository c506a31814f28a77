import { invalid } from '@mintage/protocol';
import { definitions, NotificationType, notificationTypes } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import type { Db } from '../../db/serviceTables.ts';
import { handler } from './handler.ts';

export const notificationSettings = handler(
  definitions.notificationSettings,
  async ({ db, pushKeys }, { types }, { caller }) => {
    const { userId: user_id } = caller;
    if (types?.security === false) throw invalid('types.security', 'cannot be switched off');
    const said = NotificationType.options.flatMap((type) => {
      const isOn = types?.[type];
      return isOn === undefined ? [] : [{ user_id, type, is_on: isOn }];
    });
    if (said.length > 0)
      await db
        .insertInto('notification_setting')
        .values(said)
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'type']).doUpdateSet(({ ref }) => ({ is_on: ref('excluded.is_on') })),
        )
        .execute();
    const [settings, publicKey, subscriptions] = await Promise.all([
      settingsOf(db, user_id),
      pushKeys.publicKey(),
      browsersOf(db, user_id),
    ]);
    return { success: true, settings, push: { public_key: publicKey, subscriptions } };
  },
);

const settingsOf = async (db: Db, userId: string): Promise<Record<NotificationType, boolean>> => {
  const rows = await db.selectFrom('notification_setting').selectAll().where('user_id', '=', userId).execute();
  const said = new Map(rows.map(({ type, is_on }) => [type, is_on]));
  const settings = NotificationType.options.map((type) => [type, said.get(type) ?? notificationTypes[type].isOn]);
  return Object.fromEntries(settings) as Record<NotificationType, boolean>;
};

const browsersOf = async (db: Db, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('push_subscription')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
};
