import type { Hub, Post } from '@mintage/sdk';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { posts, useViewer } from '../../lib/peopleQueries.ts';
import * as t from '../../messages/en/people.ts';
import { Blocks } from '../../ui/Empty.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Composer } from './Composer.tsx';
import { MayPost } from './MayPost.tsx';
import { MoreButton } from './MoreButton.tsx';
import { PostBody, RepliesLink } from './PostBody.tsx';

/** What people said to a post, oldest first, and a place to say more. */
export const Comments = ({ id, post, hub }: { id: string; post: Post; hub: Hub | null }) => {
  const list = useInfiniteQuery({ ...posts({ parent_id: post.id }, useViewer()), placeholderData: keepPreviousData });
  const comments = list.data?.pages.flatMap((page) => page.posts);
  return (
    <section id={id} className="comments" aria-label={t.posts.commentsTitle}>
      {list.error !== null && comments === undefined && (
        <Problem error={list.error} onRetry={() => void list.refetch()} />
      )}
      {comments === undefined && list.error === null && (
        <Blocks count={Math.min(3, Math.max(1, post.comments_count))} height={64} />
      )}
      {comments?.length === 0 && <p className="hint">{t.posts.noComments}</p>}
      <ol>
        {comments?.map((comment) => (
          <li key={comment.id}>
            <PostBody
              post={comment}
              hub={hub}
              isWithin
              toComments={
                (comment.deleted_at === null || comment.comments_count > 0) && <RepliesLink comment={comment} />
              }
            />
          </li>
        ))}
      </ol>
      <MoreButton list={list} />
      {post.deleted_at === null && (
        <MayPost hub={hub}>
          <Composer parentId={post.id} label={t.posts.writeComment} />
        </MayPost>
      )}
    </section>
  );
};
