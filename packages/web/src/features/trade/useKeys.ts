import { useEffect, useRef } from 'react';
import { stored } from '../../lib/storage.ts';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Single keys of the page; a person can turn them off (`keys` is false in what the browser keeps). Escape always works. */
export const useKeys = (keys: Readonly<Record<string, () => void>>): void => {
  const newest = useRef(keys);
  newest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const act = newest.current[event.key];
      if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') return act();
      if (isTyping(event.target) || stored<boolean>('keys') === false || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
};
