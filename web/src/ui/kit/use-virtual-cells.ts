import { useCallback, useLayoutEffect, useMemo, useRef } from "react";
import { useVirtualList } from "./use-virtual-list.ts";
import { useVirtualRows } from "./use-virtual-rows.ts";

export interface SizedColumn {
  /** Unique among the columns. */
  id: string;
  /** In pixels. */
  width: number;
  /** Stays in view while the others scroll sideways. */
  isPinned?: boolean;
}

export type Placed<Column> = Column & {
  /** One-based, over every column. */
  index: number;
  /** From the left edge of the table. */
  left: number;
  /** With the room in front of the first column. */
  fullWidth: number;
};

/** Columns in their order, pinned ones first. The first one is wider by `leadPx`. */
export function placeColumns<Column extends SizedColumn>(columns: readonly Column[], leadPx = 0): Placed<Column>[] {
  let left = 0;
  return columns.map((column, at) => {
    const fullWidth = column.width + (at === 0 ? leadPx : 0);
    left += fullWidth;
    return { ...column, index: at + 1, left: left - fullWidth, fullWidth };
  });
}

export const widthOf = (columns: readonly { fullWidth: number }[]): number => columns.reduce((sum, { fullWidth }) => sum + fullWidth, 0);

export interface VirtualCells<Column> {
  columns: readonly Placed<Column>[];
  /** Number of rows. */
  count: number;
  rowPx: number;
  headPx: number;
  /** The row and the column that stay in the document while scrolling. */
  kept?: { row: number; column: string | null };
  overscan?: { rows: number; columns: number };
}

/** Rows and columns of which the document holds those in view, and pinned columns. A change of `columns` places all of them again. */
export function useVirtualCells<Column extends SizedColumn>({ columns, count, rowPx, headPx, kept, overscan }: VirtualCells<Column>) {
  const scroller = useRef<HTMLDivElement>(null);
  const pinned = useMemo(() => columns.filter(({ isPinned }) => isPinned), [columns]);
  const center = useMemo(() => columns.filter(({ isPinned }) => !isPinned), [columns]);
  const pinnedPx = widthOf(pinned);

  const { virtualizer: down } = useVirtualRows({ count, rowPx, headPx, overscan: overscan?.rows ?? 6, kept: kept?.row, scroller });
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the virtualizer asks again for the height of rows
  useLayoutEffect(() => down.measure(), [down, rowPx]);
  const { virtualizer: across } = useVirtualList({
    horizontal: true,
    count: center.length,
    scroller,
    estimateSize: (index) => center[index]?.fullWidth ?? 0,
    // A new function places all columns again.
    getItemKey: useCallback((index: number) => center[index]?.id ?? index, [center]),
    overscan: overscan?.columns ?? 1,
    paddingStart: pinnedPx,
    scrollPaddingStart: pinnedPx,
    kept: kept && center.findIndex(({ id }) => id === kept.column),
  });

  const inView = across.getVirtualItems();
  const shown = useMemo(() => [...pinned, ...inView.flatMap(({ index }) => center[index] ?? [])], [pinned, center, inView]);
  return { scroller, down, across, center, shown, rowPx, headPx, totalPx: widthOf(columns) };
}
