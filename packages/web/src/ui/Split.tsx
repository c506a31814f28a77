import type { CSSProperties } from 'react';

export interface SplitPart {
  name: string;
  /** As it is shown. */
  text: string;
  /** Its weight in the bar. */
  weight: number;
  role: 'creator' | 'referral' | 'cashback' | 'builder' | 'treasury';
}

const color = (role: SplitPart['role']) => ({ '--c': `var(--fee-${role})` }) as CSSProperties;

/** Who gets how much of something, as a bar with its key. */
export const Split = ({ parts, size }: { parts: readonly SplitPart[]; size?: 'l' }) => (
  <div className="split-of">
    <div
      className="split"
      data-size={size}
      role="img"
      aria-label={parts.map(({ name, text }) => `${name} ${text}`).join(', ')}
    >
      {parts.map(({ name, role, weight }) => (
        <i key={name} style={{ ...color(role), '--w': weight } as CSSProperties} />
      ))}
    </div>
    <ul className="key">
      {parts.map(({ name, role, text }) => (
        <li key={name}>
          <i style={color(role)} />
          {name}
          <b>{text}</b>
        </li>
      ))}
    </ul>
  </div>
);
