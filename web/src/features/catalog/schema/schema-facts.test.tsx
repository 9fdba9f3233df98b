import { type DatasetFacts, datasetFactRoutes } from "@fairway/contract/dataset-facts";
import { favoriteDatasets } from "@fairway/contract/favorites";
import { tools } from "@fairway/contract/tools";
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import pythonGuide from "../../../../../sdk/guides/python-client.md?raw";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts, isWithinWindow } from "#testing/assertions.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const address = "/data-catalog/Tropical%20weather/storm-tracks";
const dataset = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };
const facts: DatasetFacts = {
  dataset,
  rowsFrom: "storage",
  columns: 17,
  rows: 11_840,
  oldestMs: Date.UTC(1975, 5, 27),
  newestMs: Date.UTC(2020, 10, 18),
  updatedMs: Date.now() - 12 * 86_400_000 - 60_000,
  dueMs: null,
  owner: "Storm Desk",
  contact: "storms@example.org",
  origin: { text: "HURDAT2", link: "https://www.nhc.noaa.gov/data/" },
  license: { text: "public domain", link: null },
  updateRhythm: "irregular",
  tags: ["storms"],
  searches: 3,
};
const pythonClient = { display: "Python client", name: "pythonclient", version: "1", description: "", files: [] };

it("the schema shows facts and relations as links, and can be marked as a favorite", async () => {
  gateway.answer(datasetFactRoutes.facts, ({ query }) => (query.datasetId === "storm-tracks" ? [facts] : []));
  gateway.answer(datasetFactRoutes.relations, {
    linksTo: [{ dataset, display: "Whole track", columns: ["storm_id"] }],
    linkedFrom: [{ dataset: { ...dataset, datasetId: "daily-weather" }, display: "Storms of the day", columns: ["date"] }],
    groups: [{ id: "g", name: "Season & review" }],
    filesets: [{ id: "storm-archive", column: "fileset" }],
  });
  gateway.answer(favoriteDatasets.add, ({ body }) => {
    gateway.answer(favoriteDatasets.list, [body]);
    return body;
  });
  await openScreen(address);
  await expect.element(page.getByText("· 17 columns · 11,840 rows · updated 12 days ago · Storm Desk")).toBeVisible();
  const list = page.getByRole("region", { name: "Facts" });
  await expectTexts(list.getByRole("definition"), [
    "Storm Desk",
    "storms@example.org",
    "HURDAT2",
    "public domain",
    "Irregularly",
    "12 days ago",
    "06/27/1975 – 11/18/2020",
    "3 in 30 days",
  ]);
  await expect.element(list.getByRole("link", { name: "storms@example.org" })).toHaveAttribute("href", "mailto:storms@example.org");
  await expect.element(list.getByRole("link", { name: "HURDAT2" })).toHaveAttribute("rel", "noopener noreferrer");
  const relations = page.getByRole("region", { name: "Relations" });
  await expectTexts(relations.getByRole("listitem"), [
    "This datasetWhole track by storm_id",
    "daily-weatheruses this dataset: Storms of the day",
    "storm-archivefiles by fileset",
    "Season & reviewdataset group",
  ]);
  const hrefs = relations
    .getByRole("link")
    .elements()
    .map((link) => link.getAttribute("href"));
  expect(hrefs).toEqual([
    "/data-catalog/Tropical%20weather/daily-weather",
    "/filesets?fileset=storm-archive",
    "/search?tab=groups&group=Season+%26+review",
  ]);
  await page.getByRole("button", { name: "Favorite storm-tracks" }).click();
  await expect.element(page.getByRole("button", { name: "Favorite storm-tracks" })).toHaveAttribute("aria-pressed", "true");
  await expectAccessible();
});

it("facts and relations that fail leave the schema usable, and are retried each for itself", async () => {
  gateway.refuse(datasetFactRoutes.facts, "internal", "It broke.", { times: 1 });
  gateway.answer(datasetFactRoutes.facts, [facts]);
  gateway.refuse(datasetFactRoutes.facts, "internal", "It broke.", { times: 1 });
  gateway.refuse(datasetFactRoutes.relations, "internal", "Relations broke.");
  await openScreen(address);
  await expect.element(page.getByRole("rowheader", { name: /storm_id/ })).toBeVisible();
  await expect.element(page.getByRole("alert").filter({ hasText: "The relations could not be loaded. Relations broke." })).toBeVisible();
  const failed = page.getByRole("alert").filter({ hasText: "The facts about the datasets could not be loaded." });
  await failed.getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByRole("region", { name: "Facts" })).toBeVisible();
});

it("shows how to call the dataset, with examples of the clients' guides", async () => {
  gateway.answer(tools.list, [pythonClient]);
  gateway.answer(tools.guide, pythonGuide);
  await openScreen(address);
  await page.getByRole("main").getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "API Example" }).click();
  const dialog = page.getByRole("dialog", { name: "How to call storm-tracks" });
  await expect
    .element(dialog.getByLabelText("cURL example", { exact: true }))
    .toHaveTextContent("/api/datasets/Tropical%20weather/storm-tracks/search");
  const copy = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await dialog.getByRole("button", { name: "Copy cURL example" }).click();
  expect(copy.mock.calls[0]?.[0]).toContain(`curl --fail-with-body '${location.origin}/api/datasets/`);
  copy.mockRestore();
  await dialog.getByText("Python", { exact: true }).click();
  await expect.element(dialog.getByLabelText("Python example", { exact: true })).toHaveTextContent('"Tropical weather/storm-tracks"');
  await expect.element(dialog.getByText("Replace the example value of storm_id.")).toBeVisible();
  await expect.element(dialog.getByRole("link", { name: "Download the Python client, and read its guide" })).toBeVisible();
  await dialog.getByText("TypeScript", { exact: true }).click();
  await expect.element(dialog.getByText("This portal does not offer a client for TypeScript.")).toBeVisible();
});

it("a link to a column scrolls to it and marks it, and is copied from it", async () => {
  await openScreen(`${address}?at=track_path`);
  const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: /track_path/ }) });
  await expect.element(row).toHaveAttribute("aria-current", "true");
  await expect.poll(() => isWithinWindow(row)).toBe(true);
  const copy = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await page.getByRole("button", { name: "Copy link to track_path" }).click();
  expect(copy.mock.calls).toEqual([[`${location.origin}${address}?at=track_path`]]);
  copy.mockRestore();
});
