import { decimal } from '../lib/format.ts';
import { Unknown } from './Amount.tsx';

/**
 * Dollars to the cent, cut: `$2,899.15`; less than a cent as such, so that what is there never reads as nothing. The full value is
 * told on hover.
 *
 * @param isChange - With its sign and colour.
 */
export const Money = ({ value, isChange = false }: { value: string | null; isChange?: boolean }) => {
  if (value === null) return <Unknown />;
  const size = value.replace(/^-/, '');
  const cents = decimal(size, 2, true);
  const isSmall = /^0\.00$/.test(cents) && /[1-9]/.test(size);
  const sign = value.startsWith('-') ? '−' : isChange && /[1-9]/.test(size) ? '+' : '';
  const tone = !isChange || sign === '' ? '' : sign === '+' ? 'up' : 'down';
  return (
    <span className={`nowrap ${tone}`} title={`${value} USD`}>
      {isSmall ? `${sign}< $0.01` : `${sign}$${cents}`}
    </span>
  );
};
