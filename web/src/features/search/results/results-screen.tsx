import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { useLocalStorage } from "@mantine/hooks";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { cellText, placeOf } from "#lib/cell-text.ts";
import { copyText } from "#lib/copy.ts";
import { useLimits } from "#lib/portal-settings.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { newDraft } from "#features/search/graphs/model/graph-draft.ts";
import { fixedAddress, searchAddress } from "#parts/search-model/search-address.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { rowValue } from "#features/search/linked-datasets/link-filters.ts";
import { buildCurl } from "#parts/result-export/curl.ts";
import { ColumnEditor } from "#features/search/results/table/column-editor.tsx";
import { columnsOf, visibleNames } from "#features/search/results/table/column-layout.ts";
import { mostMatches } from "#features/search/results/table/find-cells.ts";
import { RowDetails } from "#features/search/results/table/row-details.tsx";
import { useColumnLayout } from "#features/search/results/table/use-column-layout.ts";
import { announce } from "#ui/announcer.tsx";
import { confirm } from "#ui/confirm.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { toastSuccess } from "#ui/toast.ts";
import { GraphsHeader } from "#features/search/graphs/header-actions.tsx";
import { editorOf, useGraphsPanel } from "#features/search/graphs/graphs-panel.ts";
import { ResultsActions } from "./actions.tsx";
import { useMapResults } from "#features/search/map/model/map-results.ts";
import { useAddressInStep } from "./use-address-in-step.ts";
import { type ResultsDialog, ResultsDialogs } from "./dialogs.tsx";
import { useFilterEditing } from "./filter-editing.tsx";
import { AppliedFilters } from "./applied-filters.tsx";
import { FindBox, useFind } from "./find-box.tsx";
import { ResultsFooter } from "./footer.tsx";
import { ResultsRows } from "./rows.tsx";
import { SidePanel } from "#ui/side-panel.tsx";
import { ViewSwitch } from "./view-switch.tsx";
import { isPaged, viewOf, viewsOf } from "./views.ts";
import { cutNotice, resultsSubtitle } from "#parts/open-searches/result-wording.ts";
import classes from "./results-page.module.css";

const RowLinks = lazyPart(async () => ({ default: (await import("#features/search/linked-datasets/linked-datasets.tsx")).RowLinks }));

const GraphsView = lazyPart(async () => ({ default: (await import("#features/search/graphs/graphs-view.tsx")).GraphsView }), {
  isLarge: true,
});

const MapView = lazyPart(async () => ({ default: (await import("#features/search/map/map-view.tsx")).MapView }), { isLarge: true });

const noRows: readonly ResultRow[] = [];
type Side = { kind: "columns" } | { kind: "row"; index: number; takesFocus: boolean } | null;

