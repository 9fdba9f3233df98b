import { formatCount } from "@fairway/contract/counts";
import type { TimeDistribution } from "@fairway/contract/distributions";
import { Button } from "@mantine/core";
import { IconPlayerStop } from "#ui/icons/player-stop.ts";
import { useMemo } from "react";
import { GraphBody } from "#features/search/graphs/graph-body.tsx";
import { modelOf } from "@fairway/contract/charts/graph-model";
import type { Graph, Group } from "@fairway/contract/charts/graph";
import type { DrawnMap } from "#features/search/map/recording/report-frame.ts";
import type { MapItem } from "#features/search/map/model/map-items.ts";
import { coarseColumnsOf } from "#parts/reader-part/coarse-columns.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { Elapsed } from "#ui/elapsed.tsx";
import { island } from "#ui/island.tsx";
import { EmptyState, ErrorState, useDelayElapsed } from "#ui/states.tsx";
import type { PanelData } from "./load-panel.ts";
import { shownColumns, shownTimeMs } from "./panel-search.ts";
import type { PickedPlace } from "./picked-place.ts";
import classes from "./panels.module.css";
import type { OpenPanelSearch } from "./summary-panel.tsx";
import Sparkline from "./sparkline.tsx";
import TablePanel from "./table-panel.tsx";
import type { PanelState } from "./use-panel-data.ts";

const SummaryPanel = island(() => import("./summary-panel.tsx"));
const MapPanel = island(() => import("./map-panel.tsx"), { isLarge: true });
const RowsMapPanel = island(() => import("./rows-map-panel.tsx"), { isLarge: true });

interface Props {
  title: string;
  record: SearchRecord;
  state: PanelState;
  /** Whether the board's time range leaves nothing to search. */
  isOutside: boolean;
  onGroup: (group: Group) => void;
  /** Opens a search for rows of the panel: in its table, or with a summary. */
  onSearch: OpenPanelSearch;
  onItem: (item: MapItem) => void;
  /** A map of all rows was pressed. */
  onPlace: (place: PickedPlace) => void;
  /** Told the map of a panel once it is drawn, and null when it is gone. */
  onMap: (map: DrawnMap | null) => void;
  /** Writes what a map of all rows shows as CSV; null until there is something, and when it is gone. */
  onCsv: (csv: (() => string) | null) => void;
}

/** Content of a panel, or the state in its place. */
export function PanelBody({ title, record, state, isOutside, ...on }: Props) {
  const { data, trend, startedMs, failure, canRetry, isCancelled, load, cancel } = state;
  if (isOutside) return <EmptyState>The board’s time range doesn’t overlap this panel’s.</EmptyState>;
  if (failure !== null) {
    return <ErrorState message="The panel could not be loaded" details={failure} {...(canRetry && { onRetry: load })} />;
  }
  if (isCancelled && data === null) {
    return (
      <EmptyState
        icon={<IconPlayerStop size={24} stroke={1.5} aria-hidden />}
        action={
          <Button variant="default" onClick={load}>
            Load panel
          </Button>
        }
      >
        Loading was canceled.
      </EmptyState>
    );
  }
  if (data === null) return <Loading title={title} startedMs={startedMs} onCancel={cancel} />;
  return <Shown title={title} record={record} data={data} trend={trend} {...on} />;
}

function Loading({ title, startedMs, onCancel }: { title: string; startedMs: number | null; onCancel: () => void }) {
  const isLate = useDelayElapsed();
  return (
    <div className={classes["loading"]} role="status" aria-label={`Loading ${title}`} data-late={isLate || undefined}>
      {startedMs !== null && <Elapsed text="Loading" startedMs={startedMs} onCancel={onCancel} />}
    </div>
  );
}

interface ShownProps extends Omit<Props, "state" | "isOutside"> {
  data: PanelData;
  trend: TimeDistribution | null;
}

function Shown({ title, record, data, trend, onGroup, onSearch, onItem, onPlace, onMap, onCsv }: ShownProps) {
  switch (data.kind) {
    case "graph":
      return <GraphPanel record={record} graph={data.graph} onGroup={onGroup} />;
    case "summary":
      return <SummaryPanel title={title} record={record} summary={data.summary} answer={data.answer} onSearch={onSearch} />;
    case "number":
      return (
        <div className={classes["number"]}>
          <p>{data.value === null ? "–" : formatNumber(data.value)}</p>
          {trend && <Sparkline trend={trend} />}
        </div>
      );
    case "table":
      return (
        <TablePanel title={title} columns={shownColumns(record)} rows={data.rows} coarse={coarseColumnsOf(record.datasetDescription)} />
      );
    case "map": {
      const { list, tracks } = data;
      if (list.items.length === 0) return <EmptyState>No items.</EmptyState>;
      return (
        <MapPanel
          title={title}
          record={record}
          list={list}
          tracks={tracks}
          endMs={shownTimeMs(record, list)}
          onPick={onItem}
          onMap={onMap}
        />
      );
    }
    case "rows":
      if (data.isEmpty) return <EmptyState>No rows with a location.</EmptyState>;
      return <RowsMapPanel title={title} record={record} data={data} onPick={onPlace} onMap={onMap} onCsv={onCsv} />;
    default:
      return data satisfies never;
  }
}

function GraphPanel({ record, graph, onGroup }: { record: SearchRecord; graph: Graph; onGroup: (group: Group) => void }) {
  const { columns } = record.datasetDescription.schema;
  const model = useMemo(() => modelOf(graph, columns), [graph, columns]);
  if (model === null) return null;
  return (
    <div className={classes["graph"]}>
      <GraphBody graph={graph} model={model} shown="chart" coarse={coarseColumnsOf(record.datasetDescription)} onGroup={onGroup} />
    </div>
  );
}

const decimals = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** Integers beyond 2^53 come as text. */
const formatNumber = (value: number | string): string =>
  typeof value === "string" ? BigInt(value).toLocaleString("en-US") : Number.isInteger(value) ? formatCount(value) : decimals.format(value);
