import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from 'react';
import { Link } from 'wouter';

interface Looks {
  /** `ink`: the main act of a view; `up`, `down`: the trade itself; `quiet` and `bare`: the rest. */
  kind?: 'ink' | 'quiet' | 'bare' | 'up' | 'down';
  size?: 's' | 'm' | 'l';
  /** Only an icon: needs a label. */
  isIcon?: boolean;
}

const looks = ({ kind = 'quiet', size = 'm', isIcon = false }: Looks) => ({
  'data-kind': kind,
  'data-size': size,
  'data-icon': isIcon ? '' : undefined,
});

export const Button = ({ kind, size, isIcon, className = '', ...rest }: Looks & ButtonHTMLAttributes<HTMLButtonElement>) => (
  <button type="button" className={`btn ${className}`} {...looks({ kind, size, isIcon })} {...rest} />
);

export const ButtonLink = ({
  kind,
  size,
  isIcon,
  className = '',
  href,
  ...rest
}: Looks & { href: string } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>) => (
  <Link href={href} className={`btn ${className}`} {...looks({ kind, size, isIcon })} {...rest} />
);
