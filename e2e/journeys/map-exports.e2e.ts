import { readFile } from "node:fs/promises";
import type { ResultRow } from "@fairway/contract/search";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { itemFilter, itemRow, lastCalls, openMap, pathBox, pathCalls } from "../support/maps.ts";
import { alterAnswer, portalApi } from "../support/results.ts";

interface Feature {
  type: string;
  id: string;
  geometry: { type: "Point" | "LineString" | "MultiLineString"; coordinates: unknown };
  properties: Record<string, unknown>;
}
type Position = [lng: number, lat: number];

const menu = (page: Page) => page.getByRole("menu", { name: "Export" });

async function choose(page: Page, entry: string): Promise<void> {
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await menu(page).getByRole("menuitem", { name: entry, exact: true }).click();
  await expect(menu(page)).toHaveCount(0);
}

async function saved(page: Page, entry: string): Promise<{ name: string; text: string }> {
  const waiting = page.waitForEvent("download");
  await choose(page, entry);
  const download = await waiting;
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}

/** The features of a GeoJSON file, which must conform to RFC 7946. */
function featuresOf(text: string): Feature[] {
  const file = JSON.parse(text) as { type: string; features: Feature[] };
  expect(file.type).toBe("FeatureCollection");
  for (const { type, geometry, properties } of file.features) {
    expect(type).toBe("Feature");
    expect(typeof properties).toBe("object");
    const lines =
      geometry.type === "Point" ? [[geometry.coordinates]] : geometry.type === "LineString" ? [geometry.coordinates] : geometry.coordinates;
    for (const line of lines as Position[][]) {
      expect(line.length).toBeGreaterThanOrEqual(geometry.type === "Point" ? 1 : 2);
      for (const [index, [lng, lat]] of line.entries()) {
        expect(Math.abs(lng)).toBeLessThanOrEqual(180);
        expect(Math.abs(lat)).toBeLessThanOrEqual(90);
        // RFC 7946, 3.1.9: no line crosses the antimeridian.
        expect(Math.abs(lng - (line[index - 1]?.[0] ?? lng))).toBeLessThanOrEqual(180);
      }
    }
  }
  return file.features;
}

interface Placemark {
  name: string | null;
  children: string[];
  coordinates: string | null;
  whens: string[];
  coords: string[];
}

/** The placemarks of a KML file, parsed by the browser. */
const placemarksOf = (page: Page, text: string): Promise<Placemark[]> =>
  page.evaluate((xml) => {
    const file = new DOMParser().parseFromString(xml, "application/xml");
    const problem = file.querySelector("parsererror");
    if (problem) throw new Error(problem.textContent ?? "");
    const [kml, gx] = ["http://www.opengis.net/kml/2.2", "http://www.google.com/kml/ext/2.2"];
    if (file.documentElement.namespaceURI !== kml || file.documentElement.localName !== "kml") throw new Error("This is not KML 2.2.");
    const texts = (element: Element, namespace: string, name: string) =>
      [...element.getElementsByTagNameNS(namespace, name)].map(({ textContent }) => textContent ?? "");
    return [...file.getElementsByTagNameNS(kml, "Placemark")].map((mark) => ({
      name: texts(mark, kml, "name")[0] ?? null,
      children: [...mark.children].map(({ tagName }) => tagName),
      coordinates: texts(mark, kml, "coordinates")[0] ?? null,
      whens: texts(mark, kml, "when"),
      coords: texts(mark, gx, "coord"),
    }));
  }, text);

const csvRows = (text: string): string[][] =>
  text
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));

const renamed = (row: ResultRow): ResultRow => ({ ...row, name: `Al<e>x & "Co"` });
const unplaced = (row: ResultRow): ResultRow => ({ ...row, latitude: null });
const alterItems = (page: Page) =>
  alterAnswer(page, lastCalls, (answer) => ({
    ...answer,
    results: (answer["results"] as ResultRow[]).map((row) =>
      row["name"] === "Alex" ? renamed(row) : row["name"] === "Otto" ? unplaced(row) : row,
    ),
  }));

test("the filtered items can be saved or copied as valid GeoJSON, KML and CSV", async ({ page, signIn }) => {
  await signIn();
  await alterItems(page);
  await openMap(page);
  const geoJson = await saved(page, "Items as GeoJSON");
  expect(geoJson.name).toBe("Tropical weather_storm-tracks_items.geojson");
  const features = featuresOf(geoJson.text);
  // All items except the one without a position.
  expect(features).toHaveLength(12);
  expect(features.find(({ id }) => id === "2004-09")).toMatchObject({
    geometry: { type: "Point", coordinates: [-78.4, 37.3] },
    properties: { name: "Jeanne", season: 2004, longitude: -78.4, latitude: 37.3 },
  });

  const kml = await saved(page, "Items as KML");
  expect(kml.name).toBe("Tropical weather_storm-tracks_items.kml");
  const marks = await placemarksOf(page, kml.text);
  expect(marks).toHaveLength(12);
  expect(marks.map(({ name }) => name)).toContain(`Al<e>x & "Co"`);
  expect(marks.find(({ name }) => name === "Jeanne")).toMatchObject({
    children: ["name", "TimeStamp", "ExtendedData", "Point"],
    coordinates: "-78.4,37.3",
    whens: ["2004-09-28T18:00:00.000Z"],
  });

  const csv = await saved(page, "Items as CSV");
  expect(csv.name).toBe("Tropical weather_storm-tracks_items.csv");
  const [head = [], ...records] = csvRows(csv.text);
  expect(head.slice(0, 6)).toEqual(["storm_id", "name", "season", "time", "latitude", "longitude"]);
  expect(records).toHaveLength(13);

  await itemFilter(page).fill("Jea");
  await expect(page.getByText("1 of 13 items", { exact: true })).toBeVisible();
  for (const [entry, idsOf] of [
    ["Copy Items as GeoJSON", (text: string) => featuresOf(text).map(({ id }) => id)],
    [
      "Copy Items as CSV",
      (text: string) =>
        csvRows(text)
          .slice(1)
          .map(([id]) => id),
    ],
    [
      "Copy Items as KML",
      async (text: string) => (await placemarksOf(page, text)).map(({ name }) => (name === "Jeanne" ? "2004-09" : name)),
    ],
  ] as const) {
    await choose(page, entry);
    await expect(page.getByText("Items copied").first()).toBeVisible();
    await expect.poll(async () => idsOf(await page.evaluate(() => navigator.clipboard.readText()))).toEqual(["2004-09"]);
  }
});

