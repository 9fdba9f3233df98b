import type { Page } from "@playwright/test";
import { axeViolations } from "../support/accessibility.ts";
import { airports, askedSearches, earthquakes, flights, openForm, searchButton, storms } from "../support/datasets.ts";
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

/** Clicks places of the map, as shares of its width and height. */
async function clickMap(page: Page, ...places: [number, number][]): Promise<void> {
  const box = await map(page).boundingBox();
  for (const [x, y] of places) await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) * x, (box?.y ?? 0) + (box?.height ?? 0) * y);
}

interface AskedArea {
  geospatial?: { polygons: string[]; antimeridianPolygons: boolean };
}

test("[SEARCH-24][SEARCH-25][SEARCH-27][SEARCH-40][SEARCH-57][RESULT-53] a polygon drawn on the map closes by itself, narrows the search and is shown from its results", async ({
  page,
  signIn,
}) => {
  const asked = askedSearches(page);
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

  const geospatial = (asked.searches[0]?.body as AskedArea | undefined)?.geospatial;
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

test("[SEARCH-26] a shape that crosses itself is not closed, and says why; typed, it is refused", async ({ page, signIn }) => {
  await signIn();
  await openForm(page, storms);
  await openArea(page);
  await clickMap(page, [0.3, 0.3], [0.5, 0.6], [0.5, 0.3], [0.3, 0.6]);
  await page.keyboard.press("Enter");
  await expect(dialog(page).getByText("The shape crosses itself: it cannot be closed like this.")).toBeVisible();
  await expect(shapes(page)).toHaveCount(0);
  await page.keyboard.press("Escape");
  await addShape(page, "0 0, 9 9, 9 0, 0 9");
  await expect(dialog(page).getByText("The shape crosses itself.", { exact: true })).toBeVisible();
  await expect(coordinates(page)).toHaveValue("0 0, 9 9, 9 0, 0 9");
  await expect(shapes(page)).toHaveCount(0);
});

test("[SEARCH-28] a shape over the antimeridian is searched on both sides, each within -180 to 180", async ({ page, signIn }) => {
  const asked = askedSearches(page);
  await signIn();
  await openForm(page, earthquakes);
  await openArea(page);
  await addShape(page, "170 -40, 190 -40, 190 0, 170 0");
  await dialog(page).getByRole("button", { name: "Done" }).click();
  await searchButton(page).click();
  await expectRows(page, "earthquakes");
  const geospatial = (asked.searches[0]?.body as AskedArea | undefined)?.geospatial;
  const lngs = (geospatial?.polygons ?? []).map((text) => text.split(", ").map((corner) => Number(corner.split(" ")[0])));
  expect(lngs.map((of) => [Math.min(...of), Math.max(...of)])).toEqual([
    [170, 180],
    [-180, -170],
  ]);
});

test("shapes are typed by keyboard, loaded from GeoJSON and KML, edited and deleted; the address carries them", async ({
  page,
  signIn,
  browser,
}) => {
  await signIn();
  await openForm(page, airports);
  await areaButton(page).focus();
  await page.keyboard.press("Enter");
  await addShape(page, "-105 39, -104 39, -104 40, -105 40");
  await expect(shapes(page)).toHaveText([/^1\. 4 corners/]);
  const geoJson = JSON.stringify({
    type: "Polygon",
    coordinates: [
      [
        [-123, 47],
        [-122, 47],
        [-122, 48],
        [-123, 47],
      ],
    ],
  });
  const kml =
    "<kml xmlns='http://www.opengis.net/kml/2.2'><Polygon><outerBoundaryIs><LinearRing><coordinates>-88,41,0 -87,41,0 -87,42,0 -88,41,0</coordinates></LinearRing></outerBoundaryIs></Polygon></kml>";
  for (const [name, text] of [
    ["seattle.geojson", geoJson],
    ["chicago.kml", kml],
  ] as const) {
    await dialog(page)
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  }
  await expect(shapes(page)).toHaveText([/^1\. 4 corners/, /^2\. 3 corners/, /^3\. 3 corners/]);
  await dialog(page).getByRole("button", { name: "Delete shape 2" }).click();
  await dialog(page).getByRole("button", { name: "Edit the coordinates of shape 2" }).click();
  await expect(coordinates(page)).toHaveValue("-88 41, -87 41, -87 42, -88 41");
  await addShape(page, "-88 41, -87 41, -87 42, -88 42");
  await expect(shapes(page)).toHaveText([/^1\. 4 corners/, /^2\. 4 corners/]);
  await dialog(page).getByRole("button", { name: "Done" }).click();
  await searchButton(page).click();
  await expectRows(page, "airports");
  const total = await page.getByText(/^1 – \d+ of \d+ results$/).textContent();
  expect(total).not.toBeNull();

  const elsewhere = await browser.newPage();
  await signIn("admin", elsewhere);
  await elsewhere.goto(page.url());
  await expect(elsewhere.getByText(total ?? "", { exact: true })).toBeVisible();
  await elsewhere.close();
  await page.reload();
  await expect(page.getByText(total ?? "", { exact: true })).toBeVisible();
  await expect(page.getByRole("group", { name: "Filters applied" }).getByText(/^2 areas/)).toBeVisible();
});

test("[SEARCH-30] an area is offered only where the dataset knows places", async ({ page, signIn }) => {
  await signIn();
  await openForm(page, flights);
  await expect(areaButton(page)).toHaveCount(0);
  await openForm(page, airports);
  await expect(areaButton(page)).toBeVisible();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing in the area's dialog in ${colorScheme}, and without the map shapes can be typed`, async ({
    page,
    signIn,
    expectComplaints,
  }) => {
    expectComplaints(/The map cannot be shown/);
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

test("[RESULT-48][RESULT-49] coordinates open a dialog with a pin on a map, at zoom 11", async ({ page, signIn }) => {
  await signIn();
  await openForm(page, storms);
  await page.getByRole("button", { name: "Sample", exact: true }).click();
  await expectRows(page, "storm-tracks");
  const pin = page
    .getByRole("grid")
    .getByRole("button", { name: /^Show -?[\d.]+, -?[\d.]+ on the map$/ })
    .first();
  const place = /Show (.*) on the map/.exec((await pin.getAttribute("aria-label")) ?? "")?.[1] ?? "";
  await pin.click();
  const opened = page.getByRole("dialog", { name: "position", exact: true });
  const location = opened.getByRole("application", { name: "Location" });
  await expect(location).toHaveAttribute("data-zoom", "11");
  await expect(location.getByRole("img", { name: "Map marker" })).toBeVisible();
  await expect(opened.getByText(place, { exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(opened).toBeHidden();
});

test("tiles that the operator names lie over the bundled world, with their owner's words; without them the world stays", async ({
  page,
  signIn,
  expectComplaints,
}) => {
  expectComplaints(/tiles\/\d+\/\d+\/\d+|AJAXError|Failed to fetch/);
  const tiles = { url: "http://localhost/tiles/{z}/{x}/{y}.png", attribution: "© Harbour <b>charts</b>", maxZoom: 5 };
  await page.route("**/api/static/settings.json", async (route) => {
    const response = await route.fetch();
    const url = `${new URL(route.request().url()).origin}/tiles/{z}/{x}/{y}.png`;
    await route.fulfill({ response, json: { ...((await response.json()) as object), mapTiles: { ...tiles, url } } });
  });
  const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
  await page.route("**/tiles/**", (route) => route.fulfill({ contentType: "image/png", body: Buffer.from(onePixel, "base64") }));
  await signIn();
  await openForm(page, storms);
  const fetched = page.waitForResponse(/\/tiles\/\d+\/\d+\/\d+\.png$/);
  await openArea(page);
  expect((await fetched).status()).toBe(200);
  await expect(dialog(page).getByText("© Harbour <b>charts</b>", { exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();

  await page.unroute("**/tiles/**");
  await page.route("**/tiles/**", (route) => route.abort());
  await page.reload();
  await openArea(page);
  await expect(map(page)).toBeVisible();
});
