import { Button } from "@mantine/core";
import { IconChartBar } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { filtersOfGroup, rangeOfGroups } from "#features/search/graphs/model/graph-search.ts";
import { definitionOf, type Group } from "#features/search/graphs/model/graph.ts";
import { graphsIn, useGraphs } from "#features/search/graphs/model/graph-store.ts";
import { needsLoading, openGraphs } from "#features/search/graphs/model/open-graphs.ts";
import { timeRangeOf } from "#parts/search-model/time-range.ts";
import { findRecord } from "#parts/open-searches/records.ts";
import { searchFragment } from "#parts/search-model/search-address.ts";
import type { SearchFilters, SearchRecord, ViewMode } from "#parts/search-model/search-record.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { EmptyState } from "#ui/states.tsx";
import { useSinglePress } from "#ui/use-single-press.ts";
import { GraphCard } from "./graph-card.tsx";
import { GraphEditor } from "./graph-editor.tsx";
import { editorOf, type GraphsPanelState } from "./graphs-panel.ts";
import { GraphTemplates } from "./graph-templates.tsx";
import { SidePanel } from "#ui/side-panel.tsx";
import classes from "./graphs.module.css";

interface Props {
  record: SearchRecord;
  state: GraphsPanelState;
  onNew: () => void;
}

/** The graphs of a search, with the editor beside them. */
export function GraphsView({ record, state, onNew }: Props) {
  const { panel, show: onPanel } = state;
  const { id, datasetDescription, filters } = record;
  const graphs = useGraphs(record);
  const search = useStartSearch(record);
  const hasMissing = graphs.some(needsLoading);
  useEffect(() => {
    if (hasMissing) openGraphs.loadMissing(id);
  }, [id, hasMissing]);
  const onGroup = useCallback(
    (group: Group) => search(filtersOfGroup(datasetDescription, filters, group), "table"),
    [search, datasetDescription, filters],
  );
  const onRange = (groups: readonly Group[]) => {
    const range = rangeOfGroups(groups);
    if (range) search({ ...filters, timeRange: timeRangeOf(range.startMs, range.endMs) }, "graphs");
  };
  const zoomed = graphs.filter(({ isZoomed }) => isZoomed);
  const editor = editorOf(panel);
  return (
    <div className={classes["view"]}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape leaves the zoom wherever the focus is */}
      <div
        className={classes["list"]}
        onKeyDown={(event) => {
          if (event.key === "Escape" && zoomed.length > 0 && !event.defaultPrevented) openGraphs.zoom(id, null);
        }}
      >
        {graphs.length === 0 && (
          <EmptyState
            title="No graphs yet"
            icon={<IconChartBar size={24} stroke={1.5} aria-hidden />}
            action={
              <>
                <Button onClick={onNew}>Create graph</Button>
                <Button variant="default" onClick={() => onPanel({ kind: "templates", back: panel })}>
                  Load a template
                </Button>
              </>
            }
          >
            A graph covers all rows of this search, not only the loaded ones.
          </EmptyState>
        )}
        {(zoomed.length > 0 ? zoomed : graphs).map((graph) => (
          <GraphCard
            key={graph.id}
            record={record}
            graph={graph}
            isEdited={editor?.id === graph.id}
            onZoom={(isZoomed) => openGraphs.zoom(id, isZoomed ? graph.id : null)}
            onLoad={() => openGraphs.load(id, graph.id)}
            onCancel={() => openGraphs.cancel(id, graph.id)}
            onGroup={onGroup}
            onRange={onRange}
            onEdit={() =>
              editor?.id !== graph.id &&
              onPanel({ kind: "editor", id: graph.id, draft: definitionOf(graph), hasWarned: graph.hasShownLargeGroupingWarning })
            }
            onSaveTemplate={() => onPanel({ kind: "save-template", definition: definitionOf(graph), back: panel })}
            onRemove={() => {
              if (editor?.id === graph.id) onPanel(null);
              openGraphs.remove(id, graph.id);
            }}
          />
        ))}
      </div>
      <SidePanel
        label={editor?.id === null ? "New graph" : "Edit graph"}
        opened={editor !== null}
        width={400}
        onClose={() => onPanel(null)}
      >
        {editor && <GraphEditor key={state.editor} record={record} editor={editor} draft={state.draft} onPanel={onPanel} />}
      </SidePanel>
      <GraphTemplates record={record} panel={panel} onPanel={onPanel} />
    </div>
  );
}

/** Opens another search of the same dataset; in the graphs view it copies these graphs. */
function useStartSearch({ id, datasetDescription }: SearchRecord): (filters: SearchFilters, viewMode: ViewMode) => void {
  const navigate = useNavigate();
  const ignoreRepeated = useSinglePress();
  const start = useCallback(
    (filters: SearchFilters, viewMode: ViewMode) => {
      const graphs = graphsIn(id);
      const newSearchId = openSearches.start(datasetDescription, filters, { isSample: false, viewMode });
      if (viewMode === "graphs")
        for (const graph of graphs) openGraphs.save(newSearchId, definitionOf(graph), { id: null, hasWarned: true });
      const record = findRecord(newSearchId);
      if (record) void navigate({ to: "/search/$searchId", params: { searchId: newSearchId }, hash: searchFragment(record) });
    },
    [id, datasetDescription, navigate],
  );
  return useCallback((filters, viewMode) => ignoreRepeated(() => start(filters, viewMode)), [ignoreRepeated, start]);
}
