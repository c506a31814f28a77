import { useCallback, useRef, useSyncExternalStore } from 'react';
import { onStored, stored } from './storage.ts';

/** What this browser keeps under a name; null on the server, and where it keeps nothing. */
export const useStored = <Value>(name: string): Value | null => {
  const last = useRef<{ text: string; value: Value | null }>({ text: 'null', value: null });
  const subscribe = useCallback((listener: () => void) => onStored(name, listener), [name]);
  const snapshot = (): Value | null => {
    const value = stored<Value>(name);
    const text = JSON.stringify(value);
    if (text !== last.current.text) last.current = { text, value };
    return last.current.value;
  };
  return useSyncExternalStore(subscribe, snapshot, () => null);
};
