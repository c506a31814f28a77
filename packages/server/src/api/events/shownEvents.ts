import type { NotificationType, Post } from '@mintage/protocol/operations';
import type { PostHappening } from '../../db/happenings.ts';
import type { Db } from '../../db/serviceTables.ts';
import { emptyNotification, shownNotifications } from '../notifications/showNotifications.ts';
import { findShown, showPosts } from '../people/showPosts.ts';
import type { StreamEvent } from '../reads/events/streamEvent.ts';
import { tokenCards } from '../reads/tokenCards.ts';
import type { Reading } from '../tokens/reading.ts';
import { withoutHeldBack } from './heldBack.ts';

type Context = Pick<Reading, 'db' | 'config'> & { db: Db };

/**
 * Events as clients get them, one for each. What people say and are told is shown as it is now: what was deleted or hidden since is an
 * empty place in every event, also in those of before.
 */
export const shownEvents = async (
  context: Context,
  events: readonly StreamEvent[],
): Promise<readonly StreamEvent[]> => {
  const told = await withoutHeldBack(context, events);
  const [posts, notifications] = await Promise.all([postsOf(context, told), notificationsOf(context, told)]);
  return told.map((event) => {
    const shown = posts.get(event) ?? notifications.get(event);
    return shown === undefined ? event : { ...event, shown };
  });
};

type Shown = Map<StreamEvent, Record<string, unknown>>;

const postsOf = async (context: Context, events: readonly StreamEvent[]): Promise<Shown> => {
  const told = events.flatMap((event) =>
    event.topic === 'posts' ? [{ event, post: event.data as unknown as PostHappening }] : [],
  );
  if (told.length === 0) return new Map();
  const there = await findShown(
    context.db,
    told.flatMap(({ post }) => (post.change === 'created' ? post.post_id : [])),
  );
  const [posts, tokens] = await Promise.all([
    showPosts(context, there, null),
    tokenCards(
      context,
      told.flatMap(({ post }) => post.token_id ?? []),
    ),
  ]);
  const byId = new Map(posts.map((post) => [post.id, post]));
  return new Map(
    told.map(({ event, post }) => {
      const token = tokens.get(post.token_id ?? '') ?? null;
      const empty = { ...emptyPost(post, event.time), tagged_coin: token };
      const now = post.change === 'created' ? (byId.get(post.post_id) ?? empty) : empty;
      return [event, { kind: post.change, post: now }];
    }),
  );
};

/** In the place of a post that nobody sees any more. */
const emptyPost = (post: PostHappening, at: Date): Post => ({
  id: post.post_id,
  type: post.type,
  author: null,
  text: '',
  media: [],
  entities: [],
  tagged_coin: null,
  parent_id: post.parent_id,
  root_id: post.root_id,
  hub_id: post.token_id,
  created_at: post.created_at,
  deleted_at: post.change === 'deleted' ? at.toISOString() : null,
  comments_count: 0,
  votes: { upvotes: 0, downvotes: 0, weighted_upvotes: '0', weighted_downvotes: '0', user_vote: null },
  author_holds: null,
  pinned: false,
});

const notificationsOf = async (context: Context, events: readonly StreamEvent[]): Promise<Shown> => {
  const told = events.flatMap((event) => (event.topic === 'notifications' ? [{ event, ...idsIn(event) }] : []));
  if (told.length === 0) return new Map();
  const shown = await shownNotifications(
    context,
    told.map(({ id }) => id),
  );
  return new Map(
    told.map(({ event, id, type }) => {
      const { seq, time: at } = event;
      return [event, shown.get(id) ?? emptyNotification({ id, seq, type, at })];
    }),
  );
};

const idsIn = ({ data }: StreamEvent) => ({
  id: data['notification_id'] as string,
  type: data['type'] as NotificationType,
});
