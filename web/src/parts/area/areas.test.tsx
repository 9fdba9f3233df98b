import type { SearchData } from "@fairway/contract/search";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { expectCount, expectText, expectTexts } from "#testing/assertions.ts";
import { airports, earthquakes, expectRows, flights, openForm, searchButton, storms } from "#testing/datasets-screen.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import { focus, press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { drawCoarsely } from "#testing/pixels.ts";
import { alterRows, searches, searchLink } from "#testing/results.ts";
import { openArea, addShape, clickMap, areaButton, dialog, map, coordinates } from "#testing/areas.ts";

const shapes = () => dialog().getByRole("region", { name: "Shapes" }).getByRole("listitem");
const applied = () => page.getByRole("group", { name: "Filters applied" });

const areaOf = (body: SearchData | undefined) => body?.geospatial;

beforeEach(() => {
  drawCoarsely();
  serveDatasets(gateway);
  alterRows((rows) => rows.slice(0, 2));
});

describe("a polygon drawn on the map", () => {
  openOnce(async () => {
    await openForm(storms);
    await expect.element(searchButton()).toBeDisabled();
    await openArea();
    await clickMap([0.2, 0.3], [0.35, 0.3], [0.35, 0.5], [0.2, 0.5]);
    await press("Enter");
  });

  /** Closes the dialog unless an earlier test did. */
  async function finish(): Promise<void> {
    if (dialog().query() !== null) await dialog().getByRole("button", { name: "Done" }).click();
    await expect.element(dialog()).not.toBeInTheDocument();
  }

  it("[SEARCH-24][SEARCH-27] closes itself", async () => {
    await expectTexts(shapes(), [/^1\. 4 corners/]);
  });

  it("[SEARCH-26] must not cross itself, neither drawn nor typed", async () => {
    await clickMap([0.6, 0.3], [0.8, 0.6], [0.8, 0.3], [0.6, 0.6]);
    await press("Enter");
    await expect.element(dialog().getByText("The shape crosses itself, so it can't be closed here.")).toBeVisible();
    await expectCount(shapes(), 1);
    await press("Escape");
    await addShape("0 0, 9 9, 9 0, 0 9");
    await expect.element(dialog().getByText("The shape crosses itself.", { exact: true })).toBeVisible();
    await expect.element(coordinates()).toHaveValue("0 0, 9 9, 9 0, 0 9");
    await expectCount(shapes(), 1);
    await coordinates().fill("");
  });

  it("[SEARCH-25][SEARCH-40] is summarized in the form, and enables Search", async () => {
    await finish();
    await expectText(areaButton(), /Area \d.*° N – \d.*° N, \d.*° W – \d.*° W$/);
    await expect.element(searchButton()).toBeEnabled();
  });

  it("[SEARCH-57] is sent as a closed line of longitudes and latitudes", async () => {
    await finish();
    await searchButton().click();
    await expectRows("storm-tracks");
    const geospatial = areaOf(searches()[0]);
    expect(geospatial?.antimeridianPolygons).toBe(false);
    const [polygon = ""] = geospatial?.polygons ?? [];
    const corners = polygon.split(", ").map((corner) => corner.split(" ").map(Number));
    expect(corners).toHaveLength(5);
    expect(corners.at(-1)).toEqual(corners[0]);
  });
});

describe("the results of an area", () => {
  openOnce(async () => {
    await openScreen(searchLink({ category: storms[0], dataset: storms[1], area: ["-98 18, -60 18, -60 31, -98 31, -98 18"] }));
    await expectRows("storm-tracks");
  });

  it("[RESULT-48][RESULT-49] open the coordinates of a row in a dialog with a pin on a map at zoom 11", async () => {
    const pin = page
      .getByRole("grid")
      .getByRole("button", { name: /^Show -?[\d.]+, -?[\d.]+ on the map$/ })
      .first();
    const coordinatesText = /Show (.*) on the map/.exec(pin.element().getAttribute("aria-label") ?? "")?.[1] ?? "";
    await pin.click();
    const opened = page.getByRole("dialog", { name: "position", exact: true });
    const location = opened.getByRole("application", { name: "Location" });
    await expect.element(location).toHaveAttribute("data-zoom", "11");
    await expect.element(location.getByRole("img", { name: "Map marker" })).toBeVisible();
    await expect.element(opened.getByText(coordinatesText, { exact: true })).toBeVisible();
    await press("Escape");
    await expect.element(opened).not.toBeInTheDocument();
  });

  it("[RESULT-53] show it read-only until it is to be changed", async () => {
    await applied()
      .getByRole("button", { name: /^Show Area/ })
      .click();
    const shown = page.getByRole("dialog", { name: "Area", exact: true });
    await expect.element(shown.getByText("1. 4 corners")).toBeVisible();
    await expect.element(map()).toHaveAttribute("data-ready", "true");
    await expect.element(shown.getByRole("button", { name: /delete|done|clear|add|polygon/i })).not.toBeInTheDocument();
    await expect.element(shown.getByRole("textbox")).not.toBeInTheDocument();
    await shown.getByRole("button", { name: "Change area", exact: true }).click();
    await expect.element(shown.getByRole("textbox", { name: "Coordinates" })).toBeVisible();
    await shown.getByRole("textbox", { name: "Coordinates" }).fill("-98 18, -60 18, -60 40, -98 40");
    await shown.getByRole("button", { name: "Add shape" }).click();
    await expect.element(shown.getByText("around 29° N, 79° W")).toBeVisible();
    await shown.getByRole("button", { name: "Search again with this area", exact: true }).click();
    await expect.element(shown).not.toBeInTheDocument();
    await expect.poll(() => areaOf(searches().at(-1))?.polygons).toHaveLength(2);
    await expect.element(page.getByRole("grid").getByRole("gridcell").first()).toBeVisible();
  });
});

