import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { decimal, numberToText, short } from '../../lib/format.ts';
import { userPath } from '../../lib/people.ts';
import { useSession } from '../../lib/session.ts';
import * as t from '../../messages/en/leaderboard.ts';
import { Address, Copy } from '../../ui/Address.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { AddressLink } from '../../ui/ChainLink.tsx';
import { ChainMark, ChainName } from '../../ui/chains.tsx';
import { Blocks, Empty } from '../../ui/Empty.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { hrefOf, type Line, leaderboard, ownLine, type Period, rowsOfPage, type Shown } from './queries.ts';
import './leaderboard.css';

const periods: readonly Period[] = ['all', '7d'];

export const Leaderboard = ({ shown }: { shown: Shown }) => {
  const { data, error, refetch } = useQuery(leaderboard(shown));
  return (
    <>
      <div className="hero">
        <div>
          <h1>{t.leaderboard.title}</h1>
          <p>{t.leaderboard.text}</p>
        </div>
        <nav className="seg" aria-label={t.leaderboard.period}>
          {periods.map((period) => (
            <Link key={period} href={hrefOf(period)} aria-current={period === shown.period ? 'page' : undefined}>
              {t.leaderboard.periods[period]}
            </Link>
          ))}
        </nav>
      </div>
      <Own shown={shown} />
      <section className="card ranks" aria-label={t.leaderboard.title}>
        {error !== null && (
          <div className="pad">
            <Problem error={error} onRetry={refetch} />
          </div>
        )}
        <div className="rank-head" aria-hidden="true">
          <span>{t.leaderboard.heads.rank}</span>
          <span>{t.leaderboard.heads.who}</span>
          <span className="wide">{t.leaderboard.heads.chains}</span>
          <span className="right">{t.leaderboard.heads.earned}</span>
          <span />
        </div>
        {data === undefined && error === null && <Blocks count={10} height={56} />}
        {data?.leaderboard.length === 0 && (
          <Empty act={<ButtonLink href="/create">{t.leaderboard.noneAct}</ButtonLink>}>{t.leaderboard.none}</Empty>
        )}
        <ol>
          {data?.leaderboard.map((line) => (
            <li key={line.recipient_address}>
              <Earner line={line} />
            </li>
          ))}
        </ol>
        {data !== undefined && data.pagination.total > data.leaderboard.length && (
          <div className="more">
            <ButtonLink href={hrefOf(shown.period, shown.rows + rowsOfPage)}>{t.leaderboard.more}</ButtonLink>
          </div>
        )}
      </section>
    </>
  );
};

/** One's own line stays above the others. */
const Own = ({ shown }: { shown: Shown }) => {
  const session = useSession();
  const { data } = useQuery(ownLine(shown, session?.userId ?? null));
  if (session === null) return null;
  return (
    <section className="card ranks own" aria-label={t.leaderboard.yourRank}>
      {data === undefined && <Blocks count={1} height={56} />}
      {data === null && <p className="pad soft">{t.leaderboard.notListed}</p>}
      {data && <Earner line={data} isOwn />}
    </section>
  );
};

/** Opens to what was earned on each chain. */
const Earner = ({ line, isOwn = false }: { line: Line; isOwn?: boolean }) => {
  const { recipient_address: address, chain_balances: balances } = line;
  return (
    <details>
      <summary>
        <span className="num">{decimal(String(line.rank), 0)}</span>
        <span className="row who">
          <img className="avatar" src={line.profile_picture} alt="" loading="lazy" decoding="async" />
          {line.username === short(address) ? (
            <Address value={address} />
          ) : (
            <>
              <b className="clip">@{line.username}</b>
              <span className="wide muted">
                <Address value={address} />
              </span>
            </>
          )}
          {isOwn && <span className="tag">{t.leaderboard.you}</span>}
        </span>
        <span className="wide row marks">
          <span className="sr">{t.leaderboard.chains(line.unique_chains_count)}</span>
          {balances.slice(0, 8).map(({ chain }) => (
            <ChainMark key={chain} slug={chain} />
          ))}
        </span>
        <span className="num right">
          <Earned value={line.total_earned_all_tokens} />
        </span>
        <Icon name="chevronDown" />
      </summary>
      <div className="split-by-chain">
        <div className="row">
          <span className="mono whole">{address}</span>
          <Copy text={address} label={t.copyAddress} />
          {line.user_id !== null && (
            <Link className="link" href={userPath({ id: line.user_id, username: null })}>
              {t.leaderboard.profile}
            </Link>
          )}
        </div>
        <p className="lab">{t.leaderboard.byChain}</p>
        <dl className="lines">
          {balances.map(({ chain, balance }) => (
            <div key={chain}>
              <dt>
                <ChainName slug={chain} />
              </dt>
              <dd>
                <AddressLink className="link" chain={chain} address={address} title={t.leaderboard.proof}>
                  <Earned value={balance} />
                </AddressLink>
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </details>
  );
};

/** Dollars and cents, cut. */
const Earned = ({ value }: { value: number }) => (
  <span className="nowrap" title={`${numberToText(value)} USD`}>
    ${decimal(numberToText(value), 2, true)}
  </span>
);
