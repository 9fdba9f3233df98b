import { type BreakdownRequest, breakdownLimits } from "@fairway/contract/breakdowns";
import type { Limits } from "@fairway/contract/limits";
import type { BreakdownCondition, BreakdownQuery } from "#query/breakdown.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import { comparedPeriod } from "./comparison.ts";
import { Problems, quoted } from "../problems.ts";
import { type SearchLimits, refuseColumns, requireFilters, validNarrowing } from "../validate.ts";
import { type ValidGrouping, groupingIds, validGrouping } from "./valid-groupings.ts";
import { type ValidMeasure, isComparedAsNumber, validMeasures } from "./valid-measures.ts";

export type BreakdownLimits = SearchLimits & Pick<Limits, "breakdownCells" | "filterListValues">;

export interface ValidBreakdown {
  readonly groupings: readonly (ValidGrouping & { readonly id: string })[];
  readonly measures: readonly ValidMeasure[];
  readonly query: BreakdownQuery;
}

/** Validates a breakdown against its dataset, and refuses it with a list of all problems. */
export function validBreakdown(dataset: SearchableDataset, request: BreakdownRequest, limits: BreakdownLimits): ValidBreakdown {
  const problems = new Problems();
  const { search, by = [], having = [] } = request;
  const ofSearch = problems.within("search");
  refuseColumns(search, ofSearch);
  for (const field of ["paging", "sort"] as const)
    if (search[field] !== undefined) ofSearch.add("not-supported", `'${field}' is for searches only.`, field);
  const narrowing = validNarrowing(dataset, search, limits, ofSearch);
  const measures = validMeasures(dataset, request.measures, limits, problems);
  const ids = groupingIds(dataset, by, problems);
  const parts = { dataset, measures, limits, isCompared: request.compare !== undefined };
  const valid = by.map((grouping, index) => validGrouping(grouping, parts, problems.within(`by.${index}`)));
  const zone = valid.find((one) => one?.axis.kind === "time")?.zone ?? "UTC";
  const compared = request.compare === undefined ? null : comparedRange(request.compare.to, narrowing.timeRange, zone, problems);
  const conditions = having.flatMap(
    (condition, index) => validCondition(condition, measures, ids, by.length, problems.within(`having.${index}`)) ?? [],
  );
  problems.throwAny();
  requireFilters(dataset, search, ofSearch);
  problems.throwAny();
  const axes = valid.flatMap((one) => one?.axis ?? []);
  return {
    groupings: valid.flatMap((one, index) => (one === undefined ? [] : [{ id: ids[index] ?? "", ...one }])),
    measures,
    query: {
      ...narrowing,
      axes,
      measures: measures.map(({ measure }) => measure),
      having: conditions,
      before: compared && { ...narrowing, timeRange: compared },
      totals: request.totals === true,
      accuracy: request.accuracy,
      maxListed: breakdownLimits.listedEntries,
      maxCells: limits.breakdownCells,
    },
  };
}

/** The range that the search's is compared with. */
function comparedRange(
  to: NonNullable<BreakdownRequest["compare"]>["to"],
  range: BreakdownQuery["timeRange"],
  zone: string,
  problems: Problems,
): NonNullable<BreakdownQuery["timeRange"]> | null {
  const other = typeof to === "string" ? undefined : { startMs: Date.parse(to.start ?? ""), endMs: Date.parse(to.end ?? "") };
  const areClosed = [range?.startMs, range?.endMs, ...(other === undefined ? [] : [other.startMs, other.endMs])].every(Number.isFinite);
  if (range === null || !areClosed) {
    problems.add("invalid-request", "A comparison needs a time range with both ends.", "compare");
    return null;
  }
  if (other !== undefined && other.startMs > other.endMs)
    problems.add("reversed-range", "The time range ends before it starts.", "compare.to");
  return { ...range, ...(typeof to === "string" ? comparedPeriod(range, to, zone) : other) };
}

function validCondition(
  { measure: id, operator, value, on }: NonNullable<BreakdownRequest["having"]>[number],
  measures: readonly ValidMeasure[],
  groupings: readonly string[],
  axes: number,
  problems: Problems,
): BreakdownCondition | undefined {
  const measure = measures.findIndex((one) => one.id === id);
  const found = measures[measure];
  if (found === undefined) return problems.add("invalid-request", `${quoted(id)} names no measure.`, "measure");
  if (!isComparedAsNumber(found.type))
    return problems.add("not-supported", `${quoted(id)} is ${found.type}; conditions compare numbers.`, "measure");
  const axis = on === undefined ? null : groupings.indexOf(on);
  if (axis === -1) return problems.add("invalid-request", `${quoted(on ?? "")} names no grouping.`, "on");
  return { measure, operator, value, axis: axis ?? (axes === 1 ? 0 : null) };
}
