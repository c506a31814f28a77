import { useSyncExternalStore } from 'react';
import { useDeployment } from './deployment.ts';

const listeners = new Set<() => void>();
let nowMs = 0;
let timer: ReturnType<typeof setInterval> | undefined;

const tick = (): void => {
  nowMs = Date.now();
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  timer ??= setInterval(tick, 1_000);
  if (nowMs === 0) queueMicrotask(tick);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

/** The time, once a second, milliseconds since 1970; at first when the page was made, so that it is the same on both sides. */
export const useNow = (): number => {
  const { renderedAtMs } = useDeployment();
  return useSyncExternalStore(
    subscribe,
    () => nowMs || renderedAtMs,
    () => renderedAtMs,
  );
};
