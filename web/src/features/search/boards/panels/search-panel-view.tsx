import type { DatasetDescription } from "@fairway/contract/datasets";
import type { Summary } from "@fairway/contract/summaries";
import { Button } from "@mantine/core";
import { IconX } from "#ui/icons/x.ts";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { useIsSeen } from "#lib/browser/use-is-seen.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { useSearchDescription } from "#parts/open-searches/describe-search.ts";
import { filterTexts, timeTexts } from "#parts/open-searches/search-summary.ts";
import { sliceOf, withSlice } from "#parts/search-model/search-extensions.ts";
import { NoRows } from "#parts/reader-part/no-rows.tsx";
import { PartOfRows } from "#parts/reader-part/part-of-rows.tsx";
import type { SearchFilters, SearchRecord } from "#parts/search-model/search-record.ts";
import { mapExtension, summariesExtension } from "#features/search/search-extensions.ts";
import { canFilterByGroup, filtersOfGroup } from "#features/search/graphs/model/graph-search.ts";
import type { Group } from "@fairway/contract/charts/graph";
import { encodeViewState, parseViewState } from "#features/search/map/model/map-view-state.ts";
import type { DrawnMap } from "#features/search/map/recording/report-frame.ts";
import type { MapItem, MapItemList } from "#features/search/map/model/map-items.ts";
import { bucketSizeText } from "#features/search/results/time-histogram/bucket-text.ts";
import { columnFilter } from "#parts/search-model/filter-list.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { ErrorState } from "#ui/states.tsx";
import { panelSearch, type PanelSearch, type SearchPanel } from "./panel-search.ts";
import type { PickedPlace } from "./picked-place.ts";
import { usePanelData } from "./use-panel-data.ts";
import type { BoardContext } from "./board-context.ts";
import { PanelBody } from "./panel-body.tsx";
import { PanelFrame, type FrameProps } from "./panel-frame.tsx";
import { PanelMenu } from "./panel-menu.tsx";
import classes from "./panels.module.css";

interface Props extends Omit<FrameProps, "title" | "subtitle" | "isBusy" | "mark" | "menu" | "children"> {
  panel: SearchPanel;
  board: BoardContext;
}

/** A part of a panel that was pressed: what to open, and the time to which the board can be narrowed. */
interface Pressed {
  label: string;
  /** Null if a search cannot have its rows. */
  filters: SearchFilters | null;
  time: { startMs: number; endMs: number } | null;
}

/** Columns of the grid: narrower panels keep their room for the title. */
const shortMarkBelow = 6;

/** Which rows a panel shows of its dataset; those of the board, which stand above all panels, only where the board has none. */
const conditionTexts = (record: SearchRecord, hasOwnRange: boolean): string[] => [
  ...filterTexts(record),
  ...(hasOwnRange && record.filters.timeRange ? timeTexts(record.filters) : []),
];

