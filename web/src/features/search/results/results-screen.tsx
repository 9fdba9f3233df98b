import { pluralize } from "@fairway/contract/counts";
import { noRowsText } from "@fairway/contract/dataset-access";
import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { Flex } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useCallback, useEffect, useRef, useState } from "react";
import { editorOf, useGraphsPanel } from "#features/search/graphs/graphs-panel.ts";
import { GraphsHeader } from "#features/search/graphs/header-actions.tsx";
import { GraphsView } from "#features/search/graphs/islands.tsx";
import { SummariesDialog } from "#features/search/graphs/summaries-dialog.tsx";
import {
  addSummary,
  canSummarize,
  hasSummaries,
  type OpenedSummary,
  type SummaryStart,
} from "#features/search/summaries/model/new-summary.ts";
import { cellText, coordinatesOf, filesetPathOf } from "#lib/text/cell-text.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { cutNotice } from "#parts/open-searches/result-wording.ts";
import { partText } from "#parts/reader-part/part-text.ts";
import { PartOfRows } from "#parts/reader-part/part-of-rows.tsx";
import { searchAddress } from "#parts/search-model/search-address.ts";
import { phaseOf, type SearchRecord } from "#parts/search-model/search-record.ts";
import { isDialogOpen } from "#ui/dialog/open-dialogs.ts";
import { announce } from "#ui/announcer.tsx";
import { island } from "#ui/island.tsx";
import { useHasBeen } from "#ui/use-has-been.ts";
import { AddColumnButton } from "./add-column-button.tsx";
import { canAddColumns, lookupOf } from "./added-columns.ts";
import { AppliedFilters } from "./applied-filters.tsx";
import { useColumnPictures } from "./column-pictures/use-column-pictures.ts";
import { CompareBar } from "./compare/compare-bar.tsx";
import type { ResultsDialog } from "./dialogs.tsx";
import { useFilterEditing } from "./filter-editing.tsx";
import { FindBox, useFind } from "./find-box.tsx";
import { ResultsFooter } from "./footer.tsx";
import { HiddenColumns } from "./hidden-columns.tsx";
import { OutOfRangeNote } from "./out-of-range-note.tsx";
import { type OpenSide, ResultSidePanels } from "./result-side-panels.tsx";
import { copyWithToast, ResultsHeader, useCopyCurl } from "./results-header.tsx";
import uiClasses from "#ui/ui.module.css";
import classes from "./results-page.module.css";
import { ResultsRows } from "./rows.tsx";
import { maxMatches } from "./table/find-cells.ts";
import { useRestoreTableFocus } from "./table/table-focus.ts";
import type { RowSize } from "./table/table-props.ts";
import { TimeHistogramPanel } from "./time-histogram/time-histogram-panel.tsx";
import { useResultColumns } from "./use-result-columns.ts";
import { isPaged, isSummaryDialogOpen, summarizesInDialog, viewOf, viewsOf } from "./views.ts";

const ResultsDialogs = island(async () => ({ default: (await import("./dialogs.tsx")).ResultsDialogs }));
// With the dialogs, as few readers have no rows of a dataset.
const NoRows = island(async () => ({ default: (await import("./dialogs.tsx")).NoRows }));
const MapView = island(async () => ({ default: (await import("#features/search/map/map-view.tsx")).MapView }), { isLarge: true });

const noRows: readonly ResultRow[] = [];

