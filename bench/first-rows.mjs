// @ts-check
// `node bench/first-rows.mjs` after a build and `npm ci` in this folder: when the first rows of a week of 20 million positions are
// painted in a real browser, with the extras of the results (rows over time, pictures of columns) and, alternately, with their calls
// refused. Also whether an extra was requested before the rows were there.
import { loadavg } from "node:os";
import { launch } from "puppeteer-core";
import { ensureBrowser } from "../scripts/lib/browser.mjs";
import { startGateway } from "./lib/gateway-process.mjs";
import { compare } from "./lib/statistics.mjs";
import { storeSession } from "./lib/tab-session.mjs";

const dayMs = 86_400_000;
const executablePath = ensureBrowser();
if (executablePath === undefined) throw new Error("The results need a Chromium or Chrome: set FAIRWAY_BROWSER to its path.");
const gateway = await startGateway();
const browser = await launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1440, height: 900 });
  await storeSession(page, gateway.origin);
  let hasExtras = true;
  await page.setRequestInterception(true);
  page.on("request", (request) => void (request.url().includes("/distribution/") && !hasExtras ? request.abort() : request.continue()));
  await page.goto(`${gateway.origin}/search`);
  await page.waitForSelector("[role=grid]");

  let searches = 0;
  let early = 0;
  /** Opens another week each time, so that no answer was kept. Resolves with the time until rows are painted, in ms. */
  const open = async () => {
    const startSeconds = (Date.UTC(2025, 0, 2) + (searches++ % 340) * dayMs) / 1_000;
    const search = { c: "Measurements", d: "positions", m: "table", t: [startSeconds, startSeconds + (7 * dayMs) / 1_000 - 1] };
    const link = `/search/${crypto.randomUUID()}#1.${Buffer.from(JSON.stringify(search)).toString("base64url")}`;
    const { rowsMs, wasEarly } = await page.evaluate(showRows, link);
    if (wasEarly) early++;
    await page.click('button[aria-label^="Close positions of"]');
    await page.waitForSelector("[role=gridcell][data-column]", { hidden: true });
    return rowsMs;
  };
  await open();
  await open();
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
  /** @type {{ ours: number[], theirs: number[] }[]} */
  const rounds = [];
  for (let round = 0; round < 5; round++) {
    /** @type {{ ours: number[], theirs: number[] }} */
    const times = { ours: [], theirs: [] };
    for (let turn = 0; turn < 12; turn++) {
      // The order changes with every pair.
      hasExtras = turn % 4 === 0 || turn % 4 === 3;
      (hasExtras ? times.ours : times.theirs).push(await open());
    }
    rounds.push(times);
  }
  const { ours, theirs, ratio, spread } = compare(rounds);
  console.log(`first rows: ${ours.toFixed(0)} ms with extras, ${theirs.toFixed(0)} ms without, ratio ${ratio.toFixed(2)}`);
  console.log(`ratios of the rounds: ${spread.map((one) => one.toFixed(2)).join(" to ")}`);
  console.log(`an extra was requested before the rows were painted in ${early} of ${searches} searches`);
} finally {
  await browser.close();
  await gateway.stop();
}

/**
 * Runs in the page: goes to the results and waits until their first rows are painted, and then for the calls of the extras.
 * @param {string} link
 */
async function showRows(link) {
  performance.clearResourceTimings();
  const startedMs = performance.now();
  history.pushState(null, "", link);
  dispatchEvent(new PopStateEvent("popstate"));
  while (document.querySelector("[role=gridcell][data-column=vessel]") === null) await new Promise(requestAnimationFrame);
  const paintedMs = performance.now();
  // Long enough for the extras to come.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const calls = performance.getEntriesByType("resource").filter(({ name }) => name.includes("/distribution/"));
  return { rowsMs: paintedMs - startedMs, wasEarly: calls.some(({ startTime }) => startTime < paintedMs) };
}
