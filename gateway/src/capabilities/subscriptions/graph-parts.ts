import type { BoardPanel } from "@fairway/contract/boards";
import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import { type ChartDrawing, drawingOf } from "@fairway/contract/charts/drawing";
import { fullFigureText } from "@fairway/contract/charts/figures";
import { countOfGroups, groupConstraints, groupedRange, groupsOf } from "@fairway/contract/charts/graph-groups";
import { type GraphModel, modelOf } from "@fairway/contract/charts/graph-model";
import { aggregatesOf } from "@fairway/contract/charts/graph-values";
import { labelWithUnit, typeLabels, valueText } from "@fairway/contract/charts/graph-wording";
import { type GraphDefinition, graphDefinition, type GraphValue, summaryOf } from "@fairway/contract/charts/graph";
import { labeledBreakdown, measureLabel } from "@fairway/contract/charts/measure-wording";
import { sentenceOf } from "@fairway/contract/charts/sentence";
import { type SummaryTable, summaryTable, tableLine, type TableSize } from "@fairway/contract/charts/summary-table";
import { formatCount, formatList, pluralize } from "@fairway/contract/counts";
import type { CellValue, SearchData } from "@fairway/contract/search";
import type { Summary } from "@fairway/contract/summaries";
import type { ChartSize } from "#charts/chart-pictures.ts";
import { spanOf } from "#personal/saved-search-data.ts";
import type { EngineCall } from "#query/engine.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import { cut } from "./cell-texts.ts";

/** A picture that is larger on wide screens and smaller on phones, where its letters stay readable. */
export const chartSize: ChartSize = { widthPx: 440, heightPx: 280, ratio: 2.5 };
/** The width in a wide email. */
export const shownWidthPx = 520;

const tableSize: TableSize = { rows: 25, columns: 31 };

/** Of a graph by hand. */
const mostGroups = 10_000;

/** The part of a message that a graph of a board becomes. */
export type GraphContent =
  | { readonly kind: "line"; readonly text: string; readonly opens: false }
  | { readonly kind: "figure"; readonly text: string; readonly about: string }
  | {
      readonly kind: "graph";
      /** Says which groups it shows. */
      readonly sentence: string;
      /** The file of its chart, where it has one; it stands in place of the table. */
      readonly png: Uint8Array | null;
      /** Says what the chart leaves to the table, or why there is none; null if there is nothing to say. */
      readonly chartNote: string | null;
      readonly table: SummaryTable;
    };

export interface GraphLoading {
  /** The search of the panel, without order. */
  readonly data: SearchData;
  readonly call: EngineCall;
  /** Null if the chart cannot be drawn. */
  readonly draw: (drawing: ChartDrawing) => Promise<Uint8Array | null>;
  readonly answer: (breakdown: Summary["breakdown"]) => Promise<BreakdownAnswer>;
  readonly groupValues: (
    groups: readonly ({ readonly id: string } & ReturnType<typeof groupConstraints>)[],
    aggregations: readonly { readonly aggregation: string; readonly column: string }[],
  ) => Promise<readonly (readonly CellValue[])[]>;
}

/** The content of a graph and the figures that tell whether it changed; null for a graph whose groups cannot be told. */
export async function graphContent(
  { graph }: Extract<BoardPanel, { kind: "graph" }>,
  dataset: Pick<SearchableDataset, "columns" | "engine" | "queryable">,
  loading: GraphLoading,
): Promise<{ readonly content: GraphContent; readonly figures: unknown } | null> {
  const summary = summaryOf(graph);
  if (summary !== null) return summaryContent(summary, dataset, loading);
  const { success, data: definition } = graphDefinition.safeParse(graph);
  return success ? byHandContent(definition, dataset, loading) : null;
}

