import { pluralize } from "@fairway/contract/counts";
import type { ViewMode } from "@fairway/contract/search-address";
import { withVersion } from "@fairway/contract/summaries";
import { Button, Flex } from "@mantine/core";
import { IconChartBar } from "#ui/icons/chart-bar.ts";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { AskAboutCell } from "#features/search/ask-about-cell.tsx";
import AddToBoardDialog, { type BoardGraph } from "#features/search/add-to-board/add-to-board-dialog.tsx";
import { filtersOfGroup, rangeOfGroups } from "#features/search/graphs/model/graph-search.ts";
import { definitionOf, type Graph, type Group, templateOf } from "@fairway/contract/charts/graph";
import { drawAgain, droppedGraphs } from "./draw-again.ts";
import { graphsIn, useGraphs } from "#features/search/graphs/model/graph-store.ts";
import { needsLoading, openGraphs } from "#features/search/graphs/model/open-graphs.ts";
import { summariesExtension } from "#features/search/search-extensions.ts";
import { summaryOfGraph } from "#features/search/summaries/model/from-graph.ts";
import { canSummarize, type OpenedSummary } from "#features/search/summaries/model/new-summary.ts";
import { insertSummary, removeSummary, useSummaries } from "#features/search/summaries/model/summary-store.ts";
import type { StoredSummary } from "#features/search/summaries/model/summary.ts";
import type { SummaryDialog } from "#features/search/summaries/card-actions.ts";
import { OpenedSummaryEditor, SummaryList } from "#features/search/summaries/summary-list.tsx";
import { withSlice } from "#parts/search-model/search-extensions.ts";
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

export interface Props {
  record: SearchRecord;
  state: GraphsPanelState;
  /** Undefined where graphs need a column of numbers and there is none. */
  onNew: (() => void) | undefined;
  /** The summary in the editor. */
  summary: OpenedSummary | null;
  onSummary: (opened: OpenedSummary | null) => void;
  /** Opens a dialog over the results. */
  onDialog: (dialog: SummaryDialog) => void;
}

