import { search } from "@fairway/contract/search";
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { axeViolations } from "#testing/accessibility.ts";
import { expectCount, expectText, expectTexts } from "#testing/assertions.ts";
import { Refused } from "#testing/contract-gateway.ts";
import { groupButton, openGroups } from "#testing/dataset-groups.ts";
import { airports, searchRequests, flights, formOf, searchButton, storms, timeDialog } from "#testing/datasets-screen.ts";
import { demoDataset, searchRows } from "#testing/demo-datasets.ts";
import { gateway } from "#testing/open-screen.tsx";

const travel = { name: "Travel", datasets: [airports, flights] };

it("applies one time range and area to every dataset that supports them, from the same moment", async () => {
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

it("cancels all searches of a group, counts failures, and reruns them; axe finds no violations in form and results", async () => {
  await openGroups([travel]);
  await groupButton("Travel").click();
  await expect.element(formOf("Travel")).toBeVisible();
  expect(await axeViolations()).toEqual([]);
  await page.getByRole("textbox", { name: "Airport code" }).fill("DEN");
  await page.getByRole("textbox", { name: "Origin" }).fill("DEN");
  const release = gateway.hold(search.run, ({ params }) => params.datasetId === "flights");
  gateway.answer(
    search.run,
    ({ params, body }) => {
      if (params.datasetId === "airports") throw new Refused("internal", "The engine stumbled.");
      return { results: searchRows(demoDataset(params.datasetId), body) };
    },
    { times: 1 },
  );
  await searchButton().click();
  const searchOf = (name: string) => page.getByRole("list", { name: "Searches of Travel" }).getByRole("listitem", { name, exact: true });
  await expect.element(page.getByText("1 of 2 searches done", { exact: true })).toBeVisible();
  await expect.element(page.getByText("1 failed", { exact: true })).toBeVisible();
  await expect.element(searchOf("airports").getByRole("alert")).toHaveTextContent("The engine stumbled.");
  await page.getByRole("button", { name: "Cancel all", exact: true }).click();
  await expect.element(searchOf("flights").getByText("Search canceled", { exact: true })).toBeVisible();
  await expect.element(page.getByText("2 searches done", { exact: true })).toBeVisible();
  release();
  await page.getByRole("button", { name: "Rerun all", exact: true }).click();
  await expect.element(searchOf("airports").getByText("1 – 1 of 1 result", { exact: true })).toBeVisible();
  await expect.element(searchOf("flights").getByText(/^1 – 25 of [\d,]+ results$/)).toBeVisible();
  await expect.element(page.getByText("1 failed", { exact: true })).not.toBeInTheDocument();
  expect(await axeViolations()).toEqual([]);
});

it("searches and edits a group on a phone without horizontal scrolling", async () => {
  await page.viewport(390, 844);
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  await openGroups([travel]);
  expect(overflow()).toBe(0);
  await groupButton("Travel").click();
  await expect.element(formOf("Travel")).toBeVisible();
  expect(overflow()).toBe(0);
  await page.getByRole("textbox", { name: "Airport code" }).fill("DEN");
  await page.getByRole("textbox", { name: "Origin" }).fill("DEN");
  await searchButton().click();
  await expect.element(page.getByText("2 searches done", { exact: true })).toBeVisible();
  expect(overflow()).toBe(0);
  await page.getByRole("button", { name: "Dataset group: Travel" }).click();
  await page.getByRole("button", { name: "Edit Travel" }).click();
  await expect.element(page.getByRole("dialog", { name: "Edit Dataset Group" })).toBeVisible();
  expect(overflow()).toBe(0);
});
