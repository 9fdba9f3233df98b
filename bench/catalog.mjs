// @ts-check
// `node bench/catalog.mjs` after a build: the catalog with 1,000 further datasets and a schema of 2,000 columns in a real browser:
// from the start of the navigation until they are painted, each key typed into a filter or a description, and scrolling.
// The gateway has no dataset of 2,000 columns, so the page receives that one schema from this script.
import { launch } from "puppeteer-core";
import { ensureBrowser } from "../scripts/lib/browser.mjs";
import { checkout } from "../scripts/lib/checkout.mjs";
import { Caller, expectOk } from "./lib/caller.mjs";
import { startProgram } from "./lib/gateway-process.mjs";
import { median } from "./lib/statistics.mjs";
import { storeSession } from "./lib/tab-session.mjs";

const rounds = 5;
const services = 5;
const datasetsPerService = 200;
const columns = 2_000;

const gateway = await startProgram(["--enable-source-maps", "scripts/portal.mjs"], { FAIRWAY_HOME: `${checkout}/.build/bench-catalog` });
await addDatasets();
const viewer = await Caller.signIn(gateway.origin, "viewer");
const listed = expectOk(await viewer.call("GET", "/datasets/schema")).text;
const count = /** @type {unknown[]} */ (JSON.parse(listed)).length;
viewer.close();
const schema = JSON.stringify(wideSchema());

const executablePath = ensureBrowser();
if (executablePath === undefined) throw new Error("The catalog needs a Chromium or Chrome: set FAIRWAY_BROWSER to its path.");
const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const browser = await launch({ executablePath, args: ["--headless=new", "--disable-gpu", "--no-first-run", ...sandbox] });

console.log(`Catalog of ${count} datasets, ${kilobytes(listed)} of JSON:`);
await measure("/data-catalog", "ul[aria-label=Datasets] > li", async (page) => [
  ["typing into the filter", await typeInto(page, await fieldLabeled(page, "Dataset name"), "dataset 12")],
  ["scrolling", await scroll(page, "ul[aria-label=Datasets]")],
]);
console.log(`Schema of ${columns} columns, ${kilobytes(schema)} of JSON:`);
await measure("/data-catalog/Service%201/dataset%201", "[role=rowheader]", async (page) => {
  const filter = await typeInto(page, '[aria-label="Filter columns"]', "column 12");
  await page.evaluate(() => {
    const input = document.querySelector('[aria-label="Filter columns"]');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, "");
    input?.dispatchEvent(new Event("input", { bubbles: true }));
  });
  const scrolled = await scroll(page, '[role=region][aria-label="Schema"]');
  await page.evaluate(() =>
    [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Edit Private Descriptions")?.click(),
  );
  const field = 'textarea[aria-label^="Private description of"]';
  await page.waitForSelector(field);
  return [
    ["typing into the filter", filter],
    ["scrolling", scrolled],
    ["typing into a description", await typeInto(page, field, "Nothing but a description")],
    ["scrolling while editing", await scroll(page, '[role=region][aria-label="Schema"]')],
  ];
});
await browser.close();
await gateway.stop();

/**
 * @param {string} path
 * @param {string} painted selector of what is waited for
 * @param {(page: import("puppeteer-core").Page) => Promise<[name: string, frames: Frames][]>} steps
 */
async function measure(path, painted, steps) {
  /** @type {number[]} */
  const opened = [];
  /** @type {Map<string, Frames[]>} */
  const results = new Map();
  for (let round = 0; round < rounds; round++) {
    const page = await browser.newPage();
    try {
      await page.setViewport({ width: 1440, height: 900 });
      await storeSession(page, gateway.origin);
      await page.setRequestInterception(true);
      page.on("request", (request) => {
        const isSchema = /\/datasets\/[^/]+\/[^/]+\/schema$/.test(new URL(request.url()).pathname);
        void (isSchema
          ? request.respond({ headers: { etag: '"c0.u0.x"' }, contentType: "application/json", body: schema })
          : request.continue());
      });
      await page.goto(`${gateway.origin}${path}`);
      opened.push(
        await page.evaluate(async (selector) => {
          while (!document.querySelector(selector)) await new Promise((resolve) => requestAnimationFrame(resolve));
          // The frame that contains it.
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
          return performance.now();
        }, painted),
      );
      // Until parts that load late are there.
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      for (const [name, frames] of await steps(page)) results.set(name, [...(results.get(name) ?? []), frames]);
    } finally {
      await page.close();
    }
  }
  console.log(`  painted after ${Math.round(median(opened))} ms (${opened.map(Math.round).join(", ")})`);
  for (const [name, runs] of results) {
    const [middle, slowest] = [median(runs.map((run) => run.medianMs)), median(runs.map((run) => run.slowestMs))];
    const tasks = median(runs.map((run) => run.longTasks));
    console.log(`  ${name}: median ${middle.toFixed(1)} ms, slowest ${slowest.toFixed(0)} ms, ${tasks} tasks over 50 ms`);
  }
}

