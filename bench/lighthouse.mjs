// @ts-check
// Lighthouse scores of two screens with the desktop preset.
import lighthouse, { desktopConfig } from "lighthouse";
import { launch } from "puppeteer-core";
import { ensureBrowser } from "../scripts/lib/browser.mjs";
import { storeSession } from "./lib/tab-session.mjs";

/**
 * @typedef {object} ScreenScore
 * @property {string} screen
 * @property {number} performance of the best run, 0 to 1
 * @property {[number, number]} spread
 * @property {number} accessibility of the worst run
 * @property {Record<string, string>} timings of the best run
 * @property {string[]} failedAudits for accessibility
 */

const screens = [
  { screen: "/login", signedIn: false },
  { screen: "/search", signedIn: true },
];

const timings = ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift", "speed-index"];

/**
 * @param {{ origin: string, runs: number }} options
 * @returns {Promise<ScreenScore[]>}
 */
export async function measureScreens({ origin, runs }) {
  const executablePath = ensureBrowser();
  if (executablePath === undefined) throw new Error("Lighthouse needs a Chromium or Chrome: set FAIRWAY_BROWSER to its path.");
  /** @type {ScreenScore[]} */
  const scores = [];
  for (const { screen, signedIn } of screens) {
    /** @type {Awaited<ReturnType<typeof once>>[]} */
    const results = [];
    for (let run = 0; run < runs; run++) results.push(await once(executablePath, origin, screen, signedIn));
    const best = results.toSorted((a, b) => b.performance - a.performance)[0];
    if (best === undefined) throw new Error("Lighthouse was not run");
    const performances = results.map(({ performance }) => performance);
    scores.push({
      screen,
      performance: best.performance,
      spread: [Math.min(...performances), Math.max(...performances)],
      accessibility: Math.min(...results.map(({ accessibility }) => accessibility)),
      timings: best.timings,
      failedAudits: [...new Set(results.flatMap(({ failedAudits }) => failedAudits))],
    });
    console.log(`  ${screen}: ${best.performance}`);
  }
  return scores;
}

/**
 * Uses a new browser for each run, with an empty cache.
 * @param {string} executablePath
 * @param {string} origin
 * @param {string} screen
 * @param {boolean} signedIn
 */
async function once(executablePath, origin, screen, signedIn) {
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await launch({ executablePath, args: ["--headless=new", "--disable-gpu", "--no-first-run", ...sandbox] });
  try {
    const page = await browser.newPage();
    if (signedIn) await storeSession(page, origin);
    const flags = { onlyCategories: ["performance", "accessibility"], logLevel: "error", disableStorageReset: true };
    const { lhr } = (await lighthouse(origin + screen, flags, desktopConfig, page)) ?? {};
    if (lhr === undefined || lhr.runtimeError) throw new Error(`Lighthouse failed: ${lhr?.runtimeError?.message ?? "no result"}`);
    if (new URL(lhr.finalDisplayedUrl).pathname !== screen) throw new Error(`Lighthouse saw ${lhr.finalDisplayedUrl} instead of ${screen}`);
    const accessibility = lhr.categories["accessibility"];
    const failedAudits = (accessibility?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const audit = lhr.audits[id];
      return weight > 0 && audit?.score !== null && (audit?.score ?? 1) < 1 ? [audit?.title ?? id] : [];
    });
    return {
      performance: lhr.categories["performance"]?.score ?? 0,
      accessibility: accessibility?.score ?? 0,
      timings: Object.fromEntries(timings.map((id) => [id, lhr.audits[id]?.displayValue ?? ""])),
      failedAudits,
    };
  } finally {
    await browser.close();
  }
}
