// @ts-check
// The page of a flow request with 200 iterations, 1,000 comments and a content of 800 kB in a real browser: from the start of the
// navigation until iterations, comments and content are painted, another iteration, each key typed into a comment, and scrolling.
// Compared with the page of a request with one short iteration. Both receive their requests from this script.
import { launch } from "puppeteer-core";
import { ensureBrowser } from "../scripts/lib/browser.mjs";
import { checkout } from "../scripts/lib/checkout.mjs";
import { startProgram } from "./lib/gateway-process.mjs";
import { median } from "./lib/statistics.mjs";
import { storeSession } from "./lib/tab-session.mjs";

/**
 * @typedef {object} RequestPageResult
 * @property {string} what
 * @property {number} large median ms for the large request
 * @property {number | undefined} small median ms for the small one
 */

const [iterationCount, commentCount, processorCount] = [200, 1_000, 3_000];
const createdMs = Date.UTC(2026, 10, 18);

/** @param {number} version */
const largeContent = (version) =>
  JSON.stringify(
    {
      processors: Array.from({ length: processorCount }, (_, index) => ({
        identifier: `id-${index}`,
        name: `Processor ${index}`,
        type: "org.apache.nifi.processors.standard.PutFile",
        properties: { Directory: `/data/${index}`, "Create Missing Directories": "true" },
        penaltyDuration: index % 500 === version % 500 ? `${version} sec` : "30 sec",
      })),
    },
    null,
    2,
  );
const iterations = Array.from({ length: iterationCount }, (_, index) => ({
  id: index + 1,
  number: index + 1,
  creatorUsername: "developer",
  createdDateMs: createdMs + index * 60_000,
  bytes: largeContent(1).length,
  format: "json",
  content: null,
}));
const originalLines = largeContent(1).split("\n");
const comments = Array.from({ length: commentCount }, (_, index) => ({
  id: index + 1,
  commenterUsername: index % 2 === 0 ? "admin" : "developer",
  createdDateMs: createdMs + index * 30_000,
  text: `Why **${index}** records in \`Processor ${index}\`, @developer? See [the manual](https://example.org/${index}).`,
  editedDateMs: null,
  isDeleted: false,
  isOwn: false,
  mentions: ["developer"],
  // Every fifth one is on a line of the first iteration.
  anchor: index % 5 === 0 ? anchorAt(10 + index * 20) : null,
}));
const largeRequest = {
  id: 14,
  name: "Larger batches",
  flowId: 1,
  flowName: "storm-ingest",
  status: 0,
  createdDateMs: createdMs,
  lastUpdatedMs: createdMs,
  creatorUsername: "developer",
  reviewerUsername: null,
  iterations: iterationCount,
  lastIterationId: iterationCount,
  comments: commentCount,
  isOwn: false,
  needsMyReview: false,
  canDecide: false,
};
const largeEvents = iterations.map(({ id, createdDateMs }) => ({
  id,
  kind: id === 1 ? "created" : "iteration",
  username: "developer",
  timeMs: createdDateMs,
  iterationId: id,
  subject: "",
}));
const large = { request: largeRequest, iterations, comments, events: largeEvents, contentOf: largeContent };
const small = {
  request: { ...largeRequest, iterations: 1, lastIterationId: 1, comments: 1 },
  iterations: iterations.slice(0, 1),
  comments: comments.slice(1, 2),
  events: largeEvents.slice(0, 1),
  contentOf: () => "{}",
};
const group = { name: "desk", displayName: "Desk", description: "", openRequests: 1, needsMyReview: 0 };

/**
 * @param {{ rounds: number }} options
 * @returns {Promise<RequestPageResult[]>}
 */
export async function measureFlowRequestPage({ rounds }) {
  const executablePath = ensureBrowser();
  if (executablePath === undefined) throw new Error("The page needs a Chromium or Chrome: set FAIRWAY_BROWSER to its path.");
  const gateway = await startProgram(["--enable-source-maps", "scripts/portal.mjs"], {
    FAIRWAY_HOME: `${checkout}/.build/bench-flow-request`,
  });
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await launch({ executablePath, args: ["--headless=new", "--disable-gpu", "--no-first-run", ...sandbox] });
  /** @type {Map<string, { large: number[], small: number[] }>} */
  const times = new Map();
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const size of /** @type {const} */ (["large", "small"])) {
        // On a first visit, nothing is in the browser's cache.
        const context = await browser.createBrowserContext();
        const page = await context.newPage();
        const { origin } = gateway;
        const note = (/** @type {string} */ what, /** @type {number} */ ms) => {
          const noted = times.get(what) ?? { large: [], small: [] };
          noted[size].push(ms);
          times.set(what, noted);
        };
        await openRequest(page, origin, size === "large" ? large : small);
        await notePaints(page, "first visit", note);
        await openRequest(page, origin, size === "large" ? large : small);
        await notePaints(page, "next visit", note);
        if (size === "large") await useRequest(page, note);
        await context.close();
      }
    }
  } finally {
    await browser.close();
    await gateway.stop();
  }
  const results = Array.from(times, ([what, { large: ofLarge, small: ofSmall }]) => ({
    what,
    large: median(ofLarge),
    small: ofSmall.length === 0 ? undefined : median(ofSmall),
  }));
  for (const result of results)
    console.log(
      `  ${result.what}: ${result.large.toFixed(0)}${result.small === undefined ? "" : `, small request ${result.small.toFixed(0)}`}`,
    );
  return results;
}

