// @ts-check
// `node bench/screen-visits.mjs [--visits=5] [--only=PATTERN] [--origin=ADDRESS] [--shots=FOLDER]`: a first visit to ten screens of
// the built portal with the demo's data, over a link of 10 Mbit/s and 100 ms. Each visit has a browser profile of its own, without a
// cache. Counts the scripts and the time until the main content of a screen is visible and can be used, and the scripts of the whole
// visit: also those that the browser fetches while it is idle afterwards.
import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { ensureBrowser } from "../scripts/lib/browser.mjs";
import { checkout } from "../scripts/lib/checkout.mjs";
import { Caller } from "./lib/caller.mjs";
import { startProgram } from "./lib/gateway-process.mjs";
import { median } from "./lib/statistics.mjs";

/**
 * @typedef {import("@playwright/test").Page} Page
 * @typedef {object} Screen
 * @property {string} name
 * @property {string} address
 * @property {boolean} [signedOut]
 * @property {(page: Page) => import("@playwright/test").Locator[]} content what is there when the screen can be used
 *
 * @typedef {{ scripts: number, small: number, bytes: number, ms: number, allScripts: number, allBytes: number }} Visit
 */

const link = { offline: false, latency: 100, downloadThroughput: 10_000_000 / 8, uploadThroughput: 10_000_000 / 8 };
const smallBytes = 5_000;
/** A visit ends when nothing was fetched for so long. */
const quietMs = 3_000;

/** @param {object} state */
const search = (state) =>
  `/search/${randomUUID()}#1.${Buffer.from(
    JSON.stringify({ c: "Tropical weather", d: "storm-tracks", t: [1_072_915_200, 1_104_537_600], ...state }),
  ).toString("base64url")}`;

/** @type {readonly Screen[]} */
const screens = [
  { name: "Login", address: "/login", signedOut: true, content: (page) => [page.getByRole("textbox", { name: "Username" })] },
  {
    name: "Start",
    address: "/search",
    content: (page) => [page.getByRole("region", { name: "Questions to try" }).getByRole("button").first()],
  },
  {
    name: "Datasets",
    address: "/search?category=Tropical+weather&dataset=storm-tracks",
    content: (page) => [page.getByRole("button", { name: "Sample" })],
  },
  {
    name: "Results as table",
    address: search({}),
    content: (page) => [page.getByRole("grid").getByRole("gridcell").first()],
  },
  {
    name: "Results on the map",
    address: search({ m: "map" }),
    content: (page) => [
      page.locator("[role=application][aria-label='Map of items'][data-ready=true]"),
      page.getByRole("grid", { name: "Items", exact: true }),
    ],
  },
  {
    name: "Results as graphs",
    address: search({ m: "graphs" }),
    content: (page) => [page.getByRole("button", { name: "Create graph", exact: true })],
  },
  {
    name: "A board",
    address: "/boards/demo-storms",
    content: (page) => [
      page.getByText("882", { exact: true }).first(),
      page.getByRole("img", { name: / graph of / }).first(),
      page.getByRole("button", { name: "Share" }),
    ],
  },
  {
    name: "Files",
    address: "/filesets?fileset=public-data",
    content: (page) => [page.getByRole("main").getByRole("grid").getByRole("row").nth(1)],
  },
  { name: "Catalog", address: "/data-catalog", content: (page) => [page.getByRole("link", { name: /storm-tracks/ }).first()] },
  {
    name: "A flow request",
    address: "/niflow-requests/storm-desk/1/1",
    content: (page) => [page.getByRole("main").getByRole("heading", { level: 1 }), page.getByRole("region", { name: "List of changes" })],
  },
];

const { values } = parseArgs({
  options: {
    visits: { type: "string", default: "5" },
    only: { type: "string", default: "" },
    shots: { type: "string" },
    origin: { type: "string" },
  },
});

const portal =
  values.origin === undefined
    ? await startProgram([`${checkout}/scripts/portal.mjs`], { FAIRWAY_HOME: `${checkout}/.build/visits-home` })
    : undefined;