/** An open search: header, filters, rows in the chosen view, and side panels. */
export function ResultsScreen({ record }: { record: SearchRecord }) {
  const { datasetDescription: description, filters, isSample, isSearching, results } = record;
  const rows = results ?? noRows;
  const view = viewOf(record);
  const columns = useResultColumns(record, rows);
  const [side, setSide] = useState<OpenSide>(null);
  const [dialog, setDialog] = useState<ResultsDialog | null>(null);
  const hasOpened = useHasBeen(dialog !== null);
  const [showsFilters, setShowsFilters] = useLocalStorage({
    key: "fairway.results.filters",
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  const filtersShown = showsFilters && !isSample;
  const filterBar = useRef<HTMLDivElement>(null);
  const editing = useFilterEditing(record);
  const find = useFind();
  const graphs = useGraphsPanel();
  const [summary, setSummary] = useState<OpenedSummary | null>(null);
  const copyCurl = useCopyCurl(record);
  useAddressSync(record);
  useAnnounceRows(record);
  useRestoreTableFocus(rows);

  const onSelectRow = useCallback(
    (index: number, { wantsFocus }: { wantsFocus: boolean }) => {
      setSide({ kind: "row", index, takesFocus: wantsFocus });
    },
    [setSide],
  );
  const [rowSize, setRowSize] = useLocalStorage<RowSize>({
    key: "fairway.results.rows",
    defaultValue: "comfortable",
    getInitialValueInEffect: false,
  });
  const pictures = useColumnPictures(record, columns.columns, columns.visible);
  const { marked, onMark, clearMarks } = useMarkedRows(rows);
  useCloseOnEscape(side !== null && isPaged(view), () => setSide(null));
  const newGraph = () => {
    setSummary(null);
    const isOpen = editorOf(graphs.panel)?.id === null;
    if (!isOpen) graphs.show({ kind: "editor", id: null, draft: null, hasWarned: false });
  };
  const graphColumn = (column: Column) => {
    setSummary(null);
    openSearches.setViewMode(record.id, "graphs");
    graphs.show({ kind: "editor", id: null, draft: null, column, hasWarned: false });
  };
  // Whatever was searched for: never the words of a search that found nothing.
  const hasNoPart = description.access?.rows === "none" && phaseOf(record) === "results";
  const hasGraphs = viewsOf(record).includes("graphs");
  const inDialog = summarizesInDialog(record);
  // Where the dataset has no graphs view, this opens the dialog.
  const summarize = async (start: SummaryStart) => {
    if (!(await graphs.close())) return;
    openSearches.setViewMode(record.id, "graphs");
    setSummary(addSummary(record.id, start));
  };
  const showSummaries = () => {
    if (hasSummaries(record)) openSearches.setViewMode(record.id, "graphs");
    else void summarize({ kind: "all" });
  };
  const editFilters = () => {
    setShowsFilters(true);
    // The bar is rendered by the next frame.
    requestAnimationFrame(() => filterBar.current?.querySelector("button")?.focus());
  };

  return (
    <>
      <ResultsHeader
        record={record}
        showsColumns={side?.kind === "columns"}
        showsFilters={filtersShown}
        badges={filtersShown ? undefined : <PartOfRows access={description.access} />}
        onDialog={setDialog}
        onToggleColumns={() => setSide(side?.kind === "columns" ? null : { kind: "columns" })}
        onToggleFilters={() => setShowsFilters(!showsFilters)}
        onSummarize={inDialog ? showSummaries : undefined}
      >
        {isPaged(view) && <FindBox {...find} max={maxMatches} />}
        {view === "table" && canAddColumns(record) && <AddColumnButton record={record} onDialog={setDialog} />}
        {view === "graphs" && (
          <GraphsHeader
            onTemplates={() => graphs.show({ kind: "templates", back: graphs.panel })}
            onNew={newGraph}
            onSummarize={canSummarize(record) ? () => void summarize({ kind: "all" }) : undefined}
          />
        )}
      </ResultsHeader>
      {filtersShown && (
        <div ref={filterBar}>
          <AppliedFilters
            description={description}
            filters={filters}
            added={record.added}
            draftName={`filter bar of search ${record.id}`}
            canAdd={editing.canAdd}
            onAdd={editing.add}
            onEdit={editing.edit}
            onAddAlternative={editing.addAlternative}
            onEditTime={editing.editTime}
            onShowArea={editing.showArea}
            onChange={editing.apply}
          >
            {view === "table" && <HiddenColumns {...columns} />}
            {filters.geospatial && description.features.includes("COUNT") && <OutOfRangeNote record={record} />}
          </AppliedFilters>
        </div>
      )}
      {record.truncated && isPaged(view) && (
        <p role="status" className={classes["cutNotice"]}>
          {cutNotice(rows.length)}
        </p>
      )}
      <Flex flex={1} mih={0}>
        <div className={classes["main"]} aria-busy={isSearching}>
          {isSearching && results !== null && <div className={`${uiClasses["runningLine"]} ${classes["progress"]}`} />}
          {hasNoPart && <NoRows dataset={description} />}
          {view === "graphs" && !hasNoPart && (
            <GraphsView record={record} state={graphs} onNew={newGraph} summary={summary} onSummary={setSummary} onDialog={setDialog} />
          )}
          {view === "map" && !hasNoPart && <MapView record={record} onFilters={editing.apply} onEditFilters={editFilters} />}
          {isPaged(view) && !hasNoPart && (
            <>
              {view === "table" && <TimeHistogramPanel record={record} onRange={(timeRange) => editing.apply({ ...filters, timeRange })} />}
              <ResultsRows
                record={record}
                rows={rows}
                {...columns}
                find={find}
                editing={editing}
                rowSize={rowSize}
                distributions={pictures.distributions}
                hasPictures={pictures.shown}
                marked={marked}
                onMark={onMark}
                selectedRow={side?.kind === "row" ? side.index : null}
                onSelectRow={onSelectRow}
                onSeeMore={(column, row) => setDialog(fullValueDialog(column, row))}
                onGraph={hasGraphs ? graphColumn : undefined}
                onSummarize={canSummarize(record) ? (start) => void summarize(start) : undefined}
                onProfile={(column) => setDialog({ kind: "profile", column })}
                onCompute={(name) => setDialog({ kind: "column", name })}
                onLookUp={(name) => setDialog({ kind: "lookup", ...lookupOf(record, name) })}
                onCopy={(text, done) => void copyWithToast(text, done)}
                onEditFilters={editFilters}
              />
              {marked.size > 0 && (
                <CompareBar
                  count={marked.size}
                  onCompare={() => setDialog({ kind: "compare", indexes: [...marked].toSorted((a, b) => a - b) })}
                  onClear={clearMarks}
                />
              )}
              <ResultsFooter record={record} rowSize={rowSize} onRowSize={setRowSize} pictures={pictures}>
                {!filtersShown && view === "table" && <HiddenColumns {...columns} />}
              </ResultsFooter>
            </>
          )}
        </div>
        <ResultSidePanels
          record={record}
          rows={rows}
          columns={columns}
          editing={editing}
          shown={isPaged(view)}
          side={side}
          onSide={setSide}
          onOpen={(column, row) => setDialog(fullValueDialog(column, row))}
        />
      </Flex>
      {editing.dialogs}
      {inDialog && (
        <SummariesDialog
          record={record}
          opened={isSummaryDialogOpen(record)}
          state={graphs}
          summary={summary}
          onSummary={setSummary}
          onDialog={setDialog}
          onSummarize={() => void summarize({ kind: "all" })}
          onClose={() => openSearches.setViewMode(record.id, "table")}
        />
      )}
      {hasOpened && (
        <ResultsDialogs
          dialog={dialog}
          onClose={() => setDialog(null)}
          onDialog={setDialog}
          record={record}
          editing={editing}
          columns={columns.columns}
          visibleColumns={columns.visible}
          onCopyCurl={copyCurl}
          onSummarize={canSummarize(record) ? (start) => void summarize(start) : undefined}
        />
      )}
    </>
  );
}

/** The dialog with a cell's full value: its position on a map, or its full text. */
function fullValueDialog(column: Column, row: ResultRow): ResultsDialog {
  const point = coordinatesOf(column, row);
  const file = filesetPathOf(column, row);
  if (file) return { kind: "fileset", title: column.name, ...file };
  return point ? { kind: "location", title: column.name, point } : { kind: "text", title: column.name, text: cellText(column, row) ?? "" };
}

const maxMarked = 10;
const noMarks: ReadonlySet<number> = new Set();

/** Rows that are selected to be compared, until other rows are shown. */
function useMarkedRows(rows: readonly ResultRow[]) {
  const [firstRow] = rows;
  const [marks, setMarks] = useState({ firstRow, indexes: noMarks });
  const marked = marks.firstRow === firstRow ? marks.indexes : noMarks;
  const onMark = useCallback(
    (index: number) => {
      const others = [...marked].filter((other) => other !== index);
      const next = others.length < marked.size ? others : [...others, index].slice(-maxMarked);
      setMarks({ firstRow, indexes: new Set(next) });
      announce(next.length === 0 ? "No row selected" : `${pluralize(next.length, "row")} selected`);
    },
    [marked, firstRow],
  );
  const clearMarks = useCallback(() => setMarks({ firstRow, indexes: noMarks }), [firstRow]);
  return { marked, onMark, clearMarks };
}

/** Escape closes the side panel, wherever the focus is, unless it closes something else. */
function useCloseOnEscape(isOpen: boolean, close: () => void): void {
  const latestClose = useRef(close);
  useEffect(() => {
    latestClose.current = close;
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      const isInMenu =
        event.target instanceof Element && event.target.closest("[role=menu], [role=listbox], [aria-expanded=true]") !== null;
      if (event.key === "Escape" && !event.defaultPrevented && !isInMenu && !isDialogOpen()) latestClose.current();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [isOpen]);
}

/**
 * Keeps the address in sync with the search, without history entries, so that links and reloads restore the view. Where a step has made an
 * entry, Back makes the search what it was.
 */
function useAddressSync(record: SearchRecord): void {
  const address = searchAddress(record);
  const { id } = record;
  useEffect(() => {
    const onStep = () => {
      if (location.pathname === `/search/${id}`) openSearches.goBackTo(id, location.hash);
    };
    window.addEventListener("popstate", onStep);
    return () => window.removeEventListener("popstate", onStep);
  }, [id]);
  useEffect(() => {
    const { pathname, hash } = new URL(address, location.origin);
    // The current history entry may already belong to another screen.
    if (location.pathname === pathname && location.hash !== hash) history.replaceState(history.state, "", address);
  }, [address]);
}

/** Announces the number of rows after a search or a further page. */
function useAnnounceRows({ results, isSearching, datasetDescription: { access } }: SearchRecord): void {
  const count = isSearching || results === null ? null : results.length;
  const part = access?.rows ?? "all";
  useEffect(() => {
    if (count !== null) announce(count > 0 ? `Rows to read: ${count}` : part === "none" ? noRowsText : "The search found nothing");
  }, [count, part]);
  const note = access?.rows === "some" ? partText(access) : null;
  const hasRows = count !== null;
  // Once, not with every page.
  useEffect(() => {
    if (hasRows && note !== null) announce(`Part of the rows. ${note}`);
  }, [hasRows, note]);
}
