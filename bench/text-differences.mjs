// @ts-check
// `node bench/text-differences.mjs`: how long two texts of 5 MB take from their display on until their differences are painted,
// without the pause of 500 ms before the comparison, and the largest CPU time of a main thread task while they are compared,
// scrolled through, searched and laid out anew. Real components in a real browser, on a page without gateway.
import { loadavg } from "node:os";
import { launch } from "puppeteer-core";
import { ensureBrowser } from "../scripts/lib/browser.mjs";
import { serveComponentPage } from "../scripts/lib/component-page.mjs";
import { busiestTask, cpuMs, trace } from "./lib/main-thread.mjs";
import { median } from "./lib/statistics.mjs";

const cases = [
  { what: "JSON, 0.1% of the lines changed", share: 0.001, isMinified: false },
  { what: "JSON, 5% of the lines changed", share: 0.05, isMinified: false },
  { what: "JSON, all lines changed", share: 1, isMinified: false },
  { what: "JSON in one line, 0.1% of the values changed", share: 0.001, isMinified: true },
];
const phases = ["until painted", "next change", "unfolding everything", "scrolling", "unified", "find"];
const runsPerCase = Number(process.argv[2] ?? 5);

const executablePath = ensureBrowser();
if (executablePath === undefined) throw new Error("Measuring needs a Chromium or Chrome: set FAIRWAY_BROWSER to its path.");
const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const served = await serveComponentPage({ entry: "difference-page", body: '<div id="root"></div>' });
const browser = await launch({
  executablePath,
  args: ["--headless=new", "--disable-gpu", "--no-first-run", ...sandbox],
  protocolTimeout: 300_000,
});
try {
  for (const { what, ...texts } of cases) {
    /** @type {number[]} */
    const paints = [];
    /** @type {number[]} */
    const work = [];
    /** @type {Record<string, number[]>} */
    const tasks = {};
    for (let run = 0; run < runsPerCase; run++) {
      const page = await browser.newPage();
      await page.setViewport({ width: 1440, height: 900 });
      await page.goto(served.address);
      await page.waitForFunction(() => "differencePage" in globalThis, { timeout: 30_000 });
      await page.evaluate(prepare, texts);
      for (const phase of texts.isMinified ? [...phases, "without formatting"] : phases) {
        await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
        await trace(page);
        const result = await page.evaluate((name) => /** @type {Prepared} */ (/** @type {unknown} */ (globalThis)).phases[name]?.(), phase);
        await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
        const recorded = await page.tracing.stop();
        (tasks[phase] ??= []).push(Math.round(busiestTask(recorded)));
        if (typeof result !== "number") continue;
        paints.push(Math.round(result));
        work.push(Math.round(cpuMs(recorded)));
      }
      await page.close();
    }
    console.log(
      `${what}: painted after ${median(paints)} ms (${paints.join(", ")}), by ${median(work)} ms of CPU time in page and worker (${work.join(", ")}), load average ${(loadavg()[0] ?? 0).toFixed(1)}`,
    );
    for (const [phase, times] of Object.entries(tasks)) console.log(`  busiest task, ${phase}: ${median(times)} ms (${times.join(", ")})`);
  }
} finally {
  await browser.close();
  await served.close();
}

/** @typedef {{ phases: Record<string, () => Promise<number | void>> }} Prepared */

/**
 * Makes the texts, and puts what the phases do into the page. Runs in the page.
 * @param {{ share: number, isMinified: boolean }} texts
 */
function prepare({ share, isMinified }) {
  const { differencePage } = /** @type {{ differencePage: { open: (before: string, after: string) => void } }} */ (
    /** @type {unknown} */ (globalThis)
  );
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const id = () => Math.floor(random() * 2 ** 32).toString(16);
  const processors = Array.from({ length: isMinified ? 10_600 : 7_700 }, (_, index) => ({
    identifier: `${id()}-${id()}-${id()}`,
    name: `Fetch ${index}`,
    position: { x: Math.floor(random() * 5_000), y: Math.floor(random() * 5_000) },
    type: "org.apache.nifi.processors.standard.InvokeHTTP",
    bundle: { group: "org.apache.nifi", artifact: "nifi-standard-nar", version: "1.18.0" },
    properties: { "HTTP Method": "GET", "Read Timeout": "15 secs", "Remote URL": `https://data.example/${id()}`, "Retry Count": "3" },
    schedulingPeriod: "1 sec",
    schedulingStrategy: "TIMER_DRIVEN",
    autoTerminatedRelationships: ["success"],
  }));
  const whole = JSON.stringify({ flowContents: { processors } }, null, 2);
  const changedLine = (/** @type {string} */ line) =>
    random() < share ? line.replace(/(\d|\w)(?=\D*$)/, `$1${Math.floor(random() * 1e6)}`) : line;
  const other = whole.split("\n").map(changedLine).join("\n");
  const minified = (/** @type {string} */ text) => text.replace(/\n\s*/g, "").replaceAll('": ', '":');
  const [before, after] = isMinified ? [JSON.stringify(JSON.parse(whole)), minified(other)] : [whole, other];
  if (Math.abs(before.length - 5_000_000) > 700_000) throw new Error(`The text has ${before.length} characters.`);

  const frame = () => new Promise((/** @type {(now: number) => void} */ resolve) => requestAnimationFrame(resolve));
  const rest = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const until = async (/** @type {() => boolean} */ isSo) => {
    const started = performance.now();
    while (!isSo()) {
      if (performance.now() - started > 60_000) throw new Error(`Waited in vain for ${isSo.toString()}.`);
      await frame();
    }
  };
  const button = (/** @type {string} */ name) => /** @type {HTMLElement} */ (document.querySelector(`[aria-label="${name}"]`));
  const grid = () => /** @type {HTMLElement} */ (document.querySelector("[role=grid]"));
  const choose = async (/** @type {string} */ label) => {
    button("View options").click();
    await until(() => [...document.querySelectorAll("label")].some(({ textContent }) => textContent === label));
    const found = [...document.querySelectorAll("label")].find(({ textContent }) => textContent === label);
    await rest(100);
    found?.click();
    button("View options").click();
  };

  Object.assign(globalThis, {
    phases: {
      "until painted": async () => {
        const started = performance.now();
        differencePage.open(before, after);
        await until(() => document.querySelector("[data-line]") !== null);
        await frame();
        return performance.now() - started - 500;
      },
      "next change": async () => {
        for (let step = 0; step < 10; step++) {
          button("Next change").click();
          await rest(50);
        }
      },
      "unfolding everything": async () => {
        await choose("Show all unchanged lines");
        await until(() => Number(grid().ariaRowCount) > 100_000);
      },
      scrolling: async () => {
        for (let step = 0; step < 120; step++) {
          grid().scrollTop += step % 3 === 0 ? 20_000 : 300;
          await frame();
        }
      },
      unified: async () => {
        await choose("Unified");
        await until(() => grid().dataset["layout"] === "unified");
      },
      find: async () => {
        button("Find").click();
        await until(() => document.querySelector("[role=search] input") !== null);
        const input = /** @type {HTMLInputElement} */ (document.querySelector("[role=search] input"));
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, "Fetch 7699");
        input.dispatchEvent(new Event("input", { bubbles: true }));
        await until(() => document.querySelector("mark") !== null);
      },
      "without formatting": async () => {
        await choose("Format JSON");
        await until(() => Number(grid().ariaRowCount) < 10);
      },
    },
  });
}
