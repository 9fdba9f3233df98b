import { randomUUID } from "node:crypto";
import { demoPassword } from "@fairway/contract/api";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { ResultRow, SearchDataDraft } from "@fairway/contract/search";
import type { APIRequestContext, Locator, Page, Request } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** A search as an address of the results screen says it. */
export interface Asked {
  category: string;
  dataset: string;
  isSample?: boolean;
  filters?: readonly (readonly [name: string, operator: string, value: string | number])[];
  sort?: readonly (readonly [column: string, direction: "asc" | "desc"])[];
}

/** Three pages (68 rows), a count, times in seconds, combined columns. */
export const katrina: Asked = { category: "Tropical weather", dataset: "storm-tracks", filters: [["name", "=", "Katrina"]] };

export const searchCalls = "**/api/datasets/*/*/search";

/** The shared address of a search: opening it runs the search in this tab. */
export function searchLink({ category, dataset, isSample = false, filters = [], sort = [] }: Asked): string {
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
export async function openResults(page: Page, asked: Asked): Promise<void> {
  await page.goto(searchLink(asked));
  await expect(
    page
      .getByRole("grid", { name: `Results of ${asked.dataset}` })
      .getByRole("gridcell")
      .first(),
  ).toBeVisible();
}

/** The same gateway without a browser: what the screen is compared with. */
export interface PortalApi {
  token: string;
  /** Up to 1,000 rows where the dataset pages. */
  rows: (asked: Asked, paging?: { offset: number; max: number }) => Promise<ResultRow[]>;
  describe: (asked: Asked) => Promise<DatasetDescription>;
}

export async function portalApi(request: APIRequestContext): Promise<PortalApi> {
  const login = await request.post("/api/auth/login", { data: { username: "viewer", password: demoPassword } });
  const { token } = (await login.json()) as { token: { access_token: string } };
  const headers = { authorization: `Bearer ${token.access_token}` };
  const urlOf = ({ category, dataset }: Asked, call: string) =>
    `/api/datasets/${encodeURIComponent(category)}/${encodeURIComponent(dataset)}/${call}`;
  return {
    token: token.access_token,
    rows: async (asked, paging) => {
      const response = await request.post(urlOf(asked, "search"), {
        headers,
        data: { filters: filtersOf(asked), ...(paging ? { paging } : {}) } satisfies SearchDataDraft,
      });
      expect(response.status()).toBe(200);
      return ((await response.json()) as { results: ResultRow[] }).results;
    },
    describe: async (asked) => (await (await request.get(urlOf(asked, "describe"), { headers })).json()) as DatasetDescription,
  };
}

const filtersOf = ({ filters = [] }: Asked) => filters.map(([name, operator, value]) => ({ name, operator, value }));

/** The body that a request carried. */
export const bodyOf = (request: Request): SearchDataDraft => request.postDataJSON() as SearchDataDraft;

/** The next request for rows. */
export const nextSearch = (page: Page): Promise<Request> => page.waitForRequest(searchCalls);

/** Lets calls go on to the gateway only once the answered function was called. */
export async function hold(page: Page, calls: string): Promise<() => void> {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(calls, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** The next such call fails, as it does while every engine slot is taken. Later ones reach the gateway. */
export async function failOnce(page: Page, calls: string): Promise<void> {
  const errors = [{ code: "engine-busy", message: "Every engine slot is taken." }];
  await page.route(calls, (route) => route.fulfill({ status: 503, json: { errors } }), { times: 1 });
}

/** Real answers, changed on their way. */
export async function alterAnswer(page: Page, calls: string, change: (answer: Record<string, unknown>) => unknown): Promise<void> {
  await page.route(calls, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as Record<string, unknown>) });
  });
}

/** Real rows, changed on their way. */
export const alterRows = (page: Page, change: (rows: ResultRow[]) => unknown): Promise<void> =>
  alterAnswer(page, searchCalls, (answer) => ({ ...answer, results: change(answer["results"] as ResultRow[]) }));

export const grid = (page: Page): Locator => page.getByRole("grid");
export const header = (page: Page, column: string): Locator =>
  grid(page).locator(`[role=columnheader][data-column=${JSON.stringify(column)}]`);
/** A cell by its row, from 1, and its column's name. */
export const cell = (page: Page, row: number, column: string): Locator =>
  grid(page).locator(`[role=gridcell][data-row="${row}"][data-column=${JSON.stringify(column)}]`);
export const shownColumns = (page: Page): Promise<string[]> =>
  grid(page)
    .getByRole("columnheader")
    .evaluateAll((headers) => headers.map((one) => (one as HTMLElement).dataset["column"] ?? ""));

/** Chooses an entry of the Actions menu. */
export async function act(page: Page, entry: string): Promise<void> {
  await page.getByRole("button", { name: "Actions", exact: true }).click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

/** A time of a result as MM/DD/YYYY, hh:mm:ss A in UTC, made without the product's code. */
export function utcText(epochMs: number): string {
  const options = { timeZone: "UTC", hour12: true, year: "numeric", month: "2-digit", day: "2-digit" } as const;
  return new Intl.DateTimeFormat("en-US", { ...options, hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(epochMs);
}
