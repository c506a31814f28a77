import type { ReactNode } from 'react';

/** Nothing is here: one sentence, and the next act. */
export const Empty = ({ children, act }: { children: ReactNode; act?: ReactNode }) => (
  <div className="empty">
    <p>{children}</p>
    {act}
  </div>
);

/** Blocks of the final size while nothing is known yet. */
export const Blocks = ({ count, height }: { count: number; height: number }) => (
  <div className="blocks" role="status" aria-busy="true">
    <span className="sr">Loading</span>
    {Array.from({ length: count }, (_, at) => (
      <i key={at} style={{ height }} />
    ))}
  </div>
);
