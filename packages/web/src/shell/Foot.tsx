import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useDeployment } from '../lib/deployment.ts';
import { ago } from '../lib/format.ts';
import { useNow } from '../lib/now.ts';
import { books, chains } from '../lib/queries.ts';
import { useIsHydrated } from '../lib/useIsHydrated.ts';
import * as t from '../messages/en/common.ts';
import { ThemeButton } from './ThemeButton.tsx';

export const Foot = () => {
  const { base } = useDeployment();
  return (
    <footer className="foot">
      <div>
        <Chains />
        <Solvency />
        <Link className="link narrow" href="/leaderboard">
          {t.nav.leaderboard}
        </Link>
        <a className="link" href={`${base}/docs`}>
          {t.foot.docs}
        </a>
        <ThemeButton />
      </div>
    </footer>
  );
};

const Chains = () => {
  const { data } = useQuery(chains());
  if (data === undefined) return null;
  const live = data.chains.filter(({ status }) => status === 'live').length;
  return (
    <Link className="row" href="/solvency">
      <i className="dot" data-tone={live === data.chains.length ? 'up' : 'down'} />
      <span>{t.foot.live(live, data.chains.length)}</span>
    </Link>
  );
};

/**
 * As old as the oldest of the chains' books; a chain that does not answer proves nothing. They are read by browsers alone, once the page
 * is there: reading them may take a chain its time.
 */
const Solvency = () => {
  const { data: read } = useQuery({ ...books(), enabled: useIsHydrated() });
  const nowMs = useNow();
  const all = read?.chains.map((chain) => chain.books) ?? [];
  const known = all.flatMap((one) => one ?? []);
  const isBroken = known.some(({ solvent }) => !solvent) || read?.acrossChains.constant === false;
  const isProved = known.length > 0 && known.length === all.length;
  const oldest = Math.min(...known.map(({ blockTime }) => blockTime));
  return (
    <Link className={isBroken ? 'link down' : 'link'} href="/solvency">
      {isBroken ? t.foot.insolvent : isProved ? t.foot.solvent(ago(oldest * 1_000, nowMs)) : t.foot.solvency}
    </Link>
  );
};
