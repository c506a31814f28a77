import type { Hub, Post } from '@mintage/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'wouter';
import { compact } from '../../lib/format.ts';
import { nameOf } from '../../lib/people.ts';
import * as t from '../../messages/en/people.ts';
import { Ago } from '../../ui/Ago.tsx';
import { Button } from '../../ui/Button.tsx';
import { Coin } from '../../ui/Coin.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Person } from '../../ui/Person.tsx';
import { Comments } from './Comments.tsx';
import { PostActs } from './PostActs.tsx';
import { PostMedia } from './PostMedia.tsx';
import { PostText } from './PostText.tsx';
import { showVotes } from './showVotes.ts';
import { Votes } from './Votes.tsx';

/**
 * A post or comment, with all that can be done to it.
 *
 * @param hub - That it is in, for what the viewer may do there; null: nothing is known of it.
 * @param isWithin - It is shown where its token is known already.
 * @param isOpen - Its comments are shown from the beginning, and stay.
 */
export const PostCard = ({
  post,
  hub = null,
  isWithin = false,
  isOpen = false,
}: {
  post: Post;
  hub?: Hub | null;
  isWithin?: boolean;
  isOpen?: boolean;
}) => {
  const client = useQueryClient();
  const id = useId();
  const [areCommentsShown, setShown] = useState(isOpen);
  const { author, tagged_coin: token } = post;
  const name = author === null ? t.posts.itsCreator : nameOf(author);
  if (post.deleted_at !== null)
    return (
      <article className="post" data-gone="" aria-label={t.posts.deleted}>
        <p className="muted">{t.posts.deleted}</p>
        {post.comments_count > 0 && (
          <CommentsLink post={post} isOpen={areCommentsShown} controls={id} onToggle={() => setShown(!areCommentsShown)} />
        )}
        {areCommentsShown && <Comments id={id} post={post} hub={hub} />}
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
        {!isOpen && (
          <CommentsLink post={post} isOpen={areCommentsShown} controls={id} onToggle={() => setShown(!areCommentsShown)} />
        )}
        <PostActs post={post} name={name} hub={hub} />
      </footer>
      {areCommentsShown && <Comments id={id} post={post} hub={hub} />}
    </article>
  );
};

/** Comments of a post open below it; those of a comment are on its page. */
const CommentsLink = ({
  post,
  isOpen,
  controls,
  onToggle,
}: {
  post: Post;
  isOpen: boolean;
  controls: string;
  onToggle(): void;
}): ReactNode =>
  post.type === 'comment' ? (
    <Link className="btn" data-kind="bare" data-size="s" href={`/post/${post.id}`}>
      <Icon name="comment" />
      {t.posts.replies(post.comments_count)}
    </Link>
  ) : (
    <Button kind="bare" size="s" aria-expanded={isOpen} aria-controls={isOpen ? controls : undefined} onClick={onToggle}>
      <Icon name="comment" />
      {t.posts.comments(post.comments_count)}
    </Button>
  );

/** Of a token whose creator does not say who they are. */
const NoAuthor = () => (
  <span className="person">
    <span className="clip">{t.posts.itsCreator}</span>
  </span>
);

