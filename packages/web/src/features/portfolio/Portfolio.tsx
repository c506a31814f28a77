import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, apiOf } from '../../lib/api.ts';
import { csvOf, download } from '../../lib/csv.ts';
import { useDeployment } from '../../lib/deployment.ts';
import { short } from '../../lib/format.ts';
import { keyOf } from '../../lib/onChain.ts';
import { account, holdings as holdingsQuery, profits as profitsQuery } from '../../lib/ownQueries.ts';
import { ownKey, type SignedIn, useSession } from '../../lib/session.ts';
import * as t from '../../messages/en/portfolio.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Blocks, Empty } from '../../ui/Empty.tsx';
import { Hero } from '../../ui/Hero.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { SignInLink } from '../../ui/SignInLink.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import './portfolio.css';
import { csvRows, holdingsOf, isHeld } from './positions.ts';
import { Summary } from './Summary.tsx';
import { TokenTable } from './TokenTable.tsx';

type Which = 'held' | 'sold';

export const Portfolio = () => {
  const session = useSession();
  if (session !== null) return <OwnPortfolio session={session} />;
  return (
    <>
      <Hero title={t.nav.portfolio} />
      <section className="card">
        <Empty act={<SignInLink kind="ink">{t.nav.connect}</SignInLink>}>{t.portfolio.signedOut}</Empty>
      </section>
    </>
  );
};

const OwnPortfolio = ({ session }: { session: SignedIn }) => {
  const deployment = useDeployment();
  const client = useQueryClient();
  const [which, setWhich] = useState<Which>('held');
  const [failed, setFailed] = useState<unknown>(null);
  const { data: profits, error } = useQuery(profitsQuery(true));
  const { data: holdings, error: unplaced } = useQuery(holdingsQuery(true));
  const { data: own, error: unknownAccount } = useQuery(account(deployment, true));
  const problem = error ?? unplaced ?? unknownAccount;
  const names = new Map(
    (own?.wallets ?? []).map(({ address, embedded }) => [
      keyOf(address),
      embedded ? t.money.embeddedWallet : short(address),
    ]),
  );
  const all = profits === undefined ? [] : holdingsOf(profits, holdings);
  const shown = all.filter((one) => isHeld(one) === (which === 'held'));
  const save = async (): Promise<void> => {
    setFailed(null);
    try {
      download('portfolio.csv', csvOf(csvRows(await allPositions(apiOf(client)))));
    } catch (thrown) {
      setFailed(thrown);
    }
  };
  return (
    <>
      <Hero
        title={t.nav.portfolio}
        act={
          <Button onClick={() => void save()} disabled={all.length === 0}>
            <Icon name="download" />
            {t.money.csv}
          </Button>
        }
      >
        {own === undefined ? <>&nbsp;</> : t.portfolio.of([...new Set(names.values())])}
      </Hero>
      <div className="stack">
        {problem !== null && (
          <Problem error={problem} onRetry={() => void client.invalidateQueries({ queryKey: [ownKey] })} />
        )}
        {failed !== null && <Problem error={failed} onRetry={() => void save()} />}
        <Summary totals={profits ?? null} own={own} userId={session.userId} />
        <section className="card" aria-label={t.portfolio.tokens}>
          <div className="head">
            <h2>{t.portfolio.tokens}</h2>
            <Tabs<Which>
              label={t.portfolio.which}
              size="s"
              tabs={[
                { key: 'held', label: t.portfolio.held },
                { key: 'sold', label: t.portfolio.sold },
              ]}
              chosen={which}
              controls="tokens"
              onChoose={setWhich}
            />
          </div>
          <div id="tokens" role="tabpanel" aria-label={t.portfolio[which]}>
            {profits === undefined ? (
              error === null && <Blocks count={4} height={64} />
            ) : shown.length === 0 ? (
              <Empty act={which === 'held' && <ButtonLink href="/">{t.portfolio.toMarket}</ButtonLink>}>
                {which === 'held' ? t.portfolio.empty : t.portfolio.emptySold}
              </Empty>
            ) : (
              <TokenTable holdings={shown} wallets={names} />
            )}
            {profits !== undefined && profits.pagination.total > profits.tokens.length && (
              <p className="hint foot-note">{t.portfolio.more(profits.tokens.length, profits.pagination.total)}</p>
            )}
          </div>
        </section>
        <details className="card pad">
          <summary className="lab">{t.portfolio.how}</summary>
          <div className="stack soft how">
            {t.portfolio.howText.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </div>
        </details>
      </div>
    </>
  );
};

/** All pages, not only what is shown. */
const allPositions = async (api: Api) => {
  const positions = [];
  for (let offset = 0; ; offset += 500) {
    const { data } = await api.getUserPnl({ limit: 500, offset });
    positions.push(...data.tokens);
    if (data.tokens.length < 500) return positions;
  }
};
