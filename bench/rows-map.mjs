// @ts-check
// All rows on the map in a real browser: what a frame costs, and what the page keeps of a million rows and of twenty million.
import { linkTo, withPage } from "./lib/browser-page.mjs";
import { frameTimes, trace } from "./lib/main-thread.mjs";
import { memoryMb, settle } from "./lib/page-memory.mjs";
import { ms, verdict } from "./lib/report.mjs";
import { positionCount, positionsSpan } from "./positions.mjs";

const readyMap = '[role=application][data-ready="true"]';
/** Milliseconds of script that a frame of 16,000 cells may take. */
const maxFrameMs = 8;

/**
 * The address of the newest rows of all positions, on the same view of the world.
 * @param {number} share of the rows
 */
function linkOf(share) {
  const { startMs, endMs } = positionsSpan;
  const [start, end] = [endMs - (endMs - startMs) * share, endMs].map((at) => Math.floor(at / 1_000));
  return linkTo({ c: "Measurements", d: "positions", m: "map", t: [start, end], p: { v: [0, 20, 3], r: {} } });
}

/** @type {readonly import("./run.mjs").Part[]} */
export const parts = [
  {
    name: "rowsMap",
    title: "All rows on the map, drawn",
    needs: ["portal", "browser"],
    run: async ({ portal: { origin }, browser, many }) => {
      const rows = [];
      /** @type {number[]} */
      const memory = [];
      let busiest = 0;
      for (const [name, share] of /** @type {const} */ ([
        ["1 million", 1_000_000 / positionCount],
        ["20 million", 1],
      ])) {
        const seen = await withPage(browser, { origin, args: ["--enable-unsafe-swiftshader"] }, async (page) => {
          // As wide as makes 16,000 cells of 8 pixels.
          await page.setViewport({ width: 1_900, height: 900 });
          await page.goto(`${origin}${linkOf(share)}`);
          await page.waitForSelector(readyMap, { timeout: 120_000 });
          await page.waitForFunction(() => /of [\d,]+ cells in view/.test(document.body.innerText), { timeout: 120_000, polling: 250 });
          await settle();
          const cells = await page.evaluate(() => /of ([\d,]+) cells in view/.exec(document.body.innerText)?.[1] ?? "");
          const kept = await memoryMb(page);
          await trace(page);
          const started = performance.now();
          for (let turn = 0; turn < many(3, 1); turn++) await panWithinMargin(page);
          const seconds = (performance.now() - started) / 1_000;
          return { cells, kept, seconds, frames: frameTimes(await page.tracing.stop()) };
        });
        if (seen.frames.length === 0) throw new Error("Panning drew no frame.");
        const sorted = seen.frames.toSorted((a, b) => a - b);
        const at = (/** @type {number} */ part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
        busiest = Math.max(busiest, at(0.95));
        memory.push(seen.kept);
        rows.push([
          name,
          seen.cells,
          seen.frames.length,
          (seen.frames.length / seen.seconds).toFixed(0),
          ms(at(0.5)),
          ms(at(0.95)),
          seen.kept.toFixed(0),
        ]);
      }
      const [few = 0, many20 = 0] = memory;
      return {
        text: `Panning a view of the world within what is loaded, drawn without a GPU. Targets: 95 of 100 frames take at most ${maxFrameMs} ms of script: ${verdict(busiest <= maxFrameMs)}; the page keeps as much of 20 million rows as of one, within a tenth: ${verdict(Math.abs(many20 - few) <= few / 10)}.`,
        head: ["rows", "cells drawn", "frames", "frames per second", "script of a frame, ms", "95th percentile, ms", "memory, MB"],
        rows,
      };
    },
  },
];

/** Drags the map there and back, a few pixels at a time. @param {import("puppeteer-core").Page} page */
async function panWithinMargin(page) {
  const [x, y, distance] = [1_300, 450, 160];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - distance, y, { steps: 20 });
  await page.mouse.move(x, y, { steps: 20 });
  await page.mouse.up();
}
