import type { BreakdownMeasure as RequestedMeasure } from "@fairway/contract/breakdowns";
import { type Column, isNumeric, isTimestamp } from "@fairway/contract/columns";
import { type DerivedMeasure, type MeasureAggregation, derivedMeasure, measureAggregation, measureText } from "@fairway/contract/measures";
import type { BreakdownMeasure } from "#query/breakdown.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import { type Problems, quoted } from "../problems.ts";
import { type FilterLimits, plainColumn, validFilters } from "../validate-filters.ts";

/** A measure with what the answer says of it. */
export interface ValidMeasure {
  readonly id: string;
  readonly unit: string | null;
  readonly type: string;
  readonly measure: BreakdownMeasure;
}

/** Which types of columns each aggregation takes. */
const takes: Readonly<Record<MeasureAggregation, (type: Column["type"]) => boolean>> = {
  count: () => true,
  distinct: () => true,
  sum: isNumeric,
  avg: isNumeric,
  median: isNumeric,
  percentile: isNumeric,
  min: (type) => type !== "BOOLEAN",
  max: (type) => type !== "BOOLEAN",
  stddev: isNumeric,
  share: isNumeric,
  rate: () => false,
};

/** Fields that only some aggregations have. */
const fieldsOf: Readonly<Record<MeasureAggregation, readonly ("p" | "where" | "of")[]>> = {
  count: ["where"],
  distinct: ["where"],
  sum: ["where"],
  avg: ["where"],
  median: ["where"],
  percentile: ["p", "where"],
  min: ["where"],
  max: ["where"],
  stddev: ["where"],
  share: ["where", "of"],
  rate: ["where"],
};

/** Validates measures, reporting problems at `measures`. Derived ones name others by their ids. */
export function validMeasures(
  dataset: SearchableDataset,
  requested: readonly RequestedMeasure[],
  limits: FilterLimits,
  problems: Problems,
): ValidMeasure[] {
  const ids = requested.map((one) => one.id ?? measureText(one));
  return requested.flatMap((one, index) => {
    const own = problems.within(`measures.${index}`);
    const id = ids[index] ?? "";
    if (ids.indexOf(id) < index) own.add("invalid-request", `${quoted(id)} names two measures: give one of them another 'id'.`, "id");
    const valid = Array.isArray(one.of) ? validDerived(requested, ids, one, own) : validAggregated(dataset, one, limits, own);
    return valid === undefined ? [] : [{ id, ...valid }];
  });
}

function validAggregated(
  dataset: SearchableDataset,
  requested: RequestedMeasure,
  limits: FilterLimits,
  problems: Problems,
): Omit<ValidMeasure, "id"> | undefined {
  const parsed = measureAggregation.safeParse(requested.aggregation);
  if (!parsed.success) {
    const isDerived = derivedMeasure.safeParse(requested.aggregation).success;
    if (isDerived) return problems.add("invalid-request", `${requested.aggregation} needs the ids of two measures in 'of'.`, "of");
    const known = measureAggregation.options.join(", ");
    return problems.add(
      "unknown-aggregation",
      `There is no aggregation ${quoted(requested.aggregation)}; there are ${known}.`,
      "aggregation",
    );
  }
  const aggregation = parsed.data;
  for (const field of ["p", "where", "of"] as const) {
    if (requested[field] !== undefined && !fieldsOf[aggregation].includes(field))
      problems.add("invalid-request", `${aggregation} takes no '${field}'.`, field);
  }
  if (aggregation === "percentile" && requested.p === undefined) problems.add("invalid-request", "percentile needs 'p', from 0 to 1.", "p");
  if (aggregation === "rate" && (requested.where ?? []).length === 0)
    problems.add("invalid-request", "rate needs filters in 'where'.", "where");
  const where = requested.where === undefined ? null : validFilters(dataset, requested.where, limits, problems, undefined, "where");
  const { column: name = "*" } = requested;
  const column = name === "*" ? null : plainColumn(dataset, name, "column", problems);
  if (column === undefined) return undefined;
  if (column === null && !["count", "share", "rate"].includes(aggregation)) {
    return problems.add("not-supported", `${aggregation} needs a column; only count, share and rate work on *.`, "column");
  }
  if (column === null && !dataset.queryable.features.has("COUNT")) {
    return problems.add("not-supported", "The rows of this dataset cannot be counted.");
  }
  if (column !== null && aggregation === "rate") return problems.add("invalid-request", "rate takes no column: it counts rows.", "column");
  if (column !== null && !takes[aggregation](column.type)) {
    return problems.add("not-supported", `${aggregation} cannot be taken over ${quoted(column.name)}, which is ${column.type}.`, "column");
  }
  const of = typeof requested.of === "string" ? requested.of : "all";
  return { ...described(aggregation, column), measure: { aggregation, column, p: requested.p ?? 0, where, of } };
}

function described(aggregation: MeasureAggregation, column: Column | null): Pick<ValidMeasure, "unit" | "type"> {
  const unit = column?.unit ?? null;
  switch (aggregation) {
    case "count":
    case "distinct":
      return { unit: null, type: "integer" };
    case "share":
    case "rate":
      return { unit: "%", type: "decimal" };
    case "sum":
    case "min":
    case "max":
      return { unit, type: column?.type ?? "decimal" };
    case "avg":
    case "median":
    case "percentile":
    case "stddev":
      return { unit, type: "decimal" };
    default:
      return aggregation satisfies never;
  }
}

function validDerived(
  requested: readonly RequestedMeasure[],
  ids: readonly string[],
  { aggregation, of, column, p, where }: RequestedMeasure,
  problems: Problems,
): Omit<ValidMeasure, "id"> | undefined {
  const parsed = derivedMeasure.safeParse(aggregation);
  if (!parsed.success) {
    const known = derivedMeasure.options.join(", ");
    return problems.add("unknown-aggregation", `Two measures make ${known}, not ${quoted(aggregation)}.`, "aggregation");
  }
  for (const [field, value] of Object.entries({ column, p, where }))
    if (value !== undefined) problems.add("invalid-request", `A derived measure takes no '${field}'.`, field);
  const places = (Array.isArray(of) ? of : []).map((id, index) => {
    const place = ids.indexOf(id);
    const isPlain = place >= 0 && !Array.isArray(requested[place]?.of);
    if (!isPlain)
      problems.add("invalid-request", place < 0 ? `${quoted(id)} names no measure.` : `${quoted(id)} is derived itself.`, `of.${index}`);
    return place;
  });
  const [one = 0, other = 0] = places;
  return { unit: unitOf(parsed.data), type: "decimal", measure: { derived: parsed.data, from: [one, other] } };
}

const unitOf = (derived: DerivedMeasure): string | null => (derived === "ratio-percent" ? "%" : null);

/** Whether figures are numbers or times, which conditions compare. */
export const isComparedAsNumber = (type: string): boolean =>
  type === "integer" || type === "decimal" || isTimestamp(type as Column["type"]);
