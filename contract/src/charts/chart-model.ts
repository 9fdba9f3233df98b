import type { BreakdownAnswer, BreakdownAxis, BreakdownEntry } from "../breakdowns.ts";
import type { Column } from "../columns.ts";
import { formatCount } from "../counts.ts";
import type { CellValue } from "../search.ts";
import type { ChartStyle } from "./axes.ts";
import { colorAt, emptyColor, restColor } from "./graph-colors.ts";
import type { GraphModel } from "./graph-model.ts";
import { uniqueLabels } from "./graph-wording.ts";
import type { Group, GraphValue } from "./graph.ts";
import { axesOf, type ChartKind } from "./chart-kinds.ts";
import { entryLabel } from "./figures.ts";
import { labeledBreakdown, labelOfId } from "./measure-wording.ts";
import type { Asked } from "./asked.ts";
import type { Summary } from "../summaries.ts";
import { pivotCells } from "./table-rows.ts";

/** Series of a second grouping that are drawn, besides Other and Empty. */
export const mostSeries = 8;
/** Bars and slices that are drawn. Steps of time and parts of the calendar are never cut, nor are lines and points. */
export const mostBars = 50;

/** Says that the table has more groups than are drawn; null if it has not. */
export const restInTable = (groups: number, drawn: string): string | null =>
  groups <= mostBars ? null : `The first ${mostBars} of ${formatCount(groups)} groups ${drawn}; the table has all.`;

/** A summary as the graphs draw it. */
export interface SummaryPicture {
  model: GraphModel;
  /** The groupings along the axis and of the series, by place. */
  axes: { along: number; series: number | null };
  /** For each column, the place of its entry in the grouping of the series; null where columns are measures. */
  seriesOf: readonly (number | null)[];
  /** Columns that are struck out in the legend at first: a count beside other figures. */
  hidden: readonly number[];
  /** Says what is left to the table; null if nothing is. */
  note: string | null;
}

type ModelColumn = GraphModel["columns"][number];

const isRest = ({ kind }: BreakdownEntry): boolean => kind === "other" || kind === "empty" || kind === "outside";

const colorOf = ({ kind }: BreakdownEntry, index: number): string =>
  kind === "other" ? restColor : kind === "empty" || kind === "outside" ? emptyColor : colorAt(index);

/** The colors of slices, by the places of their groups. */
export const sliceColors = ({ by }: BreakdownAnswer): string[] => by[0]?.entries.slice(0, mostBars).map(colorOf) ?? [];

const graphValue = (value: CellValue | undefined): GraphValue => (typeof value === "number" || typeof value === "string" ? value : null);

/** How the graphs draw a summary as such a picture. */
export const styleOf = ({ isBridged }: Pick<Summary, "isBridged">, kind: ChartKind): ChartStyle => ({
  type: kind === "doughnut" || kind === "pie" ? kind : kind === "columns" || kind === "stack" ? "bar" : "line",
  stacked: kind === "area" || kind === "stack",
  logAxis: false,
  ...(isBridged === false ? { bridged: false } : {}),
});

const isOfBars = (kind: ChartKind): boolean => kind === "columns" || kind === "stack" || kind === "doughnut" || kind === "pie";

/** Null where the groupings have no such picture. */
export function pictureOf(asked: Asked, answer: BreakdownAnswer, columns: readonly Column[], kind: ChartKind): SummaryPicture | null {
  const by = asked.by ?? [];
  const axes = axesOf(by) ?? (by.length === 1 ? { along: 0, series: null } : null);
  const axis = axes && answer.by[axes.along];
  if (!axes || !axis) return null;
  const isCuttable = axis.kind !== "time" && axis.kind !== "part" && isOfBars(kind);
  const places = axis.entries.map((_, place) => place);
  const drawn = isCuttable ? places.slice(0, mostBars) : places;
  const groups = drawn.flatMap((place) => groupOf(axis, place, columns) ?? []);
  const cutNote = isCuttable ? restInTable(places.length, "are drawn") : null;
  const cells = pivotCells(answer);
  const picture =
    axes.series === null ? measuresAlong(labeledBreakdown(asked, columns), answer, kind) : seriesAlong(answer, columns, axes.series);
  const cellOf = (place: number, series: number | null) => {
    const at = series === null || axes.series === null ? [place] : axes.along < axes.series ? [place, series] : [series, place];
    return cells.get(at.join());
  };
  const values = drawn.map((place) =>
    picture.columns.map(({ series, measure, isBefore }) => {
      const cell = cellOf(place, series);
      return graphValue(isBefore ? cell?.before?.[measure] : cell?.values[measure]);
    }),
  );
  return {
    model: { groups, columns: picture.columns.map(({ column }) => column), values },
    axes,
    seriesOf: picture.columns.map(({ series }) => series),
    hidden: picture.hidden.concat(kind === "lines" ? dwarfing(picture.columns, values, answer, axes.series) : []),
    note: [cutNote, picture.note].filter((text) => text !== null).join(" ") || null,
  };
}

