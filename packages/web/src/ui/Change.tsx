import { change } from '../lib/format.ts';

/** A change in percent, with its sign and colour; null: not known yet, and nothing is shown. */
export const Change = ({ percent }: { percent: string | number | null }) =>
  percent === null ? null : (
    <span className={`num nowrap ${Number(percent) < 0 ? 'down' : Number(percent) > 0 ? 'up' : 'muted'}`}>
      {change(percent)}
    </span>
  );
