// @ts-check
// The portal's map with a hundred thousand items and a million path points: main thread time to open it, playback, and the
// memory left after its search is closed.
import { launch } from "puppeteer-core";
import { ensureBrowser } from "../scripts/lib/browser.mjs";
import { fleetTrackPoints, fleetTracks, fleetVessels } from "./fleet.mjs";
import { busiestTask, trace } from "./lib/main-thread.mjs";
import { browserArguments } from "./lib/map-browser.mjs";
import { storeSession } from "./lib/tab-session.mjs";

/**
 * @typedef {object} Stretch
 * @property {number} seconds
 * @property {number} frames
 * @property {number[]} longTasks ms of the main thread tasks over 50 ms
 */

/**
 * @typedef {object} MapScaleResult
 * @property {number} items
 * @property {number} points
 * @property {Stretch} opening until the items are visible
 * @property {Stretch} loading until every path is visible
 * @property {Stretch} playing from start to end
 * @property {Record<"loading" | "playing", number>} busiestMs the largest CPU time of a task; the rest of a task is waiting
 * @property {Record<"before" | "open" | "closed", number>} memoryMb of the page, after garbage collection
 */

/**
 * @param {{ origin: string }} options
 * @returns {Promise<MapScaleResult>}
 */
export async function measureMapScale({ origin }) {
  const executablePath = ensureBrowser();
  if (executablePath === undefined) throw new Error("The map needs a Chromium or Chrome: set FAIRWAY_BROWSER to its path.");
  const browser = await launch({ executablePath, args: browserArguments, protocolTimeout: 300_000 });
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 1440, height: 900 });
    await storeSession(page, origin);
    await page.evaluateOnNewDocument(observe);
    const take = () => page.evaluate(() => /** @type {Observed} */ (/** @type {unknown} */ (globalThis)).takeStretch());
    /** @param {string} dataset */
    const close = async (dataset) => {
      await page.click(`button[aria-label^="Close ${dataset} of"]`);
      await page.waitForSelector("[role=application]", { hidden: true });
      await settle();
      return memoryMb(page);
    };
    // Opens a small map first, so that everything that maps share is loaded.
    await page.goto(`${origin}${linkTo({ c: "Tropical weather", d: "storm-tracks", m: "map", t: [1_072_915_200, 1_104_537_600] })}`);
    await page.waitForSelector(readyMap, { timeout: 120_000 });
    const before = await close("storm-tracks");

    const paths = Array.from({ length: fleetTracks }, (_, vessel) => String(vessel));
    await trace(page);
    await take();
    await page.evaluate(
      (link) => {
        history.pushState(null, "", link);
        dispatchEvent(new PopStateEvent("popstate"));
      },
      linkTo({ c: "Measurements", d: "fleet", m: "map", p: { p: paths } }),
    );
    await page.waitForSelector(readyMap, { timeout: 120_000 });
    const opening = await take();
    await page.waitForFunction(
      (count) => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/search/path")).length >= count,
      { timeout: 280_000, polling: 250 },
      fleetTracks,
    );
    await settle();
    const loading = await take();
    const busiestLoading = busiestTask(await page.tracing.stop());
    const open = await memoryMb(page);

    await trace(page);
    await take();
    await page.click('button[aria-label="Play"]');
    await page.waitForSelector('button[aria-label="Pause"]');
    await page.waitForSelector('button[aria-label="Play"]', { timeout: 120_000 });
    const playing = await take();
    const busiestMs = { loading: busiestLoading, playing: busiestTask(await page.tracing.stop()) };
    const closed = await close("fleet");
    return {
      items: fleetVessels,
      points: fleetTracks * fleetTrackPoints,
      opening,
      loading,
      playing,
      busiestMs,
      memoryMb: { before, open, closed },
    };
  } finally {
    await browser.close();
  }
}

const readyMap = '[role=application][data-ready="true"]';
/** @param {object} search */
const linkTo = (search) => `/search/${crypto.randomUUID()}#1.${Buffer.from(JSON.stringify(search)).toString("base64url")}`;
const settle = () => new Promise((resolve) => setTimeout(resolve, 2_000));

/** @param {import("puppeteer-core").Page} page */
async function memoryMb(page) {
  const session = await page.createCDPSession();
  await session.send("HeapProfiler.collectGarbage");
  const usage = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return ((usage["usedSize"] ?? 0) + (usage["embedderHeapUsedSize"] ?? 0) + (usage["backingStorageSize"] ?? 0)) / 1e6;
}

/** @typedef {{ takeStretch: () => Stretch }} Observed */

/** Runs in the page before its own scripts. */
function observe() {
  performance.setResourceTimingBufferSize(2_000);
  /** @type {number[]} */
  let longTasks = [];
  let frames = 0;
  let since = performance.now();
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    entryTypes: ["longtask"],
  });
  const count = () => {
    frames += 1;
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
  const takeStretch = () => {
    const stretch = { seconds: (performance.now() - since) / 1_000, frames, longTasks };
    [longTasks, frames, since] = [[], 0, performance.now()];
    return stretch;
  };
  Object.assign(globalThis, { takeStretch });
}
