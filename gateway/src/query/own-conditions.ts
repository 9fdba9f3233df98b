import { type Column, isDay } from "@fairway/contract/columns";
import type { FieldFilter, FilterSupport, FilterValue } from "@fairway/contract/datasets";
import { parseFilterValue } from "@fairway/contract/filter-values";
import { type ComparisonCondition, type Condition, EngineFailed } from "./engine.ts";

type PlainColumn = Pick<Column, "name" | "type" | "day">;

/** The conditions that a dataset itself sets for every search of it. Throws EngineFailed if they do not fit its columns. */
export const ownConditionsOf = (
  columns: readonly PlainColumn[],
  { preFilledFilters }: Pick<FilterSupport, "preFilledFilters">,
): ComparisonCondition[] => preFilledFilters.map((filter) => ownCondition(columns, filter));

function ownCondition(columns: readonly PlainColumn[], filter: FieldFilter): ComparisonCondition {
  const column = columns.find(({ name }) => name === filter.name);
  if (column !== undefined && filter.value === null && (filter.operator === "=" || filter.operator === "<>")) {
    return { column: column.name, type: column.type, operator: filter.operator, value: null };
  }
  const { operator: own, value } = filter;
  const parsed = column === undefined || value === null ? { problem: "" } : parseFilterValue(column.type, value);
  if (column === undefined || value === null || "problem" in parsed) {
    throw new EngineFailed("failed", "The dataset's own filters do not fit its columns.", { cause: filter });
  }
  return { column: column.name, type: column.type, operator: own, value: parsed.value, ...furtherOf(column, value) };
}

/** Keeps every digit of a decimal that is sent as a string, and compares whole days where the column holds them. */
export const furtherOf = (column: PlainColumn, value: FilterValue): Pick<ComparisonCondition, "digits" | "day"> => ({
  ...(column.type === "decimal" && typeof value === "string" ? { digits: value } : {}),
  ...(isDay(column) ? { day: true } : {}),
});

/** Conditions as a part of the key of a cache. */
export const conditionsKey = (conditions: readonly Condition[]): string =>
  JSON.stringify(conditions, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