test("visible paths can be saved with their times in order; without any the menu items are disabled", async ({ page, signIn, request }) => {
  await signIn();
  await openMap(page);
  await page.getByRole("button", { name: "Export", exact: true }).click();
  for (const entry of ["Paths as GeoJSON", "Paths as KML", "Paths as CSV", "Copy Paths as GeoJSON"]) {
    await expect(menu(page).getByRole("menuitem", { name: entry, exact: true })).toBeDisabled();
  }
  await page.keyboard.press("Escape");
  await pathBox(page, "Jeanne").click();
  await expect(pathBox(page, "Jeanne")).toBeChecked();

  const api = await portalApi(request);
  const rows = await api.rows(
    { category: "Tropical weather", dataset: "storm-tracks", filters: [["storm_id", "=", "2004-09"]] },
    { offset: 0, max: 100 },
  );
  const inOrder = rows.toSorted((one, other) => Number(one["time"]) - Number(other["time"]));
  const positions = inOrder.map((row) => [row["longitude"], row["latitude"]]);
  const times = inOrder.map((row) => new Date(Number(row["time"]) * 1_000).toISOString());
  expect(positions).toHaveLength(66);

  const [feature, ...others] = featuresOf((await saved(page, "Paths as GeoJSON")).text);
  expect(others).toEqual([]);
  expect(feature).toMatchObject({
    id: "2004-09",
    geometry: { type: "LineString", coordinates: positions },
    properties: { name: "Jeanne", storm_id: "2004-09", times: [times] },
  });

  const [mark] = await placemarksOf(page, (await saved(page, "Paths as KML")).text);
  expect(mark).toMatchObject({
    name: "Jeanne",
    children: ["name", "gx:Track"],
    whens: times,
    coords: positions.map(([lng, lat]) => `${lng} ${lat} 0`),
  });

  const [head, ...records] = csvRows((await saved(page, "Paths as CSV")).text);
  expect(head).toEqual(["storm_id", "time", "latitude", "longitude"]);
  expect(records.map(([, , lat, lng]) => [Number(lng), Number(lat)])).toEqual(positions);
  expect(new Set(records.map(([id]) => id))).toEqual(new Set(["2004-09"]));

  await choose(page, "Copy Paths as GeoJSON");
  await expect(page.getByText("Paths copied")).toBeVisible();
  expect(featuresOf(await page.evaluate(() => navigator.clipboard.readText()))).toEqual([feature]);
});

test("a path across the antimeridian is split there, and the columns of its layers are included", async ({ page, signIn }) => {
  await signIn();
  await alterAnswer(page, pathCalls, (answer) => {
    const start = Number((answer["results"] as ResultRow[])[0]?.["time"]);
    const points = [178, -178, -176, 179];
    return {
      ...answer,
      results: points.map((longitude, index) => ({ time: start + index, latitude: 10 + index, longitude, wind: 50 + index })),
    };
  });
  await openMap(page, {
    p: ["2004-09"],
    l: {
      "2004-09": [
        ["path", 1, null],
        ["c2", 1, ["wind", ">=", "60"]],
      ],
    },
  });
  await expect(itemRow(page, "Jeanne").getByRole("checkbox")).toBeChecked();
  const [feature] = featuresOf((await saved(page, "Paths as GeoJSON")).text);
  expect(feature?.geometry).toEqual({
    type: "MultiLineString",
    coordinates: [
      [
        [178, 10],
        [180, 10.5],
      ],
      [
        [-180, 10.5],
        [-178, 11],
        [-176, 12],
        [-180, 12.8],
      ],
      [
        [180, 12.8],
        [179, 13],
      ],
    ],
  });
  expect(feature?.properties["wind"]).toEqual([
    [50, null],
    [null, 51, 52, null],
    [null, 53],
  ]);
  const [head, ...records] = csvRows((await saved(page, "Paths as CSV")).text);
  expect(head).toEqual(["storm_id", "time", "latitude", "longitude", "wind"]);
  expect(records.map((record) => record.at(-1))).toEqual(["50", "51", "52", "53"]);
});
