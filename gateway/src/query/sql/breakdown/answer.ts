import type { CellValue } from "@fairway/contract/search";
import type { AnsweredAxis, AxisOrder, BreakdownAxis, BreakdownQuery, BreakdownResult, Figures } from "#query/breakdown.ts";
import type { SqlDialect } from "../table.ts";
import type { Cell } from "./cells.ts";
import { compareFigures, finished, meets, noFigures, numberOf, orderFigure } from "./figures.ts";
import { isEstimatedMeasure } from "./measures.ts";
import { type ResolvedAxis, isOptional } from "./resolved-axis.ts";

type Places = readonly (number | undefined)[];

/** Figures by the places of their entries, undefined for axes that are not grouped by. */
export type Found = ReadonlyMap<string, Cell>;

export const placesKey = (places: Places): string => places.map((place) => place ?? "").join(",");

export interface Plan {
  readonly axes: readonly ResolvedAxis[];
  /** Sets of axes to group by: all of them, single ones, and none. */
  readonly sets: readonly (readonly number[])[];
  readonly isTable: boolean;
}

/** An axis as it is answered. */
interface ShownAxis {
  readonly answered: AnsweredAxis;
  readonly isCut: boolean;
  /** Places of the answered entries among the resolved ones. */
  readonly places: readonly number[];
}

/** Puts the figures of both periods together: shares, conditions, order, and what is left out. */
export function answerOf(
  query: BreakdownQuery,
  plan: Plan,
  present: Found,
  before: Found | undefined,
  dialect: SqlDialect,
): BreakdownResult {
  const { axes, isTable } = plan;
  const none: Places = axes.map(() => undefined);
  const now = periodValues(query, plan, present);
  const then = before && periodValues(query, plan, before);
  const figuresAt = (places: Places): Figures => {
    const values = now(places);
    if (then === undefined) return { values };
    const isPaired = axes.every(({ pairedUntil = Infinity, entries }, axis) => {
      const place = places[axis];
      const entry = place === undefined ? undefined : entries[place];
      return place === undefined || place < pairedUntil || (entry !== undefined && isOptional(entry));
    });
    return { values, before: isPaired ? then(places) : null };
  };
  const keys = [...present.keys(), ...(before?.keys() ?? [])].filter((key) => axes.length < 2 || !`,${key},`.includes(",,"));
  const shown = axes.map((axis, index): ShownAxis => {
    const used = new Set(keys.flatMap((key) => (key === "" ? [] : Number(key.split(",")[index]))));
    const kept = axis.entries.flatMap((entry, place) => (isOptional(entry) && !used.has(place) ? [] : [place]));
    const figuresOf = (place: number) => figuresAt(none.map((_, other) => (other === index ? place : undefined)));
    const rowsOf = (place: number) => present.get(placesKey(none.map((_, other) => (other === index ? place : undefined))))?.rows ?? 0;
    return shownAxis(axis, query, index, kept, figuresOf, rowsOf);
  });
  const conditions = query.having.filter(({ axis }) => axis === null);
  const hasRows = (places: Places) => present.has(placesKey(places)) || before?.has(placesKey(places)) === true;
  const cells = combinations(shown.map(({ places }) => places)).flatMap(({ at, places }) => {
    if (isTable && !hasRows(places)) return [];
    const figures = figuresAt(places);
    return meets(figures.values, conditions) ? [{ at, ...figures }] : [];
  });
  const totalsOf = (index: number, places: readonly number[]) =>
    places.map((place) => figuresAt(none.map((_, other) => (other === index ? place : undefined))));
  return {
    axes: shown.map(({ answered }) => answered),
    cells,
    totals: query.totals ? { all: figuresAt(none), axes: isTable ? shown.map(({ places }, index) => totalsOf(index, places)) : [] } : null,
    rows: axes.find(({ rows }) => rows !== undefined)?.rows ?? present.get(placesKey(none))?.rows ?? rowsOfCells(present, axes.length),
    isCut: shown.some(({ isCut }) => isCut),
    estimates: query.measures.map((_, index) => isEstimatedMeasure(query.measures, index, query.accuracy, dialect)),
    engine: dialect.title,
  };
}

