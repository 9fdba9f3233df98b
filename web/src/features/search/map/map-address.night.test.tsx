import { mapResults } from "@fairway/contract/map-results";
import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectCount } from "#testing/assertions.ts";
import "#testing/css-locator.ts";
import { heapBytes } from "#testing/heap.ts";
import { press } from "#testing/keyboard.ts";
import {
  details,
  expectMap,
  itemButton,
  itemFilter,
  itemList,
  prepareAddressedMaps,
  lastRows,
  mapOf,
  mapRequests,
  openMap,
  pathBox,
  pixelOf,
  type View,
  addressedMapState,
  serveStorms,
} from "#testing/maps.ts";
import { gateway, openScreen, reloadScreen } from "#testing/open-screen.tsx";
import { drawCoarsely, drawSharply, mapColors, takePicture } from "#testing/pixels.ts";
import { slider } from "#testing/playback.ts";

const jeanne = "2004-09";
const ivan = "2004-07";

beforeEach(prepareAddressedMaps);

it("keeps the state of the map in the address, from which another user gets the same map and a reload restores it", async () => {
  await openMap();
  expect(addressedMapState()).toEqual({});
  await itemButton("Jeanne").click();
  await expect.poll(addressedMapState).toMatchObject({ s: jeanne, v: [-78.4, 37.3, expect.any(Number)] });
  await pathBox("Jeanne").click();
  await pathBox("Ivan").click();
  await expect.element(pathBox("Ivan")).toBeChecked();
  await details("Jeanne").getByRole("button", { name: "Path layers" }).click();
  const layers = page.getByRole("region", { name: "Path layers of Jeanne" });
  await layers.getByRole("button", { name: "Add layer" }).click();
  await layers.getByRole("combobox", { name: "Column of layer 2" }).selectOptions("wind");
  await layers.getByRole("textbox", { name: "Value of layer 2" }).fill("100");
  await layers.getByRole("textbox", { name: "Show a gap after (hours)" }).fill("30");
  await layers.getByRole("button", { name: "Close path layers" }).click();
  await page.getByRole("button", { name: "Zoom in" }).click();
  await press("PageDown", slider());
  const shownMs = Math.round(Number(slider().element().getAttribute("aria-valuenow")));
  await itemFilter().fill("an");
  const state = {
    t: [shownMs, null, null],
    f: "an",
    s: jeanne,
    p: [jeanne, ivan],
    g: 30 * 3_600_000,
    l: {
      [jeanne]: [
        ["path", 1, null],
        ["c2", 1, ["wind", ">=", "100"]],
      ],
    },
  };
  await expect.poll(addressedMapState).toMatchObject(state);
  await expect.poll(() => (addressedMapState()["v"] as View)[2]).toBeGreaterThanOrEqual(4);
  const viewpoint = addressedMapState()["v"] as View;
  const address = location.hash;

  sessionStorage.clear();
  await drawSharply();
  await openScreen(location.pathname + address, { sub: "u-grace", preferred_username: "grace", name: "Grace Hopper" });
  const requests = mapRequests();
  const before = requests.paths.length;
  await expectMap();
  await expect.element(details("Jeanne")).toBeVisible();
  await expect.element(pathBox("Jeanne")).toBeChecked();
  await expect.element(pathBox("Ivan")).toBeChecked();
  await expect.element(itemFilter()).toHaveValue("an");
  await expect.element(page.getByText("3 of 13 items", { exact: true })).toBeVisible();
  await expect.element(slider()).toHaveAttribute("aria-valuenow", String(shownMs));
  const columns = requests.paths.slice(before).map((path) => (path.columns ?? []).join(" "));
  expect(new Set(columns)).toEqual(new Set(["time latitude longitude", "time latitude longitude wind"]));
  const jeannePixels = async () => (await takePicture(mapOf())).count(pixelOf(viewpoint, -78.4, 37.3), 12, mapColors.rose);
  await expect.poll(jeannePixels).toBeGreaterThan(40);
  expect(location.hash).toBe(address);

  drawCoarsely();
  await reloadScreen();
  await expectMap();
  await expect.element(pathBox("Ivan")).toBeChecked();
  await expect.element(itemFilter()).toHaveValue("an");
  await press("End", slider());
  await expect.poll(addressedMapState).not.toHaveProperty("t");
  await pathBox("Ivan").click();
  await details("Jeanne").getByRole("button", { name: "Close details" }).click();
  await expect.poll(addressedMapState).not.toHaveProperty("s");
  expect(addressedMapState()["p"]).toEqual([jeanne]);
});

