import { mapResults } from "@fairway/contract/map-results";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { axeViolations } from "#testing/accessibility.ts";
import "#testing/css-locator.ts";
import { collectDownloads } from "#testing/files.ts";
import { press } from "#testing/keyboard.ts";
import {
  addressedMapState,
  details,
  itemButton,
  itemRow,
  lastRows,
  mapLink,
  mapOf,
  openMap,
  pathRows,
  pixelOf,
  prepareAddressedMaps,
  servePath,
  serveStorms,
  serveTracks,
  type View,
} from "#testing/maps.ts";
import { loggedFailures } from "#testing/logged-failures.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { drawSharply, takePicture } from "#testing/pixels.ts";
import { playback, slider } from "#testing/playback.ts";
import { look } from "#testing/map-looks.ts";

const paths = () => page.getByRole("combobox", { name: "Paths" });
const legend = () => page.getByRole("group", { name: "Colors" });
const nameColor = [27, 31, 36] as const;

beforeEach(prepareAddressedMaps);

it("cancels loading tracks when they are hidden, and stays silent if that fails", async () => {
  const release = gateway.hold(mapResults.tracks);
  await openMap();
  await expect.poll(() => gateway.received(mapResults.tracks).length).toBe(1);
  await paths().selectOptions("None");
  await expect.poll(() => gateway.received(mapResults.tracks)[0]?.signal?.aborted).toBe(true);
  release();
  gateway.refuse(mapResults.tracks, "engine-busy", "Every engine slot is taken.", { times: 1 });
  await paths().selectOptions("Overview");
  await expect.poll(() => gateway.received(mapResults.tracks).length).toBe(2);
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});

it("draws the thinned tracks of many items on demand, and says how many of how many", async () => {
  const [row = {}] = lastRows();
  serveStorms(Array.from({ length: 300 }, (_, index) => ({ ...row, storm_id: `S${index}`, name: `Storm ${index}` })));
  gateway.answer(mapResults.tracks, {
    results: Array.from({ length: 200 }, (_, index) => [
      { storm_id: `S${index}`, time: 1_091_000_000, latitude: 20, longitude: -50 },
      { storm_id: `S${index}`, time: 1_091_700_000, latitude: 22, longitude: -52 },
    ]).flat(),
  });
  await openMap();
  await expect.element(paths()).toHaveValue("none");
  expect(gateway.received(mapResults.tracks)).toEqual([]);
  // So many exact paths are asked about before anything is counted.
  const dialog = page.getByRole("dialog", { name: "A Lot of Data" });
  await paths().selectOptions("Exact");
  await expect.element(dialog).toHaveTextContent(/300 paths together have [\d,]+ positions, which take at least 600 requests\./);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect.element(paths()).toHaveValue("none");
  expect(gateway.received(mapResults.countPath)).toEqual([]);
  await paths().selectOptions("Exact");
  await dialog.getByRole("button", { name: "Show Thinned Paths" }).click();
  await expect.element(page.getByText("200 of 300 drawn, simplified")).toBeVisible();
  await paths().selectOptions("None");
  await paths().selectOptions("Overview");
  await expect.element(page.getByText("200 of 300 drawn, simplified")).toBeVisible();
  await expect.poll(addressedMapState).toMatchObject({ a: 1 });
});

it("shows few fields first, and the row of the shown time as the playback goes", async () => {
  servePath((body) => pathRows(body).map((row) => Object.assign(row, { storm_id: "2004-07", name: "Ivan", season: 2004 })));
  await openMap();
  await expect.element(legend()).toHaveTextContent("Age at 12/03/2004 UTC");
  await itemButton("Ivan").click();
  const ivan = details("Ivan");
  await expect.element(ivan).toHaveTextContent("09/24/2004, 06:00:00 AM");
  await expect.element(ivan.getByRole("button", { name: "30.1, -94.2" })).toBeVisible();
  await expect.element(ivan.getByText("25 kt")).toBeVisible();
  await expect.element(ivan.getByText("season", { exact: true })).not.toBeInTheDocument();
  const all = ivan.getByRole("button", { name: "All fields" });
  await expect.element(all).toHaveAttribute("aria-expanded", "false");
  await press("Enter", all);
  await expect.element(ivan.getByText("season", { exact: true })).toBeVisible();
  await press("Enter", ivan.getByRole("button", { name: "Fewer fields" }));

  expect(gateway.received(mapResults.path)).toEqual([]);
  await openMap({ s: "2004-07", t: [Date.UTC(2004, 8, 20, 7), null, null] });
  await expect.element(legend()).toHaveTextContent("Age at the playback time");
  await expect.element(ivan).toHaveTextContent("09/20/2004, 06:00:00 AM");
  await expect.element(ivan.getByText("41 kt")).toBeVisible();
  const [series] = gateway.received(mapResults.path).map(({ body }) => body);
  expect(series).toMatchObject({ filters: [{ name: "storm_id", operator: "=", value: "2004-07" }], paging: { offset: 0, max: 1_001 } });
  await press("Home", slider());
  await expect.element(ivan.getByText("Not yet seen at the playback time.")).toBeVisible();
  await expect.element(itemRow("Ivan")).toHaveTextContent("not yet seen");
  expect(gateway.received(mapResults.path)).toHaveLength(1);
});

