import { randomUUID } from "node:crypto";
import { demoPassword } from "@fairway/contract/api";
import type { ResultRow, SearchDataDraft } from "@fairway/contract/search";
import { type APIRequestContext, type Locator, type Page, type Request, expect } from "@playwright/test";

const category = "Tropical weather";
const dataset = "storm-tracks";
const datasetPath = `/api/datasets/${encodeURIComponent(category)}/${dataset}`;

export interface Span {
  /** UTC, without a zone suffix. */
  from: string;
  to: string;
}

export const msOf = (text: string): number => Date.parse(`${text}Z`);

/** The URL of a search for the storm tracks of a time span, in the graphs view. */
export function graphsLink(
  span: Span | null,
  { dataset: d = dataset, category: c = category, filters = [] as readonly unknown[] } = {},
): string {
  const parts = {
    c,
    d,
    ...(span ? { t: [msOf(span.from) / 1000, msOf(span.to) / 1000] } : {}),
    ...(filters.length > 0 ? { f: filters } : {}),
    m: "graphs",
  };
  return `/search/${randomUUID()}#1.${Buffer.from(JSON.stringify(parts)).toString("base64url")}`;
}

const newGraphButton = (page: Page): Locator => page.getByRole("button", { name: "New graph", exact: true });

/** Opens a search in the graphs view, which has no graphs yet. */
export async function openGraphs(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await expect(page.getByRole("button", { name: "Create graph", exact: true })).toBeVisible();
}

/** The editor of a new or existing graph. */
export const editor = (page: Page): Locator => page.getByRole("form", { name: /^(New|Edit) graph$/ });

export async function newGraph(page: Page): Promise<Locator> {
  await newGraphButton(page).click();
  const form = editor(page);
  await expect(form).toBeVisible();
  return form;
}

export const save = (page: Page): Promise<void> => editor(page).getByRole("button", { name: "Save graph", exact: true }).click();

/** Chooses a segment, such as the graph type, by its label, because the radio input is hidden. */
export const choose = (within: Locator, name: string): Promise<void> => within.getByText(name, { exact: true }).click();

/** Sets a column of the editor, counted from 1, adding it if necessary. */
export async function setColumn(form: Locator, position: number, aggregation: string, column?: string): Promise<void> {
  const row = form.getByRole("group", { name: `column ${position}`, exact: true });
  if ((await row.count()) === 0) await form.getByRole("button", { name: "Add column", exact: true }).click();
  await row.getByLabel("Aggregation", { exact: true }).selectOption({ label: aggregation });
  if (column !== undefined) await row.getByLabel("Column", { exact: true }).selectOption({ label: column });
}

/** Fills a custom group, counted from 1, with conditions of column, operator and value. */
export async function setGroup(
  form: Locator,
  position: number,
  label: string,
  conditions: readonly (readonly [string, string, string])[],
): Promise<Locator> {
  const groups = form.getByRole("group", { name: "Groupings", exact: true }).getByRole("group");
  if ((await groups.count()) < position) await form.getByRole("button", { name: "Add group", exact: true }).click();
  const group = groups.nth(position - 1);
  for (const [index, [column, operator, value]] of conditions.entries()) {
    const condition = `of condition ${index + 1}`;
    if ((await group.getByLabel(`Column ${condition}`, { exact: true }).count()) === 0)
      await group.getByRole("button", { name: "Add condition", exact: true }).click();
    await group.getByLabel(`Column ${condition}`, { exact: true }).selectOption(column);
    await group.getByLabel(`Operator ${condition}`, { exact: true }).selectOption(operator);
    await group.getByLabel(`Value ${condition}`, { exact: true }).fill(value);
  }
  await group.getByPlaceholder("Label").fill(label);
  return group;
}

export const graph = (page: Page, title: string): Locator => page.getByRole("region", { name: title, exact: true });
export const table = (page: Page, title: string): Locator => graph(page, title).getByRole("table");

/** The cells of a graph's table, row by row, without the column of buttons. */
export async function tableValues(page: Page, title: string): Promise<string[][]> {
  await choose(graph(page, title), "Table");
  await expect(table(page, title)).toBeVisible();
  // In one call: one for each line of a long table takes seconds.
  return table(page, title)
    .locator("tbody tr")
    .evaluateAll((lines) =>
      lines.map((line) => Array.from(line.querySelectorAll<HTMLElement>("th, td"), (cell) => cell.innerText.trim()).slice(0, -1)),
    );
}

export async function graphMenu(page: Page, title: string, entry: string): Promise<void> {
  await graph(page, title)
    .getByRole("button", { name: `Graph menu: ${title}`, exact: true })
    .click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

/** Records the page's aggregate calls for graphs, in order, without the search's own count. */
export function recordAggregates(page: Page): { path: string; body: unknown }[] {
  const recorded: { path: string; body: unknown }[] = [];
  page.on("request", (request) => {
    const path = decodeURIComponent(new URL(request.url()).pathname);
    if (request.method() === "POST" && /\/aggregate(\/|$)/.test(path) && !isTotal(request))
      recorded.push({ path, body: request.postDataJSON() as unknown });
  });
  return recorded;
}

/** The first count over all rows of a page is the search's own. */
const totals = new WeakSet<Page>();
function isTotal(request: Request): boolean {
  const page = request.frame().page();
  if (!request.url().endsWith("/aggregate/count/*") || totals.has(page)) return false;
  totals.add(page);
  return true;
}

/** All rows of a time span from the API, to compare graphs with. */
export async function allRows(request: APIRequestContext, { from, to }: Span): Promise<ResultRow[]> {
  const login = await request.post("/api/auth/login", { data: { username: "viewer", password: demoPassword } });
  const { token } = (await login.json()) as { token: { access_token: string } };
  const data = {
    timeRange: { start: new Date(msOf(from)).toISOString(), end: new Date(msOf(to)).toISOString() },
    paging: { offset: 0, max: 1_000 },
  } satisfies SearchDataDraft;
  const response = await request.post(`${datasetPath}/search`, { headers: { authorization: `Bearer ${token.access_token}` }, data });
  expect(response.status()).toBe(200);
  const { results } = (await response.json()) as { results: ResultRow[] };
  expect(results.length).toBeGreaterThan(0);
  expect(results.length).toBeLessThan(1_000);
  return results;
}

export const winds = (rows: readonly ResultRow[]): number[] => rows.flatMap(({ wind }) => (typeof wind === "number" ? [wind] : []));
export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
export const avgOf = (numbers: readonly number[]): number | null => (numbers.length === 0 ? null : sumOf(numbers) / numbers.length);

/** Formats a number like graphs do: with separators and at most four decimals. */
export const formatNumber = (number: number | null): string =>
  number === null ? "" : number.toLocaleString("en-US", { maximumFractionDigits: 4 });
