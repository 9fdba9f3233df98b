import type { FilterSupport } from "./datasets.ts";
import { moreOperator, type MoreOperator } from "./filters.ts";
import type { SearchFilter } from "./search.ts";

/** A filter of any form, as it is sent. */
type Criterion = Pick<SearchFilter, "name" | "operator" | "value">;

/** The parts of a search that can satisfy a dataset's required filters. Pre-filled filters count as well, because they are applied. */
export interface SearchCriteria {
  readonly filters: readonly Criterion[];
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
  const filters = [...support.preFilledFilters, ...criteria.filters];
  const alternatives = requiredOr(support);
  if (alternatives.length === 0) {
    return support.staticFilters
      .filter(({ name, required }) => required && !filters.some((filter) => fillsOneOf([name], filter)))
      .map(({ name, display }) => ({ kind: "field", name, display }));
  }
  const isSatisfied =
    (support.supportsTimeRange && criteria.timeRange) ||
    (support.supportsGeospatial && criteria.area) ||
    filters.some((filter) => fillsOneOf(alternatives, filter));
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

/**
 * Whether a filter narrows a search by one of the fields. Alternatives do if each of their lists does, because rows need to satisfy only
 * one of them.
 */
function fillsOneOf(fields: readonly string[], { name, operator, value }: Criterion): boolean {
  if (operator !== "any") return fields.includes(name) && hasValue(operator, value);
  return (
    Array.isArray(value) && value.length > 0 && value.every((list) => Array.isArray(list) && list.some((one) => fillsOneOf(fields, one)))
  );
}

/** The further operators whose values narrow a search to what they name. */
const naming: ReadonlySet<string> = new Set<MoreOperator>(["in", "between", "contains", "starts with"]);
const others: ReadonlySet<string> = new Set(moreOperator.options.filter((option) => !naming.has(option)));

/** A blank value means "any", and null asks for rows without one. */
const hasValue = (operator: string, value: Criterion["value"]): boolean =>
  !others.has(operator) && (Array.isArray(value) ? value.some(isFilled) : typeof value !== "object" && isFilled(value));

const isFilled = (value: unknown): boolean => value !== null && (typeof value !== "string" || value.trim() !== "");

const displayOf = ({ staticFilters, additionalFilters }: FilterSupport, name: string): string =>
  [...staticFilters, ...additionalFilters].find((filter) => filter.name === name)?.display ?? name;
