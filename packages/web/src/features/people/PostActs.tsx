import type { Hub, Post } from '@mintage/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { apiOf } from '../../lib/api.ts';
import { readPeopleAgain, useViewer } from '../../lib/peopleQueries.ts';
import { useAct } from '../../lib/useAct.ts';
import * as t from '../../messages/en/people.ts';
import { Button } from '../../ui/Button.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Sure } from '../../ui/Sure.tsx';
import { moderates } from './moderates.ts';
import { signedIn } from './signedIn.ts';

/** Loaded by those who open them. */
const ReportDialog = lazy(() => import('./ReportDialog.tsx').then(({ ReportDialog: dialog }) => ({ default: dialog })));
const BanDialog = lazy(() => import('./BanDialog.tsx').then(({ BanDialog: dialog }) => ({ default: dialog })));

/** What may be done to a post: by its author, by whoever moderates the hub it is in, and by everybody else. */
export const PostActs = ({ post, name, hub }: { post: Post; name: string; hub: Hub | null }) => {
  const client = useQueryClient();
  const viewer = useViewer();
  const act = useAct();
  const [opened, setOpened] = useState<'report' | 'ban' | null>(null);
  const isOwn = viewer !== null && post.author?.id === viewer;
  const isModerator = hub !== null && moderates(hub);
  const change = (work: () => Promise<unknown>) =>
    act.run(t.loading, async () => {
      await work();
      await readPeopleAgain(client);
    });
  const report = async (): Promise<void> => {
    if (await signedIn()) setOpened('report');
  };
  return (
    <div className="post-acts">
      {isModerator && post.type !== 'comment' && post.hub_id !== null && (
        <Button
          kind="bare"
          size="s"
          disabled={act.doing !== null}
          onClick={() => void change(() => apiOf(client).pinPost({ post_id: post.id, pinned: !post.pinned }))}
        >
          {post.pinned ? t.posts.unpin : t.posts.pin}
        </Button>
      )}
      {isModerator && !isOwn && post.author !== null && post.author.id !== hub.owner?.id && post.hub_id !== null && (
        <Button kind="bare" size="s" aria-label={t.hub.banTitle(name)} onClick={() => setOpened('ban')}>
          {t.hub.ban}
        </Button>
      )}
      {(isOwn || isModerator) && (
        <Sure
          kind="bare"
          label={t.posts.deleteIt(name)}
          onSure={() => void change(() => apiOf(client).deletePost({ post_id: post.id }))}
        >
          {t.posts.delete}
        </Sure>
      )}
      {!isOwn && (
        <Button kind="bare" size="s" aria-haspopup="dialog" onClick={() => void report()}>
          {t.posts.report}
        </Button>
      )}
      {act.error !== null && <Problem error={act.error} />}
      <Suspense fallback={null}>
        {opened === 'report' && <ReportDialog postId={post.id} onClose={() => setOpened(null)} />}
        {opened === 'ban' && post.author !== null && post.hub_id !== null && (
          <BanDialog user={post.author} tokenId={post.hub_id} onClose={() => setOpened(null)} />
        )}
      </Suspense>
    </div>
  );
};
