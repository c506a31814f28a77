import { formatUnits } from '@mintage/protocol';
import type { Post } from '@mintage/protocol/operations';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Db, PostTable } from '../../db/serviceTables.ts';
import { oneOf } from '../reads/oneOf.ts';
import { tokenCards } from '../reads/tokenCards.ts';
import type { Reading } from '../tokens/reading.ts';
import { userCards } from './cards.ts';
import { isShownToAll } from './seesPost.ts';
import { voteCounts } from './voteCounts.ts';

/** What is read of a post to show it. */
const columns = [
  'post_id',
  'type',
  'author_id',
  'text',
  'media',
  'entities',
  'token_id',
  'parent_id',
  'root_id',
  'author_holds',
  'comments_count',
  'pinned',
  'created_at',
  'deleted_at',
  'hidden_because',
] as const satisfies (keyof PostTable)[];

export type PostRow = Pick<Selectable<PostTable>, (typeof columns)[number]>;

/** For statements over `post`. */
export const postColumns = sql.join(columns.map((column) => sql.ref(`post.${column}`)));

export const findPost = (db: Db, postId: string): Promise<PostRow | undefined> =>
  db.selectFrom('post').select(columns).where('post_id', '=', postId).executeTakeFirst();

/** Those that everybody may see, in no order. */
export const findShown = (db: Db, postIds: readonly string[]): Promise<PostRow[]> =>
  db
    .selectFrom('post')
    .select(columns)
    .where(oneOf('post_id', [...new Set(postIds)]))
    .where(isShownToAll)
    .execute();

/**
 * Posts as they are shown, in their order.
 *
 * @param readerId - Whose eyes it is for; null: anybody's.
 */
export const showPosts = async (
  context: Pick<Reading, 'db' | 'config'>,
  rows: readonly PostRow[],
  readerId: string | null,
): Promise<Post[]> => {
  if (rows.length === 0) return [];
  const { db } = context;
  const [authors, tokens, votes] = await Promise.all([
    shownAuthors(db, rows),
    tokenCards(context, textsOf(rows, 'token_id')),
    voteCounts(db, { type: 'post', ids: textsOf(rows, 'post_id') }, readerId),
  ]);
  return rows.map((row) => {
    const { author, isHiding } = authors(row);
    const holds = isHiding ? null : row.author_holds;
    return {
      id: row.post_id,
      type: row.type,
      author,
      text: row.text,
      media: row.media,
      entities: row.entities,
      tagged_coin: tokens.get(row.token_id ?? '') ?? null,
      parent_id: row.parent_id,
      root_id: row.root_id,
      hub_id: row.token_id,
      created_at: row.created_at.toISOString(),
      deleted_at: row.deleted_at?.toISOString() ?? null,
      comments_count: row.comments_count,
      votes: votes.of(row.post_id),
      author_holds: holds === null ? null : formatUnits(holds, 18),
      pinned: row.pinned,
      ...(row.hidden_because !== null && row.author_id === readerId && { hidden: { reason: row.hidden_because } }),
    };
  });
};

export const showPost = async (
  context: Pick<Reading, 'db' | 'config'>,
  row: PostRow,
  readerId: string | null,
): Promise<Post> => (await showPosts(context, [row], readerId))[0] as Post;

/**
 * Who wrote what, and who hides their wallets: a launch would tell whose the wallet is that created the token, so it has no author
 * then, and what somebody held at some time whose the wallet is that held it.
 */
const shownAuthors = async (db: Db, rows: readonly PostRow[]) => {
  const ids = textsOf(rows, 'author_id');
  const [cards, hiding] = await Promise.all([
    userCards(db, ids),
    db.selectFrom('profile').select('user_id').where(oneOf('user_id', ids)).where('show_wallet', '=', false).execute(),
  ]);
  const hidden = new Set<string | null>(hiding.map(({ user_id }) => user_id));
  return ({ type, author_id }: PostRow) => {
    const isHiding = hidden.has(author_id);
    return { author: type === 'launch' && isHiding ? null : (cards.get(author_id ?? '') ?? null), isHiding };
  };
};

const textsOf = (rows: readonly PostRow[], column: 'post_id' | 'token_id' | 'author_id'): string[] =>
  rows.flatMap((row) => row[column] ?? []);
