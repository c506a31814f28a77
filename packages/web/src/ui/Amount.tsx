import { compact, decimal, price, smallPrice } from '../lib/format.ts';

/** An amount of tokens or money, decimal text, cut to some places; the full value is told on hover and to readers of screens. */
export const Amount = ({
  value,
  places = 2,
  isFixed = false,
  unit,
}: {
  value: string;
  places?: number;
  isFixed?: boolean;
  unit?: string;
}) => {
  const shown = decimal(value, places, isFixed);
  return (
    <span className="nowrap" title={unit === undefined ? value : `${value} ${unit}`}>
      {shown}
      {unit !== undefined && <> {unit}</>}
    </span>
  );
};

/** Dollars in three digits: `$67.2k`; null: not known yet. */
export const Dollars = ({ value, whole = false }: { value: string | number | null; whole?: boolean }) => {
  if (value === null) return <Unknown />;
  const text = String(value);
  return (
    <span className="nowrap" title={`${text} USD`}>
      {Number(value) < 0 ? '−' : ''}${whole ? decimal(text.replace(/^-/, ''), 0) : compact(value)}
    </span>
  );
};

/** A price in dollars; many zeros are told as a small number: 0.0₄672. */
export const Price = ({ value }: { value: string | number | null }) => {
  if (value === null) return <Unknown />;
  const small = smallPrice(value);
  const full = String(value);
  if (small === null) return <span className="nowrap">${price(value)}</span>;
  return (
    <span className="nowrap" title={`${full} USD`}>
      <span aria-hidden="true">
        $0.0<sub className="z">{small.zeros}</sub>
        {small.digits}
      </span>
      <span className="sr">{full} dollars</span>
    </span>
  );
};

/** Never 0: what is not known is said in words. */
export const Unknown = () => <span className="muted">not known yet</span>;
