import type { ReactNode } from 'react';

/** The beginning of a page: what it is, in a sentence, and its one act beside it. */
export const Hero = ({ title, children, act }: { title: string; children?: ReactNode; act?: ReactNode }) => (
  <div className="hero">
    <div>
      <h1>{title}</h1>
      {children !== undefined && <p>{children}</p>}
    </div>
    {act}
  </div>
);
