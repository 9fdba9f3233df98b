import type { Page } from "@playwright/test";
import { serveMapPage } from "../../scripts/lib/map-page.mjs";
import { expect, test } from "../support/fixtures.ts";
import { isSimilarColor, type Pixel, pixelsAt } from "../support/pixels.ts";

const [width, height] = [1000, 600];
const hourMs = 3_600_000;
const colors = { path: [27, 58, 138], amber: [199, 119, 0], rose: [212, 47, 80], highlight: [0, 128, 0], sea: [219, 232, 241] } as const;

let served: Awaited<ReturnType<typeof serveMapPage>>;
test.beforeAll(async () => {
  served = await serveMapPage();
});
test.afterAll(async () => served.close());
test.use({ viewport: { width, height } });

/** Opens the map over the South Atlantic, where there is little land. One degree is 10 pixels. */
async function openSea(page: Page, { lng = -20, icon = null }: { lng?: number; icon?: string | null } = {}): Promise<void> {
  await page.goto(served.address);
  await page.waitForFunction(() => "mapPage" in globalThis);
  const zoom = Math.log2((10 * 360) / 512);
  await page.evaluate(`mapPage.openMapCanvas(document.querySelector("#map"), {
    icon: ${JSON.stringify(icon)}, highlights: ["rgb(0, 128, 0)"], bounds: null, viewpoint: { lng: ${lng}, lat: 0, zoom: ${zoom} },
  }).then((map) => Object.assign(globalThis, { map, of: (...values) => Float64Array.from(values) }), null).then(() => undefined)`);
}

/** The page coordinates of a position. */
const at = (lng: number, lat: number, centerLng = -20): [number, number] => {
  const y = (Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) * 180) / Math.PI;
  return [width / 2 + (lng - centerLng) * 10, height / 2 - y * 10];
};

async function drive(page: Page, script: string): Promise<void> {
  await page.evaluate(script);
  // Drawn in the next frame and presented in the one after.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true)))));
}

/** Waits until each of these points has its color. */
async function expectColors(page: Page, ...expected: [point: [number, number], color: Pixel][]): Promise<void> {
  await expect(async () => {
    const seen = await pixelsAt(
      page,
      expected.map(([point]) => point),
    );
    const wrong = expected.flatMap(([point, color], index) =>
      isSimilarColor(seen[index], color) ? [] : [{ point, color, seen: seen[index] }],
    );
    expect(wrong).toEqual([]);
  }).toPass({ timeout: 10_000 });
}

const items = (rows: [string, number, number, number, number][]) =>
  `map.setItems({ ids: ${JSON.stringify(rows.map(([id]) => id))}, latitudes: of(${rows.map(([, lat]) => lat).join()}), longitudes: of(${rows.map(([, , lng]) => lng).join()}), timesMs: of(${rows.map(([, , , hours]) => hours * hourMs).join()}), colors: Uint8Array.of(${rows.map(([, , , , color]) => color).join()}) });`;

const path = (id: string, rows: [number, number, number, number][]) =>
  `{ id: "${id}", latitudes: of(${rows.map(([lat]) => lat).join()}), longitudes: of(${rows.map(([, lng]) => lng).join()}), timesMs: of(${rows.map(([, , hours]) => hours * hourMs).join()}), colors: Uint8Array.of(${rows.map(([, , , color]) => color).join()}) }`;

test("[MAP-04][MAP-28] items are drawn at their positions in the default color, amber and rose; items without a position are not drawn", async ({
  page,
}) => {
  await openSea(page);
  await drive(
    page,
    items([
      ["new", -10, -20, 1, 0],
      ["old", -10, -10, 1, 1],
      ["lost", -20, -20, 1, 2],
      ["nowhere", Number.NaN, -30, 1, 2],
      ["text", Number.NaN, Number.NaN, 1, 2],
      ["beyond", 91, -40, 1, 2],
      ["far", 0, 181, 1, 2],
    ]),
  );
  await expectColors(
    page,
    [at(-20, -10), colors.path],
    [at(-10, -10), colors.amber],
    [at(-20, -20), colors.rose],
    [at(-30, -10), colors.sea],
    [at(0, 0), colors.sea],
    [at(-30, 0), colors.sea],
  );
  await drive(page, "map.setColors(Uint8Array.of(2, 0, 0, 0, 0, 0, 0));");
  await expectColors(page, [at(-20, -10), colors.rose]);
});

