import type { SolvencyAnswer } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import { useDeployment } from '../../lib/deployment.ts';
import { ago, decimal, short } from '../../lib/format.ts';
import { useNow } from '../../lib/now.ts';
import { books, chains } from '../../lib/queries.ts';
import { useIsHydrated } from '../../lib/useIsHydrated.ts';
import * as t from '../../messages/en/solvency.ts';
import { Copy } from '../../ui/Address.tsx';
import { Amount } from '../../ui/Amount.tsx';
import { AddressLink } from '../../ui/ChainLink.tsx';
import { ChainName } from '../../ui/chains.tsx';
import { Blocks } from '../../ui/Empty.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Stamp } from '../../ui/Stamp.tsx';
import './solvency.css';

type OfChain = SolvencyAnswer['chains'][number];
type Books = NonNullable<OfChain['books']>;

/** What the contract of every chain holds and owes, each number with where it can be looked up. */
export const Solvency = () => {
  const { data, error, refetch } = useQuery({ ...books(), enabled: useIsHydrated() });
  return (
    <>
      <div className="hero">
        <div>
          <h1>{t.solvency.title}</h1>
          <p>{t.solvency.text}</p>
        </div>
      </div>
      {error !== null && <Problem error={error} onRetry={refetch} />}
      <div className="two">
        {data === undefined && error === null && (
          <section className="card">
            <Blocks count={6} height={44} />
          </section>
        )}
        {data?.chains.map((chain) => (
          <OneChain key={chain.slug} chain={chain} />
        ))}
        {data !== undefined && <Across across={data.acrossChains} />}
        {data?.chains[0] !== undefined && <Yourself chain={data.chains[0]} />}
      </div>
    </>
  );
};

const OneChain = ({ chain }: { chain: OfChain }) => (
  <section className="card" aria-label={chain.slug}>
    <div className="head">
      <h2>
        <ChainName slug={chain.slug} />
      </h2>
      {chain.books !== null && (
        <span className={chain.books.solvent ? 'row up' : 'row down'}>
          {chain.books.solvent && <Stamp />}
          {chain.books.solvent ? t.solvency.solvent : t.solvency.insolvent}
        </span>
      )}
    </div>
    <div className="pad stack">
      {chain.books === null ? (
        <p className="row soft">
          <Stamp isKnown={false} />
          {t.solvency.unknown}
        </p>
      ) : (
        <BooksOf chain={chain} known={chain.books} />
      )}
    </div>
  </section>
);

const BooksOf = ({ chain, known }: { chain: OfChain; known: Books }) => {
  const nowMs = useNow();
  const { base } = useDeployment();
  const { symbol } = chain.dollarToken;
  const owed = [
    [t.solvency.reserve, known.reserveUsd],
    [t.solvency.floor, known.floorUsd],
    [t.solvency.treasury, known.treasuryShareUsd],
    [t.solvency.credits, known.creditsUsd],
  ] as const;
  return (
    <>
      <dl className="lines">
        <div className="total">
          <dt>{t.solvency.held}</dt>
          <dd>
            <Amount value={known.heldUsd} isFixed unit={symbol} />
          </dd>
        </div>
        {owed.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Amount value={value} isFixed unit={symbol} />
            </dd>
          </div>
        ))}
        <div className="total">
          <dt>{t.solvency.surplus}</dt>
          <dd>
            <Amount value={known.surplusUsd} places={chain.dollarToken.decimals} unit={symbol} />
          </dd>
        </div>
      </dl>
      <dl className="lines small proofs">
        <div>
          <dt>{t.solvency.counted(decimal(String(known.tokenCount), 0), decimal(String(known.accounts), 0))}</dt>
          <dd>
            <a className="link" href={`${base}/functions/v1/solvency?chainSlug=${chain.slug}`}>
              {t.solvency.read}
            </a>
          </dd>
        </div>
        <div>
          <dt>{t.solvency.blockHash}</dt>
          <dd>
            <span title={known.blockHash}>{decimal(String(known.blockNumber), 0)}</span>,{' '}
            {t.solvency.ago(ago(known.blockTime * 1_000, nowMs))}
          </dd>
        </div>
        <div>
          <dt>{t.solvency.contract}</dt>
          <dd className="row">
            <AddressLink className="mono" chain={chain.slug} address={chain.launchpad}>
              {short(chain.launchpad)}
            </AddressLink>
            <Copy text={chain.launchpad} label={t.copyAddress} />
          </dd>
        </div>
      </dl>
    </>
  );
};

const Across = ({ across }: { across: SolvencyAnswer['acrossChains'] }) => (
  <section className="card" aria-label={t.solvency.across}>
    <div className="head">
      <h2>{t.solvency.across}</h2>
      {across.constant && <Stamp />}
    </div>
    <p className={across.constant ? 'pad soft' : 'pad down'}>
      {across.constant
        ? across.tokenCount === 0
          ? t.solvency.acrossNone
          : t.solvency.acrossConstant(decimal(String(across.tokenCount), 0))
        : t.solvency.acrossBroken}
    </p>
  </section>
);

const Yourself = ({ chain }: { chain: OfChain }) => {
  const { data } = useQuery(chains());
  const rpc = data?.chains.find(({ slug }) => slug === chain.slug)?.rpcUrl ?? '<url>';
  const command = `npm run solvency -- --rpc ${rpc} --launchpad ${chain.launchpad}`;
  return (
    <section className="card" aria-label={t.solvency.selves}>
      <div className="head">
        <h2>{t.solvency.selves}</h2>
        <Copy text={command} label={t.solvency.copyCommand} />
      </div>
      <div className="pad stack">
        <p className="soft">{t.solvency.selvesText}</p>
        <code className="command">{command}</code>
      </div>
    </section>
  );
};