/** A panel with its search, which runs once the panel is in view. */
export function SearchPanelView({ panel, board, ...frame }: Props) {
  const { frameRef, isSeen } = useIsSeen();
  const isWanted = isSeen || board.loadsAll;
  const { datasetCategory, datasetId } = panel.dataset;
  const described = useQuery({ ...describeQuery(datasetCategory, datasetId), enabled: isWanted });
  const description = useSearchDescription(described.data, panel.query) ?? null;
  const { round, nowMs, shared, onLoading } = board;
  const search = useMemo(() => description && panelSearch(panel, description, shared, nowMs), [panel, description, shared, nowMs]);
  const hasNoRows = description?.access?.rows === "none";
  const state = usePanelData(panel, search, { isWanted: isWanted && !hasNoRows, round, onLoading });
  const [pressed, setPressed] = useState<Pressed | null>(null);
  const [map, setMap] = useState<DrawnMap | null>(null);
  const [rowsCsv, setRowsCsv] = useState<(() => string) | null>(null);
  const failure = described.error ? messagesOf(described.error) : description !== null && search === null ? unreadable : null;
  return (
    <PanelFrame
      {...frame}
      frameRef={frameRef}
      title={panel.title}
      subtitle={[
        datasetId,
        ...(state.trend ? [`per ${bucketSizeText(state.trend)}`] : []),
        ...(search ? [...conditionTexts(search.record, shared.timeRange === null), ...search.notes] : []),
      ].join(" · ")}
      isBusy={state.startedMs !== null}
      mark={<PartOfRows access={description?.access} isShort={panel.place.w < shortMarkBelow} />}
      menu={
        search && (
          <PanelMenu
            panel={panel}
            record={search.record}
            data={state.data}
            map={map}
            rowsCsv={rowsCsv}
            onOpenRows={() => board.openRows(panel, search.record)}
          />
        )
      }
    >
      {failure !== null ? (
        <ErrorState
          message="The panel could not be loaded"
          details={failure}
          {...(described.error && { onRetry: () => void described.refetch() })}
        />
      ) : (
        search &&
        description &&
        (hasNoRows ? (
          <NoRows dataset={description} />
        ) : (
          <>
            <PanelBody
              title={panel.title}
              record={search.record}
              state={state}
              isOutside={search.isOutside}
              onGroup={(group) => setPressed(pressedGroup(description, search, group))}
              onSearch={(filters, summary) => board.openRows(panel, searchOf(search.record, filters, summary))}
              onItem={(item) => state.data?.kind === "map" && setPressed(pressedItem(description, search, state.data.list, item))}
              onPlace={(place) => board.openRows(panel, searchAt(search.record, place))}
              onMap={setMap}
              onCsv={(csv) => setRowsCsv(() => csv)}
            />
            {pressed && (
              <PressedBar
                pressed={pressed}
                onNarrow={(time) => board.narrow(time)}
                onOpen={(filters) => board.openRows(panel, { ...search.record, filters, viewMode: "table" })}
                onClose={() => setPressed(null)}
              />
            )}
          </>
        ))
      )}
    </PanelFrame>
  );
}

function searchOf(record: SearchRecord, filters: SearchFilters, summary: Summary | null): SearchRecord {
  if (summary === null) return { ...record, filters, viewMode: "table" };
  return { ...record, filters, viewMode: "graphs", slices: withSlice(record.slices, summariesExtension, [{ ...summary, id: record.id }]) };
}

/** The map of the search, with a place in its middle, whose cell is selected. */
function searchAt(record: SearchRecord, { cell, center, zoom }: PickedPlace): SearchRecord {
  const { mapView } = record.datasetDescription;
  const state = parseViewState(sliceOf(record, mapExtension), mapView);
  const slice = encodeViewState({ ...state, view: { ...center, zoom }, rows: { ...state.rows, selected: cell } }, mapView);
  return { ...record, viewMode: "map", slices: withSlice(record.slices, mapExtension, slice) };
}

const unreadable = ["This panel’s search cannot be read."];

function pressedGroup(description: DatasetDescription, { record }: PanelSearch, group: Group): Pressed {
  const canSearch = canFilterByGroup(description, group);
  return { label: group.label, filters: canSearch ? filtersOfGroup(description, record.filters, group) : null, time: group.time };
}

function pressedItem(description: DatasetDescription, { record }: PanelSearch, { fields }: MapItemList, item: MapItem): Pressed {
  const { filters } = record;
  const canFilter = description.filterSupport.supportsAdvancedFiltering && item.group !== null;
  const condition = { ...columnFilter(fields.group, filters.dynamic), value: item.group };
  return { label: item.name, filters: canFilter ? { ...filters, dynamic: [...filters.dynamic, condition] } : null, time: null };
}

interface PressedBarProps {
  pressed: Pressed;
  onNarrow: (time: NonNullable<Pressed["time"]>) => void;
  onOpen: (filters: SearchFilters) => void;
  onClose: () => void;
}

/** Actions on the part of a panel that was pressed. */
function PressedBar({ pressed, onNarrow, onOpen, onClose }: PressedBarProps) {
  const { label, time, filters } = pressed;
  return (
    <div className={classes["pressed"]} role="group" aria-label={`Selected: ${label}`}>
      <strong>{label}</strong>
      {time && (
        <Button variant="subtle" onClick={() => onNarrow(time)}>
          Set as time range
        </Button>
      )}
      {filters && (
        <Button variant="subtle" onClick={() => onOpen(filters)}>
          Open rows
        </Button>
      )}
      <IconButton label="Clear selection" onClick={onClose}>
        <IconX size={16} aria-hidden />
      </IconButton>
    </div>
  );
}