/** The graphs and summaries of a search, with the editor beside them. */
export function GraphsView({ record, state, onNew, summary, onSummary, onDialog }: Props) {
  const { panel, show: onPanel } = state;
  const { id, datasetDescription, filters } = record;
  const graphs = useGraphs(record);
  const summaries = useSummaries(record);
  const search = useStartSearch(record);
  const dropped = droppedGraphs(record);
  const droppedCount = dropped.graphs.length + dropped.summaries.length;
  const hasMissing = graphs.some(needsLoading);
  useEffect(() => {
    if (hasMissing) openGraphs.loadMissing(id);
  }, [id, hasMissing]);
  const onGroup = useCallback(
    (group: Group) => search(filtersOfGroup(datasetDescription, filters, group), "table", []),
    [search, datasetDescription, filters],
  );
  const onRange = (groups: readonly Group[]) => {
    const range = rangeOfGroups(groups);
    if (range) search({ ...filters, timeRange: timeRangeOf(range.startMs, range.endMs) }, "graphs", summaries);
  };
  const zoomed = graphs.filter(({ isZoomed }) => isZoomed);
  const editor = editorOf(panel);
  const editedSummary = editor === null && summary !== null ? summaries.find(({ id: one }) => one === summary.id) : undefined;
  const openSummary = async (opened: OpenedSummary | null) => {
    if (opened === null || editor === null || (await state.close())) onSummary(opened);
  };
  const hasRoom = useHasRoomForPanel();
  const [previewSlot, setPreviewSlot] = useState<HTMLElement | null>(null);
  const [boardGraph, setBoardGraph] = useState<{ id: string; graph: BoardGraph; isOpen: boolean } | null>(null);
  const reveal = useReveal();
  const shownGraphs = zoomed.length > 0 ? zoomed : graphs;
  const remove = async (graph: Graph) => {
    if (editor?.id === graph.id && !(await state.close())) return;
    const at = shownGraphs.indexOf(graph);
    const next = shownGraphs[at + 1] ?? shownGraphs[at - 1] ?? graphs.find((one) => one !== graph);
    toastUndo("Graph removed", openGraphs.remove(id, graph.id));
    reveal(next ? `card-${next.id}` : createButtonId);
  };
  const turnIntoSummary = async (graph: Graph) => {
    if (editor?.id === graph.id && !(await state.close())) return;
    const made = summaryOfGraph(definitionOf(graph));
    const restore = openGraphs.remove(id, graph.id);
    insertSummary(id, made);
    toastUndo("Graph turned into a summary", () => {
      removeSummary(id, made.id);
      restore();
    });
    reveal(`card-${made.id}`);
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
        {graphs.length === 0 && summaries.length === 0 && editor === null && (
          <EmptyState
            title="No graphs yet"
            icon={<IconChartBar size={24} stroke={1.5} aria-hidden />}
            action={
              <>
                {droppedCount > 0 && <Button onClick={() => drawAgain(id)}>Draw again</Button>}
                {onNew && (
                  <Button id={createButtonId} variant={droppedCount > 0 || canSummarize(record) ? "default" : "filled"} onClick={onNew}>
                    Create graph
                  </Button>
                )}
                <Button variant="default" onClick={() => onPanel({ kind: "templates", back: panel })}>
                  Load a template
                </Button>
              </>
            }
          >
            {droppedCount > 0
              ? `${pluralize(droppedCount, "graph")} of this search before it ran again can be drawn on its rows now.`
              : "A graph covers all rows of this search, not only the loaded ones."}
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
            onSummarize={canSummarize(record) ? () => void turnIntoSummary(graph) : undefined}
            onSaveTemplate={() => onPanel({ kind: "save-template", template: templateOf(definitionOf(graph)), back: panel })}
            onAddToBoard={() =>
              setBoardGraph({ id: graph.id, graph: { title: graph.title, stored: { ...definitionOf(graph) } }, isOpen: true })
            }
            onRemove={() => void remove(graph)}
          />
        ))}
        {zoomed.length === 0 && (
          <SummaryList
            record={record}
            summaries={summaries}
            opened={summary}
            onOpened={(opened) => void openSummary(opened)}
            onSearch={search}
            onDialog={onDialog}
            onSaveTemplate={(title, saved) =>
              onPanel({ kind: "save-template", template: { title, json: JSON.stringify(withVersion(saved)) }, back: panel })
            }
            onAddToBoard={(title, added) => setBoardGraph({ id: added.id, graph: { title, stored: withVersion(added) }, isOpen: true })}
          />
        )}
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
      <DetailPanel label="Edit summary" opened={editedSummary !== undefined} width={400} phoneSize="100%" onClose={() => onSummary(null)}>
        {summary && editedSummary && (
          <OpenedSummaryEditor
            record={record}
            summary={editedSummary}
            opened={summary}
            onOpened={onSummary}
            onByHand={(draft) => onPanel({ kind: "editor", id: null, draft, hasWarned: false })}
          />
        )}
      </DetailPanel>
      <GraphTemplates record={record} panel={panel} onPanel={onPanel} />
      {boardGraph && (
        <AskAboutCell
          key={boardGraph.id}
          opened={boardGraph.isOpen}
          record={record}
          onClose={() => setBoardGraph({ ...boardGraph, isOpen: false })}
        >
          {(opened, kept) => (
            <AddToBoardDialog
              opened={opened}
              record={kept}
              graph={boardGraph.graph}
              onClose={() => setBoardGraph({ ...boardGraph, isOpen: false })}
            />
          )}
        </AskAboutCell>
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

type StartSearch = (filters: SearchFilters, viewMode: ViewMode, summaries: readonly StoredSummary[]) => void;

/** Opens another search of the same dataset, with summaries; in the graphs view it copies these graphs. */
function useStartSearch({ id, datasetDescription, added }: SearchRecord): StartSearch {
  const navigate = useNavigate();
  const ignoreRepeated = useSinglePress();
  const start = useCallback(
    (...[filters, viewMode, summaries]: Parameters<StartSearch>) => {
      const graphs = graphsIn(id);
      const slices = withSlice({}, summariesExtension, summaries);
      const newSearchId = openSearches.start(datasetDescription, filters, { isSample: false, viewMode, added, slices });
      if (viewMode === "graphs")
        for (const graph of graphs) openGraphs.save(newSearchId, definitionOf(graph), { id: null, hasWarned: true });
      const record = findRecord(newSearchId);
      if (record) void navigate({ to: "/search/$searchId", params: { searchId: newSearchId }, hash: searchFragment(record) });
    },
    [id, datasetDescription, added, navigate],
  );
  return useCallback<StartSearch>((...search) => ignoreRepeated(() => start(...search)), [ignoreRepeated, start]);
}