it("[SEARCH-28] a shape drawn or typed across the antimeridian is searched on both sides, each within -180 to 180", async () => {
  await openForm(earthquakes);
  await openArea();
  (map().element().querySelector("canvas") as HTMLElement).focus();
  for (let step = 0; step < 4; step += 1) await press("ArrowRight");
  await clickMap([0.3, 0.4], [0.7, 0.4], [0.7, 0.6], [0.3, 0.6]);
  await press("Enter");
  await expectTexts(shapes(), [/^1\. 4 corners/]);
  await addShape("170 -40, 190 -40, 190 0, 170 0");
  await dialog().getByRole("button", { name: "Done" }).click();
  await searchButton().click();
  await expectRows("earthquakes");
  const lngs = (areaOf(searches()[0])?.polygons ?? []).map((text) => text.split(", ").map((corner) => Number(corner.split(" ")[0])));
  const spans = lngs.map((values) => [Math.min(...values), Math.max(...values)]);
  expect(spans).toEqual([
    [expect.any(Number), 180],
    [-180, expect.any(Number)],
    [170, 180],
    [-180, -170],
  ]);
  expect(spans.flat().every((lng) => lng >= -180 && lng <= 180)).toBe(true);
});

it("shapes can be typed, loaded from GeoJSON and KML, also while the map opens, edited and deleted, and are part of the address", async () => {
  await openForm(airports);
  await focus(areaButton());
  await press("Enter");
  await addShape("-105 39, -104 39, -104 40, -105 40");
  await expectTexts(shapes(), [/^1\. 4 corners/]);
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
  const upload = (name: string, text: string) =>
    userEvent.upload(dialog().css("input[type=file]"), new File([text], name, { type: "text/plain" }));
  // The first file is read while the map opens.
  const reading = vi.spyOn(Blob.prototype, "text").mockImplementation(async () => {
    await expect.element(map()).toHaveAttribute("data-ready", "true");
    return geoJson;
  });
  await upload("seattle.geojson", "{}");
  await expectTexts(shapes(), [/^1\. 4 corners/, /^2\. 3 corners/]);
  reading.mockRestore();
  await upload("chicago.kml", kml);
  await expectTexts(shapes(), [/^1\. 4 corners/, /^2\. 3 corners/, /^3\. 3 corners/]);
  await dialog().getByRole("button", { name: "Delete shape 2" }).click();
  await dialog().getByRole("button", { name: "Edit the coordinates of shape 2" }).click();
  await expect.element(coordinates()).toHaveValue("-88 41, -87 41, -87 42, -88 41");
  await addShape("-88 41, -87 41, -87 42, -88 42");
  await expectTexts(shapes(), [/^1\. 4 corners/, /^2\. 4 corners/]);
  await dialog().getByRole("button", { name: "Done" }).click();
  await searchButton().click();
  await expectRows("airports");
  expect(areaOf(searches().at(-1))?.polygons).toEqual([
    "-105 39, -104 39, -104 40, -105 40, -105 39",
    "-88 41, -87 41, -87 42, -88 42, -88 41",
  ]);
  await expect.element(applied().getByText(/^2 areas/)).toBeVisible();
  // A new tab has only the address.
  const address = location.pathname + location.hash;
  sessionStorage.clear();
  await openScreen(address);
  await expectRows("airports");
  expect(areaOf(searches().at(-1))?.polygons).toHaveLength(2);
  await expect.element(applied().getByText(/^2 areas/)).toBeVisible();
});

it("[SEARCH-30] an area is offered only for datasets with locations", async () => {
  await openForm(flights);
  await expect.element(areaButton()).not.toBeInTheDocument();
  await openForm(airports);
  await expect.element(areaButton()).toBeVisible();
});
