import { isNumeric, isTimestamp } from "@fairway/contract/columns";
import { aggregationType } from "@fairway/contract/search";
import type { Aggregation } from "#query/engine.ts";
import { type Problems, quoted } from "./problems.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import { plainColumn } from "./validate-filters.ts";

/**
 * Validates an aggregation. Problems are reported at `column` or at `typePath`, the path of the aggregation's type.
 */
export function validAggregation(
  dataset: SearchableDataset,
  requested: { readonly aggregation: string; readonly column: string },
  typePath: "aggregationType" | "aggregation",
  problems: Problems,
): Aggregation | undefined {
  const parsed = aggregationType.safeParse(requested.aggregation);
  if (!parsed.success) {
    const known = aggregationType.options.join(", ");
    return problems.add("unknown-aggregation", `There is no aggregation ${quoted(requested.aggregation)}. Use one of: ${known}.`, typePath);
  }
  const type = parsed.data;
  if (requested.column === "*") {
    if (type !== "count") return problems.add("not-supported", `${type} needs a column; only count works on *.`, "column");
    if (!dataset.queryable.features.has("COUNT")) return problems.add("not-supported", "The rows of this dataset cannot be counted.");
    return { type, column: "*" };
  }
  const column = plainColumn(dataset, requested.column, "column", problems);
  if (column === undefined) return undefined;
  const isSupported = type === "count" || isNumeric(column.type) || (isTimestamp(column.type) && isMinOrMax(type));
  if (!isSupported) {
    return problems.add("not-supported", `${type} cannot be computed for ${quoted(requested.column)}, which is ${column.type}.`, "column");
  }
  return { type, column: column.name };
}

const isMinOrMax = (type: string): boolean => type === "min" || type === "max";
