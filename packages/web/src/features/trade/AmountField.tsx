import { type ReactNode, type Ref, useId } from 'react';
import { asTyped } from '../../lib/amounts.ts';
import * as t from '../../messages/en/trade.ts';
import { Amount } from '../../ui/Amount.tsx';
import { Coin } from '../../ui/Coin.tsx';
import { Icon } from '../../ui/icons.tsx';
import { DollarMark } from './DollarMark.tsx';
import type { Holdings } from './payer.ts';
import { kindOf, wholeOf } from './terms.ts';
import type { Form } from './useOrder.ts';
import { exactText, type Units } from './words.ts';

const dollarPresets = ['25', '100', '250'];
const partPresets = [25n, 50n, 100n];

/** The exact side of an order: an amount, and what it counts. */
export const AmountField = ({
  form,
  onChange,
  holdings,
  units,
  picture,
  wrong,
  field,
}: {
  form: Form;
  onChange(part: Partial<Form>): void;
  holdings: Holdings;
  units: Units;
  picture: string | null;
  wrong: string | null;
  field: Ref<HTMLInputElement>;
}) => {
  const id = useId();
  const { side, unit, text } = form;
  const other = unit === 'usd' ? 'token' : 'usd';
  const given = side === 'buy' ? 'usd' : 'token';
  const held = holdings[given];
  const heldText = held === null ? null : exactText(held, units[given].decimals);
  const choose = (amount: string): void => onChange({ unit: given, text: asTyped(amount) });
  return (
    <>
      <div className="pay" data-wrong={wrong === null ? undefined : ''}>
        <div className="row between t2">
          <label htmlFor={id} className="soft">
            {t.trade.field[kindOf(side, unit)]}
          </label>
          {heldText !== null && (
            <span className="muted">
              {t.trade.balanceOf} <Amount value={heldText} isFixed={given === 'usd'} />
            </span>
          )}
        </div>
        <div className="amount">
          <input
            ref={field}
            id={id}
            inputMode="decimal"
            autoComplete="off"
            enterKeyHint="done"
            placeholder="0"
            value={text}
            aria-invalid={wrong !== null}
            aria-describedby={`${id}-wrong`}
            maxLength={60}
            onInput={({ currentTarget }) => onChange({ text: currentTarget.value })}
          />
          <button
            type="button"
            className="unit"
            aria-label={t.trade.unit(units[unit].symbol, units[other].symbol)}
            onClick={() => onChange({ unit: other, text: '' })}
          >
            {unit === 'usd' ? <DollarMark /> : <Coin picture={picture} symbol={units.token.symbol} size="s" />}
            <span className="clip">{units[unit].symbol}</span>
            <Icon name="swap" />
          </button>
        </div>
        <div id={`${id}-wrong`} className="hint down" hidden={wrong === null}>
          {wrong}
        </div>
      </div>
      <div className="presets" data-side={side} role="group" aria-label={t.trade.presets}>
        {side === 'buy' ? (
          <>
            {dollarPresets.map((amount) => (
              <Preset key={amount} isChosen={unit === 'usd' && text === amount} onChoose={() => choose(amount)}>
                {amount}
              </Preset>
            ))}
            <Preset
              isChosen={
                unit === 'usd' && heldText !== null && held !== 0n && text === asTyped(wholeOf(heldText, 'usd'))
              }
              isDisabled={heldText === null || held === 0n}
              onChoose={() => choose(wholeOf(heldText ?? '', 'usd'))}
            >
              {t.trade.max}
            </Preset>
          </>
        ) : (
          partPresets.map((part) => {
            const amount =
              held === null ? null : exactText(partOf(held, part, units.token.decimals), units.token.decimals);
            return (
              <Preset
                key={part}
                isChosen={unit === 'token' && held !== 0n && amount !== null && text === asTyped(amount)}
                isDisabled={amount === null || held === 0n}
                onChoose={() => choose(amount ?? '')}
              >
                {String(part)} %
              </Preset>
            );
          })
        )}
      </div>
    </>
  );
};

/** All of it to the last digit; a smaller part of many tokens in whole ones, which are easily read. */
const partOf = (held: bigint, part: bigint, decimals: number): bigint => {
  const exact = (held * part) / 100n;
  const one = 10n ** BigInt(decimals);
  return part === 100n || exact < 1_000n * one ? exact : exact - (exact % one);
};

const Preset = ({
  isChosen,
  isDisabled = false,
  onChoose,
  children,
}: {
  isChosen: boolean;
  isDisabled?: boolean;
  onChoose(): void;
  children: ReactNode;
}) => (
  <button type="button" aria-pressed={isChosen} disabled={isDisabled} onClick={onChoose}>
    {children}
  </button>
);