/** Other is struck out at first where it would press all other lines together. */
function dwarfing(
  columns: readonly DrawnColumn[],
  values: readonly (readonly GraphValue[])[],
  { by }: BreakdownAnswer,
  series: number | null,
) {
  if (series === null) return [];
  const largest = (index: number) => Math.max(0, ...values.map((line) => Math.abs(Number(line[index] ?? 0))));
  const isOther = ({ series: place }: DrawnColumn) => place !== null && by[series]?.entries[place]?.kind === "other";
  const named = Math.max(...columns.map((column, index) => (isOther(column) ? 0 : largest(index))));
  return columns.flatMap((column, index) => (isOther(column) && largest(index) > 3 * named && named > 0 ? [index] : []));
}

function groupOf(axis: BreakdownAxis, place: number, columns: readonly Column[]): Group | null {
  const entry = axis.entries[place];
  if (!entry) return null;
  const label = entryLabel(entry, axis, columns);
  // Only instants that are days or hours in UTC are labeled as such by the axis.
  const isUtc = entry.kind === "time" && Date.parse(`${entry.text}Z`) === entry.startMs;
  const time = isUtc ? { startMs: entry.startMs, endMs: entry.endMs - 1 } : null;
  return { id: String(place), label, color: colorOf(entry, place), time, conditions: [] };
}

interface DrawnColumn {
  column: ModelColumn;
  series: number | null;
  measure: number;
  isBefore: boolean;
}

interface Drawn {
  columns: DrawnColumn[];
  hidden: readonly number[];
  note: string | null;
}

/** Figures that charts draw are numbers; their axis starts at zero where they are counts or sums. */
const modelColumn = (id: string, label: string, unit: string | null, color: string): ModelColumn => {
  const aggregation = id.startsWith("count(") ? "count" : id.startsWith("sum(") ? "sum" : "avg";
  const measure = unit ?? (aggregation === "count" ? "count" : label);
  return { label, unit: unit ?? "", measure, color, column: { id: `${id} ${label}`, model: id, aggregation, color } };
};

function measuresAlong(asked: Asked, answer: BreakdownAnswer, kind: ChartKind): Drawn {
  const isRound = kind === "doughnut" || kind === "pie";
  const labels = uniqueLabels(answer.measures.map(({ id }) => labelOfId(asked, id)));
  const numbers = answer.measures.flatMap((measure, place) =>
    measure.type === "integer" || measure.type === "decimal" || measure.unit !== null ? [{ measure, place }] : [],
  );
  const shown = isRound ? numbers.slice(0, 1) : numbers;
  const all = shown.map(({ measure, place }, index) => ({
    column: modelColumn(measure.id, labels[place] ?? "", measure.unit, colorAt(index)),
    series: null,
    measure: place,
    isBefore: false,
  }));
  // A third unit would need a third axis.
  const units = new Set([...new Set(all.map(({ column }) => column.measure))].slice(0, 2));
  const drawn = all.filter(({ column }) => units.has(column.measure));
  const isContext = ({ measure }: DrawnColumn) => measure > 0 && answer.measures[measure]?.id === "count(*)";
  const hidden = drawn.flatMap((one, index) => (isContext(one) ? [index] : []));
  const before = answer.compare === null || isRound ? [] : drawn.slice(0, 1).map((one) => beforeOf(one));
  const left = all.length - drawn.length;
  const note =
    left === 0 ? null : `${left === 1 ? "A figure" : `${left} figures`} of further units ${left === 1 ? "is" : "are"} in the table.`;
  return { columns: [...drawn, ...before], hidden, note };
}

const beforeOf = (drawn: DrawnColumn): DrawnColumn => ({
  ...drawn,
  isBefore: true,
  column: {
    ...drawn.column,
    label: "Period before",
    color: restColor,
    isDashed: true,
    column: { ...drawn.column.column, id: `${drawn.column.column.id} before` },
  },
});

function seriesAlong(answer: BreakdownAnswer, columns: readonly Column[], series: number): Drawn {
  const axis = answer.by[series];
  const [measure] = answer.measures;
  if (!axis || !measure) return { columns: [], hidden: [], note: null };
  const places = axis.entries.map((entry, place) => ({ entry, place }));
  const named = places.filter(({ entry }) => !isRest(entry));
  const drawn = [...named.slice(0, mostSeries), ...places.filter(({ entry }) => isRest(entry))];
  const labels = uniqueLabels(drawn.map(({ entry }) => entryLabel(entry, axis, columns)));
  return {
    columns: drawn.map(({ entry, place }, index) => {
      const color = colorOf(entry, index);
      const label = labels[index] ?? "";
      const own = modelColumn(measure.id, label, measure.unit, color);
      // All series share an axis.
      return { column: { ...own, measure: measure.unit ?? measure.id }, series: place, measure: 0, isBefore: false };
    }),
    hidden: [],
    note: named.length > mostSeries ? `The first ${mostSeries} of ${formatCount(named.length)} series are drawn; the table has all.` : null,
  };
}

/** The column whose line or part of a stack is at this value; null if nothing is drawn there. */
export function columnAt(values: readonly GraphValue[], hidden: ReadonlySet<number>, value: number, isStacked: boolean): number | null {
  let nearest: { index: number; distance: number } | null = null;
  let top = 0;
  for (const [index, one] of values.entries()) {
    if (one === null || hidden.has(index)) continue;
    const number = Number(one);
    if (isStacked) {
      if (value >= top && value < top + number) return index;
      top += number;
    } else {
      const distance = Math.abs(number - value);
      if (nearest === null || distance < nearest.distance) nearest = { index, distance };
    }
  }
  return nearest?.index ?? null;
}
