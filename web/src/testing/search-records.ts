import { newRecord, type SearchDefinition, type SearchRecord } from "#parts/search-model/search-record.ts";
import { buildDescription } from "./dataset-builders.ts";

/** A search without filters that was not run yet. */
export const buildRecord = (definition: Partial<SearchDefinition> = {}, state: Partial<SearchRecord> = {}): SearchRecord => ({
  ...newRecord({
    id: "1",
    timestamp: 0,
    datasetDescription: buildDescription(),
    isSample: false,
    filters: { geospatial: null, timeRange: null, dynamic: [] },
    sort: [],
    visibleColumns: null,
    viewMode: "table",
    slices: {},
    ...definition,
  }),
  ...state,
});
