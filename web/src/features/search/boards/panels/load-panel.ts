import { type BreakdownAnswer, breakdowns } from "@fairway/contract/breakdowns";
import { isTimestamp } from "@fairway/contract/columns";
import type { Box } from "@fairway/contract/grid-cells";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { TimeBucket, TimeDistribution } from "@fairway/contract/distributions";
import { search } from "@fairway/contract/search";
import type { ResultRow } from "@fairway/contract/search";
import type { Summary } from "@fairway/contract/summaries";
import { fetchGraph, singleValue } from "#features/search/graphs/model/graph-calls.ts";
import { groupedRange } from "@fairway/contract/charts/graph-groups";
import { newGraph } from "#features/search/graphs/model/graph-store.ts";
import { graphProblems, readGraph } from "#features/search/graphs/model/graph-validity.ts";
import { type Graph, graphDefinition, type GraphValue, summaryOf } from "@fairway/contract/charts/graph";
import { planFor } from "#features/search/graphs/model/open-graphs.ts";
import { askOverTime } from "#features/search/results/distributions/calls.ts";
import { fetchItems, fetchTracks } from "#features/search/map/model/map-calls.ts";
import { type MapItemList, mapItemsOf } from "#features/search/map/model/map-items.ts";
import { parseViewState } from "#features/search/map/model/map-view-state.ts";
import { markColumnsOf } from "#features/search/map/model/mark-choice.ts";
import { colorColumnNamed } from "#features/search/map/model/marks.ts";
import { mapExtension } from "#features/search/search-extensions.ts";
import { sliceOf } from "#parts/search-model/search-extensions.ts";
import { type Tracks, tracksOf } from "#features/search/map/model/tracks.ts";
import { cellSetOf, extentOfCells } from "#features/search/map/rows/cell-set.ts";
import { countingProblem } from "#features/search/map/model/countable.ts";
import { worldCallLevel } from "#features/search/map/rows/grid-level.ts";
import { type AskGrid, askGridOf } from "#features/search/map/rows/grid-call.ts";
import { call } from "#lib/gateway/call.ts";
import { logFailure } from "#lib/browser/log.ts";
import { currentLimits } from "#lib/gateway/portal-settings.ts";
import { fetchRows, pageRows } from "#parts/open-searches/search-api.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { callSlots } from "./call-slots.ts";
import type { SearchPanel } from "./panel-search.ts";

/** Data of a panel. */
export type PanelData =
  | { kind: "graph"; graph: Graph }
  | { kind: "summary"; summary: Summary; answer: BreakdownAnswer }
  | { kind: "number"; value: GraphValue }
  | { kind: "table"; rows: readonly ResultRow[] }
  | { kind: "map"; list: MapItemList; isCut: boolean; tracks: Tracks }
  | RowsOnMap;

/** All rows of a panel on a map: how its box is counted, which the panel asks for once it is drawn. */
export interface RowsOnMap {
  readonly kind: "rows";
  /** The box with all placed rows, which the map fits; null where the panel has a view of its own, and without rows. */
  readonly extent: Box | null;
  readonly isEmpty: boolean;
  /** One more call in turn. */
  readonly ask: AskGrid;
}

/** A panel that cannot be shown, with the reason for the reader. Another attempt ends the same. */
export class UnusablePanel extends Error {
  override name = "UnusablePanel";
}

/** Limits a board to six concurrent calls. */
const inTurn = callSlots(6);

/** Loads a panel, as one call at a time. Rejects with UnusablePanel, like the calls, or with the signal's reason. */
export function loadPanel(panel: SearchPanel, record: SearchRecord, signal: AbortSignal): Promise<PanelData> {
  return inTurn(() => load(panel, record, signal), signal);
}

/**
 * How the rows that a number counts lie over time, as one more call in turn. Null if the panel has none, or if the call fails: the
 * number stands for itself.
 */
export async function loadTrend(panel: SearchPanel, record: SearchRecord, signal: AbortSignal): Promise<TimeDistribution | null> {
  if (!countsRows(panel) || !hasTimes(record.datasetDescription)) return null;
  try {
    const trend = await inTurn(() => askOverTime(record, signal), signal);
    return trend.buckets.length > 1 ? withFewBuckets(trend) : null;
  } catch (error) {
    if (!signal.aborted) logFailure("The trend of a panel could not be loaded", error);
    return null;
  }
}

/** More would be noise on so little room. */
const trendBuckets = 32;

