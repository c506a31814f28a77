import type { TokenV2 } from '@mintage/sdk';
import { useEffect, useRef } from 'react';
import { keepLooks, type Look, lastLooks } from './watched.ts';

/**
 * What the watched tokens were worth at the last look, which is the last visit of their list; this one is kept when it ends.
 *
 * @param tokens - Those that are shown; null: the list is another one.
 */
export const useLooks = (tokens: readonly TokenV2[] | null): Readonly<Record<string, Look>> => {
  const isLooking = tokens !== null;
  const before = useRef<Readonly<Record<string, Look>> | null>(null);
  if (isLooking && before.current === null) before.current = lastLooks();
  if (!isLooking) before.current = null;
  const shown = useRef(tokens);
  shown.current = tokens ?? shown.current;
  useEffect(() => {
    if (!isLooking) return;
    const keep = (): void => {
      const atMs = Date.now();
      const seen = (shown.current ?? []).flatMap(({ id, market_cap: marketCap }) =>
        marketCap === null ? [] : [[id, { atMs, marketCap }] as const],
      );
      if (seen.length > 0) keepLooks(Object.fromEntries(seen));
    };
    addEventListener('pagehide', keep);
    return () => {
      removeEventListener('pagehide', keep);
      keep();
    };
  }, [isLooking]);
  return before.current ?? {};
};
