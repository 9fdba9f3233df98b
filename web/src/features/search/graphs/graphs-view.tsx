import type { ViewMode } from "@fairway/contract/search-address";
import { Button, Flex } from "@mantine/core";
import { IconChartBar } from "#ui/icons/chart-bar.ts";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import AddToBoardDialog from "#features/search/add-to-board/add-to-board-dialog.tsx";
import { filtersOfGroup, rangeOfGroups } from "#features/search/graphs/model/graph-search.ts";
import { definitionOf, type Graph, type Group } from "#features/search/graphs/model/graph.ts";
import { graphsIn, useGraphs } from "#features/search/graphs/model/graph-store.ts";
import { needsLoading, openGraphs } from "#features/search/graphs/model/open-graphs.ts";
import { timeRangeOf } from "#parts/search-model/time-range.ts";
import { findRecord } from "#parts/open-searches/records.ts";
import { searchFragment } from "#parts/search-model/search-address.ts";
import type { SearchFilters, SearchRecord } from "#parts/search-model/search-record.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { EmptyState } from "#ui/states.tsx";
import { toastUndo } from "#ui/toast/toast.ts";
import { useSinglePress } from "#ui/use-single-press.ts";
import { DetailPanel, useHasRoomForPanel } from "#ui/kit/detail-panel.tsx";
import { GraphCard } from "./graph-card.tsx";
import { GraphEditor } from "./graph-editor.tsx";
import { GraphTemplates } from "./graph-templates.tsx";
import { editorOf, type GraphsPanelState } from "./graphs-panel.ts";
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
  const hasRoom = useHasRoomForPanel();
  const [previewSlot, setPreviewSlot] = useState<HTMLElement | null>(null);
  const [boardGraph, setBoardGraph] = useState<{ graph: Graph; isOpen: boolean } | null>(null);
  const reveal = useReveal();
  const shownGraphs = zoomed.length > 0 ? zoomed : graphs;
  const remove = async (graph: Graph) => {
    if (editor?.id === graph.id && !(await state.close())) return;
    const at = shownGraphs.indexOf(graph);
    const next = shownGraphs[at + 1] ?? shownGraphs[at - 1] ?? graphs.find((one) => one !== graph);
    toastUndo("Graph removed", openGraphs.remove(id, graph.id));
    reveal(next ? `card-${next.id}` : createButtonId);
  };
  return (
    <Flex flex={1} miw={0} mih={0}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape leaves the zoom wherever the focus is */}
      <div
        className={classes["list"]}
        onKeyDown={(event) => {
          if (event.key === "Escape" && zoomed.length > 0 && !event.defaultPrevented) openGraphs.zoom(id, null);
        }}
      >
        {graphs.length === 0 && editor === null && (
          <EmptyState
            title="No graphs yet"
            icon={<IconChartBar size={24} stroke={1.5} aria-hidden />}
            action={
              <>
                <Button id={createButtonId} onClick={onNew}>
                  Create graph
                </Button>
                <Button variant="default" onClick={() => onPanel({ kind: "templates", back: panel })}>
                  Load a template
                </Button>
              </>
            }
          >
            A graph covers all rows of this search, not only the loaded ones.
          </EmptyState>
        )}
        {shownGraphs.map((graph) => (
          <GraphCard
            key={graph.id}
            record={record}
            graph={graph}
            isEdited={editor?.id === graph.id}
            previewSlot={hasRoom && editor?.id === graph.id ? setPreviewSlot : undefined}
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
            onAddToBoard={() => setBoardGraph({ graph, isOpen: true })}
            onRemove={() => void remove(graph)}
          />
        ))}
        {hasRoom && editor?.id === null && (
          <section ref={showWhole} className={classes["graph"]} aria-label="Preview">
            <div ref={setPreviewSlot} className={classes["slot"]} />
          </section>
        )}
      </div>
      <DetailPanel
        label={editor?.id === null ? "New graph" : "Edit graph"}
        opened={editor !== null}
        width={400}
        onClose={() => void state.close()}
      >
        {editor && (
          <GraphEditor
            key={state.editor}
            record={record}
            editor={editor}
            saved={graphs.find(({ id }) => id === editor.id) ?? null}
            draft={state.draft}
            previewSlot={hasRoom ? previewSlot : undefined}
            onPanel={onPanel}
            onClose={() => void state.close()}
            onSaved={(graphId) => {
              if (!shownGraphs.some((graph) => graph.id === graphId)) openGraphs.zoom(id, null);
              reveal(`card-${graphId}`);
            }}
          />
        )}
      </DetailPanel>
      <GraphTemplates record={record} panel={panel} onPanel={onPanel} />
      {boardGraph && (
        <AddToBoardDialog
          key={boardGraph.graph.id}
          opened={boardGraph.isOpen}
          record={record}
          graph={boardGraph.graph}
          onClose={() => setBoardGraph({ ...boardGraph, isOpen: false })}
        />
      )}
    </Flex>
  );
}

const createButtonId = "create-graph";

const showWhole = (element: HTMLElement | null): void => element?.scrollIntoView({ block: "nearest" });

/** About one second. */
const maxFrames = 60;

/** Scrolls to an element by its id and focuses it, once it is there and no dialog covers it. */
function useReveal(): (elementId: string) => void {
  const [elementId, setElementId] = useState<string | null>(null);
  useEffect(() => {
    if (elementId === null) return undefined;
    let frame = 0;
    const attempt = (framesLeft: number): void => {
      const element = document.getElementById(elementId);
      element?.focus({ preventScroll: true });
      if (framesLeft > 0 && (element === null || document.activeElement !== element)) {
        frame = requestAnimationFrame(() => attempt(framesLeft - 1));
        return;
      }
      element?.scrollIntoView({ block: "nearest" });
      setElementId(null);
    };
    frame = requestAnimationFrame(() => attempt(maxFrames));
    return () => cancelAnimationFrame(frame);
  }, [elementId]);
  return setElementId;
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
