// @ts-check
// The map of a hundred thousand items and a million points of paths in the portal itself: what opening it takes of the
// page's thread, how it plays, and what it leaves behind when its search is closed.
import { launch } from "puppeteer-core";
import { ensureBrowser } from "../scripts/lib/browser.mjs";
import { fleetTrackPoints, fleetTracks, fleetVessels } from "./fleet.mjs";
import { browserArguments } from "./lib/map-browser.mjs";
import { leaveSession } from "./lib/tab-session.mjs";

/**
 * @typedef {object} Stretch
 * @property {number} seconds
 * @property {number} frames
 * @property {number[]} longTasks ms of the tasks over 50 ms of the page's thread
 */

/**
 * @typedef {object} MapScaleResult
 * @property {number} items
 * @property {number} points
 * @property {Stretch} opening until the items can be seen
 * @property {Stretch} loading until every path can be
 * @property {Stretch} playing from the beginning to the end
 * @property {Record<"loading" | "playing", number>} busiestMs what the task that took most of a processor took of it: the rest of a task is waiting
 * @property {Record<"before" | "open" | "closed", number>} memoryMb of the page, after a collection
 */

/**
 * @param {{ origin: string }} parts
 * @returns {Promise<MapScaleResult>}
 */
export async function measureMapScale({ origin }) {
  const executablePath = ensureBrowser();
  if (executablePath === undefined) throw new Error("The map needs a Chromium or Chrome: set FAIRWAY_BROWSER to its path.");
  const browser = await launch({ executablePath, args: browserArguments, protocolTimeout: 300_000 });
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 1440, height: 900 });
    await leaveSession(page, origin);
    await page.evaluateOnNewDocument(watch);
    const take = () => page.evaluate(() => /** @type {Watched} */ (/** @type {unknown} */ (globalThis)).takeStretch());
    /** @param {string} dataset */
    const close = async (dataset) => {
      await page.click(`button[aria-label^="Close ${dataset} of"]`);
      await page.waitForSelector("[role=application]", { hidden: true });
      await quiet();
      return memoryMb(page);
    };
    // A small map first: what every map needs is there then, and stays.
    await page.goto(`${origin}${linkTo({ c: "Tropical weather", d: "storm-tracks", m: "map", t: [1_072_915_200, 1_104_537_600] })}`);
    await page.waitForSelector(mapIsThere, { timeout: 120_000 });
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
    await page.waitForSelector(mapIsThere, { timeout: 120_000 });
    const opening = await take();
    await page.waitForFunction(
      (wanted) => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/search/path")).length >= wanted,
      { timeout: 280_000, polling: 250 },
      fleetTracks,
    );
    await quiet();
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

const mapIsThere = '[role=application][data-ready="true"]';
/** @param {object} asked */
const linkTo = (asked) => `/search/${crypto.randomUUID()}#1.${Buffer.from(JSON.stringify(asked)).toString("base64url")}`;
/** @param {import("puppeteer-core").Page} page */
const trace = (page) => page.tracing.start({ categories: ["toplevel", "disabled-by-default-devtools.timeline", "__metadata"] });
const quiet = () => new Promise((resolve) => setTimeout(resolve, 2_000));

/** @param {import("puppeteer-core").Page} page */
async function memoryMb(page) {
  const session = await page.createCDPSession();
  await session.send("HeapProfiler.collectGarbage");
  const usage = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return ((usage["usedSize"] ?? 0) + (usage["embedderHeapUsedSize"] ?? 0) + (usage["backingStorageSize"] ?? 0)) / 1e6;
}

/**
 * The most time of a processor that one task of a page's thread took.
 * @param {Uint8Array | undefined} trace
 */
function busiestTask(trace) {
  if (trace === undefined) throw new Error("there is no trace");
  /** @type {{ traceEvents: { name: string, pid: number, tid: number, tdur?: number, args?: { name?: string } }[] }} */
  const { traceEvents } = JSON.parse(Buffer.from(trace).toString("utf8"));
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return traceEvents.reduce(
    (most, { name, pid, tid, tdur = 0 }) =>
      name.endsWith("RunTask") && threads.has(`${pid} ${tid}`) ? Math.max(most, tdur / 1_000) : most,
    0,
  );
}

/** @typedef {{ takeStretch: () => Stretch }} Watched */

/** Runs in the page, from its beginning. */
function watch() {
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
