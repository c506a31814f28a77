import type { ServedChain } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { chainName } from '../../lib/chainLooks.ts';
import { decimal, unitsToText } from '../../lib/format.ts';
import { isSolana } from '../../lib/onChain.ts';
import * as t from '../../messages/en/create.ts';
import { Unknown } from '../../ui/Amount.tsx';
import { Money } from '../../ui/Money.tsx';
import { type Draft, dollarsIn } from './draft.ts';
import { gasPrice } from './queries.ts';

/** Gas of a creation and of a buy with its approval, rounded up from what the contracts' own snapshots say. */
const gasOf = { creation: 300_000n, buy: 260_000n };
/** The same on Solana, lamports: 5,000 for the signature, and what the accounts that it opens hold from then on. */
const lamportsOf = { creation: 11_697_800n, buy: 2_079_080n };

const feeOf = (chain: ServedChain, price: string | null, hasBuy: boolean): bigint | null => {
  const of = isSolana(chain.slug) ? lamportsOf : gasOf;
  const units = of.creation + (hasBuy ? of.buy : 0n);
  if (isSolana(chain.slug)) return units;
  return price === null ? null : BigInt(price) * units;
};

/** What it costs, and what it brings; the button is below. */
export const Cost = ({ draft, chain, children }: { draft: Draft; chain: ServedChain | null; children: ReactNode }) => {
  const { data: price = null } = useQuery(gasPrice(chain === null || isSolana(chain.slug) ? null : chain.chainId));
  const coin = chain?.nativeCurrency.symbol ?? '';
  const units = chain && feeOf(chain, price, draft.firstBuy !== 'none');
  const fee = units === null ? null : significant(unitsToText(units, chain?.nativeCurrency.decimals ?? 18));
  const feeText = fee === null ? <Unknown /> : <>{t.create.about1(fee, coin)}</>;
  const buyUsd = draft.firstBuy === 'none' ? null : dollarsIn(draft.buyUsd);
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
          <dd>{buyUsd !== null ? <Money value={buyUsd} /> : <span className="muted">{t.create.none}</span>}</dd>
        </div>
      </dl>
      <div className="rule" />
      <div className="row between">
        <span className="lab">{t.create.pay}</span>
        <span className="total right">
          {buyUsd !== null && (
            <>
              <Money value={buyUsd} /> +{' '}
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
