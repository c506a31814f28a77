import type { Sparkline as Line } from '@mintage/sdk';

const width = 122;
const height = 26;
const edge = 5;

/** The last day as a line; decoration beside the change in percent. Its end is the price now. */
export const Sparkline = ({ line, price }: { line: Line | undefined; price: number | null }) => {
  if (line === undefined) return <svg className="spark" viewBox={`0 0 ${width} ${height}`} aria-hidden="true" />;
  const closes = line.closes.map(Number);
  if (price !== null) closes[closes.length - 1] = price;
  const [first = 0, last = 0] = [closes[0], closes.at(-1)];
  const least = Math.min(...closes);
  const most = Math.max(...closes);
  const x = (at: number): string => (1 + (at * (width - edge - 1)) / (closes.length - 1)).toFixed(1);
  const y = (value: number): string =>
    (most === least ? height / 2 : height - edge - ((value - least) / (most - least)) * (height - 2 * edge)).toFixed(1);
  return (
    <svg className="spark" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path d={`M${closes.map((value, at) => `${x(at)} ${y(value)}`).join('L')}`} />
      <circle
        cx={width - edge}
        cy={y(last)}
        r="2.2"
        fill={last < first ? 'var(--down)' : last > first ? 'var(--up)' : 'var(--ink-3)'}
      />
    </svg>
  );
};
