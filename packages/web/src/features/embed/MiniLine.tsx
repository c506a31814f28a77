const width = 88;
const height = 28;
const edge = 3;

/** The last day as a tiny line; decoration beside the change in percent. */
export const MiniLine = ({ closes }: { closes: readonly string[] }) => {
  const values = closes.map(Number);
  const least = Math.min(...values);
  const most = Math.max(...values);
  const x = (at: number): string => (edge + (at * (width - 2 * edge)) / Math.max(1, values.length - 1)).toFixed(1);
  const y = (value: number): string =>
    (most === least ? height / 2 : height - edge - ((value - least) / (most - least)) * (height - 2 * edge)).toFixed(1);
  const points = values.map((value, at) => `${x(at)} ${y(value)}`);
  return (
    <svg className="mini-line" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {points.length > 1 && <path d={`M${points.join('L')}`} />}
    </svg>
  );
};
