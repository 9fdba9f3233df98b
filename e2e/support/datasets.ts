import { type Page, type Request, expect } from "@playwright/test";

export const storms = ["Tropical weather", "storm-tracks"] as const;
export const earthquakes = ["Natural hazards", "earthquakes"] as const;
export const flights = ["Aviation", "flights"] as const;

type Dataset = readonly [category: string, datasetId: string];

export const formAddress = ([category, dataset]: Dataset): string => `/search?${new URLSearchParams({ category, dataset })}`;
export const describePath = ([category, datasetId]: Dataset): string =>
  `/api/datasets/${encodeURIComponent(category)}/${encodeURIComponent(datasetId)}/describe`;

/** Opens a dataset's form by URL and waits for its filters. */
export async function openForm(page: Page, dataset: Dataset): Promise<void> {
  await page.goto(formAddress(dataset));
  await expectForm(page, dataset);
}

/** Expects a dataset's form with its filters. */
export async function expectForm(page: Page, [, datasetId]: Dataset): Promise<void> {
  await expect(formOf(page, datasetId)).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: datasetId, exact: true })).toBeVisible();
}

export const formOf = (page: Page, datasetId: string) => page.getByRole("form", { name: `Search ${datasetId}`, exact: true });
export const picker = (page: Page) => page.getByRole("grid", { name: "Datasets", exact: true });
export const pick = (page: Page, datasetId: string) => picker(page).getByRole("button", { name: datasetId, exact: true }).click();
export const searchButton = (page: Page) => page.getByRole("main").getByRole("button", { name: "Search", exact: true });
/** The button that shows the time range and opens its dialog. */
export const timeRange = (page: Page) => page.getByRole("button", { name: /^Time range:/ });
export const timeDialog = (page: Page) => page.getByRole("dialog", { name: "Select Date and Time Range", exact: true });

/** Without the ready questions of the first screen, whose pictures are searches of their own. */
export const withoutQuestions = (page: Page) =>
  page.route("**/api/startPage", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), questions: [] } });
  });

interface RecordedCall {
  path: string;
  body: unknown;
}

/** Records every search and aggregate call of the page, in order, with its body. */
export function recordSearches(page: Page): { searches: RecordedCall[]; counts: RecordedCall[] } {
  const recorded = { searches: new Array<RecordedCall>(), counts: new Array<RecordedCall>() };
  page.on("request", (request) => {
    if (request.method() !== "POST") return;
    const { pathname } = new URL(request.url());
    const call = { path: decodeURIComponent(pathname), body: bodyOf(request) };
    if (/^\/api\/datasets\/[^/]+\/[^/]+\/search$/.test(pathname)) recorded.searches.push(call);
    if (pathname.includes("/aggregate")) recorded.counts.push(call);
  });
  return recorded;
}

const bodyOf = (request: Request): unknown => request.postDataJSON() as unknown;
