import type { ComponentProps, MouseEvent } from 'react';
import { useLocation, useSearch } from 'wouter';
import { askSignIn } from '../lib/askSignIn.ts';
import { ButtonLink } from './Button.tsx';

/** Asks to sign in over the page. Without scripts, and in a new tab, it is a link to the page that does the same and leads back. */
export const SignInLink = ({ onClick, ...rest }: Omit<ComponentProps<typeof ButtonLink>, 'href'>) => {
  const [path] = useLocation();
  const search = useSearch();
  const here = search === '' ? path : `${path}?${search}`;
  const ask = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    void askSignIn();
  };
  return <ButtonLink {...rest} href={`/account?next=${encodeURIComponent(here)}`} onClick={ask} />;
};
