import "#testing/css-locator.ts";
import { mapResults } from "@fairway/contract/map-results";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { press } from "#testing/keyboard.ts";
import { addressedMapState, itemRow, mapOf, openMap, pixelOf, prepareAddressedMaps, servePath, serveStorms } from "#testing/maps.ts";
import { gateway } from "#testing/open-screen.tsx";
import { openOnce } from "#testing/open-once.tsx";
import { drawSharply, takePicture } from "#testing/pixels.ts";
import { slider } from "#testing/playback.ts";
import { otherStorm, rows, storm, view } from "#testing/colored-paths.ts";

/** The ends of the palette in the light theme. */
const [least, greatest] = [
  [180, 115, 8],
  [59, 0, 25],
] as const;

const pathBlue = [27, 58, 138] as const;
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
});
