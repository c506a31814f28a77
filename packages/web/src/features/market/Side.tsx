import type { GetMarketSummaryAnswer, GetTokensV2Input, TokenV2 } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { chainName } from '../../lib/chainLooks.ts';
import { useDeployment } from '../../lib/deployment.ts';
import { ago, decimal, numberToText, share } from '../../lib/format.ts';
import { useNow } from '../../lib/now.ts';
import { tokens } from '../../lib/queries.ts';
import { raisedPercent } from '../../lib/raisedPercent.ts';
import * as t from '../../messages/en/market.ts';
import { Dollars, Unknown } from '../../ui/Amount.tsx';
import { Button } from '../../ui/Button.tsx';
import { Coin } from '../../ui/Coin.tsx';
import { Blocks } from '../../ui/Empty.tsx';
import { nearest, newest } from './queries.ts';

/** Beside the list: who is about to graduate, and who just did. */
export const Side = ({ summary }: { summary: GetMarketSummaryAnswer | undefined }) => {
  const { isDevnet } = useDeployment();
  const count = summary?.by_stage.graduating ?? 0;
  return (
    <aside className="side">
      <Short
        title={t.market.about}
        question={nearest}
        none={t.market.noneAbout}
        all={
          count > 0 && (
            <Link className="link small" href="/?stage=graduating">
              {t.market.all(decimal(String(count), 0))}
            </Link>
          )
        }
      >
        {(token) => <Nearest token={token} />}
      </Short>
      <Short title={t.market.just} question={newest} none={t.market.noneGraduated}>
        {(token) => <Newest token={token} />}
      </Short>
      {isDevnet && <Sandbox />}
    </aside>
  );
};

const Short = ({
  title,
  question,
  none,
  all,
  children,
}: {
  title: string;
  question: GetTokensV2Input;
  none: string;
  all?: ReactNode;
  children(token: TokenV2): ReactNode;
}) => {
  const { data, error, refetch } = useQuery(tokens(question));
  return (
    <section className="card" aria-label={title}>
      <div className="head">
        <h2>{title}</h2>
        {all}
      </div>
      {data === undefined && error === null && <Blocks count={3} height={64} />}
      {data === undefined && error !== null && (
        <p className="mini between soft">
          {t.notRead}
          <Button size="s" onClick={() => void refetch()}>
            {t.tryAgain}
          </Button>
        </p>
      )}
      {data?.tokens.length === 0 && <p className="pad soft">{none}</p>}
      {data?.tokens.map((token) => (
        <Link key={token.id} className="mini" href={`/token/${token.slug}`}>
          <Coin
            picture={token.logo}
            symbol={token.symbol}
            raised={raisedPercent(token) ?? 0}
            isGraduated={token.stage === 'graduated'}
          />
          <div className="grow">{children(token)}</div>
        </Link>
      ))}
    </section>
  );
};

const Nearest = ({ token }: { token: TokenV2 }) => {
  const percent = raisedPercent(token);
  const { launchpad_target_usd: target, launchpad_raised_usd: raised } = token;
  return (
    <>
      <div className="row between">
        <b className="clip">{token.name}</b>
        <span className="num nowrap">{percent === null ? <Unknown /> : share(percent)}</span>
      </div>
      <div className="muted small">
        {target === null || raised === null ? (
          <Unknown />
        ) : (
          t.market.toGo(decimal(numberToText(target - raised), target < 1_000 ? 2 : 0))
        )}
      </div>
    </>
  );
};

const Newest = ({ token }: { token: TokenV2 }) => {
  const nowMs = useNow();
  const chain = chainName(token.token_addresses[0]?.chain ?? '');
  return (
    <>
      <div className="row between">
        <b className="clip">{token.name}</b>
        <span className="num">
          <Dollars value={token.market_cap} />
        </span>
      </div>
      <div className="muted small row between">
        <span className="clip">
          {token.graduated_at === null ? chain : t.market.ago(chain, ago(Date.parse(token.graduated_at), nowMs))}
        </span>
        <span className="nowrap">{t.market.locked}</span>
      </div>
    </>
  );
};

const Sandbox = () => {
  const { base } = useDeployment();
  return (
    <section className="card pad">
      <h2>{t.market.sandbox}</h2>
      <p className="soft sandbox">{t.market.sandboxText}</p>
      <a className="btn" data-kind="quiet" href={`${base}/docs/guides/first-token`}>
        {t.market.sandboxAct}
      </a>
    </section>
  );
};