/** Neighbors are added up, so that the last bucket is a whole one. */
function withFewBuckets(trend: TimeDistribution): TimeDistribution {
  const { buckets, size } = trend;
  const each = Math.ceil(buckets.length / trendBuckets);
  if (each === 1) return trend;
  const merged: TimeBucket[] = [];
  for (let end = buckets.length; end > 0; end -= each) {
    const part = buckets.slice(Math.max(0, end - each), end);
    const [first, last] = [part[0], part.at(-1)];
    if (first && last) merged.unshift({ ...first, endMs: last.endMs, rows: part.reduce((sum, { rows }) => sum + rows, 0) });
  }
  return { ...trend, size: size * each, buckets: merged };
}

const countsRows = (panel: SearchPanel): boolean =>
  panel.kind === "number" && panel.value.aggregation === "count" && panel.value.column === "*";

function hasTimes({ temporalField, schema, assists, filterSupport }: DatasetDescription): boolean {
  const column = schema.columns.find(({ name }) => name === temporalField);
  return column !== undefined && isTimestamp(column.type) && assists.includes("PROFILE") && filterSupport.supportsTimeRange;
}

async function load(panel: SearchPanel, record: SearchRecord, signal: AbortSignal): Promise<PanelData> {
  const { datasetDescription: description } = record;
  const params = { category: description.category.id, datasetId: description.datasetId };
  switch (panel.kind) {
    case "graph": {
      const summary = summaryOf(panel.graph);
      if (summary !== null) {
        const body = { ...summary.breakdown, search: countDataOf(record), totals: true };
        return { kind: "summary", summary, answer: await call(breakdowns.run, { params, body }, { signal }) };
      }
      const definition = readDefinition(panel, record);
      const plan = planFor(definition, record);
      const data = await fetchGraph(params, { ...plan, inOneCall: true }, { signal, onProgress: () => {}, maxInFlight: 1 });
      const graph = newGraph({ ...definition, id: panel.id, hasShownLargeGroupingWarning: true, isCancelled: false }, record);
      return { kind: "graph", graph: { ...graph, data } };
    }
    case "number": {
      const { aggregation, column } = panel.value;
      const body = countDataOf(record);
      return {
        kind: "number",
        value: singleValue(await call(search.aggregate, { params: { ...params, aggregationType: aggregation, column }, body }, { signal })),
      };
    }
    case "table": {
      const { rows } = await fetchRows(record, { offset: 0, max: pageRows() }, signal);
      return { kind: "table", rows };
    }
    case "map": {
      if (panel.show === "rows") return rowsOnMap(panel, record, signal);
      const { rows, truncated } = await fetchItems(record, signal);
      const list = mapItemsOf(description, rows);
      if (list === null) throw new UnusablePanel("These rows cannot be displayed on a map.");
      const { colorColumn } = markColumnsOf(parseViewState(sliceOf(record, mapExtension)), description);
      const colored = colorColumnNamed(colorColumn, description.schema.columns, list.fields);
      const values = colored === undefined ? [] : [colored.name];
      const tracks = panel.tracks === true ? tracksOf((await fetchTracks(record, signal, values)).rows, list.fields, colored) : noTracks;
      return { kind: "map", list, isCut: truncated, tracks };
    }
    default:
      return panel satisfies never;
  }
}

const noTracks: Tracks = new Map();

/** A panel with a view needs no call before its box is known. */
async function rowsOnMap({ view }: SearchPanel & { kind: "map" }, record: SearchRecord, signal: AbortSignal): Promise<RowsOnMap> {
  const { datasetDescription: description } = record;
  const problem = countingProblem(description);
  if (problem !== null) throw new UnusablePanel(problem);
  const grid = askGridOf(record);
  const ask: AskGrid = (request, of) => inTurn(() => grid(request, of), of);
  if (view !== undefined) return { kind: "rows", extent: null, isEmpty: false, ask };
  const world = await grid({ level: worldCallLevel(currentLimits().gridCells) }, signal);
  const extent = world.kind === "cells" ? extentOfCells(cellSetOf(world, null)) : null;
  return { kind: "rows", extent, isEmpty: extent === null, ask };
}

function readDefinition({ graph }: SearchPanel & { kind: "graph" }, { datasetDescription: description, filters }: SearchRecord) {
  const parsed = graphDefinition.safeParse(graph);
  if (!parsed.success) throw new UnusablePanel("This graph cannot be read.");
  const definition = readGraph(parsed.data, description);
  const [problem] = graphProblems(definition, { description, range: groupedRange(filters, description), limits: currentLimits() });
  if (problem !== undefined) throw new UnusablePanel(problem);
  return definition;
}