it("shows the details as a bottom sheet on a phone, in which axe finds no violations", async () => {
  await page.viewport(390, 844);
  await openScreen(mapLink({ s: "2004-07" }));
  await expect.element(mapOf()).toHaveAttribute("data-ready", "true");
  const sheet = details("Ivan");
  const height = () => sheet.element().getBoundingClientRect().height;
  const small = height();
  const map = mapOf().element().getBoundingClientRect();
  expect(sheet.element().getBoundingClientRect().bottom).toBeCloseTo(map.bottom, 0);
  expect(small).toBeLessThan(map.height / 2);
  await sheet.getByRole("button", { name: "Expand details" }).click();
  await expect.poll(height).toBeGreaterThan(small);
  expect(await axeViolations({ within: ["main"] })).toEqual([]);
  await sheet.getByRole("button", { name: "Shrink details" }).click();
  await expect.poll(height).toBe(small);
  await expect.element(playback().getByRole("button", { name: "Play", exact: true })).toBeVisible();
});

it("a legend names the only value once, and what a path shows only beside one", async () => {
  serveStorms(lastRows().map((row) => Object.assign(row, { wind: 30 })));
  await openMap({ c: "wind", z: "wind" });
  await expect.element(legend()).toHaveTextContent(/^Latest wind \(kt\) 30Size: wind \(kt\), 30$/);
  await itemRow("Ivan").getByRole("checkbox").click();
  await expect.element(legend()).toHaveTextContent(/gap of more than 12 hfirst position$/);
});

it("draws dense items as groups with their number, which zoom in when pressed and can be switched off", async () => {
  await drawSharply();
  const [row = {}] = lastRows();
  serveStorms(
    Array.from({ length: 300 }, (_, index) => ({ ...row, storm_id: `S${index}`, name: `Storm ${index}`, latitude: 30, longitude: -60 })),
  );
  const middle: View = [-60, 30, 4];
  await openMap({ v: middle });
  const groupPixels = async () => (await takePicture(mapOf())).count(pixelOf(middle, -60, 30), 22, [10, 98, 128]);
  await expect.poll(groupPixels).toBeGreaterThan(200);
  await mapOf().click({ position: pixelOf(middle, -60, 30) });
  await expect.poll(() => (addressedMapState()["v"] as View)[2]).toBe(6);
  await expect.element(page.getByRole("region", { name: /^Details of/ })).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Color and size", exact: true }).click();
  await page.getByRole("checkbox", { name: "Group dense items" }).click();
  await expect.poll(addressedMapState).toMatchObject({ k: 0 });
  await press("Escape");
  await mapOf().click({ position: pixelOf(middle, -60, 30) });
  await expect.element(page.getByRole("region", { name: /^Details of/ })).toBeVisible();
});

