import { search } from "@fairway/contract/search";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectCount, expectText, expectTexts } from "#testing/assertions.ts";
import { Refused } from "#testing/contract-gateway.ts";
import { groupButton, openGroups } from "#testing/dataset-groups.ts";
import {
  airports,
  searchRequests,
  dailyWeather,
  expectRows,
  flights,
  formOf,
  searchButton,
  storms,
  timeDialog,
} from "#testing/datasets-screen.ts";
import { demoDataset, searchRows, serveDatasets } from "#testing/demo-datasets.ts";
import { gateway, reloadScreen } from "#testing/open-screen.tsx";
import { press } from "#testing/keyboard.ts";
import { recentSearches } from "#testing/results.ts";

beforeEach(() => serveDatasets(gateway));

it("[SEARCH-63][SEARCH-64] searches each dataset of a group by its own fields and the shared range, with results of their own", async () => {
  await openGroups([{ name: "Around Denver", datasets: [airports, flights, dailyWeather] }]);
  const requests = searchRequests();
  gateway.answer(
    search.run,
    ({ params, body }) => {
      if (params.datasetId === "flights") throw new Refused("internal", "The engine stumbled.");
      return { results: searchRows(demoDataset(params.datasetId), body) };
    },
    { times: 3 },
  );
  await groupButton("Around Denver").click();
  const form = formOf("Around Denver");
  const section = (name: string) => form.getByRole("region", { name: new RegExp(`^${name}`) });
  await expect.element(searchButton()).toBeDisabled();
  await expect.element(form.getByText("Add a required filter for airports, flights, daily-weather", { exact: true })).toBeVisible();
  await press("Control+Enter", section("airports").getByRole("textbox", { name: "Airport code" }));
  await expect.element(form).toBeVisible();
  expect(requests.searches).toEqual([]);

  // The single time range suffices for flights; airports have no times.
  await expectCount(form.getByRole("button", { name: /^Time range:/ }), 1);
  await form.getByRole("button", { name: /^Time range:/ }).click();
  const times = page.getByRole("dialog", { name: "Select Date and Time Range" });
  await times.getByRole("textbox", { name: "Start" }).fill("2001-01-02T00:00:00Z");
  await times.getByRole("textbox", { name: "End" }).fill("2001-01-03T00:00:00Z");
  await times.getByRole("button", { name: "Done" }).click();
  await expect.element(form.getByText("Add a required filter for airports, daily-weather", { exact: true })).toBeVisible();
  await section("airports").getByRole("textbox", { name: "Airport code" }).fill("DEN");
  await section("daily-weather").getByRole("textbox", { name: "Location" }).fill("Nowhere");
  await expect.element(searchButton()).toBeEnabled();
  await searchButton().click();

  const searches = page.getByRole("list", { name: "Searches of Around Denver" });
  const searchOf = (name: string) => searches.getByRole("listitem", { name, exact: true });
  await expectCount(searches.getByRole("listitem"), 3);
  await expect.element(page.getByText("3 searches done", { exact: true })).toBeVisible();
  await expect.element(searchOf("airports").getByText("1 – 1 of 1 result", { exact: true })).toBeVisible();
  await expect.element(searchOf("daily-weather").getByText("no results", { exact: true })).toBeVisible();
  await expect.element(searchOf("flights").getByRole("alert")).toHaveTextContent("The engine stumbled.");
  const timeRange = { start: "2001-01-02T00:00:00.000Z", end: "2001-01-03T00:00:00.000Z" };
  expect(requests.searches).toEqual([
    {
      dataset: "Aviation/airports",
      body: { paging: { offset: 0, max: 25 }, filters: [{ name: "iata", value: "DEN", operator: "=" }] },
    },
    { dataset: "Aviation/flights", body: { paging: { offset: 0, max: 25 }, timeRange, filters: [] } },
    {
      dataset: "Tropical weather/daily-weather",
      body: { paging: { offset: 0, max: 25 }, timeRange, filters: [{ name: "location", value: "Nowhere", operator: "=" }] },
    },
  ]);
  await searchOf("flights").getByRole("button", { name: "Rerun Search" }).click();
  await expect.element(searchOf("flights").getByText(/^1 – 25 of [\d,]+ results$/)).toBeVisible();

  await expectCount(recentSearches(), 3);
  for (const name of ["airports", "flights", "daily-weather"]) await expectCount(recentSearches().filter({ hasText: name }), 1);
  await searchOf("airports").getByRole("link", { name: "airports" }).click();
  await expectRows("airports");
  history.back();
  await expectCount(searches.getByRole("listitem"), 3);
  // A reload repeats the searches of this tab.
  await reloadScreen();
  await expect.element(searchOf("airports").getByText("1 – 1 of 1 result", { exact: true })).toBeVisible();
  // The form is unchanged.
  await page.getByRole("button", { name: "Edit filters" }).click();
  await expect.element(section("airports").getByRole("textbox", { name: "Airport code" })).toHaveValue("DEN");
});

