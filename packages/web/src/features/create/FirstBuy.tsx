import { useQuery } from '@tanstack/react-query';
import { amountProblem } from '../../lib/amounts.ts';
import { sumOf } from '../../lib/exact.ts';
import { compact, decimal } from '../../lib/format.ts';
import { useLater } from '../../lib/useLater.ts';
import * as t from '../../messages/en/create.ts';
import { Field } from '../../ui/Field.tsx';
import { Money } from '../../ui/Money.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { dollarsIn } from './draft.ts';
import type { FormPart } from './Fields.tsx';
import { firstBuyQuote } from './queries.ts';

/** Off unless somebody wants it, and in numbers what the opening fee does to it. */
export const FirstBuy = ({
  draft,
  change,
  isDisabled,
  chain,
  balance,
}: FormPart & { chain: string | null; balance: { amount: string; symbol: string } | null }) => {
  const isOn = draft.firstBuy !== 'none';
  const now = dollarsIn(draft.buyUsd);
  const usd = useLater(now ?? '');
  const isWanted = isOn && chain !== null && usd !== '';
  const { data, error } = useQuery(firstBuyQuote(chain ?? '', draft.poolType, usd, isWanted));
  const symbol = draft.symbol.trim() || t.create.previewSymbol;
  const fee = data === undefined ? null : sumOf(data.fees.map(({ amountUsd }) => amountUsd));
  const gets = { with: data?.outputAmount, after: data?.antiSnipe?.outputAfterWindow };
  return (
    <div className="folded stack">
      <div className="row between">
        <div>
          <div className="lab">{t.create.buy}</div>
          <div className="hint">{t.create.buyHint}</div>
        </div>
        <Switch
          label={t.create.buy}
          isOn={isOn}
          isDisabled={isDisabled}
          onChange={(on) => change({ firstBuy: on ? 'after' : 'none' })}
        />
      </div>
      {isOn && (
        <>
          <Field
            label={t.create.buyAmount}
            value={draft.buyUsd}
            inputMode="decimal"
            maxLength={40}
            autoComplete="off"
            disabled={isDisabled}
            problem={now !== null ? undefined : (amountProblem(draft.buyUsd) ?? t.create.problems.buyUsd?.notAnAmount)}
            hint={balance === null ? undefined : t.create.have(decimal(balance.amount, 2), balance.symbol)}
            onChange={({ currentTarget }) => change({ buyUsd: currentTarget.value.trim() })}
          />
          {error !== null && <Problem error={error} />}
          <fieldset className="field" disabled={isDisabled}>
            <legend className="lab">{t.create.buyWhen}</legend>
            {(['after', 'with'] as const).map((when) => (
              <label key={when} className="choice">
                <input
                  type="radio"
                  name="when"
                  checked={draft.firstBuy === when}
                  onChange={() => change({ firstBuy: when })}
                />
                <span className="grow">
                  {when === 'after' ? t.create.buyAfter : t.create.buyWith}
                  <span className="hint">{when === 'after' ? t.create.buyAfterHint : t.create.buyWithHint}</span>
                </span>
                <span className="right">
                  {gets[when] === undefined || !isWanted ? (
                    <span className="muted">{t.loading}</span>
                  ) : (
                    <b className="nowrap">{t.create.buyGets(compact(gets[when]), symbol)}</b>
                  )}
                  {when === 'with' && fee !== null && isWanted && (
                    <span className="hint down">
                      <Money value={fee} /> {t.create.ofItIsFee}
                    </span>
                  )}
                </span>
              </label>
            ))}
          </fieldset>
        </>
      )}
    </div>
  );
};
