import type { Limits } from "@fairway/contract/limits";
import { mapResults, type PathData } from "@fairway/contract/map-results";
import type { ResultRow } from "@fairway/contract/search";
import { settings } from "@fairway/contract/settings";
import { expect } from "vitest";
import { type Locator, page } from "vitest/browser";
import { mapAddressDebounceMs } from "#features/search/map/frame/delays.ts";
import { defaultPortalSettings } from "#lib/gateway/portal-settings.ts";
import { serveDatasets } from "./demo-datasets.ts";
import { gateway, openScreen } from "./open-screen.tsx";
import { skipPauses } from "./pauses.ts";
import { drawCoarsely } from "./pixels.ts";

/** The last position of each storm of 2004 and its number of positions. */
const storms2004 = [
  ["2004-01", "Alex", 1_091_793_600, 47, -37.5, 50, 24],
  ["2004-02", "Bonnie", 1_092_420_000, 37.1, -74.9, 25, 28],
  ["2004-03", "Charley", 1_092_506_400, 34.5, -78.1, 60, 27],
  ["2004-04", "Danielle", 1_093_089_600, 30.7, -38.9, 25, 33],
  ["2004-05", "Gaston", 1_094_018_400, 41.7, -63.5, 45, 21],
  ["2004-06", "Hermine", 1_093_932_000, 41.5, -70.9, 35, 15],
  ["2004-07", "Ivan", 1_096_005_600, 30.1, -94.2, 25, 77],
  ["2004-08", "AL102004", 1_094_709_600, 36.2, -34.3, 30, 8],
  ["2004-09", "Jeanne", 1_096_394_400, 37.3, -78.4, 25, 66],
  ["2004-10", "Karl", 1_096_048_800, 45.5, -40.5, 65, 35],
  ["2004-11", "Lisa", 1_096_761_600, 43.8, -33, 50, 54],
  ["2004-12", "Matthew", 1_097_431_200, 30.4, -90.9, 25, 11],
  ["2004-13", "Otto", 1_102_032_000, 27.9, -50.1, 30, 10],
] as const;

/** Center and zoom of the map. */
export type View = readonly [lng: number, lat: number, zoom: number];

const stormRow = ([stormId, name, time, latitude, longitude, wind]: (typeof storms2004)[number]): ResultRow => ({
  storm_id: stormId,
  name,
  season: 2004,
  time,
  latitude,
  longitude,
  wind,
});

/** The last rows of the storms of 2004, newest first. */
export const lastRows = (): ResultRow[] => storms2004.map(stormRow).sort((left, right) => Number(right["time"]) - Number(left["time"]));

/** The positions of the storm in a path request, six hours apart, up to the last one. */
export function pathRows({ filters }: Pick<PathData, "filters">): ResultRow[] {
  const id = filters.find(({ name, operator }) => name === "storm_id" && operator === "=")?.value;
  const storm = storms2004.find(([stormId]) => stormId === id);
  if (!storm) return [];
  const [, , time, latitude, longitude, wind, positions] = storm;
  return Array.from({ length: positions }, (_, index) => {
    const remaining = positions - 1 - index;
    return { time: time - remaining * 21_600, latitude, longitude: longitude + remaining / 4, wind: wind + (remaining % 40) };
  });
}

/** Makes the gateway serve maps of the storms of 2004, or of other items. */
export function serveStorms(items: readonly ResultRow[] = lastRows()): void {
  gateway.answer(mapResults.last, ({ body }) => ({
    results: items.filter((row) => body.filters.every(({ name, operator, value }) => operator !== "=" || row[name] === value)),
  }));
  servePath(pathRows);
}

/** Makes the gateway serve maps of the storms of 2004 with changed last rows. */
export const alterItems = (change: (rows: ResultRow[]) => ResultRow[]): void => serveStorms(change(lastRows()));

/** Makes the gateway serve these rows for every path, page by page. */
export function servePath(rows: (body: PathData) => ResultRow[]): void {
  gateway.answer(mapResults.countPath, ({ body }) => ({ totalResults: rows(body).length }));
  gateway.answer(mapResults.path, ({ body }) => {
    const { offset = 0, max = Number.POSITIVE_INFINITY } = body.paging ?? {};
    return { results: rows(body).slice(offset, offset + max) };
  });
}

