import { type FormEvent, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { t } from '../messages/t.ts';
import { Icon } from '../ui/icons.tsx';

/** Searches for a token; without scripts the form leads to the list. */
export const Search = () => {
  const [, go] = useLocation();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const search = (event: FormEvent): void => {
    event.preventDefault();
    const wanted = input.current?.value.trim() ?? '';
    go(wanted === '' ? '/' : `/?q=${encodeURIComponent(wanted)}`);
  };
  return (
    <form className="search" role="search" action="/" onSubmit={search}>
      <Icon name="search" />
      <input ref={input} type="search" name="q" placeholder={t.search.placeholder} aria-label={t.search.label} autoComplete="off" />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