async function summaryContent(
  summary: Summary,
  { columns }: Pick<SearchableDataset, "columns">,
  { answer: ask, draw }: GraphLoading,
): Promise<{ readonly content: GraphContent; readonly figures: unknown }> {
  const { breakdown } = summary;
  const answer = await ask(breakdown);
  const entries = answer.by.map((axis) => axis.entries.map(({ narrow: _narrow, reason: _reason, ...entry }) => entry));
  const figures = [entries, answer.cells, answer.totals?.all, answer.rows];
  if (answer.rows === 0) return { content: { kind: "line", text: "No row matches this search.", opens: false }, figures };
  const sentence = sentenceOf(breakdown, answer, columns);
  const [measure, ...more] = answer.measures;
  const [asked] = labeledBreakdown(breakdown, columns).measures;
  if (answer.by.length === 0 && measure !== undefined && asked !== undefined && more.length === 0 && answer.compare === null) {
    const text = fullFigureText(answer.cells[0]?.values[0], measure);
    return { content: { kind: "figure", text, about: `${measureLabel(asked)}. ${sentence}.` }, figures };
  }
  const chart = drawingOf(summary, answer, columns);
  const png = chart === null ? null : await draw(chart.drawing);
  const chartNote = chart !== null && png === null ? notDrawn : (chart?.note ?? null);
  const table = withShortTexts(summaryTable(summary, answer, columns, { ...tableSize, hasChanges: true, verb: "shown" }));
  return { content: { kind: "graph", sentence: `${sentence}.`, png, chartNote, table }, figures };
}

const notDrawn = "The chart could not be drawn for this email.";

async function byHandContent(
  definition: GraphDefinition,
  { columns, engine, queryable }: Pick<SearchableDataset, "columns" | "engine" | "queryable">,
  { data, call, draw, groupValues }: GraphLoading,
): Promise<{ readonly content: GraphContent; readonly figures: unknown } | null> {
  const isOfTime = definition.groupingType !== "custom";
  const span = data.timeRange === undefined ? null : spanOf(data.timeRange);
  const ends = span && { startMs: finite(span.startMs), endMs: finite(span.endMs) };
  const isOpen = ends !== null && (ends.startMs === null || ends.endMs === null);
  const timeExtent = isOfTime && isOpen ? await engine.timeExtent(queryable, call) : null;
  const range = groupedRange({ timeRange: ends }, { timeExtent });
  // Hours of all years would be millions.
  if (countOfGroups(definition, range) > mostGroups) return null;
  const groups = groupsOf(definition, range);
  const aggregates = aggregatesOf(definition.columns);
  if (groups.length === 0 || aggregates.length === 0 || !engine.supportsGroups) return null;
  const values = await groupValues(
    groups.map((group) => ({ id: group.id, ...groupConstraints(group) })),
    aggregates.map(({ aggregation, model }) => ({ aggregation, column: model })),
  );
  const loaded = { groups, aggregates, values: values.map((line) => line.map(graphValue)) };
  const model = modelOf({ columns: definition.columns, data: loaded }, columns);
  if (model === null) return null;
  const png = await draw({ kind: "graph", style: definition, model, hidden: [] });
  const sentence = sentenceOfGraph(definition, model);
  return {
    content: { kind: "graph", sentence, png, chartNote: png === null ? notDrawn : null, table: withShortTexts(byHandTable(model)) },
    figures: values,
  };
}

const withShortTexts = ({ heads, lines, note }: SummaryTable): SummaryTable => ({
  heads: heads.map(cut),
  lines: lines.map((cells) => cells.map((cell) => Object.assign(cell, { text: cut(cell.text) }))),
  note,
});

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

const graphValue = (value: CellValue): GraphValue => (typeof value === "boolean" ? null : value);

const sentenceOfGraph = ({ type }: GraphDefinition, { groups, columns }: GraphModel): string => {
  const [first, last] = [groups[0]?.label ?? "", groups.at(-1)?.label ?? ""];
  const of = formatList(columns.map(({ label }) => label));
  return `${typeLabels[type]} graph of ${of} in ${pluralize(groups.length, "group")}, from ${first} to ${last}.`;
};

function byHandTable(model: GraphModel): SummaryTable {
  const { groups, columns, values } = model;
  const shown = columns.slice(0, tableSize.columns);
  const lines = groups.slice(0, tableSize.rows).map(({ label }, group) =>
    tableLine(
      label,
      shown.map((_, column) => ({ text: valueText(values[group]?.[column] ?? null) })),
    ),
  );
  const note =
    groups.length > lines.length ? `The first ${formatCount(lines.length)} of ${formatCount(groups.length)} groups are shown.` : null;
  return { heads: ["Group", ...shown.map(labelWithUnit)], lines, note };
}
