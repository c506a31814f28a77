import type { Post, Subscription } from '@mintage/sdk';
import { useState } from 'react';
import { useLive } from '../../lib/live.ts';
import type { PostFilter } from '../../lib/peopleQueries.ts';

/**
 * How many posts came that a list of the newest does not have yet: they wait until somebody wants to see them.
 *
 * @param list - As it is; undefined: it is not read yet.
 * @param readAgain - Is called when some may have come unseen.
 */
export const useNewPosts = (
  filter: PostFilter,
  list: readonly Post[] | undefined,
  readAgain: () => void,
): { waiting: number; forget(): void } => {
  const subscription = subscriptionOf(filter);
  const of = JSON.stringify(subscription);
  const [came, setCame] = useState<{ of: string; ids: readonly string[] }>({ of, ids: [] });
  // What came for another list is forgotten.
  const idsIn = (before: typeof came) => (before.of === of ? before.ids : []);
  useLive(subscription, (item) => {
    if (item.type === 'begin') readAgain();
    if (item.type !== 'event') return;
    const { kind, post } = item.data;
    const isNew = kind === 'created' && post.parent_id === null && post.author !== null;
    setCame((before) => {
      const others = idsIn(before).filter((id) => id !== post.id);
      return { of, ids: isNew ? [...others, post.id] : others };
    });
  });
  const shown = new Set(list?.map(({ id }) => id));
  return {
    waiting: list === undefined ? 0 : idsIn(came).filter((id) => !shown.has(id)).length,
    forget: () => setCame({ of, ids: [] }),
  };
};

/** Null: of the best, of those whom one follows, and of comments there is no stream. */
const subscriptionOf = ({
  feed = 'latest',
  taggedCoinId,
  author_id: authorId,
  hashtag,
  parent_id: parentId,
}: PostFilter): Extract<Subscription, { topic: 'posts' }> | null =>
  feed !== 'latest' || parentId !== undefined
    ? null
    : {
        topic: 'posts',
        ...(taggedCoinId !== undefined && { tokenId: taggedCoinId }),
        ...(authorId !== undefined && { authorIds: [authorId] }),
        ...(hashtag !== undefined && { hashtags: [hashtag] }),
      };
