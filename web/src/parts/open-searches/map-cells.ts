import type { Box } from "@fairway/contract/grid-cells";
import { withCellAsArea, withinCell } from "#parts/search-model/cell-filter.ts";
import { searchFragment } from "#parts/search-model/search-address.ts";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import { findRecord } from "./records.ts";
import { openSearches } from "./store.ts";

/** Sets the filters of a search and runs it again, such as with a message that it can be undone. */
type Apply = (filters: SearchFilters) => void;

/**
 * Shows the rows of a cell as a table, with the cell as a filter that can be removed. `narrowed` adds to the filters of the search. `onStep`
 * is called before with the address's fragment of the table, for an entry of the history.
 */
export function showRowsWithin(
  searchId: string,
  box: Box,
  { apply, narrowed, onStep }: { apply: Apply; narrowed: (filters: SearchFilters) => SearchFilters; onStep: (fragment: string) => void },
): void {
  const record = findRecord(searchId);
  if (!record) return;
  const filters = withinCell(narrowed(record.filters), box);
  onStep(searchFragment({ ...record, viewMode: "table", filters }));
  openSearches.setViewMode(searchId, "table");
  apply(filters);
}

/** Narrows the search to the box of a cell by an ordinary area, in place of the areas that it has. */
export function setAsArea(searchId: string, box: Box, apply: Apply): void {
  const record = findRecord(searchId);
  if (record) apply(withCellAsArea(record.filters, box));
}
