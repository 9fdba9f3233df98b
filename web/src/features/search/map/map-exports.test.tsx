import type { ResultRow } from "@fairway/contract/search";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { collectDownloads } from "#testing/files.ts";
import { copied, press } from "#testing/keyboard.ts";
import { alterItems, itemFilter, openMap, pathBox, pathRows, prepareMaps, servePath } from "#testing/maps.ts";

interface Feature {
  type: string;
  id: string;
  geometry: { type: "Point" | "LineString" | "MultiLineString"; coordinates: unknown };
  properties: Record<string, unknown>;
}
type Position = [lng: number, lat: number];

const menu = () => page.getByRole("menu", { name: "Export" });
const openMenu = () => page.getByRole("button", { name: "Export", exact: true }).click();

async function choose(entry: string): Promise<void> {
  await openMenu();
  await menu().getByRole("menuitem", { name: entry, exact: true }).click();
  await expect.element(menu()).not.toBeInTheDocument();
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

/** The placemarks of a KML file, parsed by the browser. */
function placemarksOf(xml: string) {
  const file = new DOMParser().parseFromString(xml, "application/xml");
  expect(file.querySelector("parsererror")).toBeNull();
  const [kml, gx] = ["http://www.opengis.net/kml/2.2", "http://www.google.com/kml/ext/2.2"];
  expect([file.documentElement.namespaceURI, file.documentElement.localName]).toEqual([kml, "kml"]);
  const texts = (element: Element, namespace: string, name: string) =>
    [...element.getElementsByTagNameNS(namespace, name)].map(({ textContent }) => textContent);
  return [...file.getElementsByTagNameNS(kml, "Placemark")].map((mark) => ({
    name: texts(mark, kml, "name")[0],
    children: [...mark.children].map(({ tagName }) => tagName),
    coordinates: texts(mark, kml, "coordinates")[0],
    whens: texts(mark, kml, "when"),
    coords: texts(mark, gx, "coord"),
  }));
}

const csvRows = (text: string): string[][] =>
  text
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));

const renamed = (row: ResultRow): ResultRow => ({ ...row, name: `Al<e>x & "Co"` });
const unplaced = (row: ResultRow): ResultRow => ({ ...row, latitude: null });

beforeEach(prepareMaps);

it("the filtered items and the visible paths can be saved or copied as valid GeoJSON, KML and CSV, cut at the antimeridian and with the columns of their layers", async () => {
  alterItems((rows) => rows.map((row) => (row["name"] === "Alex" ? renamed(row) : row["name"] === "Otto" ? unplaced(row) : row)));
  servePath((body) => {
    const start = Number(pathRows(body)[0]?.["time"]);
    return [178, -178, -176, 179].map((longitude, index) => ({ time: start + index, latitude: 10 + index, longitude, wind: 50 + index }));
  });
  await openMap({
    l: {
      "2004-09": [
        ["path", 1, null],
        ["c2", 1, ["wind", ">=", "60"]],
      ],
    },
  });
  const { saved } = collectDownloads();
  const save = async (entry: string) => {
    const before = saved.length;
    await choose(entry);
    await expect.poll(() => saved.length).toBe(before + 1);
    return { name: saved.at(-1)?.name, text: (await saved.at(-1)?.blob.text()) ?? "" };
  };
  const geoJson = await save("Items as GeoJSON");
  expect(geoJson.name).toBe("Tropical weather_storm-tracks_items.geojson");
  const features = featuresOf(geoJson.text);
  // All items except the one without a position.
  expect(features).toHaveLength(12);
  expect(features.find(({ id }) => id === "2004-09")).toMatchObject({
    geometry: { type: "Point", coordinates: [-78.4, 37.3] },
    properties: { name: "Jeanne", season: 2004, longitude: -78.4, latitude: 37.3 },
  });

  const kml = await save("Items as KML");
  expect(kml.name).toBe("Tropical weather_storm-tracks_items.kml");
  const marks = placemarksOf(kml.text);
  expect(marks).toHaveLength(12);
  expect(marks.map(({ name }) => name)).toContain(`Al<e>x & "Co"`);
  expect(marks.find(({ name }) => name === "Jeanne")).toMatchObject({
    children: ["name", "TimeStamp", "ExtendedData", "Point"],
    coordinates: "-78.4,37.3",
    whens: ["2004-09-28T18:00:00.000Z"],
  });

  const csv = await save("Items as CSV");
  expect(csv.name).toBe("Tropical weather_storm-tracks_items.csv");
  const [head = [], ...records] = csvRows(csv.text);
  expect(head.slice(0, 6)).toEqual(["storm_id", "name", "season", "time", "latitude", "longitude"]);
  expect(records).toHaveLength(13);

  await itemFilter().fill("Jea");
  await expect.element(page.getByText("1 of 13 items", { exact: true })).toBeVisible();
  for (const [entry, idsOf] of [
    ["Copy Items as GeoJSON", (text: string) => featuresOf(text).map(({ id }) => id)],
    [
      "Copy Items as CSV",
      (text: string) =>
        csvRows(text)
          .slice(1)
          .map(([id]) => id),
    ],
    ["Copy Items as KML", (text: string) => placemarksOf(text).map(({ name }) => (name === "Jeanne" ? "2004-09" : name))],
  ] as const) {
    await navigator.clipboard.writeText("");
    await choose(entry);
    await expect.element(page.getByText("Items copied").first()).toBeVisible();
    await expect.poll(copied).not.toBe("");
    expect(idsOf(await copied())).toEqual(["2004-09"]);
  }

  await openMenu();
  for (const entry of ["Paths as GeoJSON", "Paths as KML", "Paths as CSV", "Copy Paths as GeoJSON"])
    await expect.element(menu().getByRole("menuitem", { name: entry, exact: true })).toBeDisabled();
  await press("Escape");
  await pathBox("Jeanne").click();
  await expect.element(pathBox("Jeanne")).toBeChecked();
  const [feature, ...others] = featuresOf((await save("Paths as GeoJSON")).text);
  expect(others).toEqual([]);
  expect(feature).toMatchObject({ id: "2004-09", properties: { name: "Jeanne", storm_id: "2004-09" } });
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
  expect(placemarksOf((await save("Paths as KML")).text)).toMatchObject([
    { name: "Jeanne", children: ["name", "gx:Track"], coords: ["178 10 0", "-178 11 0", "-176 12 0", "179 13 0"] },
  ]);
  const [pathHead, ...positions] = csvRows((await save("Paths as CSV")).text);
  expect(pathHead).toEqual(["storm_id", "time", "latitude", "longitude", "wind"]);
  expect(positions.map((record) => record.at(-1))).toEqual(["50", "51", "52", "53"]);
  expect(new Set(positions.map(([id]) => id))).toEqual(new Set(["2004-09"]));
  await choose("Copy Paths as GeoJSON");
  await expect.element(page.getByText("Paths copied")).toBeVisible();
  await expect.poll(async () => (await copied()).includes("MultiLineString")).toBe(true);
  expect(featuresOf(await copied())).toEqual([feature]);
});
