import type { TokenAbout, VoteCount } from '@mintage/sdk';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { hub, tokenVotes, useViewer } from '../../lib/peopleQueries.ts';
import * as t from '../../messages/en/people.ts';
import { type TokenView, tokenPath } from './tokenView.ts';
import { Votes } from './Votes.tsx';
import './people.css';

/** Whether its trades are shown or what people say of it, and how they voted on it. */
export const TokenViews = ({ about, view }: { about: TokenAbout; view: TokenView }) => {
  const client = useQueryClient();
  const viewer = useViewer();
  const { data: shownHub } = useQuery({ ...hub(about.id, viewer), placeholderData: keepPreviousData });
  const asked = tokenVotes(about.id, viewer);
  const { data: votes } = useQuery({ ...asked, placeholderData: keepPreviousData });
  return (
    <div className="token-views o5">
      <nav className="seg" aria-label={t.hub.views}>
        <Link href={tokenPath(about.slug, {})} aria-current={view.isPosts ? undefined : 'page'}>
          {t.hub.trades}
        </Link>
        <Link href={tokenPath(about.slug, { isPosts: true })} aria-current={view.isPosts ? 'page' : undefined}>
          {t.hub.posts(shownHub?.posts_count ?? 0)}
        </Link>
      </nav>
      {votes !== undefined && (
        <Votes
          target={{ target_type: 'token', target_id: about.id }}
          votes={votes}
          symbol={about.symbol}
          label={t.votes.token(about.symbol)}
          onVoted={(next) => client.setQueryData<VoteCount>(asked.queryKey, next)}
        />
      )}
    </div>
  );
};
