/**
 * What this browser keeps between visits, as JSON by name. Pages of other tabs hear of a change. Where a browser keeps nothing, it
 * lasts as long as the page.
 */
const forNow = new Map<string, string>();
const listeners = new Map<string, Set<() => void>>();

const tell = (name: string): void => {
  for (const listener of listeners.get(name) ?? []) listener();
};

export const stored = <Value>(name: string): Value | null => {
  let text: string | null;
  try {
    text = localStorage.getItem(`mintage ${name}`);
  } catch {
    text = forNow.get(name) ?? null; // Storage is off.
  }
  if (text === null) return null;
  try {
    return JSON.parse(text) as Value;
  } catch {
    return null; // Somebody else's.
  }
};

export const store = (name: string, value: unknown): void => {
  const text = JSON.stringify(value);
  try {
    if (value === null) localStorage.removeItem(`mintage ${name}`);
    else localStorage.setItem(`mintage ${name}`, text);
  } catch {
    if (value === null) forNow.delete(name);
    else forNow.set(name, text);
  }
  tell(name);
};

/** @returns Ends it. */
export const onStored = (name: string, listener: () => void): (() => void) => {
  const all = listeners.get(name) ?? new Set();
  listeners.set(name, all.add(listener));
  const ofOtherTab = ({ key }: StorageEvent): void => {
    if (key === `mintage ${name}` || key === null) listener();
  };
  addEventListener('storage', ofOtherTab);
  return () => {
    all.delete(listener);
    removeEventListener('storage', ofOtherTab);
  };
};