it("distinguishes items of the same name and measures ages at the playback time", async () => {
  const otto = (stormId: string, year: number) => ({ ...lastRows()[0], storm_id: stormId, time: Date.UTC(year, 10, 1) / 1_000 });
  serveStorms([otto("2016-15", 2016), otto("2010-16", 2010), ...lastRows()]);
  await openMap({ p: [jeanne] }, { t: [157_766_400, 1_609_459_200] });
  await itemFilter().fill("otto");
  await expect.element(page.getByText("3 of 15 items", { exact: true })).toBeVisible();
  for (const id of ["2004-13", "2010-16", "2016-15"]) await expectCount(itemList().getByRole("row").filter({ hasText: id }), 1);
  await itemList().getByRole("checkbox", { name: "Path of Otto 2004-13" }).click();
  await expect.element(itemList().getByRole("checkbox", { name: "Path of Otto 2004-13" })).toBeChecked();
  await press("Home", slider());
  await expect.element(itemList().getByRole("row").filter({ hasText: "2010-16" })).toHaveTextContent("not yet seen");
});

it("cancels the calls of a map and frees its memory when its search is closed", async () => {
  await openMap();
  const initial = await heapBytes();
  await itemFilter().fill("Jea");
  const [row = {}] = lastRows();
  gateway.answer(mapResults.last, () => ({
    results: Array.from({ length: 20_000 }, (_, index) => ({ ...row, storm_id: `S${index}`, name: `Storm ${index}` })),
  }));
  await openMap({}, { v: ["name"] });
  await expect.element(page.getByText("20,000 items", { exact: true }).first()).toBeVisible();
  const large = await heapBytes();
  expect(large - initial).toBeGreaterThan(3_000_000);

  const release = gateway.hold(mapResults.countPath);
  await pathBox("Storm 0").click();
  await expect.poll(() => gateway.received(mapResults.countPath).length).toBe(1);
  await page
    .getByRole("button", { name: /^Close storm-tracks of/ })
    .first()
    .click();
  await expect.element(mapOf()).not.toBeInTheDocument();
  expect(gateway.received(mapResults.countPath)[0]?.signal?.aborted).toBe(true);
  release();
  await expect.poll(async () => (await heapBytes()) - initial).toBeLessThan((large - initial) / 2);
});

it("fits beside the open cards, also on a narrow map", async () => {
  await page.viewport(1120, 680);
  await openMap();
  await itemButton("Bonnie").click();
  await expect.element(details("Bonnie")).toBeVisible();
  const edge = () => details("Bonnie").element().getBoundingClientRect().right - mapOf().element().getBoundingClientRect().left;
  // Selected in the list, it is not centered below its details.
  await expect.poll(() => pixelOf(addressedMapState()["v"] as View, -74.9, 37.1).x).toBeGreaterThan(edge());
  await page.getByRole("button", { name: "Fit to items" }).click();
  await page.getByRole("button", { name: "Zoom out" }).click();
  // Of all items, the most western ones are the nearest to the details.
  await expect.poll(() => (addressedMapState()["v"] as View)[2]).toBeLessThan(3);
  const [lng, lat, zoom] = addressedMapState()["v"] as View;
  expect(pixelOf([lng, lat, zoom + 1], -94.2, 30.1).x).toBeGreaterThan(edge());
});
