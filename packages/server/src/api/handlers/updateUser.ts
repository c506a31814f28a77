import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/serviceTables.ts';
import { lockUser } from '../accounts/users.ts';
import { letGoOfFiles } from '../media/looseFiles.ts';
import { unweighVotes } from '../people/hidesWallets.ts';
import { isReservedName } from '../people/names.ts';
import { profileOf } from '../people/profile.ts';
import { skeletonOf } from '../people/skeleton.ts';
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
  // Before any picture is fetched; taking it looks again.
  if (username !== undefined) await requireFree(context, db, userId, username);
  const asker = { owner: userId, address: call.address, ...(call.gone && { gone: call.gone() }) };
  const [picture, banner] = await Promise.all([
    input.profile_picture ? media.portrait(input.profile_picture, asker) : null,
    input.banner ? media.image(input.banner, asker) : null,
  ]);
  const files = {
    ...(input.profile_picture !== undefined && { profile_picture: picture?.url ?? null }),
    ...(input.banner !== undefined && { banner_url: banner?.url ?? null }),
  };
  const changes = {
    ...(display_name !== undefined && { display_name: display_name || null }),
    ...(bio !== undefined && { bio: bio || null }),
    ...files,
    ...(links !== undefined && { links: JSON.stringify(links) }),
    ...settings,
    updated_at: new Date(now()),
  };
  // Before the transaction, which would hold one connection while this waits for another.
  await media.storeForNow(
    [picture, banner].filter((file) => file !== null),
    asker,
  );
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    if (username !== undefined) await takeName(context, tx, userId, username);
    const before = await filesOf(tx, userId);
    await tx
      .insertInto('profile')
      .values({ user_id: userId, ...changes })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(changes))
      .execute();
    if (settings.show_wallet === false) await unweighVotes(tx, userId, new Date(now()));
    const replaced = Object.keys(files).map((key) => before?.[key as keyof typeof files] ?? null);
    await letGoOfFiles(tx, replaced, now());
  });
  return { success: true, user: await profileOf(db, userId, userId) };
});

const filesOf = (tx: Tx, userId: string) =>
  tx.selectFrom('profile').select(['profile_picture', 'banner_url']).where('user_id', '=', userId).executeTakeFirst();

/**
 * Whether the user may take this name now.
 *
 * @returns False when it is the user's already.
 * @throws USERNAME_COOLDOWN, USERNAME_TAKEN
 */
const requireFree = async (
  { now }: Pick<Context, 'now'>,
  db: Db,
  userId: string,
  username: string,
): Promise<boolean> => {
  const rows = await db
    .selectFrom('username')
    .select(['user_id', 'username', 'taken_at'])
    .where((row) => row.or([row('user_id', '=', userId), row('skeleton', '=', skeletonOf(username))]))
    .execute();
  const own = rows.find((row) => row.user_id === userId);
  if (own?.username === username) return false;
  const from = own === undefined ? 0 : own.taken_at.getTime() + cooldownMs;
  if (now() < from)
    throw new MintageError('USERNAME_COOLDOWN', 'A username can be changed once in 30 days.', {
      details: { from: new Date(from).toISOString() },
    });
  if (rows.some((row) => row !== own))
    throw new MintageError('USERNAME_TAKEN', `Somebody has the name ${username}, or one that looks like it.`);
  return true;
};

/** @throws USERNAME_COOLDOWN, USERNAME_TAKEN */
const takeName = async (context: Context, tx: Tx, userId: string, username: string): Promise<void> => {
  // Of two who want one name the second one sees that the first one has it.
  await sql`select pg_advisory_xact_lock(hashtext('username'))`.execute(tx);
  if (!(await requireFree(context, tx, userId, username))) return;
  await tx.deleteFrom('username').where('user_id', '=', userId).execute();
  await tx
    .insertInto('username')
    .values({ skeleton: skeletonOf(username), username, user_id: userId, taken_at: new Date(context.now()) })
    .execute();
};
