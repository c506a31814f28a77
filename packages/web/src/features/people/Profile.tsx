import type { UserProfile } from '@mintage/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { userPath } from '../../lib/people.ts';
import { createdTokens, useViewer } from '../../lib/peopleQueries.ts';
import { raisedPercent } from '../../lib/raisedPercent.ts';
import * as t from '../../messages/en/people.ts';
import { Dollars } from '../../ui/Amount.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Coin } from '../../ui/Coin.tsx';
import { ChainMark } from '../../ui/chains.tsx';
import { Blocks, Empty } from '../../ui/Empty.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Feed } from './Feed.tsx';
import { ProfileHead } from './ProfileHead.tsx';
import './people.css';

export type ProfileView = 'posts' | 'tokens';
const views: readonly ProfileView[] = ['posts', 'tokens'];

export const profileViewOf = (search: URLSearchParams): ProfileView =>
  search.get('view') === 'tokens' ? 'tokens' : 'posts';

/** Somebody, what they said, and what they made. */
export const Profile = ({ user, view }: { user: UserProfile; view: ProfileView }) => {
  const isOwn = useViewer() === user.id;
  return (
    <div className="profile">
      <ProfileHead key={user.id} user={user} />
      <nav className="seg" aria-label={t.profile.views}>
        {views.map((one) => (
          <Link
            key={one}
            href={one === 'posts' ? userPath(user) : `${userPath(user)}?view=${one}`}
            aria-current={one === view ? 'page' : undefined}
          >
            {t.profile.tabs[one]}
          </Link>
        ))}
      </nav>
      <section className="card" aria-label={t.profile.tabs[view]}>
        {view === 'posts' ? (
          <Feed filter={{ author_id: user.id }} empty={isOwn ? t.posts.noneByYou : t.posts.noneByThem} />
        ) : (
          <Created user={user} isOwn={isOwn} />
        )}
      </section>
    </div>
  );
};

export const firstTokens = 20;
/** The service lists no more at once. */
const mostTokens = 100;

const Created = ({ user, isOwn }: { user: UserProfile; isOwn: boolean }): ReactNode => {
  const [rows, setRows] = useState(firstTokens);
  const { data, error, refetch } = useQuery({ ...createdTokens(user.id, rows), placeholderData: keepPreviousData });
  if (user.tokens_created_count === null) return <Empty>{t.profile.hidesWallet}</Empty>;
  if (error !== null && data === undefined) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Blocks count={4} height={64} />;
  if (data.tokens.length === 0 && isOwn)
    return <Empty act={<ButtonLink href="/create">{t.profile.createOne}</ButtonLink>}>{t.profile.noTokensOwn}</Empty>;
  if (data.tokens.length === 0) return <Empty>{t.profile.noTokens}</Empty>;
  return (
    <>
      <ul className="made">
        {data.tokens.map((token) => (
          <li key={token.id}>
            <Link className="mini" href={`/token/${token.slug}`}>
              <Coin
                picture={token.logo}
                symbol={token.symbol}
                raised={raisedPercent(token) ?? 0}
                isGraduated={token.stage === 'graduated'}
              />
              <span className="grow clip">
                <b>{token.name}</b> <span className="muted">{token.symbol}</span>
              </span>
              <ChainMark slug={token.token_addresses[0]?.chain ?? ''} />
              <span className="num">
                <Dollars value={token.market_cap} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {data.tokens.length === rows && rows < mostTokens && user.tokens_created_count > rows && (
        <div className="more">
          <Button onClick={() => setRows(mostTokens)}>{t.people.more}</Button>
        </div>
      )}
    </>
  );
};
