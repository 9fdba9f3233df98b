import { datasetDescription, type DatasetDescription } from "@fairway/contract/datasets";
import { searchColumns } from "@fairway/contract/derived-columns";
import { sortKey } from "@fairway/contract/search";
import { viewModes } from "@fairway/contract/search-address";
import { z } from "zod";
import { storedArea } from "#parts/search-model/area-filter.ts";
import { storedCell } from "#parts/search-model/cell-filter.ts";
import { storedFilter } from "#parts/search-model/form-filter.ts";
import { storedTimeRange } from "#parts/search-model/time-range.ts";
import { storedSlices } from "#parts/search-model/search-extensions.ts";
import type { SearchDefinition, SearchRecord } from "#parts/search-model/search-record.ts";

/** Open searches as stored in the tab across reloads: definitions without rows, each description once. */
const stored = z.object({
  descriptions: z.array(datasetDescription),
  searches: z.array(
    // Loose: slices of the views are stored next to these properties.
    z.looseObject({
      id: z.string().min(1),
      timestamp: z.number(),
      /** Index into `descriptions`. */
      dataset: z.int().min(0),
      isSample: z.boolean(),
      filters: z.object({
        geospatial: storedArea.nullable(),
        within: storedCell.optional(),
        timeRange: storedTimeRange.nullable(),
        dynamic: z.array(storedFilter),
      }),
      sort: z.array(sortKey),
      visibleColumns: z.array(z.string()).nullable(),
      viewMode: z.enum(viewModes),
      added: searchColumns.optional(),
    }),
  ),
  closedIds: z.array(z.string()),
});

export function storedSearches(records: readonly SearchRecord[], closedIds: readonly string[]): z.input<typeof stored> {
  const descriptions: DatasetDescription[] = [];
  const searches = records.map(
    ({ id, timestamp, datasetDescription, isSample, filters, sort, visibleColumns, viewMode, added, slices }) => ({
      id,
      timestamp,
      dataset: internDescription(datasetDescription, descriptions),
      isSample,
      filters: {
        geospatial: filters.geospatial,
        ...(filters.within && { within: filters.within }),
        timeRange: filters.timeRange,
        dynamic: [...filters.dynamic],
      },
      sort: [...sort],
      visibleColumns: visibleColumns && [...visibleColumns],
      viewMode,
      ...(added === undefined ? {} : { added }),
      ...storedSlices(slices),
    }),
  );
  return { descriptions, searches, closedIds: [...closedIds] };
}

/** Empty when the stored value has an unknown shape, as after an update. */
export function restoredSearches(value: unknown): { searches: SearchDefinition[]; closedIds: string[] } {
  const parsed = stored.safeParse(value);
  if (!parsed.success) return { searches: [], closedIds: [] };
  const { descriptions, closedIds } = parsed.data;
  const searches = parsed.data.searches.flatMap((search) => {
    const { id, timestamp, dataset, isSample, filters, sort, visibleColumns, viewMode, added } = search;
    const datasetDescription = descriptions[dataset];
    if (!datasetDescription) return [];
    return [
      {
        id,
        timestamp,
        datasetDescription,
        isSample,
        filters,
        sort,
        visibleColumns,
        viewMode,
        ...(added === undefined ? {} : { added }),
        slices: storedSlices(search),
      },
    ];
  });
  return { searches, closedIds };
}

function internDescription(description: DatasetDescription, descriptions: DatasetDescription[]): number {
  const index = descriptions.indexOf(description);
  return index >= 0 ? index : descriptions.push(description) - 1;
}
