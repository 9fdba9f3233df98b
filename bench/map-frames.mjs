// @ts-check
// Frames of the map while time passes, beside MapLibre's own layers as one would use them: a GeoJSON source that is given
// new data with every frame, or a filter on the time that is set with every frame. Same browser, same world below, in turns.
import { launch } from "puppeteer-core";
import { ensureBrowser } from "../scripts/lib/browser.mjs";
import { serveMapPage } from "../scripts/lib/map-page.mjs";
import { browserArguments } from "./lib/map-browser.mjs";
import { median, quantile } from "./lib/statistics.mjs";

/**
 * @typedef {object} FrameRun of one way to draw
 * @property {number[]} frames ms of each frame: from setting the time to the frame after the one that shows it
 * @property {number} longestTask ms of the longest task of the page's thread; 0: none over 50 ms
 */

/** @typedef {"ours" | "data" | "filter"} Way */

/**
 * @typedef {object} FrameResult
 * @property {string} what
 * @property {Record<Way, { median: number, p95: number, longestTask: number }>} ways
 * @property {number} ratio of the medians, the better of the two other ways to ours
 */

/**
 * What of web/src/testing/map-page.tsx is used here.
 * @typedef {object} MapPage
 * @property {(element: HTMLElement, options: import("../web/src/features/search/map/canvas/map-canvas.ts").MapCanvasOptions) => Promise<import("../web/src/features/search/map/canvas/map-canvas.ts").MapCanvas>} openMapCanvas
 * @property {(element: HTMLElement, bounds: [number, number, number, number]) => Promise<BareMap>} openMap
 */

/**
 * What of MapLibre's map is used here.
 * @typedef {object} BareMap
 * @property {(id: string, source: object) => void} addSource
 * @property {(layer: object) => void} addLayer
 * @property {(id: string) => boolean} isSourceLoaded
 * @property {(event: "render", listener: () => void) => void} on
 * @property {(event: "render", listener: () => void) => void} off
 * @property {() => void} triggerRepaint
 * @property {(layer: string, filter: unknown[]) => void} setFilter
 * @property {(id: string) => { setData: (data: object) => void }} getSource
 */

const cases = [
  { what: "500 paths of 200 points with their markers", paths: 500, points: 200, items: 0 },
  { what: "100,000 points", paths: 0, points: 0, items: 100_000 },
];

/**
 * @param {{ rounds: number, frames: number }} parts `frames` in each round, for each way
 * @returns {Promise<FrameResult[]>}
 */
export async function measureMapFrames({ rounds, frames }) {
  const executablePath = ensureBrowser();
  if (executablePath === undefined) throw new Error("Frames need a Chromium or Chrome: set FAIRWAY_BROWSER to its path.");
  const served = await serveMapPage();
  const browser = await launch({ executablePath, args: browserArguments });
  try {
    /** @type {FrameResult[]} */
    const results = [];
    for (const { what, ...size } of cases) {
      /** @type {Record<Way, FrameRun[]>} */
      const runs = { ours: [], data: [], filter: [] };
      for (let round = 0; round < rounds; round++) {
        for (const way of /** @type {const} */ (["ours", "data", "filter"])) {
          const page = await browser.newPage();
          await page.setViewport({ width: 1440, height: 900 });
          await page.goto(served.address);
          await page.waitForFunction(() => "mapPage" in globalThis, { timeout: 30_000 });
          runs[way].push(await page.evaluate(playThrough, { way, frames, ...size }));
          await page.close();
        }
      }
      /** @param {Way} way */
      const summary = (way) => ({
        median: Math.min(...runs[way].map((run) => median(run.frames))),
        p95: Math.min(...runs[way].map((run) => quantile(run.frames, 0.95))),
        longestTask: Math.max(...runs[way].map(({ longestTask }) => longestTask)),
      });
      const ways = { ours: summary("ours"), data: summary("data"), filter: summary("filter") };
      results.push({ what, ways, ratio: Math.min(ways.data.median, ways.filter.median) / ways.ours.median });
      console.log(
        `  ${what}: ${ways.ours.median.toFixed(0)} ms, setData ${ways.data.median.toFixed(0)}, setFilter ${ways.filter.median.toFixed(0)}`,
      );
    }
    return results;
  } finally {
    await browser.close();
    await served.close();
  }
}

