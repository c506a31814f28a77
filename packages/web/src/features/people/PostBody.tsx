import type { Hub, Post } from '@mintage/sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { compact } from '../../lib/format.ts';
import { nameOf } from '../../lib/people.ts';
import * as t from '../../messages/en/people.ts';
import { Ago } from '../../ui/Ago.tsx';
import { Coin } from '../../ui/Coin.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Person } from '../../ui/Person.tsx';
import { PostActs } from './PostActs.tsx';
import { PostMedia } from './PostMedia.tsx';
import { PostText } from './PostText.tsx';
import { showVotes } from './showVotes.ts';
import { Votes } from './Votes.tsx';

/**
 * A post or comment without its comments.
 *
 * @param hub - That it is in, for what the viewer may do there; null: nothing is known of it.
 * @param isWithin - It is shown where its token is known already.
 * @param toComments - The link or button that leads to its comments.
 * @param children - Its comments, where they are shown below it.
 */
export const PostBody = ({
  post,
  hub,
  isWithin,
  toComments,
  children,
}: {
  post: Post;
  hub: Hub | null;
  isWithin: boolean;
  toComments: ReactNode;
  children?: ReactNode;
}) => {
  const client = useQueryClient();
  const { author, tagged_coin: token } = post;
  const name = author === null ? t.posts.itsCreator : nameOf(author);
  if (post.deleted_at !== null)
    return (
      <article className="post" data-gone="" aria-label={t.posts.deleted}>
        <p className="muted">{t.posts.deleted}</p>
        {toComments}
        {children}
      </article>
    );
  return (
    <article className="post" aria-label={post.type === 'comment' ? t.posts.commentBy(name) : t.posts.by(name)}>
      <header className="post-head">
        {author === null ? <NoAuthor /> : <Person user={author} />}
        <span className="row">
          {post.pinned && <span className="tag">{t.posts.pinned}</span>}
          {post.type === 'launch' && (
            <span className="tag" data-tone="brand">
              {t.posts.launch}
            </span>
          )}
          {token !== null && post.author_holds !== null && /[1-9]/.test(post.author_holds) && (
            <span className="tag" title={t.posts.holdsTitle(post.author_holds, token.symbol)}>
              {t.posts.holds(compact(post.author_holds), token.symbol)}
            </span>
          )}
          <Link className="muted small" href={`/post/${post.id}`}>
            <Ago at={post.created_at} /> {t.posts.ago}
          </Link>
        </span>
      </header>
      {post.hidden !== undefined && <p className="note">{t.posts.hidden(post.hidden.reason)}</p>}
      {post.text !== '' && <PostText text={post.text} entities={post.entities} />}
      <PostMedia media={post.media} />
      {!isWithin && token !== null && (
        <Link className="post-token" href={`/token/${token.slug}`}>
          <Coin picture={token.logo} symbol={token.symbol} size="s" />
          <span className="clip">
            <b>{token.name}</b> <span className="muted">{token.symbol}</span>
          </span>
        </Link>
      )}
      <footer className="post-foot">
        <Votes
          target={{ target_type: 'post', target_id: post.id }}
          votes={post.votes}
          symbol={token?.symbol ?? null}
          label={t.votes.label}
          onVoted={(votes) => showVotes(client, post.id, votes)}
        />
        {toComments}
        <PostActs post={post} name={name} hub={hub} />
      </footer>
      {children}
    </article>
  );
};

/** Leads to the page of a comment, where its replies are. */
export const RepliesLink = ({ comment }: { comment: Post }) => (
  <Link className="btn" data-kind="bare" data-size="s" href={`/post/${comment.id}`}>
    <Icon name="comment" />
    {t.posts.replies(comment.comments_count)}
  </Link>
);

/** Of a token whose creator does not say who they are. */
const NoAuthor = () => (
  <span className="person">
    <span className="clip">{t.posts.itsCreator}</span>
  </span>
);
