import { isNumeric, isTimestamp } from "@fairway/contract/columns";
import { aggregationType } from "@fairway/contract/search";
import type { Aggregation } from "#query/engine.ts";
import { type Problems, quoted } from "./problems.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import { plainColumn } from "./validate-filters.ts";

/**
 * An aggregate that fits its dataset. Problems are told at `column` and `at`, the name of what says which aggregation it is.
 */
export function validAggregation(
  dataset: SearchableDataset,
  what: { readonly aggregation: string; readonly column: string },
  at: "aggregationType" | "aggregation",
  problems: Problems,
): Aggregation | undefined {
  const parsed = aggregationType.safeParse(what.aggregation);
  if (!parsed.success) {
    const known = aggregationType.options.join(", ");
    return problems.add("unknown-aggregation", `There is no aggregation ${quoted(what.aggregation)}; there are ${known}.`, at);
  }
  const type = parsed.data;
  if (what.column === "*") {
    if (type !== "count") return problems.add("not-supported", `${type} needs a column; only count goes over *.`, "column");
    if (!dataset.queryable.features.has("COUNT")) return problems.add("not-supported", "The rows of this dataset cannot be counted.");
    return { type, column: "*" };
  }
  const column = plainColumn(dataset, what.column, "column", problems);
  if (column === undefined) return undefined;
  const fits = type === "count" || isNumeric(column.type) || (isTimestamp(column.type) && isRange(type));
  if (!fits) {
    return problems.add("not-supported", `${type} cannot be taken over ${quoted(what.column)}, which is ${column.type}.`, "column");
  }
  return { type, column: column.name };
}

const isRange = (type: string): boolean => type === "min" || type === "max";
