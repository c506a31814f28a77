import { useEffect, useId, useRef } from 'react';
import { percentOfBps } from '../../lib/format.ts';
import * as t from '../../messages/en/trade.ts';
import { Icon } from '../../ui/icons.tsx';
import { Split } from '../../ui/Split.tsx';
import { type Figures, feeOf, feeShares, largeImpactBps, noticeableImpactBps } from './figures.ts';
import type { Slippage, slippageChoices } from './useOrder.ts';
import { said, shown, type Units } from './words.ts';

/** What the trade does to the price, how far it may slip, and who gets the fee. */
export const Lines = ({
  figures,
  slippage,
  choices,
  onSlippage,
  isAccepted,
  onAccept,
  units,
}: {
  figures: Figures | null;
  slippage: Slippage;
  choices: ReturnType<typeof slippageChoices>;
  onSlippage(choice: Slippage): void;
  /** Whether a large impact is accepted. */
  isAccepted: boolean;
  onAccept(isAccepted: boolean): void;
  units: Units;
}) => {
  const impactBps = figures?.impactBps ?? null;
  return (
    <>
      <dl className="lines">
        <div>
          <dt>{t.trade.impact}</dt>
          <dd className={impactBps !== null && impactBps >= noticeableImpactBps ? 'down' : ''}>
            {impactBps === null ? '–' : percentOfBps(impactBps)}
          </dd>
        </div>
        <div>
          <dt>{t.trade.slippage}</dt>
          <dd>
            <SlippageChoice chosen={slippage} choices={choices} onChoose={onSlippage} />
          </dd>
        </div>
        <div>
          <dt>{figures?.tierFeeIn == null ? t.trade.fee : t.trade.poolFee}</dt>
          <dd>{figures === null ? '–' : <Fee figures={figures} units={units} />}</dd>
        </div>
      </dl>
      {figures !== null && <Shares figures={figures} units={units} />}
      {impactBps !== null && impactBps >= noticeableImpactBps && (
        <div className="note" data-tone="down">
          <Icon name="alert" />
          {impactBps < largeImpactBps ? (
            <p>{t.trade.impactNote(percentOfBps(impactBps))}</p>
          ) : (
            <label className="accept">
              <input
                type="checkbox"
                checked={isAccepted}
                onChange={({ currentTarget }) => onAccept(currentTarget.checked)}
              />
              {t.trade.impactAgree(percentOfBps(impactBps))}
            </label>
          )}
        </div>
      )}
    </>
  );
};

const Fee = ({ figures, units }: { figures: Figures; units: Units }) => {
  const { amount, isTokens } = feeOf(figures);
  const { text, full, symbol } = shown(amount, isTokens ? 'token' : 'usd', units, 'most');
  const { grossUsd, tokens } = figures.trade;
  const whole = isTokens ? tokens : grossUsd;
  return (
    <span title={`${full} ${symbol}`}>
      {text} {symbol}{' '}
      <span className="muted">{whole === 0n ? '' : percentOfBps(Number((amount * 10_000n) / whole))}</span>
    </span>
  );
};

const Shares = ({ figures, units }: { figures: Figures; units: Units }) => {
  const shares = feeShares(figures);
  if (shares.length === 0) return null;
  return (
    <Split
      parts={shares.map(({ part, role, amountUsd }) => ({
        name: t.trade.shares[part],
        role,
        text: shown(amountUsd, 'usd', units).text,
        weight: Number(amountUsd),
      }))}
    />
  );
};

/** How far the result may slip: by itself, or one of two others. */
const SlippageChoice = ({
  chosen,
  choices,
  onChoose,
}: {
  chosen: Slippage;
  choices: ReturnType<typeof slippageChoices>;
  onChoose(choice: Slippage): void;
}) => {
  const name = useId();
  const bps = choices.find(({ choice }) => choice === chosen)?.bps ?? 0;
  const menu = useRef<HTMLDetailsElement>(null);
  // Escape and a press beside it close the menu, and not the sheet that it is in.
  useEffect(() => {
    const details = menu.current;
    if (details === null) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || !details.open) return;
      event.preventDefault();
      event.stopPropagation();
      details.open = false;
      details.querySelector('summary')?.focus();
    };
    const onPress = ({ target }: Event): void => {
      if (!details.contains(target as Node)) details.open = false;
    };
    details.addEventListener('keydown', onKey);
    addEventListener('pointerdown', onPress);
    return () => {
      details.removeEventListener('keydown', onKey);
      removeEventListener('pointerdown', onPress);
    };
  }, []);
  return (
    <details ref={menu} className="slippage">
      <summary>
        {chosen === 'auto' ? t.trade.automatic(percentOfBps(bps)) : percentOfBps(bps)}
        <Icon name="chevronDown" />
      </summary>
      <fieldset>
        <legend className="sr">{t.trade.choices.title}</legend>
        {choices.map((one) => (
          <label key={one.choice}>
            <input
              type="radio"
              name={name}
              checked={one.choice === chosen}
              onChange={() => {
                onChoose(one.choice);
                menu.current?.removeAttribute('open');
              }}
            />
            {t.trade.choices[one.choice](percentOfBps(one.bps))}
          </label>
        ))}
      </fieldset>
    </details>
  );
};

/** A buy that takes the last tokens needs less than was meant. */
export const CurveEnd = ({ figures, units }: { figures: Figures; units: Units }) => {
  const { completes, order, trade } = figures;
  if (!completes || order.kind !== 'buyExactIn' || trade.amountIn >= order.amount) return null;
  return (
    <div className="note">
      <Icon name="info" />
      <p>{t.trade.curveEnd(said(shown(trade.amountIn, 'usd', units, 'most')))}</p>
    </div>
  );
};
