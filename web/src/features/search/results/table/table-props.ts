import type { Column } from "@fairway/contract/columns";
import type { ResultRow, SortKey } from "@fairway/contract/search";
import type { ValueOperator } from "#parts/filters/value-filter.ts";
import type { ColumnLayout } from "./column-layout.ts";
import type { CellMatch } from "./find-cells.ts";

/** Rows and header; `--row-h` in CSS. */
export const rowHeightPx = 32;

export interface ResultTableProps {
  /** The accessible name. */
  label: string;
  columns: readonly Column[];
  rows: readonly ResultRow[];
  /** Rows there are, loaded or not; null when unknown. */
  totalRows: number | null;
  layout: ColumnLayout;
  onLayoutChange: (layout: ColumnLayout) => void;
  sort: readonly SortKey[];
  /** Undefined where the rows cannot be put into another order. */
  onSort?: ((sort: SortKey[]) => void) | undefined;
  canFilter: (column: Column) => boolean;
  onFilter: (column: Column) => void;
  /** The rows with this cell's value are to be kept, or dropped. */
  onFilterValue: (column: Column, row: ResultRow, operator: ValueOperator) => void;
  /** What a column holds is asked for. */
  onProfile: (column: Column) => void;
  /** The row whose details are open. */
  selectedRow: number | null;
  /** A row was chosen: by a click, by Enter (`wantsFocus`: the details take the focus), or by moving while details are open. */
  onSelectRow: (row: number, how: { wantsFocus: boolean }) => void;
  /** A cell's whole text is asked for. */
  onSeeMore: (column: Column, row: ResultRow) => void;
  onCopyCell: (column: Column, row: ResultRow) => void;
  find: RegExp | null;
  currentMatch: CellMatch | null;
  cellTextCharacters: number;
}
