import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import {
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useMemo } from "react";
import { type ColumnLayout, narrowest, widest, withWidth } from "./column-layout.ts";
import { fittingWidths } from "./column-width.ts";

const features = tableFeatures({
  columnOrderingFeature,
  columnVisibilityFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnResizingFeature,
});

/** The first cell of a row starts where the page's other content does. */
const firstCellExtra = 12;

/** Room for the mark that a pinned column's header carries. */
const pinMark = 18;

/** A column on the screen with its place from the left edge of the table, in pixels. */
export interface PlacedColumn {
  column: Column;
  /** One-based, over every visible column. */
  index: number;
  left: number;
  width: number;
  /** The width that the layout knows: without the room before the first cell. */
  ownWidth: number;
  isPinned: boolean;
  isFirst: boolean;
  startResize: (event: unknown) => void;
}

interface Options {
  columns: readonly Column[];
  rows: readonly ResultRow[];
  layout: ColumnLayout;
  onLayoutChange: (layout: ColumnLayout) => void;
}

/** The visible columns in their order, pinned ones first, each with its place and width. */
export function useTableColumns({ columns, rows, layout, onLayoutChange }: Options): {
  placed: readonly PlacedColumn[];
  totalWidth: number;
} {
  // Fitted once to the first rows of an answer: a further page changes no width.
  const [firstRow] = rows;
  // oxlint-disable-next-line react/exhaustive-deps -- `rows` grows by pages; only a new first row is a new answer
  const fitting = useMemo(() => fittingWidths(columns, rows), [columns, firstRow]);
  const byName = useMemo(() => new Map(columns.map((column) => [column.name, column])), [columns]);
  const definitions = useMemo(
    () => columns.map(({ name }) => ({ id: name, accessorFn: (row: ResultRow) => row[name], minSize: narrowest, maxSize: widest })),
    [columns],
  );
  const sizes = useMemo(() => {
    const marked = [...layout.pinned].map((name): [string, number] => [name, (fitting[name] ?? 0) + pinMark]);
    return { ...fitting, ...Object.fromEntries(marked), ...layout.widths };
  }, [fitting, layout.pinned, layout.widths]);
  const state = useMemo(
    () => ({
      columnOrder: [...layout.order],
      columnPinning: { start: layout.order.filter((name) => layout.pinned.has(name)), end: [] },
      columnVisibility: Object.fromEntries([...layout.hidden].map((name) => [name, false])),
      columnSizing: sizes,
    }),
    [layout.order, layout.pinned, layout.hidden, sizes],
  );
  const table = useTable({
    features,
    columns: definitions,
    // The rows are virtual and in the server's order: the table model arranges the columns only.
    data: noRows,
    state,
    columnResizeMode: "onChange",
    onColumnSizingChange: (updater) => {
      const next = typeof updater === "function" ? updater(sizes) : updater;
      const changed = Object.entries(next).filter(([name, width]) => width !== sizes[name]);
      if (changed.length > 0) onLayoutChange(changed.reduce((now, [name, width]) => withWidth(now, name, width), layout));
    },
  });

  const headers = [...table.getStartLeafHeaders(), ...table.getCenterLeafHeaders()];
  // The table answers new arrays whenever it likes; what the rows show changes with the arrangement only.
  // oxlint-disable-next-line react/exhaustive-deps -- `headers` follow from `state`
  return useMemo(() => place(headers, byName), [state, byName]);
}

interface LeafHeader {
  column: { id: string; getSize: () => number; getIsPinned: () => false | "start" | "end" };
  getResizeHandler: () => (event: unknown) => void;
}

function place(
  headers: readonly LeafHeader[],
  byName: ReadonlyMap<string, Column>,
): { placed: readonly PlacedColumn[]; totalWidth: number } {
  const placed: PlacedColumn[] = [];
  let left = 0;
  for (const header of headers) {
    const column = byName.get(header.column.id);
    if (!column) continue;
    const isFirst = placed.length === 0;
    const ownWidth = header.column.getSize();
    const width = ownWidth + (isFirst ? firstCellExtra : 0);
    const isPinned = header.column.getIsPinned() === "start";
    placed.push({ column, index: placed.length + 1, left, width, ownWidth, isPinned, isFirst, startResize: header.getResizeHandler() });
    left += width;
  }
  return { placed, totalWidth: left };
}

const noRows: ResultRow[] = [];
