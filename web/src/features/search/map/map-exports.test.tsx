import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { collectDownloads } from "#testing/files.ts";
import { copied, press } from "#testing/keyboard.ts";
import { alterItems, itemFilter, openMap, pathBox, pathRows, prepareMaps, servePath } from "#testing/maps.ts";

interface Feature {
  id: string;
  geometry: unknown;
  properties: Record<string, unknown>;
}

const menu = () => page.getByRole("menu", { name: "Export" });
const openMenu = () => page.getByRole("button", { name: "Export", exact: true }).click();
const featuresOf = (text: string) => (JSON.parse(text) as { features: Feature[] }).features;

async function choose(entry: string): Promise<void> {
  await openMenu();
  await menu().getByRole("menuitem", { name: entry, exact: true }).click();
  await expect.element(menu()).not.toBeInTheDocument();
}

beforeEach(prepareMaps);

it("the filtered items and the visible paths can be saved or copied, with the columns of their layers", async () => {
  alterItems((rows) => rows.map((row) => (row["name"] === "Otto" ? { ...row, latitude: null } : row)));
  servePath((body) => {
    const start = Number(pathRows(body)[0]?.["time"]);
    return [178, -178].map((longitude, index) => ({ time: start + index, latitude: 10 + index, longitude, wind: 50 + index }));
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

  await itemFilter().fill("Jea");
  await expect.element(page.getByText("1 of 13 items", { exact: true })).toBeVisible();
  const kml = await save("Items as KML");
  expect([kml.name, kml.text.split("<Placemark").length]).toEqual(["Tropical weather_storm-tracks_items.kml", 2]);
  await navigator.clipboard.writeText("");
  await choose("Copy Items as CSV");
  await expect.element(page.getByText("Items copied")).toBeVisible();
  await expect.poll(copied).toMatch(/^\uFEFF?storm_id,name,season,time,latitude,longitude,.*\r\n2004-09,Jeanne,[^\n]*\r\n$/);

  await openMenu();
  for (const entry of ["Paths as GeoJSON", "Paths as KML", "Paths as CSV", "Copy Paths as GeoJSON"])
    await expect.element(menu().getByRole("menuitem", { name: entry, exact: true })).toBeDisabled();
  await press("Escape");
  await pathBox("Jeanne").click();
  await expect.element(pathBox("Jeanne")).toBeChecked();
  await choose("Copy Paths as GeoJSON");
  await expect.element(page.getByText("Paths copied")).toBeVisible();
  await expect.poll(copied).toContain("MultiLineString");
  expect(featuresOf(await copied())).toMatchObject([
    {
      id: "2004-09",
      properties: {
        name: "Jeanne",
        storm_id: "2004-09",
        wind: [
          [50, null],
          [null, 51],
        ],
      },
    },
  ]);
  const csv = await save("Paths as CSV");
  expect(csv.name).toBe("Tropical weather_storm-tracks_paths.csv");
  expect(csv.text).toMatch(/^\uFEFF?storm_id,time,latitude,longitude,wind\r\n2004-09,/);
});
