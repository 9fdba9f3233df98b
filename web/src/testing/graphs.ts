import { graphs } from "@fairway/contract/graphs";
import { type CellValue, type ResultRow, search, type SearchData, searchData } from "@fairway/contract/search";
import { expect } from "vitest";
import { type Locator, page } from "vitest/browser";
import "./css-locator.ts";
import { demoDataset, searchRows } from "./demo-datasets.ts";
import { gateway, openScreen } from "./open-screen.tsx";
import { clickQuickly, setField } from "./quick-fields.ts";

export interface Span {
  /** ISO time without a zone, in UTC. */
  from: string;
  to: string;
}

/** Katrina on the way to Louisiana, starting and ending in the middle of a day. */
export const days: Span = { from: "2005-08-26T06:00:00", to: "2005-08-29T18:00:00" };

export const msOf = (text: string): number => Date.parse(`${text}Z`);

/** The rows a search returns, including its time range. */
const rowsOf = (datasetId: string, { timeRange, ...body }: SearchData): ResultRow[] =>
  searchRows(demoDataset(datasetId), body).filter(({ time }) => {
    const ms = Number(time) * 1_000;
    const { start, end } = timeRange ?? {};
    return (start === undefined || ms >= Date.parse(start)) && (end === undefined || ms <= Date.parse(end));
  });

export const stormRows = ({ from, to }: Span): ResultRow[] =>
  rowsOf("storm-tracks", searchData.parse({ timeRange: { start: `${from}Z`, end: `${to}Z` } }));

/** Aggregates a column over rows. Without values, a count is 0 and any other aggregate null. */
function aggregateOf(rows: readonly ResultRow[], aggregation: string, column: string): CellValue {
  if (column === "*") return rows.length;
  const present = rows.flatMap((row) => (row[column] === null || row[column] === undefined ? [] : [Number(row[column])]));
  if (aggregation === "count") return present.length;
  if (present.length === 0) return null;
  const sum = present.reduce((total, value) => total + value, 0);
  const values: Record<string, number> = { sum, avg: sum / present.length, min: Math.min(...present), max: Math.max(...present) };
  return values[aggregation] ?? null;
}

/** The picture of the draft beside the editor. */
export const preview = () => page.getByRole("region", { name: "Preview", exact: true });
export const previewPicture = (within = preview()) => within.getByRole("img");
/** A range of some hours within `days`. */
export const hours = { from: "2005-08-28T00:00:00", to: "2005-08-30T12:00:00" };

/** Makes the gateway aggregate rows of the datasets, one value per call or in batches. */
export function serveAggregates(): void {
  gateway.answer(search.aggregate, ({ params: { datasetId, aggregationType, column }, body }) => {
    const value = aggregateOf(rowsOf(datasetId, body), aggregationType, column);
    return column === "*" ? { totalResults: value } : { [`${aggregationType}(${column})`]: value };
  });
  gateway.answer(graphs.batch, ({ params: { datasetId }, body }) => ({
    groups: body.groups.map(({ id, timeRange, filters }) => {
      const narrowed = { ...body.search, filters: [...body.search.filters, ...filters], ...(timeRange ? { timeRange } : {}) };
      const rows = rowsOf(datasetId, narrowed);
      return { id, values: body.aggregations.map(({ aggregation, column }) => aggregateOf(rows, aggregation, column)) };
    }),
  }));
}

