import { randomUUID } from "node:crypto";
import { demoPassword } from "@fairway/contract/api";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { ResultRow, SearchDataDraft } from "@fairway/contract/search";
import type { APIRequestContext, Locator, Page, Request } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** The parameters of a search in the URL of the results screen. */
export interface SearchParams {
  category: string;
  dataset: string;
  isSample?: boolean;
  filters?: readonly (readonly [name: string, operator: string, value: string | number])[];
  sort?: readonly (readonly [column: string, direction: "asc" | "desc"])[];
}

/** A search with three pages (68 rows), a count, times in seconds, and combined columns. */
export const katrina: SearchParams = { category: "Tropical weather", dataset: "storm-tracks", filters: [["name", "=", "Katrina"]] };

export const searchCalls = "**/api/datasets/*/*/search";

/** The URL of a search; opening it runs the search. */
export function searchLink({ category, dataset, isSample = false, filters = [], sort = [] }: SearchParams): string {
  const parts = {
    c: category,
    d: dataset,
    ...(isSample ? { s: 1 } : {}),
    ...(filters.length > 0 ? { f: filters } : {}),
    ...(sort.length > 0 ? { o: sort } : {}),
  };
  return `/search/${randomUUID()}#1.${Buffer.from(JSON.stringify(parts)).toString("base64url")}`;
}

/** Opens a search and waits for its rows. */
export async function openResults(page: Page, search: SearchParams): Promise<void> {
  await page.goto(searchLink(search));
  await expect(
    page
      .getByRole("grid", { name: `Results of ${search.dataset}` })
      .getByRole("gridcell")
      .first(),
  ).toBeVisible();
}

/** The portal's API, to compare screens with. */
export interface PortalApi {
  token: string;
  /** Up to 1,000 rows if the dataset supports paging. */
  rows: (search: SearchParams, paging?: { offset: number; max: number }) => Promise<ResultRow[]>;
  describe: (search: SearchParams) => Promise<DatasetDescription>;
}

export async function portalApi(request: APIRequestContext): Promise<PortalApi> {
  const login = await request.post("/api/auth/login", { data: { username: "viewer", password: demoPassword } });
  const { token } = (await login.json()) as { token: { access_token: string } };
  const headers = { authorization: `Bearer ${token.access_token}` };
  const urlOf = ({ category, dataset }: SearchParams, call: string) =>
    `/api/datasets/${encodeURIComponent(category)}/${encodeURIComponent(dataset)}/${call}`;
  return {
    token: token.access_token,
    rows: async (search, paging) => {
      const response = await request.post(urlOf(search, "search"), {
        headers,
        data: { filters: filtersOf(search), ...(paging ? { paging } : {}) } satisfies SearchDataDraft,
      });
      expect(response.status()).toBe(200);
      return ((await response.json()) as { results: ResultRow[] }).results;
    },
    describe: async (search) => (await (await request.get(urlOf(search, "describe"), { headers })).json()) as DatasetDescription,
  };
}

const filtersOf = ({ filters = [] }: SearchParams) => filters.map(([name, operator, value]) => ({ name, operator, value }));

/** The body of a search request. */
export const bodyOf = (request: Request): SearchDataDraft => request.postDataJSON() as SearchDataDraft;

/** The page's next search request. */
export const nextSearch = (page: Page, options: { timeout?: number } = {}): Promise<Request> => page.waitForRequest(searchCalls, options);

export const grid = (page: Page): Locator => page.getByRole("grid");
export const header = (page: Page, column: string): Locator =>
  grid(page).locator(`[role=columnheader][data-column=${JSON.stringify(column)}]`);
/** A cell by row, counted from 1, and column name. */
export const cell = (page: Page, row: number, column: string): Locator =>
  grid(page).locator(`[role=gridcell][data-row="${row}"][data-column=${JSON.stringify(column)}]`);
export const visibleColumns = (page: Page): Promise<string[]> =>
  grid(page)
    .getByRole("columnheader")
    .evaluateAll((headers) => headers.map((element) => (element as HTMLElement).dataset["column"] ?? ""));

/** Chooses an entry of the Actions menu. */
export async function chooseAction(page: Page, entry: string): Promise<void> {
  await page.getByRole("button", { name: "Actions", exact: true }).click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

/** Shows only the columns time, name, position and wind, in this order, which is not that of the dataset. */
export async function arrangeColumns(page: Page): Promise<void> {
  await chooseAction(page, "Show Column Visibility");
  const columns = page.getByRole("region", { name: "Columns", exact: true });
  await columns.getByRole("button", { name: "Select None" }).click();
  for (const column of ["wind", "name", "time", "position"]) await columns.getByRole("checkbox", { name: column, exact: true }).check();
  await page.getByRole("columnheader").first().focus();
  await page.keyboard.press("Alt+ArrowRight");
}

/** A CSV file with the arranged columns of these rows. */
export function arrangedCsv(rows: readonly ResultRow[]): string {
  const lines = rows.map((row) => {
    const time = new Date(Number(row["time"]) * 1_000).toISOString().replace(".000Z", "Z");
    return `${time},${row["name"]},"${row["latitude"]}, ${row["longitude"]}",${row["wind"]}`;
  });
  return ["time,name,position,wind", ...lines, ""].join("\r\n");
}

/** Formats a time as MM/DD/YYYY, hh:mm:ss A in UTC, independently of the product's code. */
export function utcText(epochMs: number): string {
  const options = { timeZone: "UTC", hour12: true, year: "numeric", month: "2-digit", day: "2-digit" } as const;
  return new Intl.DateTimeFormat("en-US", { ...options, hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(epochMs);
}
