import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { openOnce } from "#testing/open-once.tsx";
import { isSimilarColor, mapColors, type Picture, type Point, type Rgb, takePicture } from "#testing/pixels.ts";
import type { MapCanvas, PickListener } from "./map-canvas.ts";
import { NoWebGl } from "./map-frame.ts";
import { openMapCanvas } from "./open-map-canvas.ts";
import { openContainer, openSea, itemsOf, pathOf, width, height, container, hourMs } from "#testing/map-canvases.ts";

const highlight = [0, 128, 0] as const;
const { path: blue, amber, rose, white, sea } = mapColors;

/** The point of a position on the map. */
function at(lng: number, lat: number, centerLng = -20): Point {
  const y = (latitude: number) => (Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360)) * 180) / Math.PI;
  return { x: width / 2 + (lng - centerLng) * 10, y: height / 2 - (y(lat) - y(-10)) * 10 };
}

/** Waits until each of these points has its color. */
async function expectColors(...expected: [point: Point, color: Rgb][]): Promise<Picture> {
  let picture: Picture | null = null;
  const wrong = async () => {
    const shot = await takePicture(container());
    picture = shot;
    return expected.flatMap(([point, color]) =>
      isSimilarColor(shot.colorAt(point), color) ? [] : [{ point, color, seen: shot.colorAt(point) }],
    );
  };
  await expect.poll(wrong).toEqual([]);
  return picture ?? takePicture(container());
}

it("rejects with NoWebGl in a browser without WebGL", async () => {
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
  await expect(openMapCanvas(openContainer(), { icon: null, highlights: [], bounds: null })).rejects.toBeInstanceOf(NoWebGl);
});

describe("items", () => {
  let map: MapCanvas;

  describe("whose icon does not exist", () => {
    openOnce(async () => {
      map = await openSea("no-such-icon");
    });

    beforeEach(() => {
      map.setTime(null);
      map.setItems(
        itemsOf([
          ["new", -10, -20, 1, 0],
          ["old", -10, -10, 1, 1],
          ["lost", -20, -20, 1, 2],
          ["nowhere", Number.NaN, -32, 1, 2],
          ["text", Number.NaN, Number.NaN, 1, 2],
          ["beyond", 91, -40, 1, 2],
          ["far", 0, 181, 1, 2],
        ]),
      );
    });
    afterAll(() => map.destroy());

    it("[MAP-04][MAP-10] are drawn as dots if they have a position", async () => {
      await expectColors([at(-20, -10), blue], [at(-32, -10), sea], [at(2, 2), sea], [at(-32, 2), sea]);
    });

    it("[MAP-28] are drawn in the default color, amber or rose", async () => {
      await expectColors([at(-20, -10), blue], [at(-10, -10), amber], [at(-20, -20), rose]);
      map.setColors(Uint8Array.of(2, 0, 0, 0, 0, 0, 0));
      await expectColors([at(-20, -10), rose]);
    });

    it("[MAP-05] are drawn in a time window only if they are within", async () => {
      map.setItems(
        itemsOf([
          ["ship", -10, 2, 4, 0],
          ["early", -20, -20, 1, 1],
          ["late", -20, -10, 9, 2],
        ]),
      );
      const ship = pathOf("ship", [
        [-10, -38, 0, 0],
        [-10, 2, 4, 0],
      ]);
      map.setPaths([ship], 100 * hourMs);
      map.setTime({ fromMs: hourMs, toMs: 2 * hourMs });
      // The path from a quarter to half, where the marker is now.
      const within = await expectColors(
        [at(-18, -10), blue],
        [at(-33, -10), sea],
        [at(-13, -10), sea],
        [at(2, -10), sea],
        [at(-20, -20), amber],
        [at(-10, -20), sea],
      );
      expect(isSimilarColor(within.colorAt(at(-23, -10)), sea)).toBe(false);
      map.setTime(null);
      await expectColors([at(2, -10), blue], [at(-10, -20), rose]);
    });
  });
});

describe("icons and paths", () => {
  let map: MapCanvas;
  const marker = at(-20, -20);
  const drawn = [
    [marker, white],
    [{ x: marker.x + 8, y: marker.y }, blue],
    [at(-35, -10), blue],
    [at(-25, -10), highlight],
  ] satisfies [Point, Rgb][];

  describe("on the map", () => {
    openOnce(async () => {
      map = await openSea("square");
      map.setItems(itemsOf([["a", -20, -20, 1, 0]]));
      const paths = [
        pathOf("b", [
          [-10, -40, 0, 0],
          [-10, -30, 1, 0],
          [-10, -20, 2, 1],
          [-10, -10, 9, 0],
        ]),
        pathOf("antimeridian", [
          [-20, 170, 0, 0],
          [-20, -170, 1, 0],
        ]),
      ];
      map.setPaths(paths, 2 * hourMs);
      map.select("b");
    });

    afterAll(() => map.destroy());

    it("[MAP-10] show the icon on a marker", async () => {
      await expectColors([marker, white], [{ x: marker.x + 8, y: marker.y }, blue]);
    });

    it("[MAP-14][MAP-15] are dark blue, with highlighted parts in their color", async () => {
      await expectColors([at(-35, -10), blue], [at(-25, -10), highlight]);
    });

    it("[MAP-16] are dashed and red in a gap", async () => {
      const picture = await expectColors(...drawn);
      const gap = Array.from({ length: 60 }, (_, index) => picture.colorAt(at(-18 + index / 10, -10)));
      for (const color of [rose, sea]) expect(gap.filter((pixel) => isSimilarColor(pixel, color)).length).toBeGreaterThan(20);
    });

    it("are picked", async () => {
      const onPick = vi.fn<PickListener>();
      map.onPick(onPick);
      const lastPick = (how: "point" | "press") => onPick.mock.calls.findLast(([, one]) => one === how)?.[0];
      await userEvent.hover(container(), { position: at(-20.4, -20) });
      await expect.poll(() => lastPick("point")).toMatchObject({ kind: "item", id: "a", longitude: expect.closeTo(-20) });
      await container().click({ position: at(-30.3, -10) });
      await expect.poll(() => lastPick("press")).toMatchObject({ kind: "point", id: "b", index: 1, longitude: expect.closeTo(-30) });
      await container().click({ position: at(-50, -25) });
      await expect.poll(() => lastPick("press")).toBeNull();
    });

    it("are drawn again after the WebGL context was lost", async () => {
      const canvas = container().element().querySelector<HTMLCanvasElement>("canvas[aria-hidden]");
      const context = canvas?.getContext("webgl2")?.getExtension("WEBGL_lose_context");
      const lost = new Promise((resolve) => {
        // It can be restored only after all listeners have been notified.
        canvas?.addEventListener("webglcontextlost", () => requestAnimationFrame(resolve), { once: true });
      });
      context?.loseContext();
      await lost;
      context?.restoreContext();
      await expectColors(...drawn);
    });

    it("take the shorter way across the antimeridian, on both sides", async () => {
      map.select("antimeridian");
      map.lookAt({ lng: 180, lat: -10, zoom: Math.log2((10 * 360) / 512) });
      const opposite = (lng: number) => at(lng, -20, 180);
      const across = await expectColors([opposite(175), blue], [opposite(185), blue]);
      for (const beside of [165, 195]) expect(isSimilarColor(across.colorAt(opposite(beside)), blue)).toBe(false);
    });
  });
});
