import { mapResults } from "@fairway/contract/map-results";
import { search } from "@fairway/contract/search";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import "#testing/css-locator.ts";
import { press } from "#testing/keyboard.ts";
import {
  addressedMapState,
  details,
  itemButton,
  itemRow,
  lastRows,
  mapOf,
  openMap,
  pathBox,
  pixelOf,
  prepareAddressedMaps,
  serveLimits,
  servePath,
  serveStorms,
  type View,
} from "#testing/maps.ts";
import { gateway } from "#testing/open-screen.tsx";
import { openOnce } from "#testing/open-once.tsx";
import { drawSharply, takePicture } from "#testing/pixels.ts";
import { slider } from "#testing/playback.ts";

const view: View = [-60, 30, 4];
/** The ends of the palette in the light theme. */
const [least, greatest] = [
  [180, 115, 8],
  [59, 0, 25],
] as const;
const pathBlue = [27, 58, 138] as const;

/** One storm along 30° north, with little wind in the west, much in the east, and none known at its end. */
const positions = [
  [-80, 25],
  [-72, 25],
  [-64, 150],
  [-56, 150],
  [-52, null],
] as const;
const [storm = {}, otherStorm = {}] = lastRows();
const rows = positions.map(([longitude, wind], index) =>
  Object.assign({ ...storm }, { time: Number(storm["time"]) - (positions.length - 1 - index) * 21_600, latitude: 30, longitude, wind }),
);
const legend = () => page.getByRole("group", { name: "Colors" });
const paths = () => page.getByRole("combobox", { name: "Paths" });

beforeEach(() => {
  prepareAddressedMaps();
  serveStorms([...rows.slice(-1), { ...otherStorm, time: storm["time"] ?? null }]);
  gateway.answer(mapResults.tracks, { results: rows });
  servePath(({ filters }) => (filters.some(({ value }) => value === storm["storm_id"]) ? rows : []));
});

const pixelsAt = async (longitude: number, color: readonly [number, number, number]) =>
  (await takePicture(mapOf())).count(pixelOf(view, longitude, 30), 4, color);

describe("paths colored by a column", () => {
  openOnce(async () => {
    await drawSharply();
    await openMap({ v: view, c: "wind" });
  });

  it("have the value of the point that a segment leads to, on tracks and exact paths, and no color where it is missing", async () => {
    expect(gateway.received(mapResults.tracks).map(({ body }) => body.values)).toEqual([["wind"]]);
    await expect.poll(() => pixelsAt(-76, least)).toBeGreaterThan(8);
    // The wind grew between these, and the segment has the color of its end.
    expect(await pixelsAt(-68, greatest)).toBeGreaterThan(8);
    expect(await pixelsAt(-60, greatest)).toBeGreaterThan(8);
    expect([await pixelsAt(-54, least), await pixelsAt(-54, greatest), await pixelsAt(-68, pathBlue)]).toEqual([0, 0, 0]);
    await paths().selectOptions("Exact");
    await expect.element(itemRow(String(storm["name"])).getByRole("checkbox")).toBeChecked();
    expect(gateway.received(mapResults.path).at(-1)?.body.columns).toEqual(["time", "latitude", "longitude", "wind"]);
    await expect.poll(() => pixelsAt(-76, least)).toBeGreaterThan(8);
    expect(await pixelsAt(-60, greatest)).toBeGreaterThan(8);
  });

  it("have their range in the legend, with gaps, missing values and first positions, and the list has values instead of ages", async () => {
    await expect.element(legend()).toHaveTextContent(/^wind \(kt\), along the path/);
    await expect.element(legend().getByRole("img")).toHaveAccessibleName(/^7 steps: 25 – 42, .* 133 – 150$/);
    await expect.element(legend()).toHaveTextContent(/no valuegap of more than 12 hfirst position$/);
    await expect.element(itemRow(String(storm["name"]))).toHaveTextContent(/no value$/);
    await press("Home", slider());
    await expect.element(itemRow(String(storm["name"]))).toHaveTextContent(/25 kt$/);
    await expect.element(page.getByRole("combobox", { name: "Sort by" }).getByRole("option", { name: "wind" })).toBeInTheDocument();
    await press("End", slider());
  });

  it("are none, an overview or exact, which the address keeps", async () => {
    await drawSharply();
    await paths().selectOptions("None");
    await expect.element(itemRow(String(storm["name"])).getByRole("checkbox")).not.toBeChecked();
    await expect.poll(() => pixelsAt(-60, greatest)).toBe(0);
    await expect.poll(addressedMapState).toMatchObject({ a: 0 });
    await paths().selectOptions("Overview");
    await expect.poll(() => pixelsAt(-60, greatest)).toBeGreaterThan(8);
    await expect.element(page.getByRole("button", { name: "Tracks", exact: true })).not.toBeInTheDocument();
  });

  it("keep highlights on top, and name the column in place of all positions", async () => {
    await itemButton(String(storm["name"])).click();
    await details(String(storm["name"])).getByRole("button", { name: "Path layers" }).click();
    const layers = page.getByRole("region", { name: `Path layers of ${String(storm["name"])}` });
    await expect.element(layers.getByText("Colored by wind")).toBeVisible();
    await expect.element(layers.getByRole("combobox", { name: "Color of layer 1" })).not.toBeInTheDocument();
    await press("Escape");
  });
});

it("shows a thinned path where all positions are a lot of data, and says so", async () => {
  serveLimits({ pathPointsPerCall: 1, pathCallsWithoutWarning: 2 });
  await openMap({ a: 0 });
  const name = String(storm["name"]);
  await pathBox(name).click();
  const dialog = page.getByRole("dialog", { name: "A Lot of Data" });
  await dialog.getByRole("button", { name: "Show Thinned Path", exact: true }).click();
  await expect.element(pathBox(name)).toBeChecked();
  expect(gateway.received(mapResults.path)).toEqual([]);
  expect(gateway.received(mapResults.tracks).at(-1)?.body.filters).toEqual([{ name: "storm_id", operator: "=", value: storm["storm_id"] }]);
  await itemButton(name).click();
  await expect.element(details(name)).toHaveTextContent("This is an overview: 5 of 5 positions.");
});

it("says how many positions an overview leaves out, and adds those of a view once it rests", async () => {
  gateway.answer(search.aggregate, { totalResults: 3_412_880 });
  const all = [...rows, { ...otherStorm, time: storm["time"] ?? null }];
  gateway.answer(mapResults.tracks, { results: all });
  await openMap({ v: view });
  await expect.element(page.getByText("Overview of 3,412,880 positions, 6 drawn")).toBeVisible();
  expect(gateway.received(mapResults.tracks)).toHaveLength(1);
  gateway.answer(mapResults.tracks, {
    results: [...all, ...rows.map((row) => Object.assign({ ...row }, { time: row["time"] - 60 }))],
  });
  await press("=", mapOf().getByRole("region", { name: "Map" }));
  await expect.element(page.getByText("Overview of 3,412,880 positions, 11 drawn")).toBeVisible();
  const refined = gateway.received(mapResults.tracks).at(-1)?.body;
  // Cells of 8 pixels of a world that is 512 pixels wide at zoom 0.
  await expect.poll(() => (addressedMapState()["v"] as View)[2] + 6).toBe(refined?.level);
  expect(refined?.filters).toEqual([]);
  const [west = 0, south = 0, east = 0, north = 0] = refined?.within ?? [];
  expect([west < -60 && east > -60, south < 30 && north > 30, east - west < 60]).toEqual([true, true, true]);
});
