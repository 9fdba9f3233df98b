// @ts-check
// Compares frame times of the map during playback with MapLibre's own layers: a GeoJSON source that gets new data, or a time
// filter that is set, for every frame. All run alternately in the same browser with the same world map.
import { launch } from "puppeteer-core";
import { ensureBrowser } from "../scripts/lib/browser.mjs";
import { serveMapPage } from "../scripts/lib/map-page.mjs";
import { browserArguments } from "./lib/map-browser.mjs";
import { median, quantile } from "./lib/statistics.mjs";

/**
 * @typedef {object} FrameRun with one drawing method
 * @property {number[]} frames ms of each frame, from setting the time until the frame after the one that shows it
 * @property {number} longestTask ms of the longest main thread task; 0 = none over 50 ms
 */

/** @typedef {"ours" | "data" | "filter"} Method */

/**
 * @typedef {object} FrameResult
 * @property {string} what
 * @property {Record<Method, { median: number, p95: number, longestTask: number }>} methods
 * @property {number} ratio of the medians: the faster of the other methods divided by ours
 */

/**
 * The part of web/src/testing/map-page.tsx that is used here.
 * @typedef {object} MapPage
 * @property {(element: HTMLElement, options: import("../web/src/features/search/map/canvas/map-canvas.ts").MapCanvasOptions) => Promise<import("../web/src/features/search/map/canvas/map-canvas.ts").MapCanvas>} openMapCanvas
 * @property {(element: HTMLElement, bounds: [number, number, number, number]) => Promise<BareMap>} openMap
 */

/**
 * The part of MapLibre's Map that is used here.
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
 * @param {{ rounds: number, frames: number }} options `frames` per round and method
 * @returns {Promise<FrameResult[]>}
 */
export async function measureMapFrames({ rounds, frames }) {
  const executablePath = ensureBrowser();
  if (executablePath === undefined) throw new Error("Measuring frames needs a Chromium or Chrome: set FAIRWAY_BROWSER to its path.");
  const served = await serveMapPage();
  const browser = await launch({ executablePath, args: browserArguments });
  try {
    /** @type {FrameResult[]} */
    const results = [];
    for (const { what, ...size } of cases) {
      /** @type {Record<Method, FrameRun[]>} */
      const runs = { ours: [], data: [], filter: [] };
      for (let round = 0; round < rounds; round++) {
        for (const method of /** @type {const} */ (["ours", "data", "filter"])) {
          const page = await browser.newPage();
          await page.setViewport({ width: 1440, height: 900 });
          await page.goto(served.address);
          await page.waitForFunction(() => "mapPage" in globalThis, { timeout: 30_000 });
          runs[method].push(await page.evaluate(playThrough, { method, frames, ...size }));
          await page.close();
        }
      }
      /** @param {Method} method */
      const summary = (method) => ({
        median: Math.min(...runs[method].map((run) => median(run.frames))),
        p95: Math.min(...runs[method].map((run) => quantile(run.frames, 0.95))),
        longestTask: Math.max(...runs[method].map(({ longestTask }) => longestTask)),
      });
      const methods = { ours: summary("ours"), data: summary("data"), filter: summary("filter") };
      results.push({ what, methods, ratio: Math.min(methods.data.median, methods.filter.median) / methods.ours.median });
      console.log(
        `  ${what}: ${methods.ours.median.toFixed(0)} ms, setData ${methods.data.median.toFixed(0)}, setFilter ${methods.filter.median.toFixed(0)}`,
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
 * @param {{ method: Method, frames: number, paths: number, points: number, items: number }} parts
 * @returns {Promise<FrameRun>}
 */
async function playThrough({ method, frames, paths, points, items }) {
  const { mapPage } = /** @type {{ mapPage: MapPage }} */ (/** @type {unknown} */ (globalThis));
  const container = /** @type {HTMLElement} */ (document.querySelector("#map"));
  const hourMs = 3_600_000;
  /** Generated tracks and positions, the same for every method. */
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
  const positions = {
    ids: tracks.map(({ id }) => id).concat(Array.from({ length: items }, (_, index) => `i${index}`)),
    latitudes: Float64Array.from([...tracks.map(({ latitudes }) => latitudes.at(-1) ?? 0), ...numbers(items, () => random() * 130 - 65)]),
    longitudes: Float64Array.from([
      ...tracks.map(({ longitudes }) => longitudes.at(-1) ?? 0),
      ...numbers(items, () => random() * 340 - 170),
    ]),
    timesMs: Float64Array.from([...tracks.map(() => hourMs), ...numbers(items, () => random() * hourMs)]),
    colors: new Uint8Array(paths + items),
  };

  /** Resolves with the frame after the one that shows the time. */
  const frame = () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  /** @returns {Promise<(timeMs: number) => Promise<unknown>>} */
  const ours = async () => {
    const map = await mapPage.openMapCanvas(container, { icon: null, highlights: [], bounds: [-150, -60, 150, 70] });
    map.setItems(positions);
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
        : positions.ids.flatMap((_, index) =>
            (positions.timesMs[index] ?? 0) <= timeMs
              ? feature({ type: "Point", coordinates: [positions.longitudes[index] ?? 0, positions.latitudes[index] ?? 0] })
              : [],
          ),
    );
  /** Every segment of a path with its time. */
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
        : positions.ids.map((_, index) =>
            feature(
              { type: "Point", coordinates: [positions.longitudes[index], positions.latitudes[index]] },
              { at: positions.timesMs[index], until: Number.MAX_SAFE_INTEGER },
            ),
          ),
    );
  /** @returns {Promise<(timeMs: number) => Promise<unknown>>} */
  const bare = async () => {
    const map = await mapPage.openMap(container, [-150, -60, 150, 70]);
    const isFilter = method === "filter";
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
    /** Waits until the map shows the change: all tiles rebuilt, then drawn. */
    const shown = () =>
      new Promise((resolve) => {
        const check = () => {
          if (!sources.every((source) => map.isSourceLoaded(source))) return;
          map.off("render", check);
          requestAnimationFrame(resolve);
        };
        map.on("render", check);
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

  const show = await (method === "ours" ? ours() : bare());
  // The labels of the world map appear gradually.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  let longestTask = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTask = Math.max(longestTask, duration);
  });
  observer.observe({ entryTypes: ["longtask"] });
  /** @type {number[]} */
  const durations = [];
  for (let turn = 0; turn < frames; turn++) {
    const started = performance.now();
    await show(((turn + 0.5) / frames) * hourMs);
    durations.push(performance.now() - started);
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
  observer.disconnect();
  return { frames: durations, longestTask };
}
