import { noRowsText } from "@fairway/contract/dataset-access";
import { search } from "@fairway/contract/search";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import { Refused } from "#testing/contract-gateway.ts";
import { groupButton, openGroups } from "#testing/dataset-groups.ts";
import {
  airports,
  storms,
  searchRequests,
  dailyWeather,
  expectRows,
  flights,
  formOf,
  searchButton,
  timeDialog,
} from "#testing/datasets-screen.ts";
import { demoDataset, searchRows } from "#testing/demo-datasets.ts";
import { gateway, reloadScreen } from "#testing/open-screen.tsx";
import { press } from "#testing/keyboard.ts";
import { buildAccess, serveWithRules } from "#testing/reader-parts.ts";
import { recentSearches } from "#testing/results.ts";

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

it("says of a dataset that gives the reader no rows why there are none", async () => {
  await openGroups([{ name: "Wind", datasets: [flights, storms] }]);
  serveWithRules("storm-tracks", buildAccess({ rows: "none" }), []);
  await groupButton("Wind").click();
  const form = formOf("Wind");
  await form.getByRole("button", { name: /^Time range:/ }).click();
  await timeDialog().getByRole("button", { name: "Last 7 days", exact: true }).click();
  await timeDialog().getByRole("button", { name: "Done", exact: true }).click();
  await searchButton().click();
  const search = page.getByRole("list", { name: "Searches of Wind" }).getByRole("listitem", { name: "storm-tracks", exact: true });
  await expect.element(search.getByText(noRowsText, { exact: true })).toBeVisible();
  await expectCount(search.getByText("no results"), 0);
});
