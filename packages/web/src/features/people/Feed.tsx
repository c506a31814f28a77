import type { Hub } from '@mintage/sdk';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type PostFilter, posts, useViewer } from '../../lib/peopleQueries.ts';
import * as t from '../../messages/en/people.ts';
import { Blocks, Empty } from '../../ui/Empty.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { MoreButton } from './MoreButton.tsx';
import { PostCard } from './PostCard.tsx';
import { useNewPosts } from './useNewPosts.ts';

/**
 * Posts, page by page.
 *
 * @param first - Shown above the others, and not again among them.
 * @param isWithin - All of them speak of one token, which is known already.
 */
export const Feed = ({
  filter,
  hub = null,
  isWithin = false,
  first = null,
  empty,
}: {
  filter: PostFilter;
  /** That they are all in; null: it is not known, or there is none. */
  hub?: Hub | null;
  isWithin?: boolean;
  first?: { id: string; shown: ReactNode } | null;
  /** What is said where there is nothing. */
  empty: ReactNode;
}) => {
  const list = useInfiniteQuery({ ...posts(filter, useViewer()), placeholderData: keepPreviousData });
  const all = list.data?.pages.flatMap((page) => page.posts);
  const others = all?.filter(({ id }) => id !== first?.id);
  const news = useNewPosts(filter, all, () => void list.refetch());
  const showNew = async (): Promise<void> => {
    await list.refetch();
    news.forget();
  };
  return (
    <>
      <div className="hold">
        {news.waiting > 0 && (
          <button type="button" className="new" onClick={() => void showNew()}>
            {t.posts.fresh(news.waiting)}
          </button>
        )}
      </div>
      {list.error !== null && all === undefined && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {all === undefined && list.error === null && <Blocks count={4} height={96} />}
      {first === null && all?.length === 0 && <Empty>{empty}</Empty>}
      <ol className="feed" aria-label={t.posts.title}>
        {first !== null && <li key={first.id}>{first.shown}</li>}
        {others?.map((post) => (
          <li key={post.id}>
            <PostCard post={post} hub={hub} isWithin={isWithin} />
          </li>
        ))}
      </ol>
      <MoreButton list={list} />
    </>
  );
};