/** Makes the gateway serve the tracks of the storms of 2004: all of their positions. */
export function serveTracks(): void {
  const rows = storms2004.flatMap(([stormId]) =>
    pathRows({ filters: [{ name: "storm_id", operator: "=", value: stormId }] }).map((row) => Object.assign(row, { storm_id: stormId })),
  );
  gateway.answer(mapResults.tracks, { results: rows });
}

/** The address of the storms of 2004 on the map; `view` is the map state in the address. */
export function mapLink(view?: object, more: object = {}): string {
  const season = { c: "Tropical weather", d: "storm-tracks", t: [1_072_915_200, 1_104_537_600] };
  const code = btoa(JSON.stringify({ ...season, m: "map", ...(view ? { p: view } : {}), ...more }));
  return `/search/${crypto.randomUUID()}#1.${code.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

export const mapOf = (): Locator => page.getByRole("application", { name: "Map of items" });
export const itemList = (): Locator => page.getByRole("grid", { name: "Items", exact: true });
export const itemFilter = (): Locator => page.getByRole("searchbox", { name: "Filter items" });
export const itemButton = (name: string): Locator => itemList().getByRole("button", { name, exact: true });
export const itemRow = (name: string): Locator =>
  itemList()
    .getByRole("row")
    .filter({ has: page.getByRole("button", { name, exact: true }) });
export const pathBox = (name: string): Locator => itemList().getByRole("checkbox", { name: new RegExp(`^Path of ${name}\\b`) });
export const details = (name: string): Locator => page.getByRole("region", { name: `Details of ${name}`, exact: true });

/** Opens the storms of 2004 on the map and waits until it is rendered. */
export async function openMap(view?: object, more?: object): Promise<void> {
  await openScreen(mapLink(view, more));
  await expectMap();
}

export async function expectMap(): Promise<void> {
  await expect.element(mapOf()).toHaveAttribute("data-ready", "true");
  await expect.element(itemList()).toBeVisible();
}

/** The map state in the current address. */
export function addressedMapState(): Record<string, unknown> {
  const code = location.hash.replace(/^#1\./, "").replaceAll("-", "+").replaceAll("_", "/");
  return (JSON.parse(atob(code)) as { p?: Record<string, unknown> }).p ?? {};
}

/** Serves settings with changed limits. The default path gap is longer than the six hours between a storm's positions. */
export const serveLimits = (changed: Partial<Limits> = {}): void =>
  gateway.answer(settings.portal, {
    ...defaultPortalSettings,
    limits: { ...defaultPortalSettings.limits, pathGapMs: 12 * 3_600_000, ...changed },
  });

/** Prepares all responses for the map of the storms of 2004. Maps are coarse unless the test calls `drawSharply`. */
export function prepareMaps(): void {
  drawCoarsely();
  serveDatasets(gateway);
  serveStorms();
  gateway.answer(mapResults.tracks, { results: [] });
  serveLimits();
}

/** Prepares maps whose state is in the address at once. */
export function prepareAddressedMaps(): void {
  prepareMaps();
  skipPauses(mapAddressDebounceMs);
}

/** The bodies of all calls of a map, in order. */
export const mapRequests = () => ({
  get last() {
    return gateway.received(mapResults.last).map(({ body }) => body);
  },
  get paths() {
    return gateway.received(mapResults.path).map(({ body }) => body);
  },
  get counts() {
    return gateway.received(mapResults.countPath).map(({ body }) => body);
  },
});

/** The pixel of a location in the given view, from the map's top left corner. Web Mercator, 512 pixels per world at zoom 0. */
export function pixelOf([centerLng, centerLat, zoom]: View, lng: number, lat: number): { x: number; y: number } {
  const { width, height } = mapOf().element().getBoundingClientRect();
  const world = 512 * 2 ** zoom;
  const y = (latitude: number) => (0.5 - Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360)) / (2 * Math.PI)) * world;
  return { x: width / 2 + ((lng - centerLng) / 360) * world, y: height / 2 + y(lat) - y(centerLat) };
}
