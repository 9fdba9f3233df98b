// @ts-check
// `node bench/flow-request-page.mjs` after a build: the page of a flow request with 200 iterations, 1,000 comments and a content of
// 800 kB in a real browser: from the start of the navigation until iterations, content and comments are painted, another iteration,
// each key typed into a comment, and scrolling. The page receives the request from this script.
import { launch } from "puppeteer-core";
import { ensureBrowser } from "../scripts/lib/browser.mjs";
import { checkout } from "../scripts/lib/checkout.mjs";
import { startProgram } from "./lib/gateway-process.mjs";
import { median } from "./lib/statistics.mjs";
import { storeSession } from "./lib/tab-session.mjs";

const rounds = 5;
const [iterationCount, commentCount, processorCount] = [200, 1_000, 3_000];
const createdMs = Date.UTC(2026, 10, 18);

/** @param {number} version */
const contentOf = (version) =>
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
  bytes: contentOf(1).length,
  format: "json",
  content: null,
}));
const originalLines = contentOf(1).split("\n");
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
const request = {
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
const events = iterations.map(({ id, createdDateMs }) => ({
  id,
  kind: id === 1 ? "created" : "iteration",
  username: "developer",
  timeMs: createdDateMs,
  iterationId: id,
  subject: "",
}));
const group = { name: "desk", displayName: "Desk", description: "", openRequests: 1, needsMyReview: 0 };

const gateway = await startProgram(["--enable-source-maps", "scripts/portal.mjs"], {
  FAIRWAY_HOME: `${checkout}/.build/bench-flow-request`,
});
const executablePath = ensureBrowser();
if (executablePath === undefined) throw new Error("The page needs a Chromium or Chrome: set FAIRWAY_BROWSER to its path.");
const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const browser = await launch({ executablePath, args: ["--headless=new", "--disable-gpu", "--no-first-run", ...sandbox] });
/** @type {Map<string, number[]>} */
const results = new Map();
for (let round = 0; round < rounds; round += 1) await measure();
await browser.close();
await gateway.stop();
console.log(`Flow request with ${iterationCount} iterations, ${commentCount} comments, a content of ${contentOf(1).length} bytes:`);
for (const [name, times] of results) console.log(`  ${name}: ${median(times).toFixed(0)} ms (${times.map(Math.round).join(", ")})`);

/** @param {string} name @param {number} ms */
function note(name, ms) {
  results.set(name, [...(results.get(name) ?? []), ms]);
}

async function measure() {
  const page = await browser.newPage();
  try {
    await page.setViewport({ width: 1440, height: 900 });
    await storeSession(page, gateway.origin);
    await page.setRequestInterception(true);
    page.on("request", (call) => {
      const answer = answerOf(new URL(call.url()).pathname);
      void (answer === undefined
        ? call.continue()
        : call.respond({ headers: {}, contentType: "application/json", body: JSON.stringify(answer) }));
    });
    await page.goto(`${gateway.origin}/niflow-requests/desk/1/14`);
    note("iterations painted", await painted(page, 'nav[aria-label="Iterations"] a'));
    note("comments painted", await painted(page, '[aria-label="Timeline"] article'));
    note("content painted", await painted(page, '[data-line="1"]'));
    // Until comments on lines are placed and parts that load late are there.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
    note("elements on the page", nodes);
    const started = await page.evaluate(() => {
      const links = document.querySelectorAll('nav[aria-label="Iterations"] a');
      /** @type {HTMLElement} */ (links[1]).click();
      return performance.now();
    });
    note("another iteration painted", (await painted(page, '[aria-label="Iteration 199"] [data-line="1"]')) - started);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    for (const [name, ms] of Object.entries(await typeComment(page))) note(`typing into a comment, ${name}`, ms);
    for (const [name, ms] of Object.entries(await scrollTimeline(page))) note(`scrolling the comments, ${name}`, ms);
  } finally {
    await page.close();
  }
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

/** @param {string} pathname */
function answerOf(pathname) {
  const at = pathname.indexOf("/flowGroups");
  if (at < 0) return undefined;
  const path = pathname.slice(at);
  const base = "/flowGroups/desk/flows/1/requests/14";
  if (path === "/flowGroups") return [group];
  if (path === base) return request;
  if (path === `${base}/iterations`) return iterations;
  if (path === `${base}/comments`) return comments;
  if (path === `${base}/events`) return events;
  const id = Number(path.split("/").at(-1));
  return { ...iterations[id - 1], content: contentOf(id) };
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
