import { type Page, type Request, expect } from "@playwright/test";

export const storms = ["Tropical weather", "storm-tracks"] as const;
export const earthquakes = ["Natural hazards", "earthquakes"] as const;
export const airports = ["Aviation", "airports"] as const;
export const flights = ["Aviation", "flights"] as const;

type Dataset = readonly [category: string, datasetId: string];

const formAddress = ([category, dataset]: Dataset): string => `/search?${new URLSearchParams({ category, dataset })}`;
export const describePath = ([category, datasetId]: Dataset): string =>
  `/api/datasets/${encodeURIComponent(category)}/${encodeURIComponent(datasetId)}/describe`;

/** Opens the form of a dataset by its address and waits for its filters. */
export async function openForm(page: Page, dataset: Dataset): Promise<void> {
  await page.goto(formAddress(dataset));
  await expectForm(page, dataset);
}

/** The form of a dataset, with its filters set up. */
export async function expectForm(page: Page, [, datasetId]: Dataset): Promise<void> {
  await expect(formOf(page, datasetId)).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: datasetId, exact: true })).toBeVisible();
}

export const formOf = (page: Page, datasetId: string) => page.getByRole("form", { name: `Search ${datasetId}`, exact: true });
export const picker = (page: Page) => page.getByRole("grid", { name: "Datasets", exact: true });
export const pick = (page: Page, datasetId: string) => picker(page).getByRole("button", { name: datasetId, exact: true }).click();
export const searchButton = (page: Page) => page.getByRole("main").getByRole("button", { name: "Search", exact: true });
export const sampleButton = (page: Page) => page.getByRole("main").getByRole("button", { name: "Sample", exact: true });
/** The summary of the time range, which opens its dialog. */
export const timeRange = (page: Page) => page.getByRole("button", { name: /^Time range:/ });
export const timeDialog = (page: Page) => page.getByRole("dialog", { name: "Select Date and Time Range", exact: true });

interface AskedSearch {
  path: string;
  body: unknown;
}

/** What the page asks about rows: every search and every aggregate, in order, with its whole body. */
export function askedSearches(page: Page): { searches: AskedSearch[]; counts: AskedSearch[] } {
  const asked = { searches: new Array<AskedSearch>(), counts: new Array<AskedSearch>() };
  page.on("request", (request) => {
    if (request.method() !== "POST") return;
    const { pathname } = new URL(request.url());
    const call = { path: decodeURIComponent(pathname), body: bodyOf(request) };
    if (/^\/api\/datasets\/[^/]+\/[^/]+\/search$/.test(pathname)) asked.searches.push(call);
    if (pathname.includes("/aggregate")) asked.counts.push(call);
  });
  return asked;
}

const bodyOf = (request: Request): unknown => request.postDataJSON() as unknown;

/** Answers in the place of the gateway that something broke, until the answered function is called. */
export async function breakAnswer(page: Page, path: string, message: string, status = 500): Promise<() => Promise<void>> {
  const isPath = (url: URL): boolean => url.pathname === path;
  await page.route(isPath, (route) => route.fulfill({ status, json: { errors: [{ code: "internal", message }] } }));
  return () => page.unroute(isPath);
}
