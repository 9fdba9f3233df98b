import type { FilterSupport, FilterValue } from "./datasets.ts";

/** The parts of a search that can satisfy a dataset's required filters. Pre-filled filters count as well, because they are applied. */
export interface SearchCriteria {
  readonly filters: readonly { readonly name: string; readonly value: FilterValue | null }[];
  readonly timeRange: boolean;
  readonly area: boolean;
}

/** A part of a search that would satisfy its required filters, or one of them. */
export type MissingFilter =
  | { readonly kind: "timeRange" }
  | { readonly kind: "area" }
  | { readonly kind: "field"; readonly name: string; readonly display: string };

/** The parts of which the dataset requires one, or the fields of which it requires each. Empty if the search can run. */
export function missingFilters(support: FilterSupport, criteria: SearchCriteria): MissingFilter[] {
  const filled = new Set([...support.preFilledFilters, ...criteria.filters].filter(hasValue).map(({ name }) => name));
  const alternatives = requiredOr(support);
  if (alternatives.length === 0) {
    return support.staticFilters
      .filter(({ name, required }) => required && !filled.has(name))
      .map(({ name, display }) => ({ kind: "field", name, display }));
  }
  const isSatisfied =
    (support.supportsTimeRange && criteria.timeRange) ||
    (support.supportsGeospatial && criteria.area) ||
    alternatives.some((name) => filled.has(name));
  if (isSatisfied) return [];
  return [
    ...(support.supportsTimeRange ? [{ kind: "timeRange" } as const] : []),
    ...(support.supportsGeospatial ? [{ kind: "area" } as const] : []),
    ...alternatives.map((name) => ({ kind: "field", name, display: displayOf(support, name) }) as const),
  ];
}

/**
 * Explains why a search cannot run yet; null if it can. `requiredOrFields` takes precedence over required static filters. The
 * browser disables Search based on it, and the server refuses the search.
 */
export function missingFilterHint(support: FilterSupport, criteria: SearchCriteria): string | null {
  const missing = missingFilters(support, criteria);
  if (missing.length === 0) return null;
  const names = missing.map((part) => (part.kind === "field" ? part.display : partNames[part.kind])).join(", ");
  return requiredOr(support).length > 0
    ? `To perform a search, you must add one of the following filters: ${names}`
    : `To perform a search, you must fill in the following filters: ${names}`;
}

const partNames = { timeRange: "Time range", area: "Area" } as const;

/** Whether a search of the dataset must filter by a field. Dataset groups require this of each of their datasets. */
export const requiresAField = (support: FilterSupport): boolean =>
  requiredOr(support).length > 0 || support.staticFilters.some(({ required }) => required);

/** An empty list requires nothing, like null. */
const requiredOr = ({ requiredOrFields }: FilterSupport): readonly string[] => requiredOrFields ?? [];

/** A blank value means "any", and null asks for rows without one. */
const hasValue = ({ value }: { readonly value: FilterValue | null }): boolean =>
  value !== null && (typeof value !== "string" || value.trim() !== "");

const displayOf = ({ staticFilters, additionalFilters }: FilterSupport, name: string): string =>
  [...staticFilters, ...additionalFilters].find((filter) => filter.name === name)?.display ?? name;
