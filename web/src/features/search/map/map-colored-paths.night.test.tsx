import "#testing/css-locator.ts";
import { mapResults } from "@fairway/contract/map-results";
import { search } from "@fairway/contract/search";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { press } from "#testing/keyboard.ts";
import {
  addressedMapState,
  details,
  itemButton,
  mapOf,
  openMap,
  pathBox,
  prepareAddressedMaps,
  serveLimits,
  servePath,
  serveStorms,
  type View,
} from "#testing/maps.ts";
import { otherStorm, rows, storm, view } from "#testing/colored-paths.ts";
import { gateway } from "#testing/open-screen.tsx";
import { openOnce } from "#testing/open-once.tsx";
import { drawSharply } from "#testing/pixels.ts";

beforeEach(() => {
  prepareAddressedMaps();
  serveStorms([...rows.slice(-1), { ...otherStorm, time: storm["time"] ?? null }]);
  gateway.answer(mapResults.tracks, { results: rows });
  servePath(({ filters }) => (filters.some(({ value }) => value === storm["storm_id"]) ? rows : []));
});

describe("paths colored by a column", () => {
  openOnce(async () => {
    await drawSharply();
    await openMap({ v: view, c: "wind" });
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
  expect(gateway.received(mapResults.tracks)[0]?.body).not.toHaveProperty("level");
  gateway.answer(mapResults.tracks, {
    results: [...all, ...rows.map((row) => Object.assign({ ...row }, { time: row["time"] - 60 }))],
  });
  await press("=", mapOf().getByRole("region", { name: "Map" }));
  await expect.element(page.getByText("Overview of 3,412,880 positions, 11 drawn")).toBeVisible();
  await expect.poll(() => (addressedMapState()["v"] as View)[2]).toBe(view[2] + 1);
  // The view before may also have rested long enough to be asked about.
  const refined = () => gateway.received(mapResults.tracks).at(-1)?.body;
  // Cells of 8 pixels of a world that is 512 pixels wide at zoom 0.
  await expect.poll(() => refined()?.level).toBe(view[2] + 1 + 6);
  expect(refined()?.filters).toEqual([]);
  const [west = 0, south = 0, east = 0, north = 0] = refined()?.within ?? [];
  expect([west < -60 && east > -60, south < 30 && north > 30, east - west < 60]).toEqual([true, true, true]);
});
