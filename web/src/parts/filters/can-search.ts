import type { DatasetDescription } from "@fairway/contract/datasets";
import { missingFilterHint } from "@fairway/contract/required-filters";
import type { SearchFilters } from "#parts/search-model/search-record.ts";

/** Whether Search is enabled, by the rule that the server refuses by too, and the reason beside the button when it is not. */
export function canSearch({ filterSupport }: DatasetDescription, filters: SearchFilters): { enabled: boolean; hint: string | null } {
  const hint = missingFilterHint(filterSupport, {
    filters: filters.dynamic,
    timeRange: filters.timeRange !== null,
    area: filters.geospatial !== null,
  });
  return { enabled: hint === null, hint };
}
