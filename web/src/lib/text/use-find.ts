import { useCallback, useDeferredValue, useMemo, useState } from "react";
import { findPattern } from "#lib/text/find-text.ts";

export interface Find {
  query: string;
  setQuery: (query: string) => void;
  pattern: RegExp | null;
  /** Null before a search has finished. */
  count: number | null;
  /** Zero-based. */
  current: number;
  step: (by: -1 | 1) => void;
  onFound: (count: number) => void;
}

export const maxMatches = 10_000;

/** State of a find. The view reports the number of matches. */
export function useFind(): Find {
  const [query, setText] = useState("");
  const [count, setCount] = useState<number | null>(null);
  const [current, setCurrent] = useState(0);
  const deferred = useDeferredValue(query);
  const pattern = useMemo(() => findPattern(deferred), [deferred]);
  return {
    query,
    setQuery: useCallback((next: string) => {
      setText(next);
      setCurrent(0);
      setCount(null);
    }, []),
    pattern,
    count,
    current,
    step: (by) => setCurrent(count ? (current + by + count) % count : 0),
    onFound: useCallback((total: number) => {
      setCount(total);
      setCurrent((index) => Math.min(index, Math.max(0, total - 1)));
    }, []),
  };
}
