import type { Column } from "@fairway/contract/columns";
import type { ColumnDistributions } from "@fairway/contract/distributions";
import type { ResultRow, SortKey } from "@fairway/contract/search";
import type { SummaryStart } from "#features/search/summaries/model/new-summary.ts";
import type { CoarseColumns } from "#parts/reader-part/coarse-columns.ts";
import type { ValueOperator } from "#parts/filters/value-filter.ts";
import type { ColumnLayout } from "./column-layout.ts";
import type { CellMatch } from "./find-cells.ts";

/** Heights in CSS pixels; `--row-h` in CSS is that of a row. */
export const rowHeights = { comfortable: 32, compact: 24 } as const;
export type RowSize = keyof typeof rowHeights;
export const headerHeights = { plain: 32, withPictures: 68 } as const;

/** How a search has added a column. */
export type AddedAs = "computed" | "looked up";

export interface ResultTableProps {
  /** The accessible name. */
  label: string;
  columns: readonly Column[];
  rows: readonly ResultRow[];
  /** Total number of rows, loaded or not; null if unknown. */
  totalRows: number | null;
  layout: ColumnLayout;
  onLayoutChange: (layout: ColumnLayout) => void;
  sort: readonly SortKey[];
  /** Undefined if the rows cannot be sorted. */
  onSort?: ((sort: SortKey[]) => void) | undefined;
  canFilter: (column: Column) => boolean;
  onFilter: (column: Column) => void;
  /** Keeps only (`=`) or excludes (`<>`) rows with this cell's value. */
  onFilterValue: (column: Column, row: ResultRow, operator: ValueOperator) => void;
  /** Opens the profile of a column. */
  onProfile: (column: Column) => void;
  /** Opens a graph of a column. Undefined if the search has no graphs. */
  onGraph?: ((column: Column) => void) | undefined;
  /** Opens a summary of a column. Undefined if the search has no summaries. */
  onSummarize?: ((start: SummaryStart) => void) | undefined;
  /** Adds a column that is computed, or changes one that the search has added. Undefined where the search can add none. */
  onCompute?: ((added: string | null) => void) | undefined;
  /** Looks up columns by this key, or changes the lookup that has added it. */
  onLookUp?: ((column: string) => void) | undefined;
  /** Removes a column that the search has added. */
  onRemove?: ((added: string) => void) | undefined;
  /** The columns that the search has added, by name. */
  added: ReadonlyMap<string, AddedAs>;
  coarse: CoarseColumns;
  /** Whether the search may add another lookup. */
  canLookUp: boolean;
  rowSize: RowSize;
  /** Values of the columns, as pictures in the header; undefined until they are known. */
  distributions: ColumnDistributions | undefined;
  /** Whether the header has room for them. */
  hasPictures: boolean;
  /** Rows that are selected to be compared. */
  marked: ReadonlySet<number>;
  onMark: (row: number) => void;
  /** The row whose details are open. */
  selectedRow: number | null;
  /** A row was selected: by click, by Enter (`wantsFocus`: the details take the focus), or by moving while details are open. */
  onSelectRow: (row: number, how: { wantsFocus: boolean }) => void;
  /** Opens the full text of a cell. */
  onSeeMore: (column: Column, row: ResultRow) => void;
  /** The person has scrolled past the last row. Undefined if nothing follows, or not by scrolling. */
  onScrolledPast?: (() => void) | undefined;
  onCopyCell: (column: Column, row: ResultRow) => void;
  find: RegExp | null;
  currentMatch: CellMatch | null;
  cellTextCharacters: number;
}
