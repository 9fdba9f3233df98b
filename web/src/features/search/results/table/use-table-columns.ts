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
import { type ColumnLayout, minColumnWidth, maxColumnWidth, withWidth } from "./column-layout.ts";
import { fitWidths } from "./column-width.ts";

const features = tableFeatures({
  columnOrderingFeature,
  columnVisibilityFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnResizingFeature,
});

/** Extra padding that aligns the first cell with the page's other content. */
const firstCellExtraPx = 12;

/** Space for the pin icon in a pinned column's header. */
const pinIconPx = 18;

/** A visible column with its position in pixels from the left edge of the table. */
export interface PlacedColumn {
  column: Column;
  /** One-based, over every visible column. */
  index: number;
  left: number;
  width: number;
  /** The width in the layout, without the extra padding of the first cell. */
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

/** The visible columns in order, pinned ones first, with positions and widths. */
export function useTableColumns({ columns, rows, layout, onLayoutChange }: Options): {
  placed: readonly PlacedColumn[];
  totalWidth: number;
} {
  // Fitted once to the first rows of a result; further pages do not change widths.
  const [firstRow] = rows;
  // oxlint-disable-next-line react/exhaustive-deps -- `rows` grows by pages; only a new first row means a new result
  const fittedWidths = useMemo(() => fitWidths(columns, rows), [columns, firstRow]);
  const byName = useMemo(() => new Map(columns.map((column) => [column.name, column])), [columns]);
  const definitions = useMemo(
    () =>
      columns.map(({ name }) => ({
        id: name,
        accessorFn: (row: ResultRow) => row[name],
        minSize: minColumnWidth,
        maxSize: maxColumnWidth,
      })),
    [columns],
  );
  const sizes = useMemo(() => {
    const pinnedWidths = [...layout.pinned].map((name): [string, number] => [name, (fittedWidths[name] ?? 0) + pinIconPx]);
    return { ...fittedWidths, ...Object.fromEntries(pinnedWidths), ...layout.widths };
  }, [fittedWidths, layout.pinned, layout.widths]);
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
    // The rows are virtualized and sorted by the server; the table model only arranges columns.
    data: noRows,
    state,
    columnResizeMode: "onChange",
    onColumnSizingChange: (updater) => {
      const next = typeof updater === "function" ? updater(sizes) : updater;
      const changes = Object.entries(next).filter(([name, width]) => width !== sizes[name]);
      if (changes.length > 0) onLayoutChange(changes.reduce((current, [name, width]) => withWidth(current, name, width), layout));
    },
  });

  const headers = [...table.getStartLeafHeaders(), ...table.getCenterLeafHeaders()];
  // The table may return new arrays at any time; what the rows show changes only with the state.
  // oxlint-disable-next-line react/exhaustive-deps -- `headers` follow from `state`
  return useMemo(() => placeColumns(headers, byName), [state, byName]);
}

interface LeafHeader {
  column: { id: string; getSize: () => number; getIsPinned: () => false | "start" | "end" };
  getResizeHandler: () => (event: unknown) => void;
}

function placeColumns(
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
    const width = ownWidth + (isFirst ? firstCellExtraPx : 0);
    const isPinned = header.column.getIsPinned() === "start";
    placed.push({ column, index: placed.length + 1, left, width, ownWidth, isPinned, isFirst, startResize: header.getResizeHandler() });
    left += width;
  }
  return { placed, totalWidth: left };
}

const noRows: ResultRow[] = [];
