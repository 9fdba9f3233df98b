import type { Column } from "@fairway/contract/columns";
import type { ColumnDistributions } from "@fairway/contract/distributions";
import type { ResultRow } from "@fairway/contract/search";
import { Button } from "@mantine/core";
import { IconColumnsOff } from "#ui/icons/columns-off.ts";
import { useCallback, useMemo } from "react";
import { type ColumnLayout, withAllShown } from "#features/search/results/table/column-layout.ts";
import { findCells } from "#features/search/results/table/find-cells.ts";
import { ResultTable, TableSkeleton } from "#features/search/results/table/result-table.tsx";
import type { RowSize } from "#features/search/results/table/table-props.ts";
import type { SummaryStart } from "#features/search/summaries/model/new-summary.ts";
import { cellText } from "#lib/text/cell-text.ts";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import { useResultZone } from "#lib/time/result-zone.ts";
import { useFindMatches } from "#lib/text/use-find-matches.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { coarseColumnsOf } from "#parts/reader-part/coarse-columns.ts";
import { RawJson } from "#parts/raw-json/raw-json.tsx";
import { EmptyState } from "#ui/states.tsx";
import { Elapsed } from "#ui/elapsed.tsx";
import { addedAs, canAddColumns, canAddLookup, removeColumn } from "./added-columns.ts";
import { BlankResult } from "./blank-state.tsx";
import type { FilterEditing } from "./filter-editing.tsx";
import type { Find } from "./find-box.tsx";
import classes from "./results-page.module.css";
import { blankStateOf, knownTotal, offersMore, viewOf } from "./views.ts";

interface Props {
  record: SearchRecord;
  rows: readonly ResultRow[];
  columns: readonly Column[];
  visible: readonly Column[];
  layout: ColumnLayout;
  onLayoutChange: (layout: ColumnLayout) => void;
  find: Find;
  editing: FilterEditing;
  rowSize: RowSize;
  distributions: ColumnDistributions | undefined;
  hasPictures: boolean;
  marked: ReadonlySet<number>;
  onMark: (row: number) => void;
  selectedRow: number | null;
  onSelectRow: (row: number, how: { wantsFocus: boolean }) => void;
  onSeeMore: (column: Column, row: ResultRow) => void;
  onProfile: (column: Column) => void;
  onGraph: ((column: Column) => void) | undefined;
  onSummarize: ((start: SummaryStart) => void) | undefined;
  /** Adds a column, or changes an added one. */
  onCompute: (added: string | null) => void;
  /** Looks up columns by a key, or changes the lookup of an added one. */
  onLookUp: (column: string) => void;
  onCopy: (text: string, done: string) => void;
  onEditFilters: () => void;
}

/** The rows in the chosen view, or a blank state. */
export function ResultsRows({ record, rows, columns, visible, layout, onLayoutChange, find, editing, ...props }: Props) {
  const { id, datasetDescription, isSample, results, startedMs, sort } = record;
  const { cellTextCharacters } = useLimits();
  // A failed page waits for Retry.
  const isIdle = !record.isSearching && !record.isLoadingMore && record.searchError === null;
  const view = viewOf(record);
  const zone = useResultZone();
  const search = useCallback(
    (pattern: RegExp, signal: AbortSignal) => findCells(rows, visible, pattern, signal, zone),
    [rows, visible, zone],
  );
  const matches = useFindMatches(view === "table" ? find.find : null, search, find.onFound);

  const added = useMemo(() => addedAs(record.added), [record.added]);

  const blank = blankStateOf(record);
  if (blank !== null) return <BlankResult state={blank} record={record} onFilters={editing.apply} onEditFilters={props.onEditFilters} />;
  if (results === null) {
    return (
      <>
        <TableSkeleton
          columns={columns}
          layout={layout}
          label={`Searching ${datasetDescription.datasetId}`}
          rowSize={props.rowSize}
          hasPictures={props.hasPictures}
        />
        {startedMs !== null && (
          <div className={classes["running"]}>
            <Elapsed text={`Searching ${datasetDescription.datasetId}`} startedMs={startedMs} onCancel={() => openSearches.cancel(id)} />
          </div>
        )}
      </>
    );
  }
  if (view === "raw") {
    return <RawJson label="Raw results" rows={rows} find={find.find} currentMatch={find.current} onFound={find.onFound} />;
  }
  if (visible.length === 0 && columns.length > 0) {
    return (
      <EmptyState
        title="all columns hidden"
        icon={<IconColumnsOff size={24} stroke={1.5} aria-hidden />}
        action={
          <Button variant="default" onClick={() => onLayoutChange(withAllShown(layout))}>
            Show all columns
          </Button>
        }
      >
        The rows are loaded, but every column is hidden.
      </EmptyState>
    );
  }
  return (
    <ResultTable
      label={`Results of ${datasetDescription.datasetId}`}
      columns={columns}
      rows={rows}
      totalRows={knownTotal(record)}
      layout={layout}
      onLayoutChange={onLayoutChange}
      sort={sort}
      onSort={isSample || !datasetDescription.assists.includes("SORTING") ? undefined : (next) => openSearches.sortBy(id, next)}
      canFilter={editing.canFilterOn}
      onFilter={editing.filterOn}
      onFilterValue={(column, row, operator) => editing.filterByValue(column, row[column.name], operator)}
      onProfile={props.onProfile}
      onGraph={props.onGraph}
      onSummarize={props.onSummarize}
      onCompute={canAddColumns(record) ? props.onCompute : undefined}
      onLookUp={canAddColumns(record) ? props.onLookUp : undefined}
      canLookUp={canAddLookup(record)}
      onRemove={(name) => void removeColumn(record, name)}
      added={added}
      coarse={coarseColumnsOf(datasetDescription)}
      rowSize={props.rowSize}
      distributions={props.distributions}
      hasPictures={props.hasPictures}
      marked={props.marked}
      onMark={props.onMark}
      selectedRow={props.selectedRow}
      onSelectRow={props.onSelectRow}
      onSeeMore={props.onSeeMore}
      onScrolledPast={offersMore(record) && isIdle ? () => openSearches.loadMore(id) : undefined}
      onCopyCell={(column, row) => props.onCopy(cellText(column, row, zone) ?? "", "Cell copied")}
      find={find.find}
      currentMatch={matches[find.current] ?? null}
      cellTextCharacters={cellTextCharacters}
    />
  );
}
