import { type BreakdownAnswer, type BreakdownEntry, type BreakdownRequest, breakdowns } from "@fairway/contract/breakdowns";
import { isNumeric } from "@fairway/contract/columns";
import { measureText } from "@fairway/contract/measures";
import type { CellValue, ResultRow } from "@fairway/contract/search";
import { demoDatasets, serveDatasets } from "./demo-datasets.ts";
import { avgOf, days, stormRows } from "./graphs.ts";
import { gateway } from "./open-screen.tsx";

/**
 * Serves datasets that can be broken down, and breakdowns of the storm tracks of some days by the values of columns. Without numbers,
 * none of the datasets has a graphs view.
 */
export function serveSummaries({ hasNumbers = true } = {}): void {
  serveDatasets(
    gateway,
    demoDatasets().map(({ description, rows }) => ({
      description: {
        ...description,
        assists: [...description.assists, "BREAKDOWN" as const],
        schema: { ...description.schema, columns: description.schema.columns.filter(({ type }) => hasNumbers || !isNumeric(type)) },
      },
      rows,
    })),
  );
  gateway.answer(breakdowns.run, ({ body }) => breakDown(stormRows(days), body));
}

export const breakdownRequests = (): BreakdownRequest[] => gateway.received(breakdowns.run).map(({ body }) => body);

const figureOf = (rows: readonly ResultRow[], { aggregation, column = "*" }: BreakdownRequest["measures"][number]): CellValue =>
  aggregation === "count"
    ? rows.length
    : avgOf(rows.flatMap((row) => (row[column] === null || row[column] === undefined ? [] : [Number(row[column])])));

const dayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

const byDayOfWeek = (rows: readonly ResultRow[]) => ({
  kind: "part" as const,
  column: "time",
  found: dayNames.length,
  failing: [] as [CellValue, ResultRow[]][],
  entries: dayNames.map((name, index): { entry: BreakdownEntry; rows: readonly ResultRow[] } => ({
    entry: {
      kind: "part",
      number: index + 1,
      name,
      narrow: { filters: [{ name: "time", operator: "when", value: { part: "dayOfWeek", zone: "UTC", in: [index + 1] } }] },
    },
    rows: rows.filter(({ time }) => (new Date(Number(time) * 1_000).getUTCDay() + 6) % 7 === index),
  })),
});

const dayMs = 86_400_000;

const byDay = (rows: readonly ResultRow[]) => {
  const days = Map.groupBy(rows, ({ time }) => Math.floor((Number(time) * 1_000) / dayMs) * dayMs);
  return {
    kind: "time" as const,
    column: "time",
    found: days.size,
    failing: [] as [CellValue, ResultRow[]][],
    entries: [...days]
      .toSorted(([a], [b]) => a - b)
      .map(([startMs, of]): { entry: BreakdownEntry; rows: readonly ResultRow[] } => {
        const [start, end] = [new Date(startMs).toISOString(), new Date(startMs + dayMs - 1_000).toISOString()];
        const entry = { kind: "time" as const, startMs, endMs: startMs + dayMs, text: start.slice(0, 16) };
        return { entry: { ...entry, narrow: { timeRange: { start, end } } }, rows: of };
      }),
  };
};

/** Counts and averages by values, the highest first. Conditions are on the number of rows, and leave groups to Other. */
function breakDown(rows: readonly ResultRow[], { by = [], measures, having = [] }: BreakdownRequest): BreakdownAnswer {
  const figures = (of: readonly ResultRow[]): CellValue[] => measures.map((measure) => figureOf(of, measure));
  const least = having[0]?.value ?? 0;
  const axes = by.map((grouping) => {
    if (grouping.kind === "part") return byDayOfWeek(rows);
    if (grouping.kind === "time") return byDay(rows);
    if (grouping.kind !== "value") throw new Error(`No rows are grouped by ${grouping.kind} here.`);
    const { column, top } = grouping;
    const groups = [...Map.groupBy(rows, (row) => row[column] ?? null)];
    const passing = groups.filter(([value, of]) => value !== null && of.length >= least);
    const ranked = passing.toSorted(([, a], [, b]) => Number(figures(b)[0]) - Number(figures(a)[0])).slice(0, top?.count);
    const named = new Set(ranked.map(([value]) => value));
    const rest = groups.filter(([value]) => value !== null && !named.has(value));
    const entries: { entry: BreakdownEntry; rows: readonly ResultRow[] }[] = ranked.map(([value, of]) => ({
      entry: { kind: "value", value, narrow: { filters: [{ name: column, operator: "=", value }] } },
      rows: of,
    }));
    if (top?.other && rest.length > 0)
      entries.push({
        entry: { kind: "other", count: rest.length, narrow: null, reason: "A search cannot leave out so many values." },
        rows: rest.flatMap(([, of]) => of),
      });
    const empty = groups.find(([value]) => value === null);
    if (empty)
      entries.push({ entry: { kind: "empty", narrow: { filters: [{ name: column, operator: "=", value: null }] } }, rows: empty[1] });
    const failing = groups.filter(([value, of]) => value !== null && of.length < least);
    return { kind: "value" as const, column, entries, found: groups.length - (empty ? 1 : 0), failing };
  });
  const [down, across] = axes;
  const cells = (down?.entries ?? [{ rows }]).flatMap(({ rows: ofRow }, row) => {
    if (!across) return [{ at: down ? [row] : [], values: figures(ofRow) }];
    return across.entries.flatMap(({ rows: ofColumn }, column) => {
      const both = ofRow.filter((one) => ofColumn.includes(one));
      return both.length === 0 ? [] : [{ at: [row, column], values: figures(both) }];
    });
  });
  return {
    by: axes.map(({ kind, column, entries, found, failing }) => ({
      id: column,
      kind,
      column,
      type: "STRING",
      found,
      failing: { groups: failing.length, rows: failing.flatMap(([, of]) => of).length },
      entries: entries.map(({ entry }) => entry),
    })),
    measures: measures.map((measure) => ({
      id: measureText(measure),
      unit: measure.aggregation === "avg" ? "kt" : null,
      type: measure.aggregation === "avg" ? "decimal" : "integer",
      isEstimate: false,
    })),
    cells,
    totals: {
      all: { values: figures(rows) },
      axes: axes.length < 2 ? [] : axes.map(({ entries }) => entries.map(({ rows: of }) => ({ values: figures(of) }))),
    },
    rows: rows.length,
    compare: null,
    isCut: false,
    engine: "DuckDB",
    zoneData: "2025b",
    computedMs: 1_764_244_931_000,
    durationMs: 64,
  };
}
