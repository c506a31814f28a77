import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { apiOf } from './api.ts';
import { isJobDone, isUnconfirmed, type Job, type JobStep, runJob } from './jobs.ts';
import { forget, keep, kept } from './kept.ts';
import { connectedWallet } from './wallet.ts';

const betweenLooksMs = 2_000;

/** A job of this browser, by name. One tab at a time works on it. */
export interface KeptJob<About> {
  /** Null: there is none. */
  job: Job<About> | null;
  /** False until it is known whether there is one. */
  isRead: boolean;
  isRunning: boolean;
  /** Why it stopped, where that is no step's own failure. */
  error: unknown;
  /**
   * Goes on with it, or begins this one.
   *
   * @param again - false: because of no press, so that what can land no more is left; absent: it begins anew.
   * @returns What became of it.
   */
  run(begun?: Job<About>, again?: boolean): Promise<Job<About> | null>;
  /** Forgets it, also while this tab or another is at it. */
  drop(): Promise<void>;
}

export const useJob = <About>(name: string, before?: (step: JobStep) => Promise<void>): KeptJob<About> => {
  const client = useQueryClient();
  const [{ job, isRead }, setKept] = useState<{ job: Job<About> | null; isRead: boolean }>({
    job: null,
    isRead: false,
  });
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  /** Looks for what may have been sent, so far. */
  const [looks, setLooks] = useState(0);
  const looking = useRef<Promise<void>>(Promise.resolve());
  const newest = useRef(before);
  newest.current = before;

  useEffect(() => {
    kept<Job<About>>(name).then((found) => setKept({ job: found, isRead: true }), setError);
  }, [name]);

  const work = useCallback(
    (begun: Job<About> | undefined, again: boolean, only?: (step: JobStep) => boolean): Promise<Job<About> | null> =>
      alone(name, async () => {
        const earlier = await kept<Job<About>>(name);
        // Another tab began one since this page read what is kept: that one is shown, and what was sent of it is not sent again.
        if (begun !== undefined && earlier !== null && !isJobDone(earlier)) {
          setKept({ job: earlier, isRead: true });
          return null;
        }
        const current = begun ?? earlier;
        if (current === null) {
          setKept({ job: null, isRead: true });
          return null;
        }
        if (begun !== undefined) begun.id = crypto.randomUUID();
        const show = async (): Promise<void> => {
          await keep(name, current);
          setKept({ job: { ...current, steps: [...current.steps] }, isRead: true });
        };
        // What a wallet answers late must neither bring back what was discarded nor go on with it.
        const save = async (): Promise<void> => {
          const now = await kept<Job<About>>(name);
          if (now === null || now.id !== current.id) throw new DiscardedError();
          await show();
        };
        await show();
        await runJob(apiOf(client), current, {
          wallet: connectedWallet(),
          again,
          save,
          before: async (step) => newest.current?.(step),
          ...(only && { only }),
        });
        return current;
      }),
    [name, client],
  );

  const run = useCallback(
    async (begun?: Job<About>, again = true): Promise<Job<About> | null> => {
      setRunning(true);
      setError(null);
      await looking.current;
      try {
        return await work(begun, again);
      } catch (thrown) {
        if (thrown instanceof DiscardedError) setKept({ job: await kept<Job<About>>(name), isRead: true });
        else setError(thrown);
        return null;
      } finally {
        setRunning(false);
      }
    },
    [work, name],
  );

  const isUnsure = job?.steps.some(isUnconfirmed) ?? false;
  useEffect(() => {
    if (!isUnsure || isRunning) return;
    const timer = setTimeout(() => {
      // Another tab may be looking: what it finds is there for the next look.
      looking.current = work(undefined, false, isUnconfirmed)
        .catch(() => null)
        .then(() => setLooks(looks + 1));
    }, betweenLooksMs);
    return () => clearTimeout(timer);
  }, [isUnsure, isRunning, work, looks]);

  const drop = useCallback(async (): Promise<void> => {
    // Before the other tab hears of it, and again after all that it kept.
    await forget(name);
    await takeOver(name, () => forget(name));
    setKept({ job: null, isRead: true });
    setError(null);
    setRunning(false);
  }, [name]);
  return { job, isRead, isRunning, error, run, drop };
};

/** @throws ElsewhereError where another tab is at it; DiscardedError once it is discarded, also while a wallet is asked. */
const alone = async <Value>(name: string, work: () => Promise<Value>): Promise<Value> => {
  if (!('locks' in navigator)) return work();
  let isAtIt = false;
  try {
    return await navigator.locks.request(lockOf(name), { ifAvailable: true }, async (lock) => {
      if (lock === null) throw new ElsewhereError();
      isAtIt = true;
      try {
        return await work();
      } finally {
        isAtIt = false;
      }
    });
  } catch (error) {
    throw isAtIt ? new DiscardedError() : error;
  }
};

/** Ends what any tab does under this name: what it began is not waited for. */
const takeOver = (name: string, work: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? navigator.locks.request(lockOf(name), { steal: true }, work) : work();

const lockOf = (name: string): string => `mintage ${name}`;

/** Another tab of this browser works on it. */
export class ElsewhereError extends Error {
  override name = 'ElsewhereError';
}

/** It was discarded, here or in another tab. */
class DiscardedError extends Error {
  override name = 'DiscardedError';
}