test("[MAP-10] a marker shows the icon of the given name, or a dot if there is none", async ({ page }) => {
  await openSea(page, { icon: "square" });
  await drive(page, items([["a", -10, -20, 1, 0]]));
  const [x, y] = at(-20, -10);
  await expectColors(
    page,
    [
      [x, y],
      [255, 255, 255],
    ],
    [[x + 8, y], colors.path],
  );
  await openSea(page, { icon: "no-such-icon" });
  await drive(page, items([["a", -10, -20, 1, 0]]));
  await expectColors(page, [[x, y], colors.path]);
});

test("[MAP-14][MAP-15][MAP-16] a path is dark blue, with highlighted parts in their color and gaps dashed and red", async ({ page }) => {
  await openSea(page);
  await drive(
    page,
    `map.setPaths([${path("a", [
      [-10, -40, 0, 0],
      [-10, -30, 1, 0],
      [-10, -20, 2, 1],
      [-10, -10, 9, 0],
    ])}], 2 * ${hourMs}); map.select("a");`,
  );
  await expectColors(page, [at(-35, -10), colors.path], [at(-25, -10), colors.highlight]);
  const gap = Array.from({ length: 60 }, (_, index) => at(-18 + index / 10, -10));
  const seen = await pixelsAt(page, gap);
  const [red, sea] = [colors.rose, colors.sea].map((color) => seen.filter((pixel) => isSimilarColor(pixel, color)).length);
  expect(red).toBeGreaterThan(20);
  expect(sea).toBeGreaterThan(20);
});

test("[MAP-05] a time window clips paths, moves markers along them and hides everything outside", async ({ page }) => {
  await openSea(page);
  await drive(
    page,
    `${items([
      ["ship", -10, 0, 4, 0],
      ["early", -20, -20, 1, 1],
      ["late", -20, -10, 9, 2],
    ])}
    map.setPaths([${path("ship", [
      [-10, -40, 0, 0],
      [-10, 0, 4, 0],
    ])}], 100 * ${hourMs}); map.setTime({ fromMs: ${hourMs}, toMs: 2 * ${hourMs} });`,
  );
  // The path from a quarter to half, where the marker is now.
  await expectColors(page, [at(-20, -10), colors.path]);
  const [before, within, after, atEnd, early, late] = await pixelsAt(page, [
    at(-35, -10),
    at(-25, -10),
    at(-15, -10),
    at(0, -10),
    at(-20, -20),
    at(-10, -20),
  ]);
  expect(isSimilarColor(within, colors.sea)).toBe(false);
  expect([before, after, atEnd, late].map((pixel) => isSimilarColor(pixel, colors.sea))).toEqual([true, true, true, true]);
  expect(isSimilarColor(early, colors.amber)).toBe(true);
  await drive(page, "map.setTime(null);");
  await expectColors(page, [at(0, -10), colors.path], [at(-10, -20), colors.rose]);
});

test("a path across the antimeridian takes the shorter way and is drawn on both sides", async ({ page }) => {
  await openSea(page, { lng: 180 });
  await drive(
    page,
    `map.setPaths([${path("a", [
      [-20, 170, 0, 0],
      [-20, -170, 1, 0],
    ])}], ${hourMs}); map.select("a");`,
  );
  await expectColors(page, [at(175, -20, 180), colors.path], [at(185, -20, 180), colors.path]);
  const [before, after] = await pixelsAt(page, [at(165, -20, 180), at(195, -20, 180)]);
  expect([before, after].map((pixel) => isSimilarColor(pixel, colors.path))).toEqual([false, false]);
});

