import { type Decimals, type TradeKind, tokenDecimalsOn } from '@mintage/protocol';
import type { ServedChain } from '@mintage/sdk';
import { useMemo, useState } from 'react';
import { useSearch } from 'wouter';
import { asTyped, typedAmount } from '../../lib/amounts.ts';
import { afterWindow, automaticBps, type Figures, figuresOf, type Named, openingFeeOf } from './figures.ts';
import type { Market, Traded } from './market.ts';
import { kindOf, readTerms, type Side, type Terms, type Unit } from './terms.ts';

export type Slippage = 'auto' | 'tight' | 'wide';
const tightBps = 50;
const wideBps = 500;

export const slippageChoices = (autoBps: number): { choice: Slippage; bps: number }[] => [
  { choice: 'auto', bps: autoBps },
  { choice: 'tight', bps: tightBps },
  { choice: 'wide', bps: wideBps },
];

/** What somebody means to trade, as it stands in the box. */
export interface Form {
  side: Side;
  unit: Unit;
  /** The amount as it is typed. */
  text: string;
  slippage: Slippage;
}

/** What the amount says now: figures, or what is wrong. */
export type Order =
  | { terms: null; wrong: 'none' | 'text' | 'places' | 'digits' }
  | { terms: Terms; figures: null; error: unknown }
  | { terms: Terms; figures: Figures; error: null };

const first: Form = { side: 'buy', unit: 'usd', text: '100', slippage: 'auto' };

/** What a link says that leads here with an amount, as a framed trade card does: `?side=sell&amount=1000`. */
const formOf = (search: string): Form => {
  const said = new URLSearchParams(search);
  const side: Side = said.get('side') === 'sell' ? 'sell' : 'buy';
  // An address has a point in every language.
  const text = asTyped(typedAmount(said.get('amount') ?? '', '.') ?? '');
  if (side === 'sell') return { ...first, side, unit: 'token', text };
  return { ...first, text: text === '' ? first.text : text };
};

export const useForm = () => {
  const search = useSearch();
  const [form, setForm] = useState(() => formOf(search));
  return {
    form,
    change: (part: Partial<Form>): void => setForm((now) => ({ ...now, ...part })),
    /** Empties it, unless another order was entered meanwhile. */
    clear: (kind: TradeKind, text: string): void =>
      setForm((now) => (now.text === text && kindOf(now.side, now.unit) === kind ? { ...now, text: '' } : now)),
    /** The other direction begins with nothing: the same number would mean something else. */
    turn: (side: Side): void =>
      setForm((now) =>
        now.side === side
          ? now
          : { ...now, side, unit: side === 'buy' ? 'usd' : 'token', text: side === 'buy' ? first.text : '' },
      ),
  };
};

/** @param chain - The token's. */
export const decimalsOf = ({ chainSlug }: Traded, chain: ServedChain | undefined): Decimals => ({
  token: tokenDecimalsOn(chainSlug),
  usd: chain?.dollarToken.decimals ?? 6,
});

/** The figures of the form at the market's state: computed here, so that no request is between a key and its number. */
export const useFigures = (form: Form, { state }: Market, decimals: Decimals, named: Named) => {
  const { token, usd } = decimals;
  const { side, unit, text, slippage } = form;
  const { hasReferral, hasReferrer } = named;
  return useMemo(() => {
    const read = readTerms(side, unit, text, { token, usd });
    const choices = slippageChoices(automaticBps(state?.ageSeconds ?? 0));
    const slippageBps = choices.find(({ choice }) => choice === slippage)?.bps ?? 0;
    const opening = state && openingFeeOf(state, side);
    const at = (priced: typeof state): Order => {
      if ('wrong' in read) return { terms: null, wrong: read.wrong };
      if (priced === null) return { terms: read.terms, figures: null, error: null };
      try {
        const figures = figuresOf(priced, read.terms, slippageBps, { hasReferral, hasReferrer });
        return { terms: read.terms, figures, error: null };
      } catch (error) {
        return { terms: read.terms, figures: null, error };
      }
    };
    return {
      kind: kindOf(side, unit),
      choices,
      slippageBps,
      opening,
      now: at(state),
      /** The same when the opening fee is over; what counts, unless somebody cannot wait. */
      later: opening === null || state === null ? null : at(afterWindow(state)),
    };
  }, [side, unit, text, slippage, state, token, usd, hasReferral, hasReferrer]);
};