/** One open search: header, filters, rows in the chosen view, details beside them. */
export function ResultsScreen({ record }: { record: SearchRecord }) {
  const { id, datasetDescription: description, isSample, isSearching, results } = record;
  const { datasetId, category } = description;
  const rows = results ?? noRows;
  const { pageRows } = useLimits();
  const user = useCurrentUser();
  const columns = useMemo(() => columnsOf(description.schema.columns, rows), [description, rows]);
  const names = useStableNames(columns);
  const [layout, setLayout] = useColumnLayout({
    username: user.preferred_username,
    categoryId: category.id,
    datasetId,
    names,
    visibleColumns: record.visibleColumns,
    onVisibleChange: (visible) => openSearches.setVisibleColumns(id, visible),
  });
  const visible = useMemo(() => named(columns, visibleNames(layout)), [columns, layout]);
  const { items: mapItems } = useMapResults(record);
  useAddressInStep(record);
  useRowsAnnounced(record);

  const [side, setSide] = useState<Side>(null);
  const row = side?.kind === "row" ? rows[side.index] : undefined;
  const onSelectRow = useCallback((index: number, { wantsFocus }: { wantsFocus: boolean }) => {
    setSide({ kind: "row", index, takesFocus: wantsFocus });
  }, []);
  const [showsFilters, setShowsFilters] = useLocalStorage({
    key: "fairway.results.filters",
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  const filtersShown = showsFilters && !isSample;
  const filterBar = useRef<HTMLDivElement>(null);
  const editing = useFilterEditing(record);
  useFocusBackInTable(rows);
  const find = useFind();
  const [dialog, setDialog] = useState<ResultsDialog | null>(null);
  const graphsPanel = useGraphsPanel();
  const view = viewOf(record);
  const newGraph = () => {
    const isOpen = editorOf(graphsPanel.panel)?.id === null;
    if (!isOpen) graphsPanel.show({ kind: "editor", id: null, draft: newDraft(description, record.filters.timeRange), hasWarned: false });
  };

  const copy = async (text: string, done: string) => {
    if (await copyText(text)) toastSuccess(done, 1200);
  };
  const copyCurl = () => void copy(buildCurl(record, location.origin, pageRows), "cURL command copied");
  const close = async () => {
    const yes = await confirm({
      title: "Close Search?",
      text: "The search and its loaded rows leave this tab.",
      confirmLabel: "Close Search",
    });
    if (yes) openSearches.close(id);
  };
  const editFilters = () => {
    setShowsFilters(true);
    // The bar is there with the next frame.
    requestAnimationFrame(() => filterBar.current?.querySelector("button")?.focus());
  };

  return (
    <>
      <PageHeader title={datasetId} subtitle={resultsSubtitle({ ...record, items: view === "map" ? (mapItems?.length ?? null) : null })}>
        {isPaged(view) && <FindBox {...find} most={mostMatches} />}
        {view === "graphs" && (
          <GraphsHeader onTemplates={() => graphsPanel.show({ kind: "templates", back: graphsPanel.panel })} onNew={newGraph} />
        )}
        <ResultsActions
          isSample={isSample}
          hasRows={rows.length > 0}
          showsColumns={side?.kind === "columns"}
          showsFilters={filtersShown}
          onClose={() => void close()}
          onCopyCurl={copyCurl}
          onCopyLink={() => void copy(location.origin + searchAddress(record), "Link copied")}
          onCopyFixedLink={record.filters.timeRange?.last && (() => void copy(location.origin + fixedAddress(record), "Link copied"))}
          onSchema={() => setDialog({ kind: "schema" })}
          onExport={() => setDialog({ kind: "export" })}
          onExportAll={!isSample && description.assists.includes("EXPORT") ? () => setDialog({ kind: "export-all" }) : undefined}
          onToggleColumns={() => setSide(side?.kind === "columns" ? null : { kind: "columns" })}
          onToggleFilters={() => setShowsFilters(!showsFilters)}
          onRerun={() => openSearches.rerun(id)}
          onSave={() => setDialog({ kind: "save" })}
        />
        <ViewSwitch offered={viewsOf(record)} value={view} onChange={(view) => openSearches.setViewMode(id, view)} />
      </PageHeader>
      {filtersShown && (
        <div ref={filterBar}>
          <AppliedFilters
            description={description}
            filters={record.filters}
            canAdd={editing.canAdd}
            onAdd={editing.add}
            onEdit={editing.edit}
            onEditTime={editing.editTime}
            onShowArea={editing.showArea}
            onChange={editing.apply}
          />
        </div>
      )}
      {record.truncated && isPaged(view) && (
        <p role="status" className={classes["cutNotice"]}>
          {cutNotice(rows.length)}
        </p>
      )}
      <div className={classes["columns"]}>
        <div className={classes["main"]} aria-busy={isSearching}>
          {isSearching && results !== null && <div className={classes["progress"]} />}
          {view === "graphs" ? (
            <GraphsView record={record} state={graphsPanel} onNew={newGraph} />
          ) : view === "map" ? (
            <MapView record={record} onEditFilters={editFilters} />
          ) : (
            <>
              <ResultsRows
                record={record}
                rows={rows}
                columns={columns}
                visible={visible}
                layout={layout}
                onLayoutChange={setLayout}
                find={find}
                editing={editing}
                selectedRow={side?.kind === "row" ? side.index : null}
                onSelectRow={onSelectRow}
                onSeeMore={(column, of) => setDialog(wholeOf(column, of))}
                onProfile={(column) => setDialog({ kind: "profile", column })}
                onCopy={(text, done) => void copy(text, done)}
                onEditFilters={editFilters}
              />
              <ResultsFooter record={record} />
            </>
          )}
        </div>
        <SidePanel label="Columns" opened={isPaged(view) && side?.kind === "columns"} width={280} onClose={() => setSide(null)}>
          <ColumnEditor layout={layout} onLayoutChange={setLayout} onClose={() => setSide(null)} />
        </SidePanel>
        <SidePanel
          label="Row details"
          opened={isPaged(view) && row !== undefined}
          width={360}
          onClose={() => setSide(null)}
          returnTo={activeCell}
        >
          {row !== undefined && side?.kind === "row" && (
            <RowDetails
              columns={named(columns, layout.order)}
              row={row}
              index={side.index}
              rowCount={rows.length}
              titleField={description.titleField}
              subtitleField={description.subtitleField}
              takesFocus={side.takesFocus}
              canFilter={editing.canFilterOn}
              onFilterValue={(column, operator) => editing.filterByValue(column, row[column.name], operator)}
              onStep={(index) => setSide({ ...side, index })}
              onClose={() => setSide(null)}
              links={description.linkedDatasets.length > 0 && <RowLinks links={description.linkedDatasets} valueOf={rowValue(row)} />}
            />
          )}
        </SidePanel>
      </div>
      {editing.dialogs}
      <ResultsDialogs
        dialog={dialog}
        onClose={() => setDialog(null)}
        record={record}
        editing={editing}
        visibleColumns={visible}
        onCopyCurl={copyCurl}
      />
    </>
  );
}

/** The cell of the table that Tab reaches: the one whose row's details were open. */
const activeCell = (): HTMLElement | null => document.querySelector<HTMLElement>('[role="grid"] [data-row][tabindex="0"]');

/** What stands behind a cell: its place on a map, else its whole text. */
function wholeOf(column: Column, row: ResultRow): ResultsDialog {
  const place = placeOf(column, row);
  return place ? { kind: "place", title: column.name, place } : { kind: "text", title: column.name, text: cellText(column, row) ?? "" };
}

/** A filter set from a cell puts other rows in the table's place: the focus, which was in the table, goes on there. */
function useFocusBackInTable(rows: readonly ResultRow[]): void {
  const wasInTable = useRef(false);
  useEffect(() => {
    const onFocus = () => {
      wasInTable.current = document.activeElement?.closest('[role="grid"]') !== null;
    };
    document.addEventListener("focusin", onFocus);
    return () => document.removeEventListener("focusin", onFocus);
  }, []);
  useEffect(() => {
    if (rows.length === 0 || !wasInTable.current || document.activeElement !== document.body) return undefined;
    // The table's columns are there once it has measured itself.
    const frame = requestAnimationFrame(() => activeCell()?.focus());
    return () => cancelAnimationFrame(frame);
  }, [rows]);
}

/** The columns with these names, in their order. */
function named(columns: readonly Column[], names: readonly string[]): Column[] {
  const byName = new Map(columns.map((column) => [column.name, column]));
  return names.flatMap((name) => byName.get(name) ?? []);
}

/** The columns' names; the same array as long as they are the same. */
function useStableNames(columns: readonly Column[]): readonly string[] {
  const key = JSON.stringify(columns.map((column) => column.name));
  return useMemo(() => JSON.parse(key) as string[], [key]);
}

/** Tells assistive technology what a search came to, and what a further page brought. */
function useRowsAnnounced({ results, isSearching }: SearchRecord): void {
  const count = isSearching || results === null ? null : results.length;
  useEffect(() => {
    if (count !== null) announce(count === 0 ? "The search found nothing" : `Rows to read: ${count}`);
  }, [count]);
}