/**
 * Opens the page of a request; the calls for it are answered here, all others by the gateway.
 * @param {import("puppeteer-core").Page} page
 * @param {string} origin
 * @param {typeof large | typeof small} served
 */
async function openRequest(page, origin, served) {
  await page.setViewport({ width: 1440, height: 900 });
  await storeSession(page, origin);
  const session = await page.createCDPSession();
  session.on("Fetch.requestPaused", ({ requestId, request: { url } }) => {
    const body = Buffer.from(JSON.stringify(answerOf(new URL(url).pathname, served))).toString("base64");
    const responseHeaders = [{ name: "content-type", value: "application/json" }];
    void session.send("Fetch.fulfillRequest", { requestId, responseCode: 200, responseHeaders, body });
  });
  // Only these: intercepting the files of the page would slow them down.
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*/api/flowGroups*" }] });
  await page.goto(`${origin}/niflow-requests/desk/1/14`);
}

/**
 * @param {import("puppeteer-core").Page} page
 * @param {string} visit
 * @param {(what: string, ms: number) => void} note
 */
async function notePaints(page, visit, note) {
  const times = await Promise.all([
    painted(page, 'nav[aria-label="Iterations"] a'),
    painted(page, '[aria-label="Timeline"] article'),
    painted(page, '[data-line="1"]'),
  ]);
  ["iterations", "comments", "content"].forEach((part, index) => note(`${part} painted, ${visit}`, times[index] ?? 0));
  // Until comments on lines are placed and parts that load late are there.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
}

/**
 * @param {import("puppeteer-core").Page} page
 * @param {(what: string, ms: number) => void} note
 */
async function useRequest(page, note) {
  const started = await page.evaluate(() => {
    const links = document.querySelectorAll('nav[aria-label="Iterations"] a');
    /** @type {HTMLElement} */ (links[1]).click();
    return performance.now();
  });
  note("another iteration painted", (await painted(page, '[aria-label="Iteration 199"] [data-line="1"]')) - started);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  for (const [name, ms] of Object.entries(await typeComment(page))) note(`typing into a comment, ${name}`, ms);
  for (const [name, ms] of Object.entries(await scrollTimeline(page))) note(`scrolling the comments, ${name}`, ms);
}

/**
 * When an element is painted, since the start of the navigation.
 * @param {import("puppeteer-core").Page} page
 * @param {string} wanted selector
 */
function painted(page, wanted) {
  return page.evaluate(async (selector) => {
    while (!document.querySelector(selector)) await new Promise((resolve) => requestAnimationFrame(resolve));
    // The frame that contains it.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now();
  }, wanted);
}

/** @param {import("puppeteer-core").Page} page */
async function typeComment(page) {
  await page.focus('textarea[aria-label="new comment"]');
  await page.evaluate(() => {
    /** @type {number[]} */
    const times = [];
    Object.assign(globalThis, { keyTimes: times });
    document.addEventListener(
      "keydown",
      () => {
        const pressed = performance.now();
        requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - pressed)));
      },
      { capture: true },
    );
  });
  await page.keyboard.type("Nothing but a comment", { delay: 100 });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const times = await page.evaluate(() => /** @type {{ keyTimes: number[] }} */ (/** @type {unknown} */ (globalThis)).keyTimes);
  return { median: median(times), slowest: Math.max(...times) };
}

/** @param {import("puppeteer-core").Page} page */
async function scrollTimeline(page) {
  const times = await page.evaluate(async () => {
    const scroller = document.querySelector('[aria-label="Timeline"]')?.parentElement;
    if (!scroller) return [];
    const frame = () => new Promise((/** @type {(now: number) => void} */ resolve) => requestAnimationFrame(resolve));
    let before = await frame();
    /** @type {number[]} */
    const between = [];
    while (scroller.scrollTop > 0 && between.length < 200) {
      scroller.scrollBy(0, -400);
      const now = await frame();
      between.push(now - before);
      before = now;
    }
    return between;
  });
  if (times.length < 50) throw new Error("The comments do not scroll.");
  return { median: median(times), slowest: Math.max(...times) };
}

/**
 * @param {string} pathname
 * @param {typeof large | typeof small} served
 */
function answerOf(pathname, served) {
  const path = pathname.slice(pathname.indexOf("/flowGroups"));
  const base = "/flowGroups/desk/flows/1/requests/14";
  if (path === "/flowGroups") return [group];
  if (path === base) return served.request;
  if (path === `${base}/iterations`) return served.iterations;
  if (path === `${base}/comments`) return served.comments;
  if (path === `${base}/events`) return served.events;
  const id = Number(path.split("/").at(-1));
  return { ...served.iterations[id - 1], content: served.contentOf(id) };
}

/** @param {number} line */
function anchorAt(line) {
  const cut = (/** @type {number} */ from, /** @type {number} */ to) => originalLines.slice(from, to).map((text) => text.slice(0, 300));
  return {
    kind: "line",
    iterationId: 1,
    line,
    text: cut(line - 1, line)[0] ?? "",
    before: cut(line - 4, line - 1),
    after: cut(line, line + 3),
  };
}

if (process.argv[1]?.endsWith("flow-request-page.mjs")) await measureFlowRequestPage({ rounds: 5 });
