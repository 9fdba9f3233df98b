// @ts-check
// Frame times of the drawing of a flow while it is panned and zoomed, without a GPU, compared with the same drawing as SVG.
import { launch } from "puppeteer-core";
import { ensureBrowser } from "../scripts/lib/browser.mjs";
import { serveComponentPage } from "../scripts/lib/component-page.mjs";
import { browserArguments } from "./lib/map-browser.mjs";
import { median, quantile } from "./lib/statistics.mjs";

/**
 * @typedef {object} DrawingResult
 * @property {string} what
 * @property {number} firstMs from rendering until the first frame is painted
 * @property {{ median: number, p95: number }} canvas ms from one frame to the next; 16.7 = none is missed
 * @property {{ median: number, p95: number }} svg the same drawing as SVG
 */

/**
 * What web/src/testing/drawing-page.tsx offers.
 * @typedef {object} DrawingPage
 * @property {(element: HTMLElement, drawing: object) => void} show
 */

/** @type {readonly { what: string, processors: number, move: "pan" | "zoom" }[]} */
const cases = [
  { what: "1,000 processors, panned", processors: 1_000, move: "pan" },
  { what: "1,000 processors, zoomed", processors: 1_000, move: "zoom" },
  { what: "5,000 processors, panned", processors: 5_000, move: "pan" },
];

/**
 * @param {{ rounds: number, frames: number }} options
 * @returns {Promise<DrawingResult[]>}
 */
export async function measureFlowDrawing({ rounds, frames }) {
  const executablePath = ensureBrowser();
  if (executablePath === undefined) throw new Error("Measuring frames needs a Chromium or Chrome: set FAIRWAY_BROWSER to its path.");
  const served = await serveComponentPage({
    entry: "drawing-page",
    style: "#drawing{flex:1;min-height:0;position:relative;display:flex;flex-direction:column}",
    body: '<div id="drawing"></div>',
  });
  const browser = await launch({ executablePath, args: browserArguments });
  try {
    /** @type {DrawingResult[]} */
    const results = [];
    for (const { what, processors, move } of cases) {
      /** @type {Record<"canvas" | "svg", { firstMs: number, frames: number[] }[]>} */
      const runs = { canvas: [], svg: [] };
      for (let round = 0; round < rounds; round++) {
        for (const method of /** @type {const} */ (["canvas", "svg"])) {
          const page = await browser.newPage();
          await page.setViewport({ width: 1440, height: 900 });
          await page.goto(served.address);
          await page.waitForFunction(() => "drawingPage" in globalThis, { timeout: 30_000 });
          runs[method].push(await page.evaluate(moveThrough, { method, move, frames, processors }));
          await page.close();
        }
      }
      /** @param {"canvas" | "svg"} method */
      const summary = (method) => ({
        median: Math.min(...runs[method].map((run) => median(run.frames))),
        p95: Math.min(...runs[method].map((run) => quantile(run.frames, 0.95))),
      });
      const result = {
        what,
        firstMs: Math.min(...runs.canvas.map(({ firstMs }) => firstMs)),
        canvas: summary("canvas"),
        svg: summary("svg"),
      };
      results.push(result);
      console.log(
        `  ${what}: ${result.canvas.median.toFixed(1)} ms a frame (p95 ${result.canvas.p95.toFixed(1)}), first after ${result.firstMs.toFixed(0)} ms; SVG ${result.svg.median.toFixed(1)} (p95 ${result.svg.p95.toFixed(1)})`,
      );
    }
    return results;
  } finally {
    await browser.close();
    await served.close();
  }
}

/**
 * Runs in the page.
 * @param {{ method: "canvas" | "svg", move: "pan" | "zoom", frames: number, processors: number }} options
 */
