import type { BreakdownAnswer } from "../breakdowns.ts";
import type { Column } from "../columns.ts";
import { formatCount } from "../counts.ts";
import type { CellValue } from "../search.ts";
import type { Summary } from "../summaries.ts";
import { chartOf, stepsOf } from "./chart-kinds.ts";
import { changeText, figureNumber, figureText, fullFigureText, percentText } from "./figures.ts";
import { labeledBreakdown, groupingName, measureLabel } from "./measure-wording.ts";
import { rangeLabel } from "./sentence.ts";
import { type Shade, shadeOf, shadesOf } from "./shades.ts";
import { barOf, barScale, figureOf, headsOf, pivotCells, pivotRows, rowsOf } from "./table-rows.ts";

export interface TableCell {
  text: string;
  /** From 0 to 1, of the width of its column, before the text. */
  bar?: { from: number; to: number } | undefined;
  shade?: Shade | undefined;
  isEmphasized?: boolean;
}

/** The figures of a summary as a table that does not scroll. The first cell of each line is its head. */
export interface SummaryTable {
  heads: readonly string[];
  lines: readonly (readonly TableCell[])[];
  /** Says what is left out; null if nothing is. */
  note: string | null;
}

export interface TableSize {
  /** Groups, besides the line of all rows. */
  rows: number;
  /** Of a table of two or three groupings. */
  columns: number;
}

type TableOptions = TableSize & {
  /** Says of a comparison what it was before and how it changed. */
  hasChanges: boolean;
  /** Completes the note on what is left out. */
  verb: "drawn" | "shown";
};

/** The table of a summary, with bars or shades where those are its chart. */
export function summaryTable(
  { chart, breakdown }: Pick<Summary, "chart" | "breakdown">,
  answer: BreakdownAnswer,
  columns: readonly Column[],
  { rows: mostRows, columns: mostColumns, hasChanges, verb }: TableOptions,
): SummaryTable {
  const kind = chartOf(chart, breakdown, stepsOf(answer));
  const words = labeledBreakdown(breakdown, columns);
  const labels = words.measures.map((measure, index) => {
    const unit = answer.measures[index]?.unit ?? null;
    return `${measureLabel(measure)}${unit === null || unit === "%" ? "" : ` (${unit})`}`;
  });
  const [first, second] = answer.by;
  const name = (words.by ?? []).map(groupingName).join(" by ");
  const compared = hasChanges ? answer.compare : null;
  if (first === undefined) {
    const cell = answer.cells[0] ?? { values: [], before: null };
    const lines = answer.measures.map((measure, index) => [
      { text: labels[index] ?? "" },
      { text: fullFigureText(cell.values[index], measure) },
      ...(compared === null ? [] : changeCells(cell, measure, index)),
    ]);
    const heads = ["Figure", "All rows", ...(compared === null ? [] : [rangeLabel(compared.timeRange), "Change", "Change in %"])];
    return { heads, lines, note: null };
  }
  if (second === undefined) {
    const rows = rowsOf(answer, columns);
    const scale = barScale(rows);
    const barFor = (value: number | null) => (kind !== "bars" || value === null ? undefined : barOf(value, scale));
    const figures = ({ values, before = null }: Figures, strong: boolean) =>
      answer.measures.flatMap((measure, index): TableCell[] => {
        const cell = { text: figureText(values[index], measure), ...(strong ? { isEmphasized: true } : {}) };
        // All rows are longer than every group.
        const drawn = strong || index > 0 ? cell : { ...cell, bar: barFor(figureNumber(values[index])) };
        return [drawn, ...(compared === null ? [] : changeCells({ values, before }, measure, index))];
      });
    const lines = rows.slice(0, mostRows).map((row) => tableLine(row.label, figures(row, false)));
    const total = answer.totals?.all;
    const all = total ? [[{ text: "All rows", isEmphasized: true }, ...figures(total, true)]] : [];
    const further = (label: string) =>
      compared === null ? [label] : [label, `${rangeLabel(compared.timeRange)}: ${label}`, `Change of ${label}`, "Change in %"];
    return {
      heads: [name, ...labels.flatMap(further)],
      lines: [...lines, ...all],
      note: cutNote(rows.length, mostRows, `groups are ${verb}`),
    };
  }
  const measure = answer.measures[0];
  const across = answer.by.at(-1);
  if (!measure || !across) return { heads: [name], lines: [], note: null };
  const cells = pivotCells(answer);
  const shades = shadesOf(answer, 0);
  const heads = headsOf(across, columns);
  const blocks = pivotRows(answer, columns);
  const rows = blocks.flatMap(({ head, rows: inBlock }) =>
    inBlock.map((row) => ({ ...row, label: head === null ? row.label : `${head.label} · ${row.label}` })),
  );
  const drawnHeads = heads.slice(0, mostColumns);
  const lines = rows.slice(0, mostRows).map(({ label, at }) =>
    tableLine(
      label,
      drawnHeads.map(({ place }) => {
        const value = cells.get([...at, place].join())?.values[0];
        const shade = kind === "heatmap" ? shadeOf(figureNumber(value), shades) : null;
        return { text: figureText(value, measure), shade: shade ?? undefined };
      }),
    ),
  );
  const notes = [cutNote(rows.length, mostRows, `rows are ${verb}`), cutNote(heads.length, mostColumns, `columns are ${verb}`)].filter(
    (note) => note !== null,
  );
  return {
    heads: [name, ...drawnHeads.map(({ label }) => label)],
    lines,
    note: [`${labels[0] ?? ""} in each cell.`, ...notes].join(" "),
  };
}

type Measure = BreakdownAnswer["measures"][number];
interface Figures {
  values: readonly CellValue[];
  before?: readonly CellValue[] | null | undefined;
}

export const tableLine = (head: string, cells: readonly TableCell[]): TableCell[] => [{ text: head }, ...cells];

const changeCells = ({ values, before = null }: Figures, measure: Measure, place: number): TableCell[] => {
  const figures = { values, before };
  return [
    { text: figureText(figureOf(figures, place, "before"), measure) },
    { text: changeText(figureOf(figures, place, "change"), measure) },
    { text: percentText(figureOf(figures, place, "percent")) },
  ];
};

const cutNote = (all: number, most: number, of: string): string | null =>
  all <= most ? null : `The first ${formatCount(most)} of ${formatCount(all)} ${of}.`;
