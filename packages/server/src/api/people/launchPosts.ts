import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostedMedia } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import { ifWritable } from '../../db/ifWritable.ts';
import type { Db, Tx } from '../../db/serviceTables.ts';
import type { Log } from '../../log.ts';
import type { Media } from '../media/media.ts';
import { cardsOfWallets } from './cards.ts';
import { hashtagsOf, plainEntitiesOf } from './entities.ts';
import { listPost, lockPlaces } from './listing.ts';
import { postedMedia } from './postedMedia.ts';
import { openTally } from './tally.ts';

interface Launching {
  db: Db;
  media: Pick<Media, 'stored'>;
}

/** Launches that one look posts. */
const mostAtOnce = 20;
const lookEveryMs = 2_000;

/**
 * Posts the launch of every token that was created through this service, once an index has it, and of those that are there already bit
 * by bit. Any number of processes may do it on one database.
 *
 * @returns Stops it.
 */
export const followLaunches = (context: Launching & { log: Log }): (() => Promise<void>) => {
  const stop = new AbortController();
  const follow = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        await ifWritable(() => postLaunches(context));
      } catch (err) {
        context.log.error({ err }, 'Launches could not be posted.');
      }
      await sleep(lookEveryMs, undefined, { signal: stop.signal }).catch(() => undefined); // stopped
    }
  };
  const following = follow();
  return async () => {
    stop.abort();
    await following;
  };
};

/** @returns How many were posted. */
export const postLaunches = async (context: Launching): Promise<number> => {
  const { rows } = await sql<{ token_id: string }>`
    select draft.token_id from token_draft draft
    where launch_waits and exists (select from token where token.token_id = draft.token_id)
    order by draft.created_at limit ${mostAtOnce}`.execute(context.db);
  let posted = 0;
  for (const { token_id } of rows) if (await postLaunch(context, token_id)) posted += 1;
  return posted;
};

const postLaunch = async (context: Launching, tokenId: string): Promise<boolean> => {
  const { db } = context;
  const launch = await db
    .selectFrom('token')
    .innerJoin('token_draft as draft', 'draft.token_id', 'token.token_id')
    .select(['token.token_id', 'token.symbol', 'token.name', 'token.creator', 'token.created_at'])
    .select(['draft.description', 'draft.logo', 'draft.banner'])
    .where('token.token_id', '=', tokenId)
    .executeTakeFirst();
  if (launch === undefined) return false; // a reorg took it back meanwhile
  const text = textOf(launch);
  const entities = plainEntitiesOf(text, launch);
  const media = await mediaOf(context, launch);
  // Whose wallet it is, unless they hide it.
  const owner = (await cardsOfWallets(db, [launch.creator])).get(launch.creator);
  const post = {
    post_id: randomUUID(),
    type: 'launch' as const,
    author_id: owner?.id ?? null,
    token_id: tokenId,
    parent_id: null,
    root_id: null,
    created_at: launch.created_at,
    media,
    hashtags: hashtagsOf(entities),
  };
  return db.transaction().execute(async (tx) => {
    if (!(await claim(tx, tokenId))) return false;
    await lockPlaces(tx, post, launch);
    const made = await tx
      .insertInto('post')
      .values({ ...post, text, media: JSON.stringify(media), entities: JSON.stringify(entities) })
      .onConflict((conflict) => conflict.column('token_id').where('type', '=', 'launch').doNothing())
      .returning('post_id')
      .executeTakeFirst();
    if (made === undefined) return false;
    await openTally(tx, { target_type: 'post', target_id: post.post_id, token_id: tokenId, made_at: post.created_at });
    await listPost(tx, post, new Date());
    return true;
  });
};

/** In the form of a posted text. */
const textOf = ({ description, name }: { description: string; name: string }): string =>
  (description.trim() || name)
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\r\t]/g, ' ')
    .normalize('NFC');

/** True for one process alone. */
const claim = async (tx: Tx, tokenId: string): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('token_draft')
    .set({ launch_waits: false })
    .where('token_id', '=', tokenId)
    .where('launch_waits', '=', true)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** The wide picture, else the token's own, as far as it is kept here. */
const mediaOf = async (
  { media }: Launching,
  { banner, logo }: { banner: string | null; logo: string | null },
): Promise<PostedMedia[]> => {
  const cid = (banner ?? logo)?.split('/').at(-1);
  const file = cid === undefined ? null : await media.stored(cid);
  return file === null ? [] : [postedMedia(file)];
};
