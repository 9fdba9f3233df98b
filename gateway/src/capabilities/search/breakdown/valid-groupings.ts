import type { BreakdownGrouping } from "@fairway/contract/breakdowns";
import { type Column, isDay, isNumeric, isTimestamp } from "@fairway/contract/columns";
import type { SearchFilter } from "@fairway/contract/search";
import type { AxisKind, AxisOrder, BreakdownAxis } from "#query/breakdown.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import { zoneNamed } from "#query/sql/zone-offsets.ts";
import { type Problems, quoted } from "../problems.ts";
import type { SearchLimits } from "../validate.ts";
import { plainColumn, validFilters } from "../validate-filters.ts";
import type { ValidMeasure } from "./valid-measures.ts";

/** A grouping with what the answer says of it. */
export interface ValidGrouping {
  readonly column: Column | null;
  /** Of the clocks that it follows. */
  readonly zone: string;
  /** Labels and filters of groups made by users. */
  readonly groups: readonly { readonly label: string; readonly filters: readonly SearchFilter[] }[];
  readonly axis: BreakdownAxis;
}

interface Parts {
  readonly dataset: SearchableDataset;
  readonly measures: readonly ValidMeasure[];
  readonly limits: SearchLimits;
  readonly isCompared: boolean;
}

type Grouping<Kind extends BreakdownGrouping["kind"]> = Extract<BreakdownGrouping, { kind: Kind }>;
type Described = Omit<ValidGrouping, "axis"> & { readonly axis: AxisKind; readonly usual: AxisOrder };

const byKey: AxisOrder = { measure: null, of: "value", direction: "asc" };

/** Ids as given, else the column, with the kind added where several groupings have it. */
export function groupingIds({ queryable }: SearchableDataset, by: readonly BreakdownGrouping[], problems: Problems): string[] {
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

export function validGrouping(grouping: BreakdownGrouping, parts: Parts, problems: Problems): ValidGrouping | undefined {
  const order = validOrder(grouping, parts, problems);
  const described = describedGrouping(grouping, parts, problems);
  if (described === undefined) return undefined;
  const { axis, usual, ...shown } = described;
  return { ...shown, axis: { ...axis, order: order ?? usual } };
}

function describedGrouping(grouping: BreakdownGrouping, parts: Parts, problems: Problems): Described | undefined {
  switch (grouping.kind) {
    case "value":
      return valueGrouping(grouping, parts, problems);
    case "time":
    case "part":
      return timeGrouping(grouping, parts, problems);
    case "range":
      return rangeGrouping(grouping, parts, problems);
    case "groups":
      return ownGroups(grouping, parts, problems);
    default:
      return grouping satisfies never;
  }
}

function measureOf(id: string, { measures }: Parts, path: string, problems: Problems): number {
  const place = measures.findIndex((measure) => measure.id === id);
  if (place < 0) problems.add("invalid-request", `${quoted(id)} names no measure.`, path);
  return place;
}

function validOrder({ sort }: BreakdownGrouping, parts: Parts, problems: Problems): AxisOrder | undefined {
  if (sort === undefined) return undefined;
  const { by, of = "value" } = sort;
  const measure = by === "key" ? null : measureOf(by, parts, "sort.by", problems);
  if (of !== "value" && measure === null) problems.add("invalid-request", "Keys have no change: sort by a measure.", "sort.of");
  if (of !== "value" && !parts.isCompared) problems.add("invalid-request", `The order by '${of}' needs a comparison.`, "sort.of");
  return { measure, of, direction: sort.direction ?? (measure === null ? "asc" : "desc") };
}

function valueGrouping({ column: name, top, empty }: Grouping<"value">, parts: Parts, problems: Problems): Described | undefined {
  const column = plainColumn(parts.dataset, name, "column", problems);
  const best: AxisOrder = {
    measure: top?.by === undefined ? 0 : measureOf(top.by, parts, "top.by", problems),
    of: "value",
    direction: top?.direction ?? "desc",
  };
  if (column === undefined) return undefined;
  return {
    column,
    zone: "UTC",
    groups: [],
    usual: best,
    axis: {
      kind: "value",
      column,
      top: top === undefined ? null : { count: top.count, order: best, other: top.other === true },
      showsEmpty: empty !== "hide",
    },
  };
}

function timeGrouping(grouping: Grouping<"time"> | Grouping<"part">, { dataset }: Parts, problems: Problems): Described | undefined {
  const { zone: asked = "UTC", weekStart = "monday" } = grouping;
  const name = grouping.column ?? dataset.queryable.temporalField;
  const known = zoneNamed(asked);
  if (known === undefined) problems.add("invalid-value", `${quoted(asked)} is not a time zone; name one such as America/New_York.`, "zone");
  if (name === null) return problems.add("not-supported", "This dataset has no time column; name one in 'column'.", "column");
  const column = plainColumn(dataset, name, "column", problems);
  if (column === undefined) return undefined;
  if (!isTimestamp(column.type)) {
    return problems.add("not-supported", `${quoted(name)} is ${column.type}, which has no times to group by.`, "column");
  }
  // Whole days are the same in every zone.
  const zone = isDay(column) ? "UTC" : (known ?? "UTC");
  const axis: AxisKind =
    grouping.kind === "part"
      ? { kind: "part", column, part: grouping.part, zone, weekStart }
      : { kind: "time", column, unit: grouping.unit, size: grouping.size ?? 1, zone, weekStart };
  return { column, zone, groups: [], usual: byKey, axis };
}

function rangeGrouping(
  { column: name, width, origin, edges, about }: Grouping<"range">,
  { dataset }: Parts,
  problems: Problems,
): Described | undefined {
  const column = plainColumn(dataset, name, "column", problems);
  const given = [width, edges, about].filter((one) => one !== undefined).length;
  if (given !== 1) problems.add("invalid-request", "Ranges are given by exactly one of 'width', 'edges' and 'about'.");
  if (origin !== undefined && width === undefined) problems.add("invalid-request", "'origin' goes with 'width' only.", "origin");
  const isAscending = (edges ?? []).every((edge, index, all) => index === 0 || edge > (all[index - 1] ?? -Infinity));
  if (!isAscending) problems.add("invalid-request", "Edges ascend, and none occurs twice.", "edges");
  if (column === undefined) return undefined;
  if (!isNumeric(column.type)) {
    return problems.add("not-supported", `${quoted(name)} is ${column.type}, which has no ranges of numbers.`, "column");
  }
  const by = edges === undefined ? (width === undefined ? { about: about ?? 10 } : { width, origin: origin ?? 0 }) : { edges };
  return { column, zone: "UTC", groups: [], usual: byKey, axis: { kind: "range", column, by } };
}

function ownGroups(
  { groups, match = "all", other = false }: Grouping<"groups">,
  { dataset, limits }: Parts,
  problems: Problems,
): Described {
  const conditions = groups.map(({ filters }, index) => validFilters(dataset, filters, limits, problems.within(`groups.${index}`)));
  return { column: null, zone: "UTC", groups, usual: byKey, axis: { kind: "groups", groups: conditions, match, other } };
}
