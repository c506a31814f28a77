import { useEffect, useRef, useState } from 'react';
import { store, stored } from '../../lib/storage.ts';

/** What the wallets were worth when somebody looked. */
export interface Look {
  atMs: number;
  worthUsd: string;
}

interface KeptLook {
  /** The newest one. */
  now: Look;
  /** The one of the visit before. */
  before: Look | null;
}

/** Looks closer together than this are one visit. */
const visitMs = 10 * 60_000;

/**
 * The worth of the visit before this one, as this browser kept it.
 *
 * @param worthUsd - Of now; null: not known yet, and nothing is kept.
 * @returns Null: this is the first visit, or nothing is known yet.
 */
export const useLastLook = (userId: string | undefined, worthUsd: string | null): Look | null => {
  const [before, setBefore] = useState<Look | null>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (userId === undefined || worthUsd === null) return;
    const name = `look ${userId}`;
    const last = stored<KeptLook>(name);
    const atMs = Date.now();
    const isNewVisit = isFirst.current && last !== null && atMs - last.now.atMs > visitMs;
    const previous = isNewVisit ? last.now : (last?.before ?? null);
    isFirst.current = false;
    setBefore(previous);
    store(name, { now: { atMs, worthUsd }, before: previous } satisfies KeptLook);
  }, [userId, worthUsd]);
  return before;
};
