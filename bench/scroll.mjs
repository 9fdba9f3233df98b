// @ts-check
// Performance of the result table while scrolling through 10,000 rows of 40 columns.
import { launch } from "puppeteer-core";
import { ensureBrowser } from "../scripts/lib/browser.mjs";
import { storeSession } from "./lib/tab-session.mjs";
import { wideRows } from "./wide.mjs";

/**
 * @typedef {object} ScrollRun
 * @property {number} frames
 * @property {number} seconds
 * @property {number[]} longTasks lengths in ms of the tasks over 50 ms
 * @property {number} slowestFrame longest time between two frames, in ms
 */

/**
 * Scrolls down through all rows, then across all columns and back, one step per frame.
 * @param {{ origin: string, runs: number }} options
 * @returns {Promise<ScrollRun[]>}
 */
export async function measureScrolling({ origin, runs }) {
  const executablePath = ensureBrowser();
  if (executablePath === undefined) throw new Error("Scrolling needs a Chromium or Chrome: set FAIRWAY_BROWSER to its path.");
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  /** @type {ScrollRun[]} */
  const results = [];
  for (let run = 0; run < runs; run++) {
    const browser = await launch({ executablePath, args: ["--headless=new", "--disable-gpu", "--no-first-run", ...sandbox] });
    try {
      const page = await browser.newPage();
      await page.setViewport({ width: 1440, height: 900 });
      await storeSession(page, origin);
      const search = Buffer.from(JSON.stringify({ c: "Measurements", d: "wide" })).toString("base64url");
      await page.goto(`${origin}/search/${crypto.randomUUID()}#1.${search}`);
      await page.waitForSelector(`[role=grid][aria-rowcount="${wideRows + 1}"] [role=gridcell]`);
      results.push(await page.evaluate(scrollThrough));
    } finally {
      await browser.close();
    }
    console.log(`  run ${run + 1}: ${results.at(-1)?.longTasks.length} tasks over 50 ms`);
  }
  return results;
}

/** Runs in the page. */
async function scrollThrough() {
  const grid = /** @type {HTMLElement} */ (document.querySelector("[role=grid]"));
  const frame = () => new Promise((/** @type {(now: number) => void} */ resolve) => requestAnimationFrame(resolve));
  // Wait until work caused by loading the rows is done.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  /** @type {number[]} */
  const longTasks = [];
  const observer = new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ entryTypes: ["longtask"] });
  const started = performance.now();
  let frames = 0;
  let slowestFrame = 0;
  let before = started;
  const step = async (/** @type {number} */ left, /** @type {number} */ top) => {
    grid.scrollBy(left, top);
    const now = await frame();
    slowestFrame = Math.max(slowestFrame, now - before);
    before = now;
    frames += 1;
  };
  before = await frame();
  while (grid.scrollTop + grid.clientHeight < grid.scrollHeight - 1) await step(0, 320);
  while (grid.scrollLeft + grid.clientWidth < grid.scrollWidth - 1) await step(80, 0);
  while (grid.scrollLeft > 0) await step(-80, 0);
  const seconds = (performance.now() - started) / 1_000;
  await new Promise((resolve) => setTimeout(resolve, 200));
  observer.disconnect();
  return { frames, seconds, longTasks, slowestFrame };
}