/** Where every row is in exactly one cell. */
function rowsOfCells(found: Found, axes: number): number {
  const cells = Array.from(found).filter(([key]) => axes < 2 || !`,${key},`.includes(",,"));
  return cells.reduce((sum, [, { rows }]) => sum + rows, 0);
}

/** Reads the values of one period. */
function periodValues({ measures }: BreakdownQuery, { axes, isTable }: Plan, found: Found): (places: Places) => CellValue[] {
  const nothing = noFigures(measures);
  const none: Places = axes.map(() => undefined);
  const last = axes.length - 1;
  const rawAt = (places: Places) => found.get(placesKey(places))?.figures;
  const only = (axis: number, place: number | undefined): Places => none.map((_, other) => (other === axis ? place : undefined));
  // A share of parts of which some are negative means nothing.
  const negative = new Set<number>();
  for (const { figures } of found.values())
    figures.forEach((figure, index) => ((numberOf(figure) ?? 0) < 0 ? negative.add(index) : negative));
  return (places) => {
    const all = rawAt(none);
    const row = isTable && places[0] !== undefined ? rawAt(only(0, places[0])) : isTable ? all : rawAt(places);
    const column = isTable && places[last] !== undefined ? rawAt(only(last, places[last])) : all;
    return finished(measures, rawAt(places) ?? nothing, { all, row, column }, negative);
  };
}

function shownAxis(
  axis: ResolvedAxis,
  query: BreakdownQuery,
  index: number,
  kept: readonly number[],
  figuresOf: (place: number) => Figures,
  rowsOf: (place: number) => number,
): ShownAxis {
  const asked = query.axes[index];
  const isOfValues = asked?.kind === "value";
  const conditions = query.having.filter(({ axis: on }) => on === index);
  const isGroup = (place: number) => axis.entries[place] !== undefined && !isOptional(axis.entries[place]);
  // Groups of values were tested when they were chosen.
  const fails = (place: number) => !isOfValues && conditions.length > 0 && isGroup(place) && !meets(figuresOf(place).values, conditions);
  const failing = kept.filter(fails);
  const passing = kept.filter((place) => !fails(place));
  const groups = ordered(passing.filter(isGroup), axis, asked, figuresOf);
  const listed = groups.slice(0, axis.maxListed ?? Infinity);
  const places = [...listed, ...passing.filter((place) => !isGroup(place))];
  return {
    answered: {
      found: axis.found,
      failing: isOfValues ? axis.failing : { groups: failing.length, rows: failing.reduce((sum, place) => sum + rowsOf(place), 0) },
      entries: places.flatMap((place) => axis.entries[place] ?? []),
    },
    isCut: axis.isCut || listed.length < groups.length,
    places,
  };
}

/** Places in the order of the axis; ties keep the order in which they were found, which is that of the keys. */
function ordered(
  places: readonly number[],
  axis: ResolvedAxis,
  asked: BreakdownAxis | undefined,
  figuresOf: (place: number) => Figures,
): readonly number[] {
  if (axis.isOrdered || asked === undefined) return places;
  const { order } = asked;
  if (order.measure === null) return order.direction === "desc" ? places.toReversed() : places;
  const figures = new Map(places.map((place) => [place, orderFigure(order, figuresOf(place))]));
  return places.toSorted((one, other) => compareOrdered(figures.get(one) ?? null, figures.get(other) ?? null, order));
}

/** Nulls last in both directions. */
function compareOrdered(one: CellValue, other: CellValue, { direction }: AxisOrder): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
  const sign = compareFigures(one, other);
  return direction === "desc" ? -sign : sign;
}

/** All ways to take one place of each list, with their indexes. */
function combinations(lists: readonly (readonly number[])[]): { at: number[]; places: number[] }[] {
  return lists.reduce<{ at: number[]; places: number[] }[]>(
    (found, list) => found.flatMap(({ at, places }) => list.map((place, index) => ({ at: [...at, index], places: [...places, place] }))),
    [{ at: [], places: [] }],
  );
}
