import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { recordSearches, openForm, searchButton, storms } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectRows } from "../support/searches.ts";

const areaButton = (page: Page) => page.getByRole("button", { name: /^Area:/ });
const dialog = (page: Page) => page.getByRole("dialog", { name: "Select Area", exact: true });
const map = (page: Page) => page.getByRole("application", { name: "Map of the world" });
const coordinates = (page: Page) => dialog(page).getByRole("textbox", { name: "Coordinates" });
const shapes = (page: Page) => dialog(page).getByRole("region", { name: "Shapes" }).getByRole("listitem");

async function openArea(page: Page): Promise<void> {
  await areaButton(page).click();
  await expect(dialog(page)).toBeVisible();
  await expect(map(page)).toHaveAttribute("data-ready", "true");
}

async function addShape(page: Page, text: string): Promise<void> {
  await coordinates(page).fill(text);
  await dialog(page).getByRole("button", { name: "Add shape" }).click();
}

/** Clicks points of the map, given as fractions of its width and height. */
async function clickMap(page: Page, ...points: [number, number][]): Promise<void> {
  const box = await map(page).boundingBox();
  for (const [x, y] of points) await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) * x, (box?.y ?? 0) + (box?.height ?? 0) * y);
}

interface AreaBody {
  geospatial?: { polygons: string[]; antimeridianPolygons: boolean };
}

test("[SEARCH-24][SEARCH-25][SEARCH-27][SEARCH-40][SEARCH-57][RESULT-53] a polygon drawn on the map closes automatically, restricts the search and can be shown from its results", async ({
  page,
  signIn,
}) => {
  const calls = recordSearches(page);
  await signIn();
  await openForm(page, storms);
  await expect(searchButton(page)).toBeDisabled();
  await openArea(page);
  await clickMap(page, [0.2, 0.3], [0.35, 0.3], [0.35, 0.5], [0.2, 0.5]);
  await page.keyboard.press("Enter");
  await expect(shapes(page)).toHaveText([/^1\. 4 corners/]);
  await dialog(page).getByRole("button", { name: "Done" }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(areaButton(page)).toHaveText(/Area \d.*° N – \d.*° N, \d.*° W – \d.*° W$/);
  await searchButton(page).click();
  await expectRows(page, "storm-tracks");

  const geospatial = (calls.searches[0]?.body as AreaBody | undefined)?.geospatial;
  expect(geospatial?.antimeridianPolygons).toBe(false);
  const [polygon = ""] = geospatial?.polygons ?? [];
  const corners = polygon.split(", ").map((corner) => corner.split(" ").map(Number));
  expect(corners).toHaveLength(5);
  expect(corners.at(-1)).toEqual(corners[0]);
  const [lngs, lats] = [corners.map(([lng = 0]) => lng), corners.map(([, lat = 0]) => lat)];
  const [west, east, south, north] = [Math.min(...lngs), Math.max(...lngs), Math.min(...lats), Math.max(...lats)];
  const rows = page.getByRole("grid").getByRole("row");
  const cells = await rows.nth(1).getByRole("gridcell").allTextContents();
  const [latitude = Number.NaN, longitude = Number.NaN] = [cells[4], cells[5]].map(Number);
  expect([latitude >= south && latitude <= north, longitude >= west && longitude <= east]).toEqual([true, true]);

  await page
    .getByRole("group", { name: "Filters applied" })
    .getByRole("button", { name: /^Show Area/ })
    .click();
  const shown = page.getByRole("dialog", { name: "Area", exact: true });
  await expect(shown.getByText("1. 4 corners")).toBeVisible();
  await expect(map(page)).toHaveAttribute("data-ready", "true");
  await expect(shown.getByRole("button", { name: /delete|done|clear|add|polygon/i })).toHaveCount(0);
  await expect(shown.getByRole("textbox")).toHaveCount(0);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no violations in the area dialog in ${colorScheme}, and shapes can be typed without the map`, async ({
    page,
    signIn,
    expectConsoleErrors,
  }) => {
    expectConsoleErrors(/The map cannot be shown/);
    await page.emulateMedia({ colorScheme });
    await signIn();
    await page.route("**/countries-50m*.json", (route) => route.abort());
    await openForm(page, storms);
    await areaButton(page).click();
    await expect(dialog(page).getByText("The map cannot be shown in this browser. Type the corners instead.")).toBeVisible();
    await addShape(page, "-98 18, -80 18, -80 31, -98 31");
    await expect(shapes(page)).toHaveCount(1);
    const violations = await axeViolations(page, { within: ["[role=dialog]"] });
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  });
}
