import type { FactProof, TokenFacts } from '@mintage/sdk';
import type { ReactNode } from 'react';
import { share } from '../../lib/format.ts';
import * as t from '../../messages/en/facts.ts';
import { Ago } from '../../ui/Ago.tsx';
import { Amount, Dollars } from '../../ui/Amount.tsx';

export interface FactRow {
  key: keyof TokenFacts;
  name: string;
  /** What it means, or why it is not known. */
  note: ReactNode;
  value: ReactNode;
  isKnown: boolean;
  proofs: readonly FactProof[];
}

interface Fact<Value> {
  known: boolean;
  why: string | null;
  value: Value | null;
  proofs: readonly FactProof[];
}

/** A fact as a row. What is known not to have happened has its own words. */
const row = <Value,>(
  key: keyof TokenFacts,
  name: string,
  { known, why, value, proofs }: Fact<Value>,
  shown: (value: Value) => { note: ReactNode; value: ReactNode },
  nothing: { note: ReactNode; value: ReactNode } = { note: '', value: t.token.none },
): FactRow => {
  if (!known) return { key, name, note: why ?? '', value: null, isKnown: false, proofs };
  return { key, name, ...(value === null ? nothing : shown(value)), isKnown: true, proofs };
};

export const factRows = (facts: TokenFacts): FactRow[] => [
  row('liquidity', t.facts.liquidity, facts.liquidity, ({ where }) => ({
    note: where === 'pool' ? t.facts.liquidityOfPool : t.facts.liquidityOfCurve,
    value: where === 'pool' ? t.facts.locked : t.facts.onCurve,
  })),
  row('supply', t.facts.supply, facts.supply, ({ total_tokens: total, elsewhere_tokens: elsewhere }) => ({
    note: elsewhere === '0' ? t.facts.fixed : t.facts.fixedElsewhere(share((100 * Number(elsewhere)) / Number(total))),
    value: <Amount value={total} places={0} />,
  })),
  row('contract_code', t.facts.code, facts.contract_code, ({ matches }) => ({
    note: matches ? t.facts.sameBytes : t.facts.otherBytes,
    value: matches ? t.facts.matches : t.facts.differs,
  })),
  row('ten_largest_holders', t.facts.largest, facts.ten_largest_holders, ({ percent, wallets }) => ({
    note: t.facts.withoutCurve(wallets),
    value: share(percent),
  })),
  row('bought_in_opening', t.facts.opening, facts.bought_in_opening, ({ percent, wallets, creator_percent: own }) => ({
    note: t.facts.wallets(wallets) + (own === '0' ? '' : t.facts.byCreator(share(own))),
    value: share(percent),
  })),
  row('creator_holds', t.facts.creatorHolds, facts.creator_holds, ({ percent, tokens }) => ({
    note: (
      <>
        <Amount value={tokens} places={0} /> {t.facts.tokens}
      </>
    ),
    value: share(percent),
  })),
  row('creator_sold', t.facts.creatorSold, facts.creator_sold, ({ tokens, percent, usd, trades }) =>
    trades === 0
      ? { note: t.facts.neverSold, value: t.facts.nothing }
      : {
          note: (
            <>
              {share(percent)} {t.facts.ofSupply}, <Dollars value={usd} />
            </>
          ),
          value: <Amount value={tokens} places={0} />,
        },
  ),
  row(
    'first_trade',
    t.facts.firstTrade,
    facts.first_trade,
    ({ at, side, usd }) => ({
      note: (
        <>
          {side === 'buy' ? t.token.buy : t.token.sell}, <Dollars value={usd} />
        </>
      ),
      value: (
        <>
          <Ago at={at} /> {t.facts.ago}
        </>
      ),
    }),
    { note: t.token.noTrades, value: t.token.none },
  ),
  row('created', t.facts.created, facts.created, ({ at }) => ({
    note: new Date(at).toISOString().slice(0, 16).replace('T', ' '),
    value: (
      <>
        <Ago at={at} /> {t.facts.ago}
      </>
    ),
  })),
  row('funded_by_creator', t.facts.funded, facts.funded_by_creator, ({ wallets }) => ({
    note: '',
    value: t.facts.wallets(wallets),
  })),
];
