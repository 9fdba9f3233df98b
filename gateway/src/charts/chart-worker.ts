import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { lightTheme } from "@fairway/contract/charts/chart-theme";
import { type ChartDrawing, drawingHeight, drawingOption } from "@fairway/contract/charts/drawing";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import type * as echarts from "echarts";
import { type TaskProgram, serveTasks } from "#threads/worker-side.ts";

export interface ChartTask {
  readonly drawing: ChartDrawing;
  readonly widthPx: number;
  /** A legend of several lines adds to it. */
  readonly heightPx: number;
  /** Pixels of the picture for each of the page. */
  readonly ratio: number;
}

const require = createRequire(import.meta.url);
// One file with all charts loads in a tenth of the time that those of the charts in use take.
const { init, setPlatformAPI } = require("echarts/dist/echarts.min.js") as typeof echarts;
const fileOf = async (name: string): Promise<Uint8Array> => new Uint8Array(await readFile(require.resolve(name)));

/** The fonts of the web app. The rasterizer knows no others, so that pictures look the same on every machine. */
const scripts = ["latin", "latin-ext", "cyrillic", "cyrillic-ext", "greek", "greek-ext", "vietnamese"];
const fontFiles = scripts.map((script) => `@fontsource-variable/inter/files/inter-${script}-wght-normal.woff2`);
const [rasterizer, ...fontBuffers] = await Promise.all(["@resvg/resvg-wasm/index_bg.wasm", ...fontFiles].map(fileOf));
if (rasterizer === undefined) throw new Error("there is no rasterizer");
await initWasm(rasterizer);

const defaultFontFamily = "Inter Variable";

// Widths that are guessed for any font leave too little room for the labels of this one.
setPlatformAPI({
  measureText: (text, font = "") => ({ width: textWidth(text) * Number(/(?:^| )(\d{1,3})px/.exec(font)?.[1] ?? 12) }),
});

/** Relative to the size of the font. */
const textWidth = (text: string): number => Array.from(text).reduce((width, letter) => width + letterWidth(letter), 0);

function letterWidth(letter: string): number {
  // The library takes the width of one of these as the height of a line.
  if (/\p{Script=Han}/u.test(letter)) return 1;
  if (/[ijl.,:;'|!]/.test(letter)) return 0.29;
  if (/[\sft/()[\]r-]/.test(letter)) return 0.38;
  if (/[mwMW%@#]/.test(letter)) return 0.9;
  return /\p{Lu}/u.test(letter) ? 0.7 : 0.62;
}

/** Emits the file of the picture. */
const draw: TaskProgram<ChartTask, null> = ({ drawing, widthPx, heightPx, ratio }, emit) => {
  const svg = svgOf(drawing, widthPx, drawingHeight(drawing, widthPx, heightPx));
  const picture = new Resvg(svg, { fitTo: { mode: "zoom", value: ratio }, font: { fontBuffers, defaultFontFamily } });
  const pixels = picture.render();
  // A copy, because the memory of the rasterizer cannot be handed over.
  emit(new Uint8Array(pixels.asPng()));
  pixels.free();
  picture.free();
  return null;
};

function svgOf(drawing: ChartDrawing, widthPx: number, heightPx: number): string {
  const chart = init(null, null, { renderer: "svg", ssr: true, width: widthPx, height: heightPx });
  try {
    chart.setOption(drawingOption(drawing, { theme: lightTheme, description: "", standalone: { title: null, widthPx } }));
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

serveTasks(draw);