test("during playback the world is not redrawn, and the data sent to the GPU depends on the number of paths, not of points", async ({
  page,
}) => {
  await page.addInitScript(() => {
    const sent = { data: 0, world: 0, largest: 0 };
    Object.assign(globalThis, { sent });
    const { prototype } = WebGL2RenderingContext;
    const isData = (gl: WebGL2RenderingContext) => gl.canvas instanceof HTMLCanvasElement && gl.canvas.hasAttribute("aria-hidden");
    for (const name of ["bufferData", "bufferSubData", "texImage2D", "texSubImage2D", "drawArrays", "drawElements"] as const) {
      const original = prototype[name] as (...values: unknown[]) => void;
      Object.defineProperty(prototype, name, {
        value: function (this: WebGL2RenderingContext, ...values: unknown[]) {
          if (!isData(this)) sent.world += 1;
          const bytes = values.reduce<number>((sum, value) => sum + (ArrayBuffer.isView(value) ? value.byteLength : 0), 0);
          if (isData(this)) sent.data += bytes;
          if (isData(this)) sent.largest = Math.max(sent.largest, bytes);
          original.apply(this, values);
        },
      });
    }
  });
  /** Data bytes and world draw calls during twenty frames, and the largest single upload before them. */
  const sentBy = async (points: number) => {
    await drive(
      page,
      `{ const [points, times] = [${points}, (length, make) => Float64Array.from({ length }, (_, index) => make(index))];
      const paths = Array.from({ length: 50 }, (_, path) => ({ id: "p" + path, latitudes: times(points, () => path - 25),
        longitudes: times(points, (index) => -60 + (80 * index) / points), timesMs: times(points, (index) => (${hourMs} * index) / points),
        colors: new Uint8Array(points) }));
      map.setItems({ ids: paths.map(({ id }) => id), latitudes: times(50, (path) => path - 25), longitudes: times(50, () => 20),
        timesMs: times(50, () => ${hourMs}), colors: new Uint8Array(50) });
      map.setPaths(paths, ${hourMs}); map.setTime({ fromMs: 0, toMs: 1 }); }`,
    );
    return await page.evaluate(`(async () => {
      const frame = () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      const { largest } = sent;
      // The labels of the world map appear gradually.
      for (let still = 0; still < 10; still++) {
        sent.world = 0;
        await frame();
        if (sent.world > 0) still = 0;
      }
      sent.data = 0;
      for (let turn = 1; turn <= 20; turn++) {
        map.setTime({ fromMs: 0, toMs: (${hourMs} * (turn + 0.5)) / 22 });
        await frame();
      }
      return { data: sent.data, world: sent.world, largest };
    })()`);
  };
  await openSea(page);
  const [few, many] = [await sentBy(1_000), await sentBy(4_000)] as { data: number; world: number; largest: number }[];
  expect(few).toMatchObject({ world: 0 });
  expect(many).toMatchObject({ world: 0, data: few?.data });
  // Points are uploaded once with twelve bytes each; a frame of all fifty paths sends less than a fiftieth of that.
  expect(many?.largest).toBeGreaterThanOrEqual(50 * 4_000 * 12);
  expect((many?.data ?? 0) / 20).toBeLessThan(26_000);
  expect(many?.data).toBeGreaterThan(0);
});

test("items and path points are picked on hover and click, and nothing is picked elsewhere", async ({ page }) => {
  await openSea(page);
  await drive(
    page,
    `${items([["a", -10, -20, 1, 0]])} map.setPaths([${path("b", [
      [-20, -40, 0, 0],
      [-20, -30, 1, 0],
    ])}], ${hourMs});
    globalThis.picks = []; map.onPick((picked, how) => picks.push([how, picked && [picked.kind, picked.id, picked.index, Math.round(picked.longitude)]]));`,
  );
  const picks = (how: string) =>
    page.evaluate(
      (wanted) => (globalThis as unknown as { picks: [string, unknown][] }).picks.findLast(([one]) => one === wanted)?.[1],
      how,
    );
  await page.mouse.move(...at(-20.4, -10));
  await expect.poll(() => picks("point")).toEqual(["item", "a", undefined, -20]);
  await page.mouse.click(...at(-30.3, -20));
  await expect.poll(() => picks("press")).toEqual(["point", "b", 1, -30]);
  await page.mouse.click(...at(-50, -25));
  await expect.poll(() => picks("press")).toBeNull();
});

test("the map is redrawn after the WebGL context was lost", async ({ page }) => {
  await openSea(page);
  await drive(
    page,
    `${items([["a", -10, -20, 1, 1]])} map.setPaths([${path("b", [
      [-20, -40, 0, 0],
      [-20, -30, 1, 0],
    ])}], ${hourMs}); map.select("b");`,
  );
  await expectColors(page, [at(-35, -20), colors.path]);
  await page.evaluate(async () => {
    const canvas = document.querySelector<HTMLCanvasElement>("canvas[aria-hidden]");
    const extension = canvas?.getContext("webgl2")?.getExtension("WEBGL_lose_context");
    const lost = new Promise((resolve) =>
      // It can be restored only after all listeners have been notified.
      canvas?.addEventListener("webglcontextlost", () => requestAnimationFrame(resolve), { once: true }),
    );
    extension?.loseContext();
    await lost;
    extension?.restoreContext();
  });
  await expectColors(page, [at(-35, -20), colors.path], [at(-20, -10), colors.amber]);
});
