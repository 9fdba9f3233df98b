import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { openMap, pathBox } from "../support/maps.ts";
import { portalApi } from "../support/results.ts";

async function saved(page: Page, entry: string): Promise<{ name: string; text: string }> {
  const waiting = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
  const download = await waiting;
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}

const betweenTags = (text: string, tag: string) =>
  [...text.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, "g"))].map(([, inner]) => inner);

test("a visible path is saved as GeoJSON, KML and CSV with all its positions and their times in order", async ({
  page,
  signIn,
  request,
}) => {
  await signIn();
  await openMap(page, { p: ["2004-09"] });
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

  const geoJson = await saved(page, "Paths as GeoJSON");
  expect(geoJson.name).toBe("Tropical weather_storm-tracks_paths.geojson");
  expect(JSON.parse(geoJson.text)).toMatchObject({
    type: "FeatureCollection",
    features: [
      {
        id: "2004-09",
        geometry: { type: "LineString", coordinates: positions },
        properties: { name: "Jeanne", storm_id: "2004-09", times: [times] },
      },
    ],
  });

  const kml = await saved(page, "Paths as KML");
  expect(betweenTags(kml.text, "when")).toEqual(times);
  expect(betweenTags(kml.text, "gx:coord")).toEqual(positions.map(([lng, lat]) => `${lng} ${lat} 0`));

  const csv = await saved(page, "Paths as CSV");
  const [head, ...records] = csv.text
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));
  expect(head).toEqual(["storm_id", "time", "latitude", "longitude"]);
  expect(records.map(([, , lat, lng]) => [Number(lng), Number(lat)])).toEqual(positions);
  expect(new Set(records.map(([id]) => id))).toEqual(new Set(["2004-09"]));
});
