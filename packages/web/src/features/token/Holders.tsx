import { totalSupply } from '@mintage/protocol';
import type { Holder, TokenAbout } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { unitsOf18 } from '../../lib/exact.ts';
import { share, short, unitsToText } from '../../lib/format.ts';
import { tokenCurve, tokenHolders } from '../../lib/tokenQueries.ts';
import * as t from '../../messages/en/token.ts';
import { Unknown } from '../../ui/Amount.tsx';
import { Button } from '../../ui/Button.tsx';
import { AddressLink } from '../../ui/ChainLink.tsx';
import { ChainMark } from '../../ui/chains.tsx';
import { Blocks, Empty } from '../../ui/Empty.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { CreatorTag } from './CreatorTag.tsx';

/** Amounts are counted here in so many decimals, on all chains. */
const decimals = 18;
const wholeSupply = totalSupply * 10n ** BigInt(decimals);
const shownAtFirst = 10;

/** Who has how much of it. What nobody holds comes first: it is still on the curve, or in the pool. */
export const Holders = ({ about }: { about: TokenAbout }) => {
  const { data, error, refetch } = useQuery(tokenHolders(about.id));
  const { data: curve } = useQuery(tokenCurve(about.id));
  const [isOpen, setOpen] = useState(false);
  const rows = isOpen ? data?.holders : data?.holders.slice(0, shownAtFirst);
  return (
    <section className="card" aria-labelledby="holders">
      <div className="head">
        <h2 id="holders">{t.token.holders}</h2>
        <span className="muted small">{data?.pagination.total.toLocaleString('en-US')}</span>
      </div>
      {error !== null && data === undefined && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Blocks count={6} height={40} />}
      {data !== undefined && (
        <ol className="holders">
          {curve !== undefined && (
            <Line
              place=""
              name={curve.isGraduated ? t.token.inPool : t.token.onCurve}
              percent={
                curve.isGraduated
                  ? restPercent(data.holders, data.pagination.total)
                  : percentOf(wholeSupply - unitsOf18(curve.curve.soldTokens))
              }
              isCurve
            />
          )}
          {rows?.map((holder) => (
            <Line
              key={`${holder.wallet} ${holder.chain}`}
              place={String(holder.rank)}
              percent={holder.share_pct}
              name={
                <>
                  {holder.is_creator ? (
                    <CreatorTag tokenId={about.id} wallet={holder.wallet} />
                  ) : (
                    <AddressLink chain={holder.chain} address={holder.wallet}>
                      <span className="mono soft">{short(holder.wallet)}</span>
                    </AddressLink>
                  )}
                  {holder.chain !== about.origin_chain && <ChainMark slug={holder.chain} />}
                </>
              }
            />
          ))}
        </ol>
      )}
      {data?.holders.length === 0 && <Empty>{t.token.noHolders}</Empty>}
      {data !== undefined && data.holders.length > shownAtFirst && (
        <div className="more">
          <Button onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
            {isOpen ? t.token.fewer : t.token.more}
          </Button>
        </div>
      )}
    </section>
  );
};

const percentOf = (units: bigint): string => unitsToText((units * 100n * 10n ** 4n) / wholeSupply, 4);

/** What no wallet holds; null where not all wallets are known here. */
const restPercent = (holders: readonly Holder[], total: number): string | null =>
  holders.length < total
    ? null
    : percentOf(holders.reduce((rest, { balance }) => rest - unitsOf18(balance), wholeSupply));

const Line = ({
  place,
  name,
  percent,
  isCurve = false,
}: {
  place: string;
  name: ReactNode;
  percent: string | null;
  isCurve?: boolean;
}) => (
  <li className="holder">
    <span className="muted">{place}</span>
    <span className="row">{typeof name === 'string' ? <span className="clip">{name}</span> : name}</span>
    <span className="meter" data-curve={isCurve ? '' : undefined} aria-hidden="true">
      {/* A third of the supply fills it: most wallets hold far less than all. */}
      <i style={{ width: `${Math.min(100, 3 * Number(percent ?? 0))}%` }} />
    </span>
    <span className="right num">{percent === null ? <Unknown /> : share(percent)}</span>
  </li>
);
