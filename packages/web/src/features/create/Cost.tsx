import type { ServedChain } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { chainName } from '../../lib/chainLooks.ts';
import { decimal, unitsToText } from '../../lib/format.ts';
import * as t from '../../messages/en/create.ts';
import { Unknown } from '../../ui/Amount.tsx';
import { Money } from '../../ui/Money.tsx';
import { type Draft, isAmount } from './draft.ts';
import { gasPrice } from './queries.ts';

/** Gas of a creation and of a buy with its approval, rounded up from what the contracts' own snapshots say. */
const gasOf = { creation: 300_000n, buy: 260_000n };

/** What it costs, and what it brings; the button is below. */
export const Cost = ({
  draft,
  chain,
  children,
}: {
  draft: Draft;
  chain: ServedChain | null;
  children: ReactNode;
}) => {
  const { data: price = null } = useQuery(gasPrice(chain?.chainId ?? null));
  const coin = chain?.nativeCurrency.symbol ?? '';
  const gas = gasOf.creation + (draft.firstBuy === 'none' ? 0n : gasOf.buy);
  const fee = price === null ? null : significant(unitsToText(BigInt(price) * gas, chain?.nativeCurrency.decimals ?? 18));
  const feeText = fee === null ? <Unknown /> : <>{t.create.about1(fee, coin)}</>;
  const buys = draft.firstBuy !== 'none' && isAmount(draft.buyUsd);
  return (
    <section className="card pad stack" aria-label={t.create.cost}>
      <dl className="lines">
        <div>
          <dt>{t.create.creating}</dt>
          <dd>{t.create.free}</dd>
        </div>
        <div>
          <dt>{t.create.networkFee(chain === null ? '' : chainName(chain.slug))}</dt>
          <dd className="nowrap">{feeText}</dd>
        </div>
        <div>
          <dt>{t.create.firstBuy}</dt>
          <dd>{buys ? <Money value={draft.buyUsd} /> : <span className="muted">{t.create.none}</span>}</dd>
        </div>
      </dl>
      <div className="rule" />
      <div className="row between">
        <span className="lab">{t.create.pay}</span>
        <span className="total right">
          {buys && (
            <>
              <Money value={draft.buyUsd} /> +{' '}
            </>
          )}
          {fee === null ? <Unknown /> : `${fee} ${coin}`}
        </span>
      </div>
      <div className="rule" />
      <div>
        <div className="lab">{t.create.earn}</div>
        <p className="soft">{t.create.earnText}</p>
      </div>
      {children}
    </section>
  );
};

/** Two digits that count. */
const significant = (text: string): string => {
  const zeros = /^0\.(0*)/.exec(text)?.[1]?.length;
  return decimal(text, zeros === undefined ? 2 : zeros + 2);
};
