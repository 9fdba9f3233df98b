import type { MeasureAggregation } from "@fairway/contract/measures";
import type { CellValue } from "@fairway/contract/search";
import type { AnsweredEntry, AxisOrder, BreakdownMeasure } from "#query/breakdown.ts";
import { requireColumn } from "../compile.ts";
import { restRows, valueRows } from "./axis-rows.ts";
import { type Choice, type ChosenGroup, type ChosenGroups, compileChoice, readChoice } from "./choose-values.ts";
import type { SqlTable } from "../table.ts";
import { compareKeys, keyOf } from "./keys.ts";
import { type AxisOf, type ResolvedAxis, type Resolving, searchOf } from "./resolved-axis.ts";
import { tooMany } from "./too-many.ts";

const byKey: AxisOrder = { measure: null, of: "value", direction: "asc" };

/** Finds the groups of a column, in one scan. A single axis is a list, which may be cut; a table never is. */
export async function resolveValues(axis: AxisOf<"value">, place: number, resolving: Resolving): Promise<ResolvedAxis> {
  const { query, dialect } = resolving;
  const { column, top } = axis;
  const isList = query.axes.length === 1;
  const having = query.having.filter(({ axis: on }) => on === place);
  // Changes are known only when all groups are.
  const isOrderedHere = axis.order.measure === null || axis.order.of === "value";
  const order = isOrderedHere ? axis.order : byKey;
  const best = top?.order ?? order;
  const needed = neededMeasures(query.measures, [best, order, ...having]);
  // Costly figures are computed once, of the named groups and Other, rather than of all groups and then of most rows again.
  const isChoiceOnly =
    !isList || (top?.other === true && query.measures.some((measure, at) => isCostly(measure) && needed[at] !== measure));
  const measures = isChoiceOnly ? needed : query.measures;
  const limit = top?.count ?? (isList && isOrderedHere ? query.maxListed : query.maxCells + 1);
  const choice: Choice = { column: column.name, measures, accuracy: query.accuracy, having, best, order, limit };
  const chosen = await choose(resolving, choice, "present");
  const vanished =
    query.before === null || top !== null || having.length > 0 || chosen.found > chosen.named.length
      ? []
      : await vanishedOf(resolving, choice, chosen);
  const passing = chosen.found - chosen.failing.groups;
  if (top === null && passing > limit && !(isList && isOrderedHere)) throw tooMany([passing], query.maxCells);
  const present = chosen.named.map(({ value }) => value);
  const named = vanished.length === 0 ? present : [...present, ...vanished].toSorted((one, other) => compareKeys(column.type, one, other));
  const others = chosen.found - chosen.named.length;
  const isComplete = others === 0 && (query.before === null || (top === null && having.length === 0));
  const hasOther = top?.other === true;
  const hasEmpty = axis.showsEmpty && (chosen.empty !== undefined || query.before !== null);
  const entries: AnsweredEntry[] = [
    ...named.map((value): AnsweredEntry => ({ kind: "value", value })),
    ...(hasOther ? [{ kind: "other", count: others } as const] : []),
    ...(hasEmpty ? [{ kind: "empty" } as const] : []),
  ];
  const other = hasOther ? named.length : undefined;
  const empty = hasEmpty ? entries.length - 1 : undefined;
  const keysOf = (table: SqlTable) => keyOf(requireColumn(table, column.name), dialect);
  return {
    found: chosen.found,
    failing: chosen.failing,
    entries,
    isPartition: (isComplete || hasOther) && (axis.showsEmpty || (chosen.empty === undefined && query.before === null)),
    isCut: top === null && passing > limit,
    isOrdered: isOrderedHere && vanished.length === 0,
    rowsOf: (table, at) => valueRows(at, keysOf(table), { values: named, other, empty, isComplete }, dialect),
    ...(isList ? { maxListed: query.maxListed } : {}),
    ...(isList && !isChoiceOnly
      ? {
          known: { figures: figuresOf(chosen, named, empty), restOf: (table) => restRows(keysOf(table), named, dialect) },
        }
      : {}),
    rows: chosen.rows,
  };
}

const choose = ({ query, run, dialect }: Resolving, choice: Choice, period: "present" | "before"): Promise<ChosenGroups> =>
  run(
    (table) => compileChoice(table, choice, searchOf(query, period), dialect),
    (rows, table) => readChoice(rows, table, choice, dialect),
  );

/** Groups that only the period of the comparison has. */
async function vanishedOf(resolving: Resolving, choice: Choice, present: ChosenGroups): Promise<CellValue[]> {
  const keys: Choice = { ...choice, measures: [], having: [], best: byKey, order: byKey, limit: resolving.query.maxCells + 1 };
  const { named } = await choose(resolving, keys, "before");
  const known = new Set(present.named.map(({ value }) => JSON.stringify(value)));
  return named.map(({ value }) => value).filter((value) => !known.has(JSON.stringify(value)));
}

/** Whether a figure holds the values of its rows. */
const isCostly = (measure: BreakdownMeasure): boolean => "aggregation" in measure && costly.has(measure.aggregation);
const costly: ReadonlySet<string> = new Set<MeasureAggregation>(["distinct", "median", "percentile"]);

/** Only those measures are computed that decide something; their places stay. */
function neededMeasures(measures: readonly BreakdownMeasure[], by: readonly { readonly measure: number | null }[]): BreakdownMeasure[] {
  const needed = new Set(by.flatMap(({ measure }) => measure ?? []));
  for (const place of needed) {
    const measure = measures[place];
    if (measure !== undefined && "derived" in measure) for (const from of measure.from) needed.add(from);
  }
  const rows: BreakdownMeasure = { aggregation: "count", column: null, p: 0, where: null, of: "all" };
  return measures.map((measure, place) => (needed.has(place) ? measure : rows));
}

function figuresOf({ named, empty }: ChosenGroups, values: readonly CellValue[], emptyPlace: number | undefined): Map<number, ChosenGroup> {
  const places = new Map(values.map((value, place) => [JSON.stringify(value), place]));
  const figures = new Map(
    named.flatMap((group) => {
      const place = places.get(JSON.stringify(group.value));
      return place === undefined ? [] : [[place, group] as const];
    }),
  );
  if (empty !== undefined && emptyPlace !== undefined) figures.set(emptyPlace, empty);
  return figures;
}