it("saves a picture of the map, and a video of a playback that can be stopped or canceled, or says that the browser cannot", async () => {
  await drawSharply();
  serveTracks();
  await openMap({ v: look });
  const { saved } = collectDownloads();
  const choose = async (name: string) => {
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  await choose("Picture as PNG");
  await expect.poll(() => saved.map(({ name }) => name)).toEqual(["Tropical weather_storm-tracks_map.png"]);
  const picture = await createImageBitmap(saved[0]?.blob ?? new Blob());
  const { width, height } = mapOf().element().getBoundingClientRect();
  // Below it, three lines say which rows these are.
  const footHeight = 74;
  expect([Math.abs(picture.width - width) < 2, Math.abs(picture.height - height - footHeight) < 2]).toEqual([true, true]);
  const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
  context?.drawImage(picture, 0, 0);
  const pixels = (x: number, y: number, color: readonly [number, number, number]) => {
    const { data } = context?.getImageData(x, y, 100, 16) ?? { data: [] };
    return Array.from({ length: data.length / 4 }, (_, index) => data.slice(4 * index, 4 * index + 3)).filter((pixel) =>
      color.every((value, channel) => Math.abs(value - (pixel[channel] ?? 0)) < 40),
    ).length;
  };
  // The title, the marker of Jeanne, and the sea.
  const jeanne = pixelOf(look, -78.4, 37.3);
  expect(pixels(16, 16, nameColor)).toBeGreaterThan(50);
  for (const line of [0, 1, 2]) expect(pixels(16, picture.height - footHeight + 11 + 18 * line, nameColor)).toBeGreaterThan(20);
  expect(pixels(Math.round(jeanne.x) - 50, Math.round(jeanne.y) - 8, [212, 47, 80])).toBeGreaterThan(50);
  expect(pixels(Math.round(width / 2), Math.round(height / 2) + 100, [219, 232, 241])).toBeGreaterThan(500);

  const bar = page.getByRole("region", { name: "Recording" });
  await choose("Playback as WebM video");
  await expect.element(bar.getByRole("progressbar", { name: "Recorded" })).toBeVisible();
  await bar.getByRole("button", { name: "Cancel" }).click();
  await expect.element(bar).not.toBeInTheDocument();
  await choose("Playback as WebM video");
  await expect.element(bar.getByText(/^Recording [1-9]/)).toBeVisible();
  await bar.getByRole("button", { name: "Stop and save" }).click();
  await expect
    .poll(() => saved.map(({ name }) => name))
    .toEqual(["Tropical weather_storm-tracks_map.png", "Tropical weather_storm-tracks_map.webm"]);
  const video = new Uint8Array((await saved[1]?.blob.arrayBuffer()) ?? new ArrayBuffer());
  expect([...video.subarray(0, 4)]).toEqual([0x1a, 0x45, 0xdf, 0xa3]);
  expect(video.length).toBeGreaterThan(1_000);

  loggedFailures();
  vi.stubGlobal("MediaRecorder", undefined);
  await choose("Playback as WebM video");
  await expect
    .element(page.getByRole("alert").filter({ hasText: "Failed to record the playback" }))
    .toHaveTextContent("This browser can't record a video.");
  vi.unstubAllGlobals();
});

it("colors and sizes markers by columns, with legends, and keeps that in the address", async () => {
  await drawSharply();
  await openMap({ v: look });
  await press("Enter", page.getByRole("button", { name: "Color and size", exact: true }));
  await page.getByRole("combobox", { name: "Size by" }).selectOptions("wind (kt)");
  await expect.element(legend()).toHaveTextContent("Size: wind (kt), 25 to 65");
  await expect.element(legend()).toHaveTextContent("Age at");
  await page.getByRole("combobox", { name: "Color by" }).selectOptions("wind (kt)");
  await expect.element(legend()).toHaveTextContent("Latest wind (kt)");
  await expect.element(legend()).not.toHaveTextContent("within 24 h");
  expect(await axeViolations()).toEqual([]);
  await expect.poll(addressedMapState).toMatchObject({ c: "wind", z: "wind" });
  await press("Escape");
  // Charley has one of the strongest winds and so the largest marker, in the last color; Jeanne has the weakest.
  const pixelsAt = async (place: readonly [number, number], radius: number, color: readonly [number, number, number]) =>
    (await takePicture(mapOf())).count(pixelOf(look, ...place), radius, color);
  await expect.poll(() => pixelsAt([-78.1, 34.5], 20, [59, 0, 25])).toBeGreaterThan(400);
  await expect.poll(() => pixelsAt([-78.4, 37.3], 20, [180, 115, 8])).toBeGreaterThan(20);
  expect(await pixelsAt([-78.4, 37.3], 20, [59, 0, 25])).toBe(0);

  await page.getByRole("button", { name: "Color and size", exact: true }).click();
  await page.getByRole("combobox", { name: "Color by" }).selectOptions("name");
  await expect.element(legend()).toHaveTextContent("Alex");
  await expect.element(legend()).toHaveTextContent("other");
});