const origin = values.origin ?? portal?.origin ?? "";
try {
  const executablePath = ensureBrowser();
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const args = ["--enable-unsafe-swiftshader", ...sandbox];
  const browser = await chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), args });
  console.log("to use: scripts  below 5 kB  gzip        s   whole visit: scripts  gzip   screen");
  for (const screen of screens) {
    if (!new RegExp(values.only, "i").test(screen.name)) continue;
    /** @type {Visit[]} */
    const visits = [];
    for (let count = 0; count < Number(values.visits); count += 1) visits.push(await visit(browser, screen));
    const of = (/** @type {(one: Visit) => number} */ take) => median(visits.map(take));
    const cells = [
      of(({ scripts }) => scripts)
        .toFixed(0)
        .padStart(15),
      of(({ small }) => small)
        .toFixed(0)
        .padStart(12),
      `${(of(({ bytes }) => bytes) / 1_000).toFixed(0)} kB`.padStart(8),
      (of(({ ms }) => ms) / 1_000).toFixed(2).padStart(7),
      of(({ allScripts }) => allScripts)
        .toFixed(0)
        .padStart(18),
      `${(of(({ allBytes }) => allBytes) / 1_000).toFixed(0)} kB`.padStart(9),
    ];
    console.log(`${cells.join(" ")}   ${screen.name}`);
  }
  await browser.close();
} finally {
  await portal?.stop();
}

/**
 * @param {import("@playwright/test").Browser} browser
 * @param {Screen} screen
 */
async function visit(browser, screen) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: origin });
  try {
    if (!screen.signedOut) await signIn(context);
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send("Network.enable");
    await devTools.send("Network.emulateNetworkConditions", link);
    /** @type {Map<string, { file: string, bytes: number, isDone: boolean }>} */
    const scripts = new Map();
    let lastMs = performance.now();
    let started = 0;
    devTools.on("Network.requestWillBeSent", ({ requestId, request }) => {
      lastMs = performance.now();
      const { pathname } = new URL(request.url);
      if (/^\/assets\/.*\.js$/.test(pathname)) scripts.set(requestId, { file: pathname, bytes: 0, isDone: false });
    });
    devTools.on("Network.requestServedFromCache", ({ requestId }) => void scripts.delete(requestId));
    devTools.on("Network.responseReceived", ({ requestId, response }) => {
      if (response.fromDiskCache === true || response.fromPrefetchCache === true) scripts.delete(requestId);
    });
    devTools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      lastMs = performance.now();
      const script = scripts.get(requestId);
      if (script !== undefined) Object.assign(script, { bytes: encodedDataLength, isDone: true });
    });
    started = performance.now();
    await page.goto(screen.address, { waitUntil: "commit" });
    for (const locator of screen.content(page)) await locator.waitFor({ state: "visible", timeout: 120_000 });
    for (const locator of screen.content(page)) await locator.click({ trial: true, timeout: 10_000 });
    const ms = performance.now() - started;
    const used = count(scripts);
    if (values.shots !== undefined) await page.screenshot({ path: `${values.shots}/${screen.name.replaceAll(" ", "-")}.png` });
    while (performance.now() - lastMs < quietMs) await new Promise((resolve) => setTimeout(resolve, 200));
    const all = count(scripts);
    return { scripts: used.scripts, small: used.small, bytes: used.bytes, ms, allScripts: all.scripts, allBytes: all.bytes };
  } finally {
    await context.close();
  }
}

/** @param {ReadonlyMap<string, { file: string, bytes: number, isDone: boolean }>} scripts */
function count(scripts) {
  const done = [...new Map([...scripts.values()].filter(({ isDone }) => isDone).map((script) => [script.file, script])).values()];
  return {
    scripts: done.length,
    small: done.filter(({ bytes }) => bytes < smallBytes).length,
    bytes: done.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** @param {import("@playwright/test").BrowserContext} context */
async function signIn(context) {
  const { wrapper } = await Caller.signIn(origin, "admin");
  await context.addInitScript((stored) => {
    if (sessionStorage.getItem("fairway.session") === null)
      sessionStorage.setItem("fairway.session", JSON.stringify({ ...stored, receivedMs: Date.now(), fresh: true }));
  }, wrapper);
}
