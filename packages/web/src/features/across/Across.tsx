import type { TokenAbout } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { chainName } from '../../lib/chainLooks.ts';
import { chains } from '../../lib/queries.ts';
import { useSession } from '../../lib/session.ts';
import { tokenStats } from '../../lib/tokenQueries.ts';
import { useStored } from '../../lib/useStored.ts';
import * as t from '../../messages/en/across.ts';
import { Button } from '../../ui/Button.tsx';
import { TransactionLink } from '../../ui/ChainLink.tsx';
import { ChainMark } from '../../ui/chains.tsx';
import { CrossingRow } from './CrossingRow.tsx';
import { type Crossing, crossingsName } from './crossings.ts';
import { SendDialog } from './SendDialog.tsx';
import { isHere, waysOf } from './ways.ts';

/** The chains that the token lives on, and sending some of it to another. */
export const Across = ({ about }: { about: TokenAbout }) => {
  const { data: served } = useQuery(chains());
  const { data: stats } = useQuery(tokenStats(about.id));
  const user = useSession()?.userId;
  const crossings = (useStored<Crossing[]>(crossingsName) ?? []).filter(
    ({ tokenId, userId }) => tokenId === about.id && userId === user,
  );
  const [isSending, setSending] = useState(false);
  const ways = waysOf(about, served?.chains ?? []);
  return (
    <section className="card o6" aria-labelledby="across">
      <div className="head">
        <h2 id="across">{t.across.title}</h2>
        {about.token_addresses.length > 1 && <span className="muted small">{t.across.oneAddress}</span>}
      </div>
      <ul className="live-on">
        {about.token_addresses.map((place) => (
          <li key={place.chain}>
            <ChainMark slug={place.chain} />
            <span className="grow">
              {chainName(place.chain)}{' '}
              {place.chain === about.origin_chain && <span className="tag">{t.across.home}</span>}
            </span>
            {place.is_registered ? (
              <span className="muted small">
                {t.across.holders(stats?.find(({ chain }) => chain === place.chain)?.holder_count ?? '0')}
              </span>
            ) : (
              <span className="muted small">{words[place.registration]}</span>
            )}
            {place.tx_hash !== null && (
              <TransactionLink
                className="link small"
                chain={place.registration === 'sent' ? (about.origin_chain ?? place.chain) : place.chain}
                hash={place.tx_hash}
              >
                {t.token.proof}
              </TransactionLink>
            )}
          </li>
        ))}
      </ul>
      {crossings.length > 0 && (
        <ul aria-label={t.across.crossings}>
          {crossings.map((crossing) => (
            <CrossingRow key={crossing.id} crossing={crossing} />
          ))}
        </ul>
      )}
      {ways.length > 0 && (
        <div className="more">
          <Button onClick={() => setSending(true)}>{ways.some(isHere) ? t.across.sendHere : t.across.send}</Button>
        </div>
      )}
      {ways.length > 0 && <SendDialog about={about} ways={ways} isOpen={isSending} onClose={() => setSending(false)} />}
    </section>
  );
};

const words = { none: t.across.planned, sent: t.across.onItsWay, failed: t.across.failed, registered: '' } as const;
