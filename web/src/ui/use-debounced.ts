import { useEffect, useState } from 'react';

/** Returns a value once it has not changed for a while, so that typing or dragging does not send a request per step. */
export function useDebounced<T extends string>(value: T, pauseMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}
