/** Whether the service can be reached: what the last calls and the browser say. */
let lostAtMs: number | null = null;
const listeners = new Set<() => void>();

const set = (value: number | null): void => {
  if ((value === null) === (lostAtMs === null)) return;
  lostAtMs = value;
  document.documentElement.toggleAttribute('data-offline', value !== null);
  for (const listener of listeners) listener();
};

export const connection = {
  /** Since when nothing answers, milliseconds since 1970; null: it is there. */
  lostAtMs: (): number | null => lostAtMs,
  isLost: (): void => set(Date.now()),
  isThere: (): void => set(null),
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};