async function moveThrough({ method, move, frames, processors }) {
  const { drawingPage } = /** @type {{ drawingPage: DrawingPage }} */ (/** @type {unknown} */ (globalThis));
  const container = /** @type {HTMLElement} */ (document.querySelector("#drawing"));
  const columns = Math.ceil(Math.sqrt(processors));
  const states = /** @type {const} */ (["same", "same", "same", "same", "same", "same", "changed", "added", "removed", "moved"]);
  const nodes = Array.from({ length: processors }, (_, index) => ({
    id: `n${index}`,
    kind: /** @type {const} */ ("processor"),
    name: `Fetch the tracks of storm ${index}`,
    type: "org.apache.nifi.processors.standard.InvokeHTTP",
    x: (index % columns) * 520,
    y: Math.floor(index / columns) * 260,
    width: 352,
    height: 128,
    state: states[index % states.length] ?? "same",
  }));
  const edges = nodes.slice(1).map((node, index) => ({
    id: `e${index}`,
    from: `n${index}`,
    to: node.id,
    name: "success",
    bends: index % 5 === 0 ? [{ x: node.x + 400, y: node.y - 60 }] : [],
    state: states[index % states.length] ?? "same",
  }));
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  const start = performance.now();
  /** @type {(at: number) => void} */
  let step;
  if (method === "canvas") {
    drawingPage.show(container, {
      outcome: "drawn",
      groups: [{ id: "root", name: "root", parentId: null, state: "same", hasChanges: true, nodes, edges }],
    });
    while (!container.querySelector("canvas")) await frame();
    const canvas = /** @type {HTMLCanvasElement} */ (container.querySelector("canvas"));
    const place = { clientX: 700, clientY: 400, bubbles: true, cancelable: true };
    // Panned where texts are painted, which cost most.
    if (move === "pan") for (let index = 0; index < 8; index++) canvas.dispatchEvent(new WheelEvent("wheel", { ...place, deltaY: -240 }));
    canvas.dispatchEvent(new PointerEvent("pointerdown", { ...place, pointerId: 1, button: 0 }));
    step = (at) => {
      if (move === "zoom") canvas.dispatchEvent(new WheelEvent("wheel", { ...place, deltaY: at % 60 < 30 ? -80 : 80 }));
      else
        canvas.dispatchEvent(
          new PointerEvent("pointermove", { ...place, pointerId: 1, clientX: 700 + 9 * (at % 80), clientY: 400 + (at % 40) }),
        );
    };
  } else {
    const all = [
      ...edges.map(({ from, to }) => {
        const [a, b] = [nodes[Number(from.slice(1))], nodes[Number(to.slice(1))]];
        return a && b ? `<line x1="${a.x + 176}" y1="${a.y + 64}" x2="${b.x + 176}" y2="${b.y + 64}" stroke="#7b8896"/>` : "";
      }),
      ...nodes.map(
        ({ x, y, name }) =>
          `<rect x="${x}" y="${y}" width="352" height="128" rx="6" fill="#f7f9fb" stroke="#7b8896"/><text x="${x + 16}" y="${y + 36}" font-size="22">${name}</text><text x="${x + 16}" y="${y + 88}" font-size="18">InvokeHTTP</text>`,
      ),
    ];
    container.innerHTML = `<svg width="1440" height="900"><g>${all.join("")}</g></svg>`;
    const group = /** @type {SVGGElement} */ (container.querySelector("g"));
    const fit = 1440 / (columns * 520);
    step = (at) => {
      const scale = move === "zoom" ? fit * 1.1 ** (at % 60 < 30 ? at % 30 : 30 - (at % 30)) : Math.min(1, fit * 20);
      group.setAttribute("transform", `translate(${-9 * (at % 80)} ${-(at % 40)}) scale(${scale})`);
    };
  }
  await frame();
  await frame();
  const firstMs = performance.now() - start;
  for (let index = 0; index < 10; index++) {
    step(index);
    await frame();
  }
  /** @type {number[]} */
  const times = [];
  let before = performance.now();
  for (let index = 0; index < frames; index++) {
    step(index);
    await frame();
    const now = performance.now();
    times.push(now - before);
    before = now;
  }
  return { firstMs, frames: times };
}

if (process.argv[1]?.endsWith("flow-drawing.mjs")) await measureFlowDrawing({ rounds: 2, frames: 120 });
