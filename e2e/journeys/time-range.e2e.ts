import type { DatasetDescription } from "@fairway/contract/datasets";
import {
  airports,
  alterDescription,
  askedSearches,
  describePath,
  earthquakes,
  flights,
  openForm,
  searchButton,
  storms,
  timeDialog,
  timeRange,
} from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectRows } from "../support/searches.ts";

test("[SEARCH-21][SEARCH-22] the time range opens 'Select Date and Time Range', and the panel shows the summary of what was chosen", async ({
  page,
  signIn,
}) => {
  await signIn();
  await openForm(page, storms);
  await expect(timeRange(page)).toHaveText("Time range: Any time");
  await timeRange(page).click();
  const dialog = timeDialog(page);
  await expect(dialog.getByRole("heading", { name: "Select Date and Time Range", exact: true })).toBeVisible();
  await expect(dialog.getByText("All times are in UTC", { exact: true })).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Done", exact: true })).toBeVisible();
  await expect(dialog.getByRole("textbox", { name: "Start" })).toBeFocused();
  await dialog.getByRole("textbox", { name: "Start" }).fill("08/23/2005, 06:00:00 PM");
  await dialog.getByRole("textbox", { name: "End" }).fill("2005-08-31T00:00:00Z");
  await dialog.getByRole("button", { name: "Done", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(timeRange(page)).toHaveText("Time range: 08/23/2005, 06:00:00 PM – 08/31/2005, 12:00:00 AM");
  await expect(timeRange(page)).toBeFocused();

  // Opened again it begins with the range; Escape leaves it alone; Clear and Done take it away.
  await timeRange(page).click();
  await expect(dialog.getByRole("textbox", { name: "Start" })).toHaveValue("08/23/2005, 06:00:00 PM");
  await expect(dialog.getByRole("textbox", { name: "End" })).toHaveValue("08/31/2005, 12:00:00 AM");
  await dialog.getByRole("textbox", { name: "Start" }).fill("2001");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(timeRange(page)).toHaveText("Time range: 08/23/2005, 06:00:00 PM – 08/31/2005, 12:00:00 AM");
  await timeRange(page).click();
  await dialog.getByRole("button", { name: "Clear", exact: true }).click();
  await dialog.getByRole("button", { name: "Done", exact: true }).click();
  await expect(timeRange(page)).toHaveText("Time range: Any time");
});

test("[SEARCH-23][SEARCH-56] a search carries the range as ISO times in UTC, its milliseconds zeroed", async ({ page, signIn }) => {
  await signIn();
  const asked = askedSearches(page);
  await openForm(page, storms);
  await timeRange(page).click();
  await timeDialog(page).getByRole("textbox", { name: "Start" }).fill("2005-08-23T18:00:00.789Z");
  // Another zone is read as what it means in UTC.
  await timeDialog(page).getByRole("textbox", { name: "End" }).fill("2005-08-31T02:00:00.999+02:00");
  await page.keyboard.press("Enter");
  await expect(timeDialog(page)).toHaveCount(0);
  await searchButton(page).click();
  await expectRows(page, "storm-tracks");
  const range = { start: "2005-08-23T18:00:00.000Z", end: "2005-08-31T00:00:00.000Z" };
  expect(asked.searches).toEqual([
    { path: "/api/datasets/Tropical weather/storm-tracks/search", body: { paging: { offset: 0, max: 25 }, timeRange: range, filters: [] } },
  ]);
  await expect(
    page.getByRole("group", { name: "Filters applied" }).getByText("08/23/2005, 06:00:00 PM – 08/31/2005, 12:00:00 AM UTC"),
  ).toBeVisible();
});

test("[SEARCH-23] a range up to this moment is whole seconds too, and without a range none is sent", async ({ page, signIn }) => {
  await page.clock.setFixedTime("2024-05-06T07:08:09.789Z");
  await signIn();
  const asked = askedSearches(page);
  await openForm(page, earthquakes);
  await timeRange(page).click();
  await timeDialog(page).getByRole("button", { name: "Last 24 hours", exact: true }).click();
  await timeDialog(page).getByRole("button", { name: "Done", exact: true }).click();
  await searchButton(page).click();
  await expect.poll(() => asked.searches.length).toBe(1);
  expect(asked.searches[0]?.body).toEqual({
    paging: { offset: 0, max: 25 },
    timeRange: { start: "2024-05-05T07:08:09.000Z", end: "2024-05-06T07:08:09.000Z" },
    filters: [],
  });
  await expect(page.getByText("no results", { exact: true })).toBeVisible();

  await openForm(page, earthquakes);
  await page.getByRole("button", { name: "Clear time range" }).click();
  await page.getByRole("textbox", { name: "Magnitude at least", exact: true }).fill("6");
  await searchButton(page).click();
  await expectRows(page, "earthquakes");
  expect(asked.searches[1]?.body).toEqual({ paging: { offset: 0, max: 25 }, filters: [{ name: "mag", value: 6, operator: ">=" }] });
});

test("a whole range pasted into one field fills both", async ({ page, signIn }) => {
  await signIn();
  await openForm(page, flights);
  for (const [pasted, start, end] of [
    ["2001-03-01 – 2001-03-05", "03/01/2001, 12:00:00 AM", "03/05/2001, 11:59:59 PM"],
    ["03/01/2001, 08:30:00 AM - 03/01/2001, 09:00:00 PM UTC", "03/01/2001, 08:30:00 AM", "03/01/2001, 09:00:00 PM"],
    ["2001-03-01T00:00:00Z/2001-03-02T00:00:00Z", "03/01/2001, 12:00:00 AM", "03/02/2001, 12:00:00 AM"],
    ["983404800 to 983491200", "03/01/2001, 12:00:00 AM", "03/02/2001, 12:00:00 AM"],
  ] as const) {
    await timeRange(page).click();
    await expect(timeDialog(page).getByText("A day typed as the end counts up to 23:59:59.")).toBeVisible();
    const field = timeDialog(page).getByRole("textbox", { name: "End" });
    await page.evaluate((text) => navigator.clipboard.writeText(text), pasted);
    await field.press("Control+A");
    await field.press("Control+V");
    await expect(timeDialog(page).getByRole("textbox", { name: "Start" })).toHaveValue(start);
    await expect(field).toHaveValue(end);
    await timeDialog(page).getByRole("button", { name: "Done", exact: true }).click();
    await expect(timeRange(page)).toHaveText(`Time range: ${start} – ${end}`);
  }
});

test("[SEARCH-36] a range with only one end, a reversed one or text that is no time is not accepted, and says why", async ({
  page,
  signIn,
}) => {
  await signIn();
  await openForm(page, flights);
  await expect(searchButton(page)).toBeDisabled();
  await timeRange(page).click();
  const dialog = timeDialog(page);
  const start = dialog.getByRole("textbox", { name: "Start" });
  const end = dialog.getByRole("textbox", { name: "End" });
  const done = dialog.getByRole("button", { name: "Done", exact: true });
  for (const [from, to, problem] of [
    ["2001-03-05", "", "Add an end."],
    ["", "2001-03-05", "Add a start."],
    ["2001-03-05", "2001-03-01", "The end is before the start."],
    ["02/30/2001, 12:00:00 AM", "2001-03-05", "Not a time. Try 09/02/2004, 12:00:00 AM or 2004-09-02T00:00:00Z."],
    ["2001-03-01", "soon", "Not a time. Try 09/02/2004, 12:00:00 AM or 2004-09-02T00:00:00Z."],
  ] as const) {
    await start.fill(from);
    await end.fill(to);
    await done.click();
    await expect(dialog.getByText(problem, { exact: true })).toHaveCount(1);
    await expect(dialog).toBeVisible();
  }
  await start.fill("2001-03-01");
  await end.fill("2001-03-05");
  await done.click();
  await expect(dialog).toHaveCount(0);
  await expect(timeRange(page)).toHaveText("Time range: 03/01/2001, 12:00:00 AM – 03/05/2001, 11:59:59 PM");
  await expect(searchButton(page)).toBeEnabled();
});

test("days are picked in the calendar", async ({ page, signIn }) => {
  await signIn();
  await openForm(page, flights);
  await timeRange(page).click();
  const dialog = timeDialog(page);
  await dialog.getByRole("textbox", { name: "Start" }).fill("2001-03-05");
  await dialog.getByRole("button", { name: "9 March 2001", exact: true }).click();
  await expect(dialog.getByRole("textbox", { name: "End" })).toHaveValue("03/09/2001, 11:59:59 PM");
  // The next two clicks begin a new range.
  await dialog.getByRole("button", { name: "7 March 2001", exact: true }).click();
  await dialog.getByRole("button", { name: "8 March 2001", exact: true }).click();
  await dialog.getByRole("button", { name: "Done", exact: true }).click();
  await expect(timeRange(page)).toHaveText("Time range: 03/07/2001, 12:00:00 AM – 03/08/2001, 11:59:59 PM");
});

test("[SEARCH-56] the newest day of three million flights finds that day's rows and no others", async ({ page, signIn }) => {
  await signIn();
  const asked = askedSearches(page);
  const described = page.waitForResponse((response) => new URL(response.url()).pathname === describePath(flights));
  await openForm(page, flights);
  const { timeExtent } = (await (await described).json()) as DatasetDescription;
  const newest = timeExtent?.endMs ?? Number.NaN;
  const start = new Date(newest - 86_400_000).toISOString();
  const end = new Date(newest).toISOString();
  await page.getByRole("button", { name: "Newest day", exact: true }).click();
  const [search, count] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith("/Aviation/flights/search")),
    page.waitForResponse((response) => response.url().includes("/Aviation/flights/aggregate/count/")),
    searchButton(page).click(),
  ]);
  await expectRows(page, "flights");
  expect(asked.searches[0]?.body).toEqual({ paging: { offset: 0, max: 25 }, timeRange: { start, end }, filters: [] });
  expect(asked.counts[0]?.body).toEqual({ timeRange: { start, end }, filters: [] });
  const { results } = (await search.json()) as { results: { date: number }[] };
  expect(results).toHaveLength(25);
  expect(results[0]?.date).toBe(newest);
  expect(results.every(({ date }) => date >= newest - 86_400_000 && date <= newest)).toBe(true);
  const { totalResults } = (await count.json()) as { totalResults: number };
  // A day of about 180, not all of them.
  expect(totalResults).toBeGreaterThan(1_000);
  expect(totalResults).toBeLessThan(50_000);
  await expect(page.getByText(`1 – 25 of ${totalResults.toLocaleString("en-US")} results`)).toBeVisible();
});

test("[SEARCH-29] a time range is offered only where the dataset supports one", async ({ page, signIn }) => {
  await signIn();
  await openForm(page, airports);
  await expect(page.getByRole("textbox", { name: "Airport code", exact: true })).toBeVisible();
  await expect(timeRange(page)).toHaveCount(0);
  await expect(page.getByText("Time range", { exact: false })).toHaveCount(0);
  await openForm(page, flights);
  await expect(timeRange(page)).toBeVisible();
  // The same dataset without it.
  await alterDescription(page, flights, (description) => ({
    ...description,
    filterSupport: { ...description.filterSupport, supportsTimeRange: false },
  }));
  await openForm(page, flights);
  await expect(page.getByRole("textbox", { name: "Origin", exact: true })).toBeVisible();
  await expect(timeRange(page)).toHaveCount(0);
});
