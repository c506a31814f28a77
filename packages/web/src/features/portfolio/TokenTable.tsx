import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { Link } from 'wouter';
import { chainName } from '../../lib/chainLooks.ts';
import { signOf } from '../../lib/exact.ts';
import { decimal, short } from '../../lib/format.ts';
import { keyOf } from '../../lib/onChain.ts';
import { tokens } from '../../lib/queries.ts';
import { raisedPercent } from '../../lib/raisedPercent.ts';
import * as t from '../../messages/en/portfolio.ts';
import { Ago } from '../../ui/Ago.tsx';
import { Amount } from '../../ui/Amount.tsx';
import { Change } from '../../ui/Change.tsx';
import { Coin, type CoinProps } from '../../ui/Coin.tsx';
import { ChainMark } from '../../ui/chains.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Money } from '../../ui/Money.tsx';
import { type Holding, isHeld } from './positions.ts';

/** A row a token; one that lies in several places opens to show them. */
export const TokenTable = ({
  holdings,
  wallets,
}: {
  holdings: readonly Holding[];
  wallets: ReadonlyMap<string, string>;
}) => {
  const rims = useRims(holdings);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  return (
    <table className="data holdings">
      <thead>
        <tr>
          <th scope="col">{t.portfolio.heads.token}</th>
          <th scope="col" className="right wide">
            {t.portfolio.heads.amount}
          </th>
          <th scope="col" className="right wide">
            {t.portfolio.heads.first}
          </th>
          <th scope="col" className="right wide">
            {t.portfolio.heads.profit}
          </th>
          <th scope="col" className="right">
            {t.portfolio.heads.worth}
          </th>
        </tr>
      </thead>
      <tbody>
        {holdings.map((holding) => (
          <Fragment key={holding.tokenId}>
            <Row
              holding={holding}
              rim={rims.get(holding.tokenId)}
              isOpen={open.has(holding.tokenId)}
              onToggle={() => toggle(holding.tokenId)}
            />
            {open.has(holding.tokenId) && <Places holding={holding} wallets={wallets} />}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
};

type Rim = Pick<CoinProps, 'raised' | 'isGraduated'>;

/** As many as one question may name. */
const mostRims = 100;

/** How far the rims are filled, by token. */
const useRims = (holdings: readonly Holding[]): ReadonlyMap<string, Rim> => {
  const token_ids = holdings
    .slice(0, mostRims)
    .map(({ tokenId }) => tokenId)
    .toSorted();
  const { data } = useQuery(tokens({ token_ids, limit: mostRims }));
  return new Map(
    data?.tokens.map((token) => [
      token.id,
      { raised: raisedPercent(token) ?? 0, isGraduated: token.stage === 'graduated' },
    ]),
  );
};

const Row = ({
  holding,
  rim,
  isOpen,
  onToggle,
}: {
  holding: Holding;
  rim: Rim | undefined;
  isOpen: boolean;
  onToggle(): void;
}) => {
  const { name, symbol, slug, logo, chains, places, amount, unpriced } = holding;
  const held = isHeld(holding);
  return (
    <tr>
      <td>
        <div className="who">
          <Coin picture={logo} symbol={symbol} {...rim} />
          <div className="grow">
            <Link className="clip" href={`/token/${slug}`}>
              <b>{name}</b> <span className="muted">{symbol}</span>
            </Link>
            <div className="hint row">
              {chains.map((chain) => (
                <ChainMark key={chain} slug={chain} />
              ))}
              {places.length > 0 && held ? (
                <button type="button" className="row opens" aria-expanded={isOpen} onClick={onToggle}>
                  {places.length > 1 ? t.portfolio.places(places.length) : chainName(chains[0] ?? '')}
                  <span className="sr">, {t.portfolio.open(name)}</span>
                  <Icon name="chevronDown" data-up={isOpen ? '' : undefined} />
                </button>
              ) : (
                chains.length === 1 && chainName(chains[0] ?? '')
              )}
            </div>
          </div>
        </div>
      </td>
      <td className="right wide">
        <Amount value={amount} />
        {signOf(unpriced) > 0 && <div className="hint">{t.portfolio.unpriced(decimal(unpriced, 2))}</div>}
      </td>
      <td className="right wide soft">
        <Ago at={holding.firstAcquired} /> {t.portfolio.ago}
      </td>
      <td className="right wide">
        <Money value={held ? holding.unrealisedUsd : holding.realisedUsd} isChange />
      </td>
      <td className="right">
        <b>
          <Money value={holding.valueUsd} />
        </b>
        <div className="hint">
          {held ? <Change percent={holding.unrealisedPercent} /> : <Money value={holding.realisedUsd} isChange />}
        </div>
      </td>
    </tr>
  );
};

/** By chain and wallet: how much, and for the chain what it is worth there. */
const Places = ({ holding, wallets }: { holding: Holding; wallets: ReadonlyMap<string, string> }) =>
  holding.places.map(({ chain, wallet, amount }) => {
    const onChain = holding.places.filter((one) => one.chain === chain);
    const position = holding.positions.find(({ chainSlug }) => chainSlug === chain);
    return (
      <tr key={`${chain} ${wallet}`} className="sub">
        <td>
          <span className="row">
            <ChainMark slug={chain} />
            {chainName(chain)}
            <span className="muted clip" title={wallet}>
              {wallets.get(keyOf(wallet)) ?? short(wallet)}
            </span>
          </span>
          <span className="narrow">
            <Amount value={amount} />
          </span>
        </td>
        <td className="right wide">
          <Amount value={amount} />
        </td>
        <td className="wide" />
        <td className="right wide">
          {onChain.length === 1 && position !== undefined && <Money value={position.unrealisedUsd} isChange />}
        </td>
        <td className="right">
          {onChain.length === 1 && position !== undefined && <Money value={position.valueUsd} />}
        </td>
      </tr>
    );
  });
