import type { DatasetDescription } from "@fairway/contract/datasets";
import { hasValue } from "#parts/open-searches/search-data.ts";
import type { SearchFilters } from "#parts/open-searches/search-record.ts";

export interface SearchPermission {
  enabled: boolean;
  /** What would enable Search, as people know it: one of them where `anyOf`, else all of them. Empty when enabled. */
  missing: readonly string[];
  anyOf: boolean;
}

/**
 * Whether Search is enabled. `requiredOrFields` wins: a time range or an area, where the dataset supports them, or a value in
 * one named field. Without it every required static filter needs a value. With neither, Search is enabled.
 */
export function canSearch(description: DatasetDescription, filters: SearchFilters): SearchPermission {
  const { requiredOrFields, supportsTimeRange, supportsGeospatial, staticFilters } = description.filterSupport;
  if (requiredOrFields && requiredOrFields.length > 0) {
    const met =
      (supportsTimeRange && filters.timeRange !== null) ||
      (supportsGeospatial && filters.geospatial !== null) ||
      filters.dynamic.some((filter) => requiredOrFields.includes(filter.name) && hasValue(filter));
    if (met) return { enabled: true, missing: [], anyOf: true };
    const missing = [
      ...(supportsTimeRange ? ["Time range"] : []),
      ...(supportsGeospatial ? ["Area"] : []),
      ...requiredOrFields.map((name) => displayOf(description, name)),
    ];
    return { enabled: false, missing, anyOf: true };
  }
  const missing = staticFilters
    .filter(({ id, required }) => required && !filters.dynamic.some((filter) => filter.id === id && hasValue(filter)))
    .map(({ display }) => display);
  return { enabled: missing.length === 0, missing, anyOf: false };
}

/** The reason beside the disabled button; null when Search is enabled. */
export function searchHint({ enabled, missing, anyOf }: SearchPermission): string | null {
  if (enabled) return null;
  return anyOf
    ? `To perform a search, you must add one of the following filters: ${missing.join(", ")}`
    : `To perform a search, fill in: ${missing.join(", ")}`;
}

function displayOf({ filterSupport }: DatasetDescription, name: string): string {
  const filters = [...filterSupport.staticFilters, ...filterSupport.additionalFilters, ...filterSupport.preFilledFilters];
  return filters.find((filter) => filter.name === name)?.display ?? name;
}
