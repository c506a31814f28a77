import { decimal } from '../../lib/format.ts';

/** What came in, with its sign: dollars to four places, because a fee is often less than a cent; another currency with its symbol. */
export const Credit = ({ amount, symbol }: { amount: string; symbol: string | null }) => {
  const shown = decimal(amount, 4, symbol === null);
  const isSmall = /^[0.]*$/.test(shown) && /[1-9]/.test(amount);
  return (
    <span className="num nowrap" title={symbol === null ? `${amount} USD` : `${amount} ${symbol}`}>
      {isSmall ? '< +0.0001' : `+${shown}`}
      {symbol !== null && ` ${symbol}`}
    </span>
  );
};
