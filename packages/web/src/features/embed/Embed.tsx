import { useEffect, useRef, useState } from 'react';
import type { EmbedKind } from '../../../build/paths.ts';
import { framed as words } from '../../messages/en/embed.ts';
import type { EmbedMarket } from './embedMarket.ts';
import { Shown } from './Shown.tsx';
import { TradeCard } from './TradeCard.tsx';

export interface EmbedProps {
  kind: EmbedKind;
  first: EmbedMarket;
  /** Address of our pages without a slash at its end. */
  appUrl: string;
  /** Of the deployment. */
  name: string;
  referral: string | null;
  /** Reads it anew; absent: where it is rendered on the server. */
  read?: (before: EmbedMarket) => Promise<EmbedMarket>;
}

/** While somebody sees it, milliseconds. A price that is typed against is read more often. */
const everyMs: Readonly<Record<EmbedKind, number>> = { trade: 5_000, price: 10_000 };

export const Embed = ({ kind, first, appUrl, name, referral, read }: EmbedProps) => {
  const [market, setMarket] = useState(first);
  const [isLost, setLost] = useState(false);
  const newest = useRef(first);
  useEffect(() => {
    if (read === undefined) return;
    let isThere = true;
    const readAgain = async (): Promise<void> => {
      if (document.visibilityState === 'hidden') return;
      try {
        const next = await read(newest.current);
        if (!isThere) return;
        newest.current = next;
        setMarket(next);
        setLost(false);
      } catch {
        if (isThere) setLost(true); // said below the figures, which stay
      }
    };
    const again = (): void => void readAgain();
    const timer = setInterval(again, everyMs[kind]);
    document.addEventListener('visibilitychange', again);
    return () => {
      isThere = false;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, [kind, read]);
  const query = referral === null ? '' : `?ref=${referral}`;
  const page = `${appUrl}/token/${encodeURIComponent(market.about.slug)}`;
  return (
    <main className="embed" data-kind={kind}>
      <h1 className="sr">{words.frameTitle(kind, market.about.name)}</h1>
      {kind === 'trade' ? (
        <TradeCard market={market} page={page} referral={referral} name={name} />
      ) : (
        <Shown market={market} link={page + query} />
      )}
      {isLost && <p className="small lost">{words.lost}</p>}
    </main>
  );
};