/** @typedef {{ medianMs: number, slowestMs: number, longTasks: number }} Frames */

/**
 * The selector of the field below this label.
 * @param {import("puppeteer-core").Page} page
 * @param {string} label
 */
function fieldLabeled(page, label) {
  return page.evaluate((text) => {
    const found = [...document.querySelectorAll("label")].find(({ textContent }) => textContent === text);
    return `[id="${found?.htmlFor}"]`;
  }, label);
}

/**
 * Types one key per 100 ms: the time from each key to the frame that shows it.
 * @param {import("puppeteer-core").Page} page
 * @param {string} selector
 * @param {string} text
 * @returns {Promise<Frames>}
 */
async function typeInto(page, selector, text) {
  await page.focus(selector);
  await page.evaluate(() => {
    /** @type {number[]} */
    const times = [];
    /** @type {number[]} */
    const tasks = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      entryTypes: ["longtask"],
    });
    Object.assign(globalThis, { typed: { times, tasks } });
    document.addEventListener(
      "keydown",
      () => {
        const started = performance.now();
        requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - started)));
      },
      { capture: true },
    );
  });
  await page.keyboard.type(text, { delay: 100 });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const { times, tasks } = await page.evaluate(
    () => /** @type {{ typed: { times: number[], tasks: number[] } }} */ (/** @type {unknown} */ (globalThis)).typed,
  );
  return { medianMs: median(times), slowestMs: Math.max(...times), longTasks: tasks.length };
}

/**
 * Scrolls down 400 px per frame, at most 300 frames: the time between frames.
 * @param {import("puppeteer-core").Page} page
 * @param {string} selector of what scrolls, or of what is in it
 * @returns {Promise<Frames>}
 */
async function scroll(page, selector) {
  const { times, tasks } = await page.evaluate(async (wanted) => {
    let scroller = /** @type {HTMLElement} */ (document.querySelector(wanted));
    while (scroller.scrollHeight <= scroller.clientHeight && scroller.parentElement) scroller = scroller.parentElement;
    const frame = () => new Promise((/** @type {(now: number) => void} */ resolve) => requestAnimationFrame(resolve));
    /** @type {number[]} */
    const longTasks = [];
    const observer = new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)));
    observer.observe({ entryTypes: ["longtask"] });
    scroller.scrollTo({ top: 0 });
    let before = await frame();
    /** @type {number[]} */
    const between = [];
    while (scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 1 && between.length < 300) {
      scroller.scrollBy(0, 400);
      const now = await frame();
      between.push(now - before);
      before = now;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    observer.disconnect();
    scroller.scrollTo({ top: 0 });
    return { times: between, tasks: longTasks.length };
  }, selector);
  if (times.length < 5) throw new Error(`nothing to scroll in ${selector}`);
  return { medianMs: median(times), slowestMs: Math.max(...times), longTasks: tasks };
}

async function addDatasets() {
  const admin = await Caller.signIn(gateway.origin, "admin");
  const existing = /** @type {{ name: string }[]} */ (JSON.parse(expectOk(await admin.call("GET", "/admin/datasets/external")).text));
  for (let service = 1; service <= services; service++) {
    const name = `Service ${service}`;
    if (existing.some((one) => one.name === name)) continue;
    const apis = Array.from({ length: datasetsPerService }, (_, index) => ({
      name: `dataset ${index + 1}`,
      description: `Measurements of **station ${index + 1}**, every ten minutes.`,
      path: "/rows",
      method: 0,
      columns: ["time", "value", "unit"].map((column) => ({ name: column, type: "STRING", description: "", combined: null })),
    }));
    const { status, text } = await admin.call("POST", "/admin/datasets/external", { name, baseRoute: "https://api.example.org", apis });
    if (status !== 201) throw new Error(`answered ${status}: ${text.slice(0, 500)}`);
  }
  admin.close();
}

function wideSchema() {
  const text = (/** @type {string} */ layer, /** @type {number} */ index) =>
    index % 3 === 0 ? "" : `The *${layer}* description of column ${index}, as \`measured\` at every station and read out each hour.`;
  return {
    dataset: { datasetCategory: "Service 1", datasetId: "dataset 1" },
    description: "Two thousand columns.",
    communityDescription: "",
    userDescription: "",
    containsLocationData: false,
    supportsMapResults: false,
    columns: Array.from({ length: columns }, (_, index) => ({
      id: `column ${index}`,
      name: `column ${index}`,
      type: index % 6,
      description: text("system", index + 1),
      communityDescription: text("community", index),
      userDescription: text("private", index + 2),
    })),
  };
}

/** @param {string} text */
function kilobytes(text) {
  return `${Math.round(Buffer.byteLength(text) / 1_000).toLocaleString("en-US")} kB`;
}
