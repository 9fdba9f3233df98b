import { useEffect, useState } from "react";

/** Finds matches in slices that yield to the page; null if aborted. */
export type FindMatches<T> = (find: RegExp, signal: AbortSignal) => Promise<T[] | null>;

/**
 * The matches of a find. `search` must be stable: a new function starts a new search, and the previous matches stay until
 * it is done. `onFound` receives the number of matches.
 */
export function useFindMatches<T>(find: RegExp | null, search: FindMatches<T>, onFound: (count: number) => void): readonly T[] {
  const [result, setResult] = useState<{ find: RegExp | null; matches: readonly T[] }>({ find: null, matches: [] });
  useEffect(() => {
    const controller = new AbortController();
    if (find) {
      void search(find, controller.signal).then((matches) => {
        if (!matches) return;
        setResult({ find, matches });
        onFound(matches.length);
      });
    }
    return () => controller.abort();
  }, [find, search, onFound]);
  return result.find === find && find !== null ? result.matches : [];
}
