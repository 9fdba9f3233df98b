import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { copied } from "#testing/keyboard.ts";
import { itemRow, openMap, prepareMaps, servePath, pathRows } from "#testing/maps.ts";

interface Feature {
  geometry: unknown;
  properties: Record<string, unknown>;
}

async function choose(entry: string): Promise<void> {
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const menu = page.getByRole("menu", { name: "Export" });
  await menu.getByRole("menuitem", { name: entry, exact: true }).click();
  await expect.element(menu).not.toBeInTheDocument();
}

const csvRows = (text: string): string[][] =>
  text
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));

beforeEach(prepareMaps);

it("without a visible path there is none to save", async () => {
  await openMap();
  await page.getByRole("button", { name: "Export", exact: true }).click();
  for (const entry of ["Paths as GeoJSON", "Paths as KML", "Paths as CSV", "Copy Paths as GeoJSON"]) {
    await expect.element(page.getByRole("menuitem", { name: entry, exact: true })).toBeDisabled();
  }
});

it("a path over the antimeridian is cut there, and the columns of its layers come along", async () => {
  servePath((body) => {
    const start = Number(pathRows(body)[0]?.["time"]);
    return [178, -178, -176, 179].map((longitude, index) => ({ time: start + index, latitude: 10 + index, longitude, wind: 50 + index }));
  });
  await openMap({
    p: ["2004-09"],
    l: {
      "2004-09": [
        ["path", 1, null],
        ["c2", 1, ["wind", ">=", "60"]],
      ],
    },
  });
  await expect.element(itemRow("Jeanne").getByRole("checkbox")).toBeChecked();
  await choose("Copy Paths as GeoJSON");
  await expect.element(page.getByText("Paths copied")).toBeVisible();
  const [feature] = (JSON.parse(await copied()) as { features: Feature[] }).features;
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
  await choose("Copy Paths as CSV");
  await expect.poll(copied).toContain("storm_id,");
  const [head, ...records] = csvRows(await copied());
  expect(head).toEqual(["storm_id", "time", "latitude", "longitude", "wind"]);
  expect(records.map((record) => record.at(-1))).toEqual(["50", "51", "52", "53"]);
});
