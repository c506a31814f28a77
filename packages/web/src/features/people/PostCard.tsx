import type { Hub, Post } from '@mintage/sdk';
import { useId, useState } from 'react';
import * as t from '../../messages/en/people.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Comments } from './Comments.tsx';
import { PostBody, RepliesLink } from './PostBody.tsx';

/**
 * A post or comment, with all that can be done to it. Comments of a post open below it; those of a comment are on its page.
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
  const id = useId();
  const [areCommentsShown, setShown] = useState(isOpen);
  const toComments =
    post.type === 'comment' ? (
      <RepliesLink comment={post} />
    ) : (
      <Button
        kind="bare"
        size="s"
        aria-expanded={areCommentsShown}
        aria-controls={areCommentsShown ? id : undefined}
        onClick={() => setShown(!areCommentsShown)}
      >
        <Icon name="comment" />
        {t.posts.comments(post.comments_count)}
      </Button>
    );
  const isLinked = post.deleted_at === null ? !isOpen : post.comments_count > 0;
  return (
    <PostBody post={post} hub={hub} isWithin={isWithin} toComments={isLinked && toComments}>
      {areCommentsShown && <Comments id={id} post={post} hub={hub} />}
    </PostBody>
  );
};
