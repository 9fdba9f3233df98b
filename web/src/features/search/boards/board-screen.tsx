import { type Board, type BoardContent, boardLimits, boardPanel, type BoardPanel, type PanelContent } from "@fairway/contract/boards";
import { pluralize } from "@fairway/contract/counts";
import { newPanelPosition } from "@fairway/contract/panel-positions";
import { datasetKey } from "@fairway/contract/datasets";
import { Button, Select } from "@mantine/core";
import { IconCalendar } from "#ui/icons/calendar.ts";
import { IconLayoutDashboard } from "#ui/icons/layout-dashboard.ts";
import { IconPencil } from "#ui/icons/pencil.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconPolygon } from "#ui/icons/polygon.ts";
import { IconRefresh } from "#ui/icons/refresh.ts";
import { IconX } from "#ui/icons/x.ts";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useCallback, useMemo, useRef, useState } from "react";
import { z } from "zod";
import { openGraphs } from "#features/search/graphs/model/open-graphs.ts";
import { graphDefinition, summaryOf } from "@fairway/contract/charts/graph";
import { summariesExtension } from "#features/search/search-extensions.ts";
import { sliceOf, withSlice } from "#parts/search-model/search-extensions.ts";
import { utcText } from "@fairway/contract/utc-texts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { AreaDialog } from "#parts/area/islands.tsx";
import { TimeRangeDialog } from "#parts/filters/time-range-dialog.tsx";
import { openSearches } from "#parts/open-searches/store.ts";
import { type Narrowing, narrowingFragment, parseNarrowing } from "#parts/search-model/search-address.ts";
import type { TimeRangeFilter } from "#parts/search-model/search-record.ts";
import { timeRangeOf } from "#parts/search-model/time-range.ts";
import { sharingTexts } from "#parts/sharing/sharing.ts";
import { Badge } from "#ui/badge.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { RestoredNote, useKeptDraft } from "#ui/kept-draft.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { EmptyState } from "#ui/states.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { useHasBeen } from "#ui/use-has-been.ts";
import { sameContent, useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import AddPanelDialog from "./add-panel-dialog.tsx";
import { BoardActions, EditingActions } from "./board-actions.tsx";
import { contentOf, sharedOf, writtenAnew } from "./board-content.ts";
import { BoardGrid } from "./board-grid.tsx";
import { type BoardConflict, saveBoard } from "./board-save.ts";
import classes from "./boards.module.css";
import { BoardConflictDialog } from "./islands.ts";
import PanelDialog from "./panel-dialog.tsx";
import type { BoardContext } from "./panels/board-context.ts";
import { useBoardPrint } from "./use-board-print.ts";
import { useBoardRounds } from "./use-board-rounds.ts";

const typedBoard = z.object({ panels: z.array(boardPanel), version: z.int(), refreshMinutes: z.int().nullable() });

/** A board: what its panels share, and the panels. */
export function BoardScreen({ board }: { board: Board }) {
  const navigate = useNavigate();
  const scroller = useRef<HTMLDivElement>(null);
  const [shared, setShared] = useSharedFilters(board);
  const draftName = `board ${board.id}`;
  const kept = useKeptDraft(draftName, typedBoard);
  const [refreshMinutes, setRefreshMinutes] = useState(kept ? kept.refreshMinutes : board.content.refreshMinutes);
  /** The panels while they are edited. */
  const [draft, setDraft] = useState<readonly BoardPanel[] | null>(kept?.panels ?? null);
  /** The version that is edited; the board may be read again meanwhile. */
  const [editedVersion, setEditedVersion] = useState(kept?.version ?? board.version);
  const [edited, setEdited] = useState<BoardPanel | null>(null);
  const [isAdding, setAdding] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const [conflict, setConflict] = useState<BoardConflict | null>(null);
  const { round, nowMs, isLoading, onLoading, refresh } = useBoardRounds(refreshMinutes);
  const { isPrinting, print } = useBoardPrint(scroller);
  const panels = draft ?? board.content.panels;
  const mayEdit = board.can !== "view";

  const content = (): BoardContent => contentOf(shared, refreshMinutes, panels);
  const isDirty = draft !== null && !sameContent(content(), writtenAnew(board.content));
  useUnsavedChanges(isDirty, { draft: { name: draftName, value: { panels, version: editedVersion, refreshMinutes } } });

  const show = ({ content: shown }: Pick<Board, "content">) => {
    setShared(() => sharedOf(shown));
    setRefreshMinutes(shown.refreshMinutes);
  };
  const startEditing = (from: readonly BoardPanel[]) => {
    setDraft(from);
    setEditedVersion(board.version);
  };
  const add = (panel: PanelContent) => {
    const all = draft ?? [];
    setDraft([...all, { ...panel, id: crypto.randomUUID(), place: newPanelPosition(panel.kind, all) }]);
    setAdding(false);
    // Once it is drawn.
    requestAnimationFrame(() => scroller.current?.querySelector("[data-kind]:last-child")?.scrollIntoView({ block: "nearest" }));
  };
  const save = async () => {
    setSaving(true);
    const result = await saveBoard(board.id, content(), editedVersion);
    setSaving(false);
    if (result.kind === "failed") toastError("The board could not be saved", messagesOf(result.error).join(" "));
    else if (result.kind === "conflict") setConflict(result);
    else {
      setDraft(null);
      if (result.isMerged) show(result.board);
      toastSuccess(result.isMerged ? "Board saved, together with someone else's changes" : "Board saved");
    }
  };
  /** Goes on editing the newest version. */
  const resume = (from: BoardContent, version: number) => {
    setDraft(from.panels);
    setEditedVersion(version);
    show({ content: from });
    setConflict(null);
  };
  const openRows = useCallback<BoardContext["openRows"]>(
    (panel, { datasetDescription, filters, sort, visibleColumns, viewMode, added, slices }) => {
      const summary = panel.kind === "graph" ? summaryOf(panel.graph) : null;
      const summaries = sliceOf({ slices }, summariesExtension) ?? (summary ? [{ ...summary, id: panel.id }] : undefined);
      const all = withSlice(slices, summariesExtension, summaries);
      const id = openSearches.start(datasetDescription, filters, { isSample: false, sort, visibleColumns, viewMode, added, slices: all });
      const graph = panel.kind === "graph" ? graphDefinition.safeParse(panel.graph) : null;
      if (graph?.success) openGraphs.save(id, graph.data, { id: null, hasWarned: true });
      void navigate({ to: "/search/$searchId", params: { searchId: id } });
    },
    [navigate],
  );
  const context = useMemo<BoardContext>(
    () => ({
      shared,
      round,
      nowMs,
      loadsAll: isPrinting,
      onLoading,
      narrow: ({ startMs, endMs }) => setShared((now) => ({ ...now, timeRange: timeRangeOf(startMs, endMs) })),
      openRows,
    }),
    [shared, setShared, round, nowMs, isPrinting, onLoading, openRows],
  );
  const datasets = new Set(panels.flatMap((panel) => ("dataset" in panel ? [datasetKey(panel.dataset)] : [])));
  const subtitle = [
    `${pluralize(panels.length, "panel")}${datasets.size > 0 ? ` from ${pluralize(datasets.size, "dataset")}` : ""}`,
    ...(board.can === "own" ? [] : sharingTexts(board)),
    `updated ${utcText(nowMs)} UTC`,
  ].join(", ");

  return (
    <>
      <PageHeader
        title={board.name}
        subtitle={subtitle}
        isSubtitleLong
        badges={draft === null ? undefined : <Badge icon={IconPencil}>Editing</Badge>}
      >
        <div className={classes["actions"]}>
          {draft ? (
            <EditingActions
              isSaving={isSaving}
              canSave={isDirty}
              isFull={draft.length >= boardLimits.panels}
              onAddPanel={() => setAdding(true)}
              onAddText={() =>
                setEdited({ kind: "text", id: crypto.randomUUID(), title: "", text: "", place: newPanelPosition("text", draft) })
              }
              onCancel={() => {
                setDraft(null);
                show(board);
              }}
              onSave={() => void save()}
            />
          ) : (
            <BoardActions
              board={board}
              isLoading={isLoading}
              onRefresh={refresh}
              onEdit={() => startEditing(board.content.panels)}
              onFullScreen={() => void scroller.current?.requestFullscreen()}
              isPrinting={isPrinting}
              onPrint={print}
              onRestore={(restored) => {
                startEditing(restored.panels);
                show({ content: restored });
              }}
            />
          )}
        </div>
      </PageHeader>
      <SharedBar
        shared={shared}
        onChange={(changed) => setShared(() => changed)}
        refreshMinutes={refreshMinutes}
        onRefreshMinutes={setRefreshMinutes}
        isEditing={draft !== null}
      >
        {draft ? "Drag a panel by its handle, or move it with the arrow keys." : "Time and area apply to all panels that have them."}
      </SharedBar>
      <div ref={scroller} className={classes["scroller"]}>
        <RestoredNote when={kept !== undefined && draft !== null} />
        {board.description !== "" && <p className={classes["description"]}>{board.description}</p>}
        {panels.length === 0 ? (
          <EmptyState
            title="This board has no panels yet."
            icon={<IconLayoutDashboard size={24} stroke={1.5} aria-hidden />}
            action={
              mayEdit && (
                <Button
                  leftSection={<IconPlus size={16} aria-hidden />}
                  aria-haspopup="dialog"
                  onClick={() => {
                    if (draft === null) startEditing(panels);
                    setAdding(true);
                  }}
                >
                  Add a saved search
                </Button>
              )
            }
          >
            {mayEdit
              ? "Add a saved search, or open a search and choose “Add to Board” in its Actions or in the menu of a graph."
              : `${board.ownerState === "gone" ? "Its owner" : board.owner} has not added any.`}
          </EmptyState>
        ) : (
          <BoardGrid
            panels={panels}
            board={context}
            onChange={draft && setDraft}
            onEdit={setEdited}
            mayRemoveHidden={board.can === "own"}
          />
        )}
      </div>
      <BoardConflictDialog conflict={conflict} onClose={() => setConflict(null)} onResume={resume} />
      <AddPanelDialog opened={isAdding} onClose={() => setAdding(false)} onDone={add} />
      <PanelDialog
        panel={edited}
        draftName={`board panel ${board.id} ${panels.some(({ id }) => id === edited?.id) ? edited?.id : "new"}`}
        onClose={() => setEdited(null)}
        onDone={(panel) => {
          const all = draft ?? [];
          setDraft(all.some(({ id }) => id === panel.id) ? all.map((other) => (other.id === panel.id ? panel : other)) : [...all, panel]);
          setEdited(null);
        }}
      />
    </>
  );
}

/**
 * The filters that the panels share, as the address says or else as the board was saved. Changes are kept in the address, so that a link
 * and the way back from rows show the same.
 */
function useSharedFilters({ id, content }: Board): [Narrowing, (change: (now: Narrowing) => Narrowing) => void] {
  const navigate = useNavigate();
  const hash = useLocation({ select: (location) => location.hash });
  const [shared, setShared] = useState<Narrowing>(() => parseNarrowing(hash, Date.now()) ?? sharedOf(content));
  const change = useCallback(
    (next: (now: Narrowing) => Narrowing) => {
      const changed = next(shared);
      setShared(changed);
      const fragment = narrowingFragment(changed);
      const isSaved = fragment === narrowingFragment(sharedOf(content));
      void navigate({ to: "/boards/$boardId", params: { boardId: id }, hash: isSaved ? "" : fragment, replace: true, resetScroll: false });
    },
    [navigate, id, content, shared],
  );
  return [shared, change];
}

interface SharedBarProps {
  shared: Narrowing;
  onChange: (shared: Narrowing) => void;
  refreshMinutes: number | null;
  onRefreshMinutes: (minutes: number | null) => void;
  isEditing: boolean;
  children: ReactNode;
}

const intervals = [1, 5, 15, 30, 60];

/** The range of a button: without its times if it has whole days. */
function rangeLabel({ startMs, endMs, text, last }: TimeRangeFilter): string {
  const isOfDays = startMs !== null && endMs !== null && startMs % dayMs === 0 && (endMs + 1_000) % dayMs === 0;
  return isOfDays && !last ? `${dayText(startMs)} – ${dayText(endMs)} UTC` : text;
}

const dayMs = 86_400_000;
const dayText = (epochMs: number): string => utcText(epochMs)?.split(",")[0] ?? "";

/** Time range, area and how often the board is loaded again. */
function SharedBar({ shared, onChange, refreshMinutes, onRefreshMinutes, isEditing, children }: SharedBarProps) {
  const [dialog, setDialog] = useState<"time" | "area" | null>(null);
  const [hasTime, hasArea] = [useHasBeen(dialog === "time"), useHasBeen(dialog === "area")];
  const { timeRange, geospatial } = shared;
  const offered = refreshMinutes === null || intervals.includes(refreshMinutes) ? intervals : [...intervals, refreshMinutes];
  return (
    <div className={classes["bar"]} role="group" aria-label="What the panels share">
      <Button
        variant="default"
        leftSection={<IconCalendar size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setDialog("time")}
      >
        {timeRange ? rangeLabel(timeRange) : "Any time"}
      </Button>
      {timeRange && (
        <IconButton label="Clear time range" onClick={() => onChange({ ...shared, timeRange: null })}>
          <IconX size={16} aria-hidden />
        </IconButton>
      )}
      <Button
        variant="default"
        leftSection={<IconPolygon size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setDialog("area")}
      >
        {geospatial?.text ?? "Anywhere"}
      </Button>
      {geospatial && (
        <IconButton label="Clear area" onClick={() => onChange({ ...shared, geospatial: null })}>
          <IconX size={16} aria-hidden />
        </IconButton>
      )}
      <Select
        aria-label="Refresh"
        w={172}
        leftSection={<IconRefresh size={16} aria-hidden />}
        allowDeselect={false}
        data={[
          { value: "off", label: "On demand" },
          ...offered.map((minutes) => ({ value: String(minutes), label: `Every ${minutes} min` })),
        ]}
        value={refreshMinutes === null ? "off" : String(refreshMinutes)}
        onChange={(value) => onRefreshMinutes(value === null || value === "off" ? null : Number(value))}
      />
      <p data-editing={isEditing || undefined}>{children}</p>
      {hasTime && (
        <TimeRangeDialog
          opened={dialog === "time"}
          value={timeRange}
          extent={null}
          dataset={null}
          onClose={() => setDialog(null)}
          onDone={(range) => onChange({ ...shared, timeRange: range })}
        />
      )}
      {hasArea && (
        <AreaDialog
          opened={dialog === "area"}
          value={geospatial}
          onClose={() => setDialog(null)}
          onDone={(area) => onChange({ ...shared, geospatial: area })}
        />
      )}
    </div>
  );
}
