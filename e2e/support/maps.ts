import { randomUUID } from "node:crypto";
import type { PathDataDraft } from "@fairway/contract/map-results";
import type { SearchDataDraft } from "@fairway/contract/search";
import { type Page, expect } from "@playwright/test";

/** The 13 storms of 2004. */
const season2004 = { c: "Tropical weather", d: "storm-tracks", t: [1_072_915_200, 1_104_537_600] };
/** The center and zoom of the map. */
export type View = readonly [lng: number, lat: number, zoom: number];

/** The URL of the storms of 2004 on the map. `state` is the map's part of the URL, `search` overrides the rest. */
export const mapLink = (state?: object, search: object = {}): string =>
  `/search/${randomUUID()}#1.${Buffer.from(JSON.stringify({ ...season2004, m: "map", ...(state ? { p: state } : {}), ...search })).toString("base64url")}`;

const mapOf = (page: Page) => page.getByRole("application", { name: "Map of items" });
export const itemList = (page: Page) => page.getByRole("grid", { name: "Items", exact: true });
export const itemButton = (page: Page, name: string) => itemList(page).getByRole("button", { name, exact: true });
export const pathBox = (page: Page, name: string) => itemList(page).getByRole("checkbox", { name: new RegExp(`^Path of ${name}\\b`) });
export const details = (page: Page, name: string) => page.getByRole("region", { name: `Details of ${name}`, exact: true });

export async function expectMap(page: Page): Promise<void> {
  await expect(mapOf(page)).toHaveAttribute("data-ready", "true");
  await expect(itemList(page)).toBeVisible();
}

/** The state of the map in the URL. */
export function mapState(page: Page): Record<string, unknown> {
  const code = new URL(page.url()).hash.replace(/^#1\./, "");
  const parts = JSON.parse(Buffer.from(code, "base64url").toString()) as { p?: Record<string, unknown> };
  return parts.p ?? {};
}

interface MapCalls {
  last: SearchDataDraft[];
  paths: PathDataDraft[];
  counts: PathDataDraft[];
}

/** Records the bodies of all map calls, in order. */
export function recordMapCalls(page: Page): MapCalls {
  const recorded: MapCalls = { last: [], paths: [], counts: [] };
  page.on("request", (request) => {
    if (request.method() !== "POST") return;
    const { pathname } = new URL(request.url());
    if (pathname.endsWith("/search/last")) recorded.last.push(request.postDataJSON() as SearchDataDraft);
    if (pathname.endsWith("/search/path")) recorded.paths.push(request.postDataJSON() as PathDataDraft);
    if (pathname.endsWith("/count/path")) recorded.counts.push(request.postDataJSON() as PathDataDraft);
  });
  return recorded;
}

/** The page coordinates of a position in a view of the map: Web Mercator, 512 pixels per world at zoom 0. */
export async function pixelOf(page: Page, [centerLng, centerLat, zoom]: View, lng: number, lat: number): Promise<{ x: number; y: number }> {
  const box = await mapOf(page).boundingBox();
  if (!box) throw new Error("The map is not visible.");
  const world = 512 * 2 ** zoom;
  const y = (latitude: number) => (0.5 - Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360)) / (2 * Math.PI)) * world;
  return {
    x: box.x + box.width / 2 + ((lng - centerLng) / 360) * world,
    y: box.y + box.height / 2 + y(lat) - y(centerLat),
  };
}

type Rgb = readonly [red: number, green: number, blue: number];

/** The number of pixels of the page within `radius` of a point that have about this color. */
export async function countColor(page: Page, { x, y }: { x: number; y: number }, radius: number, color: Rgb): Promise<number> {
  const clip = { x: Math.round(x) - radius, y: Math.round(y) - radius, width: 2 * radius + 1, height: 2 * radius + 1 };
  const png = (await page.screenshot({ clip, scale: "css", animations: "disabled" })).toString("base64");
  const pixels = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    if (!context) throw new Error("The canvas has no 2D context.");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    return Array.from({ length: data.length / 4 }, (_, index): [number, number, number] => [
      data[4 * index] ?? 0,
      data[4 * index + 1] ?? 0,
      data[4 * index + 2] ?? 0,
    ]);
  }, png);
  return pixels.filter((pixel) => color.every((value, channel) => Math.abs(value - (pixel[channel] ?? 0)) <= 24)).length;
}

/** Colors of the map in the light theme. */
export const colors = {
  path: [27, 58, 138],
  rose: [212, 47, 80],
} as const satisfies Record<string, Rgb>;
