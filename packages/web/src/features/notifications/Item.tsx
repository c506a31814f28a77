import type { Notification } from '@mintage/sdk';
import { Link } from 'wouter';
import * as t from '../../messages/en/notifications.ts';
import { Ago } from '../../ui/Ago.tsx';
import { TransactionLink } from '../../ui/ChainLink.tsx';
import { Coin } from '../../ui/Coin.tsx';
import { Money } from '../../ui/Money.tsx';
import { Person } from '../../ui/Person.tsx';

/** One thing: its sentence, who and what it is about, and where to look. */
export const Item = ({ notification }: { notification: Notification }) => {
  const {
    text,
    actor,
    token,
    post_id: postId,
    amount_usd: amount,
    tx_hash: hash,
    chain,
    created_at: at,
  } = notification;
  return (
    <li>
      <p className="row between">
        <span className="grow">{text}</span>
        {notification.read_at === null && (
          <span className="tag" data-tone="brand">
            {t.notifications.isNew}
          </span>
        )}
        <span className="muted small">
          <Ago at={at} /> {t.notifications.ago}
        </span>
      </p>
      <div className="told-about">
        {actor !== null && <Person user={actor} />}
        {token !== null && (
          <Link className="person" href={`/token/${token.slug}`}>
            <Coin picture={token.logo} symbol={token.symbol} size="s" />
            <span className="clip">
              <bdi>{token.name}</bdi> <span className="muted">{token.symbol}</span>
            </span>
          </Link>
        )}
        {amount !== null && (
          <span className="num">
            <Money value={amount} />
          </span>
        )}
        {postId !== null && (
          <Link className="link" href={`/post/${postId}`}>
            {t.notifications.post}
          </Link>
        )}
        {hash !== null && chain !== null && (
          <TransactionLink className="link" chain={chain} hash={hash}>
            {t.notifications.transaction}
          </TransactionLink>
        )}
      </div>
    </li>
  );
};
