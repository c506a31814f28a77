import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import type { Tx } from '../../db/serviceTables.ts';
import { lockUser } from '../accounts/users.ts';
import { isReservedName, skeletonOf } from '../people/names.ts';
import { profileOf } from '../people/profile.ts';
import type { Context } from './context.ts';
import { handler } from './handler.ts';

const cooldownMs = 30 * 24 * 60 * 60 * 1_000;

export const updateUser = handler(definitions.updateUser, async (context, input, call) => {
  const { db, media, config, now } = context;
  const { userId } = call.caller;
  const { username, display_name, bio, links, settings = {} } = input;
  for (const name of [username, display_name]) {
    if (name && isReservedName(config, name))
      throw new MintageError('USERNAME_RESERVED', `The name ${name} could be taken for the service's own.`);
  }
  const asker = { owner: userId, address: call.address, ...(call.gone && { gone: call.gone() }) };
  const picture = input.profile_picture ? await media.portrait(input.profile_picture, asker) : null;
  const banner = input.banner ? await media.image(input.banner, asker) : null;
  const changes = {
    ...(display_name !== undefined && { display_name: display_name || null }),
    ...(bio !== undefined && { bio: bio || null }),
    ...(input.profile_picture !== undefined && { profile_picture: picture?.url ?? null }),
    ...(input.banner !== undefined && { banner_url: banner?.url ?? null }),
    ...(links !== undefined && { links: JSON.stringify(links) }),
    ...settings,
    updated_at: new Date(now()),
  };
  // Before the transaction, which would hold one connection while this waits for another.
  await media.store([picture, banner].filter((file) => file !== null));
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    if (username !== undefined) await takeName(context, tx, userId, username);
    await tx
      .insertInto('profile')
      .values({ user_id: userId, ...changes })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(changes))
      .execute();
  });
  return { success: true, user: await profileOf(db, userId, true) };
});

/** @throws USERNAME_COOLDOWN, USERNAME_TAKEN */
const takeName = async ({ now }: Context, tx: Tx, userId: string, username: string): Promise<void> => {
  const own = await tx
    .selectFrom('username')
    .select(['username', 'taken_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (own?.username === username) return;
  const from = own === undefined ? 0 : own.taken_at.getTime() + cooldownMs;
  if (now() < from)
    throw new MintageError('USERNAME_COOLDOWN', 'A username can be changed once in 30 days.', {
      details: { from: new Date(from).toISOString() },
    });
  // Two who take each other's name would wait for one another.
  await sql`select pg_advisory_xact_lock(hashtext('username'))`.execute(tx);
  await tx.deleteFrom('username').where('user_id', '=', userId).execute();
  const taken = await tx
    .insertInto('username')
    .values({ skeleton: skeletonOf(username), username, user_id: userId, taken_at: new Date(now()) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  if (taken === undefined)
    throw new MintageError('USERNAME_TAKEN', `Somebody has the name ${username}, or one that looks like it.`);
};
