import { type CSSProperties, useState } from 'react';

export interface CoinProps {
  /** Address of the picture; null, or one that does not load: the first letter of the symbol stands for it. */
  picture: string | null;
  symbol: string;
  /** Money raised of the target, percent: how far the rim is filled. Absent: no rim. */
  raised?: number;
  isGraduated?: boolean;
  size?: 's' | 'm' | 'l' | 'xl';
}

/** A token as a coin: its picture in a rim that fills as money is raised. */
export const Coin = ({ picture, symbol, raised, isGraduated = false, size = 'm' }: CoinProps) => {
  const [failed, setFailed] = useState<string | null>(null);
  return (
    <span
      className="coin"
      data-size={size}
      data-full={isGraduated ? '' : undefined}
      data-plain={raised === undefined && !isGraduated ? '' : undefined}
      style={{ '--p': raised ?? 0 } as CSSProperties}
    >
      {picture === null || picture === failed ? (
        <i className="letter" aria-hidden="true">
          {[...symbol][0] ?? '?'}
        </i>
      ) : (
        <img
          // It may have failed before the page could listen.
          ref={(image) => {
            if (image?.complete && image.naturalWidth === 0) setFailed(picture);
          }}
          onError={() => setFailed(picture)}
          src={picture}
          alt=""
          loading="lazy"
          decoding="async"
        />
      )}
    </span>
  );
};
