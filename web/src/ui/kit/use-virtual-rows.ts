import type { RefObject } from "react";
import { useVirtualList } from "./use-virtual-list.ts";

interface Options {
  count: number;
  /** Height of a row, or the least one where rows differ. */
  rowPx: number;
  overscan: number;
  /** Height of a head that stays in view above the rows. */
  headPx?: number;
  /** Height of all that is above the rows in the scroller. Default: the head. */
  marginPx?: number;
  /** The row that stays in the document while scrolling, as the focus is on it or will be. */
  kept?: number;
  /** Key that a measured height belongs to. A new function computes where all rows are again. */
  keyOf?: ((index: number) => string | number) | undefined;
  /** Of the screen, which scrolls more than the rows. Default: one of the table. */
  scroller?: RefObject<HTMLDivElement | null>;
}

export type VirtualRows = ReturnType<typeof useVirtualRows>;

/** Rows of which the document holds those in view. */
export function useVirtualRows({ count, rowPx, overscan, headPx = 0, marginPx = headPx, kept, keyOf, scroller }: Options) {
  const { scroller: scrolled, virtualizer } = useVirtualList({
    count,
    estimateSize: () => rowPx,
    overscan,
    scrollMargin: marginPx,
    scrollPaddingStart: headPx,
    ...(keyOf && { getItemKey: keyOf }),
    kept,
    scroller,
  });
  return {
    scroller: scrolled,
    isInOwnScroller: scroller === undefined,
    virtualizer,
    marginPx,
    /** Rows that a page moves by: the last one stays in view. */
    page: () => Math.max(1, Math.floor(((scrolled.current?.clientHeight ?? 0) - headPx) / rowPx) - 1),
    /** Focuses the element with this index, which is in this row. */
    focus: (index: number, row = index) => {
      virtualizer.scrollToIndex(row);
      requestAnimationFrame(() => scrolled.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus());
    },
  };
}