/** The address of a search for the storm tracks in a time span, in the graphs view. */
export function graphsLink(
  span: Span | null,
  {
    dataset = "storm-tracks",
    category = "Tropical weather",
    filters = [] as readonly unknown[],
    graphs: linked = [] as readonly unknown[],
  } = {},
): string {
  const parts = {
    c: category,
    d: dataset,
    ...(span ? { t: [msOf(span.from) / 1000, msOf(span.to) / 1000] } : {}),
    ...(filters.length > 0 ? { f: filters } : {}),
    m: "graphs",
    ...(linked.length > 0 ? { g: linked } : {}),
  };
  const code = btoa(JSON.stringify(parts)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `/search/${crypto.randomUUID()}#1.${code}`;
}

export const newGraphButton = (): Locator => page.getByRole("button", { name: "New graph", exact: true });

/** Opens a search in the graphs view, without graphs. */
export async function openGraphs(link: string): Promise<void> {
  await openScreen(link);
  await expect.element(page.getByRole("button", { name: "Create graph", exact: true })).toBeVisible();
}

/** The editor of a new or existing graph. */
export const editor = (): Locator => page.getByRole("form", { name: /^(New|Edit) graph$/ });

export async function newGraph(): Promise<Locator> {
  await clickQuickly(newGraphButton());
  await expect.element(editor()).toBeVisible();
  return editor();
}

export const save = (): Promise<void> => clickQuickly(editor().getByRole("button", { name: "Save graph", exact: true }));

/** Chooses a segment, such as the type of a graph. The radio itself is visually hidden. */
export const choose = (within: Locator, name: string): Promise<void> => clickQuickly(within.getByText(name, { exact: true }));

/** Sets the nth column of the editor, from 1. Adds it if it does not exist. */
export async function setColumn(form: Locator, position: number, aggregation: string, column?: string): Promise<void> {
  const row = form.getByRole("group", { name: `column ${position}`, exact: true });
  if (row.elements().length === 0) await clickQuickly(form.getByRole("button", { name: "Add column", exact: true }));
  await setField(row.getByLabelText("Aggregation", { exact: true }), aggregation);
  if (column !== undefined) await setField(row.getByLabelText("Column", { exact: true }), column);
}

/** Sets the nth custom group, from 1, with conditions of column, operator and value. */
export async function setGroup(
  form: Locator,
  position: number,
  label: string,
  conditions: readonly (readonly [string, string, string])[],
): Promise<Locator> {
  const groups = form.getByRole("group", { name: "Groupings", exact: true }).getByRole("group");
  if (groups.elements().length < position) await clickQuickly(form.getByRole("button", { name: "Add group", exact: true }));
  const group = groups.nth(position - 1);
  for (const [index, [column, operator, value]] of conditions.entries()) {
    const condition = `of condition ${index + 1}`;
    if (group.getByLabelText(`Column ${condition}`, { exact: true }).elements().length === 0)
      await clickQuickly(group.getByRole("button", { name: "Add condition", exact: true }));
    await setField(group.getByLabelText(`Column ${condition}`, { exact: true }), column);
    await setField(group.getByLabelText(`Operator ${condition}`, { exact: true }), operator);
    await setField(group.getByLabelText(`Value ${condition}`, { exact: true }), value);
  }
  await setField(group.getByPlaceholder("Label"), label);
  return group;
}

export const graph = (title: string): Locator => page.getByRole("region", { name: title, exact: true });
export const picture = (title: string): Locator => graph(title).getByRole("img");
export const table = (title: string): Locator => graph(title).getByRole("table");

/** The rows of a graph's table, without the column of buttons. */
export async function shownValues(title: string): Promise<string[][]> {
  await choose(graph(title), "Table");
  await expect.element(table(title)).toBeVisible();
  return [...table(title).element().querySelectorAll("tbody tr")].map((line) =>
    [...line.querySelectorAll("th, td")].slice(0, -1).map((cell) => (cell as HTMLElement).innerText.trim()),
  );
}

export async function graphMenu(title: string, entry: string): Promise<void> {
  await clickQuickly(graph(title).getByRole("button", { name: `Graph menu: ${title}`, exact: true }));
  await clickQuickly(page.getByRole("menuitem", { name: entry, exact: true }));
}

/** The single-value calls of graphs, in order, without the search's own count, which is always first. */
export const valueRequests = (): { path: string; body: unknown }[] =>
  gateway
    .received(search.aggregate)
    .slice(1)
    .map(({ params: { aggregationType, column }, body }) => ({ path: `${aggregationType}/${column}`, body }));

export const batchRequests = () => gateway.received(graphs.batch);

export const winds = (rows: readonly ResultRow[]): number[] => rows.flatMap(({ wind }) => (typeof wind === "number" ? [wind] : []));
export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
export const avgOf = (numbers: readonly number[]): number | null => (numbers.length === 0 ? null : sumOf(numbers) / numbers.length);

/** A number as graphs show it: with separators and at most four decimals. */
export const shown = (number: number | null): string =>
  number === null ? "" : number.toLocaleString("en-US", { maximumFractionDigits: 4 });
