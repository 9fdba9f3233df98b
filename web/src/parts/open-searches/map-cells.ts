import type { Box } from "@fairway/contract/grid-cells";
import { withCellAsArea, withinCell } from "#parts/search-model/cell-filter.ts";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import { findRecord } from "./records.ts";
import { openSearches } from "./store.ts";

/** Sets the filters of a search and runs it again, such as with a message that it can be undone. */
type Apply = (filters: SearchFilters) => void;

/** Shows the rows of a cell as a table, with the cell as a filter that can be removed. `narrowed` adds to the filters of the search. */
export function showRowsWithin(
  searchId: string,
  box: Box,
  apply: Apply,
  narrowed: (filters: SearchFilters) => SearchFilters = (filters) => filters,
): void {
  const record = findRecord(searchId);
  if (!record) return;
  openSearches.setViewMode(searchId, "table");
  apply(withinCell(narrowed(record.filters), box));
}

/** Narrows the search to the box of a cell by an ordinary area, in place of the areas that it has. */
export function setAsArea(searchId: string, box: Box, apply: Apply): void {
  const record = findRecord(searchId);
  if (record) apply(withCellAsArea(record.filters, box));
}
