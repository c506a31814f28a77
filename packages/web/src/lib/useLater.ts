import { useEffect, useState } from 'react';

/** A value once it has not changed for a while: what is typed is not asked about letter by letter. */
export const useLater = <Value>(value: Value, afterMs = 300): Value => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs);
    return () => clearTimeout(timer);
  }, [value, afterMs]);
  return settled;
};
