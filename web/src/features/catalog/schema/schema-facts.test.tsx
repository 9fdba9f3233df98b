import { datasetFactRoutes } from "@fairway/contract/dataset-facts";
import { favoriteDatasets } from "@fairway/contract/favorites";
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectTexts, isWithinWindow } from "#testing/assertions.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { address, dataset, facts } from "#testing/schema-facts.ts";

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
