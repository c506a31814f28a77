import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { activeHubs } from '../../lib/peopleQueries.ts';
import * as t from '../../messages/en/people.ts';
import { Coin } from '../../ui/Coin.tsx';
import { tokenPath } from './tokenView.ts';

/** Where people spoke last. */
export const HubList = () => {
  const { data } = useQuery(activeHubs());
  if (data === undefined || data.length === 0) return null;
  return (
    <section className="card" aria-labelledby="hubs">
      <div className="head">
        <h2 id="hubs">{t.hub.active}</h2>
      </div>
      <ul className="made">
        {data.map(({ id, token, members_count: members, posts_count: posts }) => (
          <li key={id}>
            <Link className="mini" href={tokenPath(token.slug, { isPosts: true })}>
              <Coin picture={token.logo} symbol={token.symbol} size="s" />
              <span className="grow clip">
                <b>{token.name}</b> <span className="muted">{token.symbol}</span>
              </span>
              <span className="hint nowrap">
                {t.hub.posts(posts)} · {t.hub.members(members)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
};
