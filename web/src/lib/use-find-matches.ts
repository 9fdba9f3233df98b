import { useEffect, useState } from "react";

/** Looks for matches, off and on; null when the signal ended it. */
export type FindMatches<T> = (find: RegExp, signal: AbortSignal) => Promise<T[] | null>;

/**
 * The matches of a find. `search` is a stable function: a new one looks again, over the rows that came, and the old
 * matches stay until then. `onFound` hears how many there are.
 */
export function useFindMatches<T>(find: RegExp | null, search: FindMatches<T>, onFound: (count: number) => void): readonly T[] {
  const [found, setFound] = useState<{ find: RegExp | null; matches: readonly T[] }>({ find: null, matches: [] });
  useEffect(() => {
    const controller = new AbortController();
    if (find) {
      void search(find, controller.signal).then((matches) => {
        if (!matches) return;
        setFound({ find, matches });
        onFound(matches.length);
      });
    }
    return () => controller.abort();
  }, [find, search, onFound]);
  return found.find === find && find !== null ? found.matches : [];
}
