import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useRef } from "react";

interface Options extends Omit<Parameters<typeof useVirtualizer<HTMLDivElement, Element>>[0], "getScrollElement"> {
  /** The item that stays in the document while scrolling, as the focus is on it or will be. */
  kept?: number | undefined;
  /** Default: one of the list. */
  scroller?: RefObject<HTMLDivElement | null> | undefined;
}

/** A list or the columns of a table, of which the document holds what is in view. */
export function useVirtualList({ kept = -1, scroller, ...options }: Options) {
  const own = useRef<HTMLDivElement>(null);
  const scrolled = scroller ?? own;
  const virtualizer = useVirtualizer({
    rangeExtractor: useCallback((range: Range) => rangeWith(kept, range), [kept]),
    ...options,
    getScrollElement: () => scrolled.current,
  });
  return { scroller: scrolled, virtualizer };
}

/** The indexes in view, and this one. */
export function rangeWith(index: number, range: Range): number[] {
  const indexes = defaultRangeExtractor(range);
  if (index < 0 || index >= range.count || indexes.includes(index)) return indexes;
  return [...indexes, index].toSorted((one, other) => one - other);
}
