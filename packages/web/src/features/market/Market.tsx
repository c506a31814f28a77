import type { GetTokensV2Input, TokenV2 } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { tokens } from '../../lib/queries.ts';
import { t } from '../../messages/t.ts';
import { Ago } from '../../ui/Ago.tsx';
import { Dollars } from '../../ui/Amount.tsx';
import { Change } from '../../ui/Change.tsx';
import { chainName } from '../../lib/chainLooks.ts';
import { ChainMark } from '../../ui/chains.tsx';
import { Coin } from '../../ui/Coin.tsx';
import { Blocks } from '../../ui/Empty.tsx';
import { Problem } from '../../ui/Problem.tsx';
import './market.css';

export const Market = ({ filter }: { filter: GetTokensV2Input }) => {
  const { data, error, refetch } = useQuery(tokens(filter));
  return (
    <>
      <div className="hero">
        <h1>{t.nav.market}</h1>
      </div>
      <section className="card" aria-label="Tokens">
        {error !== null && <Problem error={error} onRetry={refetch} />}
        {data === undefined ? <Blocks count={10} height={64} /> : <ul>{data.tokens.map((token) => <Row key={token.id} token={token} />)}</ul>}
      </section>
    </>
  );
};

const Row = ({ token }: { token: TokenV2 }) => {
  const chain = token.token_addresses[0]?.chain ?? '';
  return (
    <li className="tape">
      <div className="who">
        <Coin picture={token.logo} symbol={token.symbol} raised={token.launchpad_progress_pct ?? 0} isGraduated={token.stage === 'graduated'} />
        <div className="grow">
          <Link className="clip" style={{ display: 'block' }} href={`/token/${token.slug}`}>
            <b>{token.name}</b> <span className="muted">{token.symbol}</span>
          </Link>
          <div className="meta">
            <ChainMark slug={chain} />
            <span className="wide">{chainName(chain)}</span>
            <Ago at={token.created_at} />
          </div>
        </div>
      </div>
      <div className="w" />
      <div className="w right soft">
        <Dollars value={token.volume_24h} />
      </div>
      <div className="w right soft">{token.holders_count}</div>
      <div className="right">
        <div className="mc">
          <Dollars value={token.market_cap} />
        </div>
        <Change percent={token.price_change_24h_percent} />
      </div>
    </li>
  );
};
