import { datasetDescription, fieldFilter, type DatasetDescription } from "@fairway/contract/datasets";
import { sortKey } from "@fairway/contract/search";
import { z } from "zod";
import { storedArea } from "#parts/area/area-filter.ts";
import { storedTimeRange } from "#parts/filters/time-text.ts";
import { definitionOf, type StoredGraph, storedGraph } from "#parts/graphs/graph.ts";
import { codeOfPlace, placeCode, placeOfCode } from "#parts/map-results/map-place.ts";
import { type SearchDefinition, type SearchRecord, viewModes } from "./search-record.ts";

/** Open searches as this tab keeps them over a reload: definitions without rows, each description once. */
const stored = z.object({
  descriptions: z.array(datasetDescription),
  searches: z.array(
    z.object({
      id: z.string().min(1),
      timestamp: z.number(),
      /** Place in `descriptions`. */
      dataset: z.int().min(0),
      isSample: z.boolean(),
      filters: z.object({
        geospatial: storedArea.nullable(),
        timeRange: storedTimeRange.nullable(),
        dynamic: z.array(fieldFilter),
      }),
      sort: z.array(sortKey),
      visibleColumns: z.array(z.string()).nullable(),
      viewMode: z.enum(viewModes),
      map: placeCode.optional().catch(undefined),
      graphs: z.array(storedGraph).default([]),
    }),
  ),
  closedIds: z.array(z.string()),
});

export interface RestoredSearch extends SearchDefinition {
  graphs: readonly StoredGraph[];
}

export function storedSearches(records: readonly SearchRecord[], closedIds: readonly string[]): z.input<typeof stored> {
  const descriptions: DatasetDescription[] = [];
  const searches = records.map(({ id, timestamp, datasetDescription, isSample, filters, sort, visibleColumns, viewMode, map, graphs }) => ({
    id,
    timestamp,
    dataset: placeOf(datasetDescription, descriptions),
    isSample,
    filters: { geospatial: filters.geospatial, timeRange: filters.timeRange, dynamic: [...filters.dynamic] },
    sort: [...sort],
    visibleColumns: visibleColumns && [...visibleColumns],
    viewMode,
    map: map && codeOfPlace(map),
    graphs: graphs.map((graph) => ({
      ...definitionOf(graph),
      id: graph.id,
      hasShownLargeGroupingWarning: graph.hasShownLargeGroupingWarning,
      isCancelled: graph.isCancelled,
    })),
  }));
  return { descriptions, searches, closedIds: [...closedIds] };
}

/** Empty where the stored text is not ours, as after an update of the product. */
export function restoredSearches(value: unknown): { searches: RestoredSearch[]; closedIds: string[] } {
  const parsed = stored.safeParse(value);
  if (!parsed.success) return { searches: [], closedIds: [] };
  const { descriptions, closedIds } = parsed.data;
  const searches = parsed.data.searches.flatMap(({ dataset, map, ...search }) => {
    const description = descriptions[dataset];
    return description ? [{ ...search, datasetDescription: description, ...(map ? { map: placeOfCode(map) } : {}) }] : [];
  });
  return { searches, closedIds };
}

function placeOf(description: DatasetDescription, descriptions: DatasetDescription[]): number {
  const at = descriptions.indexOf(description);
  return at >= 0 ? at : descriptions.push(description) - 1;
}
