import { useId, useState } from 'react';
import { typedAmount } from '../../lib/amounts.ts';
import { decimal } from '../../lib/format.ts';
import { framed as words } from '../../messages/en/embed.ts';
import { aboutOf, type Side } from './about.ts';
import type { EmbedMarket } from './embedMarket.ts';
import { Shown } from './Shown.tsx';

const presets: Readonly<Record<Side, readonly string[]>> = {
  buy: ['10', '50', '100', '500'],
  sell: ['10000', '100000', '1000000'],
};

/** The amount that stands there first. */
export const firstAmount = '100';

/** An amount and what it brings. Its button opens our page with both filled in: nothing is signed in a frame. */
export const TradeCard = ({
  market,
  page,
  referral,
  name,
}: {
  market: EmbedMarket;
  /** Address of the token's page. */
  page: string;
  /** Who brought the trader here: an address; null: nobody. */
  referral: string | null;
  /** Of the deployment. */
  name: string;
}) => {
  const { about, trade } = market;
  const [side, setSide] = useState<Side>('buy');
  const [amount, setAmount] = useState(firstAmount);
  const ids = useId();
  const found = aboutOf(trade, side, amount);
  const [given, received] = [trade?.dollar.symbol ?? 'USD', about.symbol];
  const turn = (next: Side): void => {
    setSide(next);
    setAmount(presets[next][next === 'buy' ? 2 : 1] ?? firstAmount);
  };
  return (
    <form action={page} method="get" target="_blank" rel="noopener" className="card-in">
      <Shown market={market} link={page} />
      <div className="seg wide-seg" role="radiogroup" aria-label={words.side}>
        {(['buy', 'sell'] as const).map((one) => (
          <label key={one}>
            <input type="radio" name="side" value={one} checked={side === one} onChange={() => turn(one)} />
            {words[one]}
          </label>
        ))}
      </div>
      <div className="pay">
        <label htmlFor={`${ids}amount`}>{side === 'buy' ? words.pay : words.give}</label>
        <div className="pay-in">
          <input
            id={`${ids}amount`}
            inputMode="decimal"
            autoComplete="off"
            required
            value={amount}
            onInput={({ currentTarget }) => setAmount(currentTarget.value)}
          />
          {/* An address has a point in every language. */}
          <input type="hidden" name="amount" value={typedAmount(amount) ?? ''} />
          <b className="clip">{side === 'buy' ? given : received}</b>
        </div>
      </div>
      <div className="row" role="group" aria-label={words.presets}>
        {presets[side].map((one) => (
          <button
            key={one}
            type="button"
            className="btn"
            data-kind="quiet"
            data-size="s"
            onClick={() => setAmount(one)}
          >
            {decimal(one, 0)}
          </button>
        ))}
      </div>
      <p className="receive" aria-live="polite">
        <span className="muted">{words.receive}</span>{' '}
        {'receives' in found ? (
          <b className="num" data-about>
            {decimal(found.receives, places(found.receives, side))} {side === 'buy' ? received : given}
          </b>
        ) : (
          <b className="muted" data-about>
            {words[found.wrong]}
          </b>
        )}
      </p>
      {referral !== null && <input type="hidden" name="ref" value={referral} />}
      <button className="btn" type="submit" data-kind={side === 'buy' ? 'up' : 'down'} data-size="l">
        <span className="clip">{words.go(side, about.symbol, name)}</span>
      </button>
      <p className="muted small">{words.opens}</p>
    </form>
  );
};

/** Dollars have cents, and more where they are fewer than one; of a great many tokens nobody reads fractions. */
const places = (amount: string, side: Side): number => {
  const whole = amount.split('.')[0] ?? '';
  if (side === 'sell') return whole === '0' ? 6 : 2;
  return whole.length > 3 ? 0 : 4;
};
