import type { TokenAbout } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import { tokenFacts } from '../../lib/tokenQueries.ts';
import * as t from '../../messages/en/token.ts';
import { Address, Copy } from '../../ui/Address.tsx';
import { Ago } from '../../ui/Ago.tsx';
import { Amount, Dollars, Unknown } from '../../ui/Amount.tsx';
import { TransactionLink } from '../../ui/ChainLink.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { Stamp } from '../../ui/Stamp.tsx';
import { exchangeName } from './Graduation.tsx';

/** After graduation: the pool, and that its liquidity is locked. */
export const Pool = ({ about }: { about: TokenAbout }) => {
  const { data: facts } = useQuery(tokenFacts(about.id));
  const [pool] = about.dex_pools;
  const locked = facts?.liquidity;
  return (
    <section className="card grad o3" aria-labelledby="pool">
      <div className="row between">
        <h2 id="pool">{t.token.pool}</h2>
        <span className="tag" data-tone="up">
          {t.token.graduated}
        </span>
      </div>
      <div data-full="">
        <Meter percent={100} label={t.token.raisedOfTarget} isReeded />
      </div>
      <p className="row">
        <Stamp isKnown={locked?.known ?? false} />
        {t.token.lockedForGood}
      </p>
      <dl className="lines">
        <div>
          <dt>{t.token.lockedDollars}</dt>
          <dd>{locked?.value == null ? <Unknown /> : <Dollars value={locked.value.locked_usd} whole />}</dd>
        </div>
        <div>
          <dt>{t.token.lockedTokens}</dt>
          <dd>{locked?.value == null ? <Unknown /> : <Amount value={locked.value.locked_tokens} places={0} />}</dd>
        </div>
        {pool !== undefined && (
          <>
            <div>
              <dt>{exchangeName(pool.dex)}</dt>
              <dd className="row">
                <Address value={pool.pool_address} />
                <Copy text={pool.pool_address} label={t.token.copyPool} />
              </dd>
            </div>
            <div>
              <dt>{t.token.opened}</dt>
              <dd>
                <TransactionLink className="link" chain={pool.chain} hash={pool.tx_hash}>
                  <Ago at={pool.evt_block_time} />
                </TransactionLink>
              </dd>
            </div>
          </>
        )}
      </dl>
    </section>
  );
};