it("[SEARCH-63] applies one time range and area to every dataset that supports them, from the same moment", async () => {
  const startMs = Date.UTC(2005, 7, 30, 6, 7, 8);
  vi.setSystemTime(startMs);
  await openGroups([{ name: "Gulf", datasets: [storms, airports, flights] }]);
  const requests = searchRequests();
  await groupButton("Gulf").click();
  const form = formOf("Gulf");
  const area = form.getByRole("button", { name: /^Area:/ });
  await expectCount(form.getByRole("button", { name: /^Time range:/ }), 1);
  await expectCount(area, 1);
  await expect.element(form.getByText("Applies to storm-tracks, flights only. The others have no time.", { exact: true })).toBeVisible();
  await expect
    .element(form.getByText("Applies to storm-tracks, airports only. The others have no location.", { exact: true }))
    .toBeVisible();

  await area.click();
  const shapes = page.getByRole("dialog", { name: "Select Area", exact: true });
  await shapes.getByRole("textbox", { name: "Coordinates" }).fill("-98 18, -80 18, -80 31, -98 31");
  await shapes.getByRole("button", { name: "Add shape" }).click();
  await shapes.getByRole("button", { name: "Done" }).click();
  await expectText(area, "Area: Area 18° N – 31° N, 98° W – 80° W");
  await form.getByRole("button", { name: /^Time range:/ }).click();
  await timeDialog().getByRole("textbox", { name: "Last", exact: true }).fill("3");
  await timeDialog().getByRole("combobox", { name: "Unit", exact: true }).selectOptions("days");
  await timeDialog().getByRole("button", { name: "Done", exact: true }).click();
  await expect.element(searchButton()).toBeEnabled();
  await searchButton().click();

  await expect.element(page.getByText("3 searches done", { exact: true })).toBeVisible();
  const timeRange = { start: "2005-08-27T06:07:08.000Z", end: "2005-08-30T06:07:08.000Z" };
  const geospatial = { polygons: ["-98 18, -80 18, -80 31, -98 31, -98 18"], antimeridianPolygons: false };
  const paging = { offset: 0, max: 25 };
  expect(requests.searches).toEqual([
    { dataset: "Tropical weather/storm-tracks", body: { paging, timeRange, geospatial, filters: [] } },
    { dataset: "Aviation/airports", body: { paging, geospatial, filters: [] } },
    { dataset: "Aviation/flights", body: { paging, timeRange, filters: [] } },
  ]);
  await expectTexts(page.getByRole("list", { name: "Shared filters" }).getByRole("listitem"), [
    "Last 3 days: 08/27/2005, 06:07:08 AM – 08/30/2005, 06:07:08 AM UTC",
    "Area 18° N – 31° N, 98° W – 80° W",
  ]);
  await expect.element(page.getByRole("link", { name: "storm-tracks", exact: true })).toBeVisible();

  // A rerun uses the same moment for all, too.
  vi.setSystemTime(startMs + 3_600_000);
  await page.getByRole("button", { name: "Rerun all", exact: true }).click();
  await expect.poll(() => requests.searches.length).toBe(6);
  const ends = requests.searches.slice(3).map(({ body }) => (body as { timeRange?: { end: string } }).timeRange?.end);
  expect(ends).toEqual(["2005-08-30T07:07:08.000Z", undefined, "2005-08-30T07:07:08.000Z"]);
  // The form keeps both shared filters.
  await page.getByRole("button", { name: "Edit filters" }).click();
  await expectText(area, "Area: Area 18° N – 31° N, 98° W – 80° W");
  await expectText(form.getByRole("button", { name: /^Time range:/ }), "Time range: Last 3 days");
});
