import type { Page } from "@playwright/test";
import { recordSearches, openForm, searchButton, storms } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectRows } from "../support/searches.ts";

/** Clicks points of the map, given as fractions of its width and height. */
async function clickMap(page: Page, ...points: [number, number][]): Promise<void> {
  const box = await page.getByRole("application", { name: "Map of the world" }).boundingBox();
  for (const [x, y] of points) await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) * x, (box?.y ?? 0) + (box?.height ?? 0) * y);
}

test("a polygon drawn on the map restricts the search to the rows inside it", async ({ page, signIn }) => {
  const calls = recordSearches(page);
  await signIn();
  await openForm(page, storms);
  await page.getByRole("button", { name: /^Area:/ }).click();
  await expect(page.getByRole("application", { name: "Map of the world" })).toHaveAttribute("data-ready", "true");
  await clickMap(page, [0.2, 0.3], [0.35, 0.3], [0.35, 0.5], [0.2, 0.5]);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Select Area", exact: true }).getByRole("button", { name: "Done" }).click();
  await searchButton(page).click();
  await expectRows(page, "storm-tracks");

  const { geospatial } = (calls.searches[0]?.body ?? {}) as { geospatial?: { polygons: string[] } };
  const corners = (geospatial?.polygons[0] ?? "").split(", ").map((corner) => corner.split(" ").map(Number));
  expect(corners).toHaveLength(5);
  const [lngs, lats] = [corners.map(([lng = 0]) => lng), corners.map(([, lat = 0]) => lat)];
  const [west, east, south, north] = [Math.min(...lngs), Math.max(...lngs), Math.min(...lats), Math.max(...lats)];
  const rows = page.getByRole("grid").getByRole("row");
  const cells = await rows.nth(1).getByRole("gridcell").allTextContents();
  const [latitude = Number.NaN, longitude = Number.NaN] = [cells[4], cells[5]].map(Number);
  expect([latitude >= south && latitude <= north, longitude >= west && longitude <= east]).toEqual([true, true]);
});