/**
 * Runs in the page.
 * @param {{ way: Way, frames: number, paths: number, points: number, items: number }} parts
 * @returns {Promise<FrameRun>}
 */
async function playThrough({ way, frames, paths, points, items }) {
  const { mapPage } = /** @type {{ mapPage: MapPage }} */ (/** @type {unknown} */ (globalThis));
  const container = /** @type {HTMLElement} */ (document.querySelector("#map"));
  const hourMs = 3_600_000;
  /** As many made-up tracks and places as are wanted, the same for every way. */
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const numbers = (/** @type {number} */ length, /** @type {(index: number) => number} */ make) =>
    Float64Array.from({ length }, (_, index) => make(index));
  const tracks = Array.from({ length: paths }, (_, number) => {
    let [lat, lng, course] = [random() * 120 - 60, random() * 300 - 150, random() * 2 * Math.PI];
    const latitudes = new Float64Array(points);
    const longitudes = numbers(points, (index) => {
      course += (random() - 0.5) * 0.6;
      lat = Math.min(70, Math.max(-70, lat + 0.15 * Math.sin(course)));
      lng = Math.min(179, Math.max(-179, lng + 0.15 * Math.cos(course)));
      latitudes[index] = lat;
      return lng;
    });
    return {
      id: `t${number}`,
      latitudes,
      longitudes,
      timesMs: numbers(points, (index) => (index * hourMs) / points),
      colors: new Uint8Array(points),
    };
  });
  const places = {
    ids: tracks.map(({ id }) => id).concat(Array.from({ length: items }, (_, index) => `i${index}`)),
    latitudes: Float64Array.from([...tracks.map(({ latitudes }) => latitudes.at(-1) ?? 0), ...numbers(items, () => random() * 130 - 65)]),
    longitudes: Float64Array.from([
      ...tracks.map(({ longitudes }) => longitudes.at(-1) ?? 0),
      ...numbers(items, () => random() * 340 - 170),
    ]),
    timesMs: Float64Array.from([...tracks.map(() => hourMs), ...numbers(items, () => random() * hourMs)]),
    colors: new Uint8Array(paths + items),
  };

  /** Ends with the frame after the one that shows the time. */
  const frame = () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  /** @returns {Promise<(timeMs: number) => Promise<unknown>>} */
  const ours = async () => {
    const map = await mapPage.openMapCanvas(container, { icon: null, highlights: [], bounds: [-150, -60, 150, 70] });
    map.setItems(places);
    map.setPaths(tracks, hourMs);
    return (timeMs) => {
      map.setTime({ fromMs: 0, toMs: timeMs });
      return frame();
    };
  };
  const lineOf = (/** @type {typeof tracks[number]} */ { latitudes, longitudes, timesMs }, /** @type {number} */ timeMs) => {
    /** @type {[number, number][]} */
    const line = [];
    for (let index = 0; index < points && (timesMs[index] ?? 0) <= timeMs; index++)
      line.push([longitudes[index] ?? 0, latitudes[index] ?? 0]);
    return line;
  };
  /** @param {object} geometry @param {object} properties */
  const feature = (geometry, properties = {}) => ({ type: "Feature", properties, geometry });
  /** @param {object[]} features */
  const collection = (features) => ({ type: "FeatureCollection", features });
  const lines = (/** @type {number} */ timeMs) =>
    collection(
      tracks
        .map((track) => feature({ type: "LineString", coordinates: lineOf(track, timeMs) }))
        .filter(({ geometry }) => /** @type {{ coordinates: unknown[] }} */ (geometry).coordinates.length > 1),
    );
  const heads = (/** @type {number} */ timeMs) =>
    collection(
      paths > 0
        ? tracks.map((track) => feature({ type: "Point", coordinates: lineOf(track, timeMs).at(-1) ?? [0, 0] }))
        : places.ids.flatMap((_, index) =>
            (places.timesMs[index] ?? 0) <= timeMs
              ? feature({ type: "Point", coordinates: [places.longitudes[index] ?? 0, places.latitudes[index] ?? 0] })
              : [],
          ),
    );
  /** Every part of a path between two points with its time, and every place with its own. */
  const timedLines = () =>
    collection(
      tracks.flatMap(({ latitudes, longitudes, timesMs }) =>
        Array.from({ length: points - 1 }, (_, index) =>
          feature(
            {
              type: "LineString",
              coordinates: [
                [longitudes[index], latitudes[index]],
                [longitudes[index + 1], latitudes[index + 1]],
              ],
            },
            { at: timesMs[index + 1] },
          ),
        ),
      ),
    );
  const timedHeads = () =>
    collection(
      paths > 0
        ? tracks.flatMap(({ latitudes, longitudes, timesMs }) =>
            Array.from({ length: points }, (_, index) =>
              feature(
                { type: "Point", coordinates: [longitudes[index], latitudes[index]] },
                { at: timesMs[index], until: timesMs[index + 1] ?? Number.MAX_SAFE_INTEGER },
              ),
            ),
          )
        : places.ids.map((_, index) =>
            feature(
              { type: "Point", coordinates: [places.longitudes[index], places.latitudes[index]] },
              { at: places.timesMs[index], until: Number.MAX_SAFE_INTEGER },
            ),
          ),
    );
  /** @returns {Promise<(timeMs: number) => Promise<unknown>>} */
  const bare = async () => {
    const map = await mapPage.openMap(container, [-150, -60, 150, 70]);
    const isFilter = way === "filter";
    map.addSource("lines", { type: "geojson", data: isFilter ? timedLines() : lines(0) });
    map.addSource("heads", { type: "geojson", data: isFilter ? timedHeads() : heads(0) });
    map.addLayer({
      id: "lines",
      type: "line",
      source: "lines",
      paint: { "line-color": "#1b3a8a", "line-width": 1.5, "line-opacity": 0.75 },
    });
    map.addLayer({
      id: "heads",
      type: "circle",
      source: "heads",
      paint: {
        "circle-color": "#1b3a8a",
        "circle-radius": items > 0 ? 3 : 5,
        "circle-stroke-color": "#fff",
        "circle-stroke-width": items > 0 ? 1 : 2,
      },
    });
    const sources = paths > 0 ? ["lines", "heads"] : ["heads"];
    /** Until the picture shows it: every tile made anew, then drawn. */
    const shown = () =>
      new Promise((resolve) => {
        const look = () => {
          if (!sources.every((source) => map.isSourceLoaded(source))) return;
          map.off("render", look);
          requestAnimationFrame(resolve);
        };
        map.on("render", look);
        map.triggerRepaint();
      });
    await shown();
    return (timeMs) => {
      if (isFilter) {
        map.setFilter("lines", ["<=", ["get", "at"], timeMs]);
        map.setFilter("heads", ["all", ["<=", ["get", "at"], timeMs], [">", ["get", "until"], timeMs]]);
      } else {
        if (paths > 0) map.getSource("lines").setData(lines(timeMs));
        map.getSource("heads").setData(heads(timeMs));
      }
      return shown();
    };
  };

  const show = await (way === "ours" ? ours() : bare());
  // The names of the world appear little by little.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  let longestTask = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTask = Math.max(longestTask, duration);
  });
  observer.observe({ entryTypes: ["longtask"] });
  /** @type {number[]} */
  const taken = [];
  for (let turn = 0; turn < frames; turn++) {
    const started = performance.now();
    await show(((turn + 0.5) / frames) * hourMs);
    taken.push(performance.now() - started);
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  observer.disconnect();
  return { frames: taken, longestTask };
}
