import type { FilterSupport, FilterValue } from "./datasets.ts";

/** What of a search counts towards the filters that a dataset requires. Pre-filled filters count: they are applied too. */
export interface NarrowedBy {
  readonly filters: readonly { readonly name: string; readonly value: FilterValue }[];
  readonly timeRange: boolean;
  readonly area: boolean;
}

/**
 * The hint why a search cannot run yet, null when it can. requiredOrFields wins over required static filters. The browser
 * disables Search by it, the server refuses by it.
 */
export function missingFilterHint(support: FilterSupport, by: NarrowedBy): string | null {
  const filled = new Set([...support.preFilledFilters, ...by.filters].filter(hasValue).map(({ name }) => name));
  const oneOf = requiredOr(support);
  if (oneOf.length > 0) {
    const met =
      (support.supportsTimeRange && by.timeRange) || (support.supportsGeospatial && by.area) || oneOf.some((name) => filled.has(name));
    return met ? null : `To perform a search, you must add one of the following filters: ${orNames(support).join(", ")}`;
  }
  const missing = support.staticFilters.filter((filter) => filter.required && !filled.has(filter.name));
  if (missing.length === 0) return null;
  return `To perform a search, you must fill in the following filters: ${missing.map(({ display }) => display).join(", ")}`;
}

/** Whether a search of the dataset must name a field: what a dataset group asks of each of its datasets. */
export const requiresAField = (support: FilterSupport): boolean =>
  requiredOr(support).length > 0 || support.staticFilters.some(({ required }) => required);

/** An empty list names nothing to choose from: it requires nothing, as null. */
const requiredOr = ({ requiredOrFields }: FilterSupport): readonly string[] => requiredOrFields ?? [];

/** A blank value means "any". */
const hasValue = ({ value }: { readonly value: FilterValue }): boolean => typeof value !== "string" || value.trim() !== "";

function orNames(support: FilterSupport): string[] {
  const offered = [...support.staticFilters, ...support.additionalFilters];
  return [
    ...(support.supportsTimeRange ? ["Time range"] : []),
    ...(support.supportsGeospatial ? ["Area"] : []),
    ...requiredOr(support).map((name) => offered.find((filter) => filter.name === name)?.display ?? name),
  ];
}
