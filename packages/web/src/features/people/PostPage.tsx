import type { Post } from '@mintage/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { nameOf } from '../../lib/people.ts';
import { hub as hubOf, post as postOf, useViewer } from '../../lib/peopleQueries.ts';
import * as t from '../../messages/en/people.ts';
import { Blocks } from '../../ui/Empty.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { PostCard } from './PostCard.tsx';
import './people.css';

/** What a post is called where only its page is named. */
export const postTitle = ({ author, deleted_at: deletedAt }: Post): string => {
  if (deletedAt !== null) return t.posts.deleted;
  return t.posts.page(author === null ? t.posts.itsCreator : nameOf(author));
};

/** One post, and all that was said to it. @param noSuch - What is shown where there is none. */
export const PostPage = ({ id, noSuch }: { id: string; noSuch: ReactNode }) => {
  const viewer = useViewer();
  const { data: post, error, refetch } = useQuery({ ...postOf(id, viewer), placeholderData: keepPreviousData });
  const hubId = post?.hub_id ?? null;
  const { data: hub } = useQuery({
    ...hubOf(hubId ?? '', viewer),
    enabled: hubId !== null,
    placeholderData: keepPreviousData,
  });
  if (post === null) return noSuch;
  return (
    <div className="column post-page">
      <h1>{post ? postTitle(post) : t.posts.title}</h1>
      {post?.parent_id != null && (
        <p className="soft">
          {t.posts.commentOn}{' '}
          <Link className="link" href={`/post/${post.parent_id}`}>
            {t.posts.parent}
          </Link>
        </p>
      )}
      <section className="card">
        {error !== null && post === undefined && <Problem error={error} onRetry={() => void refetch()} />}
        {post === undefined && error === null && <Blocks count={4} height={64} />}
        {post && <PostCard key={post.id} post={post} hub={hub ?? null} isOpen />}
      </section>
    </div>
  );
};
