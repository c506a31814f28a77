import type { AnchorHTMLAttributes, ButtonHTMLAttributes, MouseEvent } from 'react';
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

/** Nothing comes of a press: neither an act nor the sending of a form. */
const refuse = (event: MouseEvent): void => event.preventDefault();

/**
 * What a button has while it can do nothing. It keeps the focus, which the browser takes from one that is `disabled`: a button is off
 * while what it began is under way, and whoever pressed it by a key would start again at the top of the page.
 */
export const off = { 'aria-disabled': true, onClick: refuse } as const;

export const Button = ({
  kind,
  size,
  isIcon,
  disabled = false,
  className = '',
  ...rest
}: Looks & ButtonHTMLAttributes<HTMLButtonElement>) => (
  <button
    type="button"
    className={`btn ${className}`}
    {...looks({ kind, size, isIcon })}
    {...rest}
    {...(disabled && off)}
  />
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
