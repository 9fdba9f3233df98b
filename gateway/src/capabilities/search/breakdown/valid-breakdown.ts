import type { BreakdownGrouping, BreakdownRequest } from "@fairway/contract/breakdowns";
import type { Column } from "@fairway/contract/columns";
import type { Limits } from "@fairway/contract/limits";
import type { AxisKind, AxisOrder, BreakdownAxis, BreakdownCondition, BreakdownQuery } from "#query/breakdown.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import { Problems, quoted } from "../problems.ts";
import { type SearchLimits, refuseColumns, requireFilters, validNarrowing } from "../validate.ts";
import { plainColumn } from "../validate-filters.ts";
import { type ValidMeasure, isComparedAsNumber, validMeasures } from "./valid-measures.ts";

export type BreakdownLimits = SearchLimits & Pick<Limits, "breakdownCells">;

/** A grouping with what the answer says of it. */
export interface ValidGrouping {
  readonly id: string;
  readonly column: Column | null;
}

export interface ValidBreakdown {
  readonly groupings: readonly ValidGrouping[];
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
  const valid = by.map((grouping, index) => validGrouping(dataset, grouping, request, measures, problems.within(`by.${index}`)));
  if (request.compare !== undefined) problems.add("not-supported", "This server does not compare yet.", "compare");
  const conditions = having.flatMap(
    (condition, index) => validCondition(condition, measures, ids, by.length, problems.within(`having.${index}`)) ?? [],
  );
  problems.throwAny();
  requireFilters(dataset, search, ofSearch);
  problems.throwAny();
  const axes = valid.flatMap((one) => one?.axis ?? []);
  return {
    groupings: valid.flatMap((one, index) => (one === undefined ? [] : [{ id: ids[index] ?? "", column: one.column }])),
    measures,
    query: {
      ...narrowing,
      axes,
      measures: measures.map(({ measure }) => measure),
      having: conditions,
      before: null,
      totals: request.totals === true,
      accuracy: request.accuracy,
      maxCells: limits.breakdownCells,
    },
  };
}

/** Ids as given, else the column, with the kind added where several groupings have it. */
function groupingIds({ queryable }: SearchableDataset, by: readonly BreakdownGrouping[], problems: Problems): string[] {
  const columns = by.map((one) => (one.kind === "groups" ? "groups" : (one.column ?? queryable.temporalField ?? "")));
  const ids = by.map((one, index) => {
    const column = columns[index] ?? "";
    const isAlone = columns.filter((other) => other === column).length === 1;
    return one.id ?? (isAlone ? column : `${column}.${kindName(one)}`);
  });
  ids.forEach((id, index) => {
    if (ids.indexOf(id) === index) return;
    problems.add("invalid-request", `${quoted(id)} names two groupings: give one of them another 'id'.`, `by.${index}.id`);
  });
  return ids;
}

const kindName = (grouping: BreakdownGrouping): string =>
  grouping.kind === "part" ? grouping.part : grouping.kind === "time" ? grouping.unit : grouping.kind;

function validGrouping(
  dataset: SearchableDataset,
  grouping: BreakdownGrouping,
  request: BreakdownRequest,
  measures: readonly ValidMeasure[],
  problems: Problems,
): { readonly column: Column | null; readonly axis: BreakdownAxis } | undefined {
  if (grouping.kind !== "value") return problems.add("not-supported", `This server does not group by '${grouping.kind}' yet.`, "kind");
  const column = plainColumn(dataset, grouping.column, "column", problems);
  const measureOf = (id: string, path: string): number => {
    const place = measures.findIndex((measure) => measure.id === id);
    if (place < 0) problems.add("invalid-request", `${quoted(id)} names no measure.`, path);
    return place;
  };
  const { top, sort } = grouping;
  const best: AxisOrder | undefined = top && {
    measure: top.by === undefined ? 0 : measureOf(top.by, "top.by"),
    of: "value",
    direction: top.direction ?? "desc",
  };
  const usual: AxisOrder = best ?? { measure: 0, of: "value", direction: "desc" };
  if (sort?.of !== undefined && sort.of !== "value" && request.compare === undefined) {
    problems.add("invalid-request", `The order by ${sort.of} needs a comparison.`, "sort.of");
  }
  const measure = sort === undefined || sort.by === "key" ? null : measureOf(sort.by, "sort.by");
  const order: AxisOrder =
    sort === undefined ? usual : { measure, of: sort.of ?? "value", direction: sort.direction ?? (measure === null ? "asc" : "desc") };
  if (column === undefined) return undefined;
  const kind: AxisKind = {
    kind: "value",
    column,
    top: top === undefined || best === undefined ? null : { count: top.count, order: best, other: top.other === true },
    showsEmpty: grouping.empty !== "hide",
  };
  return { column, axis: { ...kind, order } };
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
