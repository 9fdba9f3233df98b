import { BarChart, LineChart, PieChart, ScatterChart } from "echarts/charts";
import { AriaComponent, GridComponent, LegendPlainComponent, TitleComponent, TooltipComponent } from "echarts/components";
import { type EChartsCoreOption, init, use } from "echarts/core";
import { CanvasRenderer, SVGRenderer } from "echarts/renderers";
import { drawFoot, type LaidOutFoot, layOutFoot, type PictureFoot } from "#features/search/pictures/picture-foot.ts";
import type { ChartTheme } from "./chart-theme.ts";

use([
  BarChart,
  LineChart,
  PieChart,
  ScatterChart,
  AriaComponent,
  GridComponent,
  LegendPlainComponent,
  TitleComponent,
  TooltipComponent,
  CanvasRenderer,
  SVGRenderer,
]);

/** Starts a chart in an element, which gets the role and description of an image. */
export const createChart = (element: HTMLElement) => init(element, null, { renderer: "canvas" });
export type Chart = ReturnType<typeof createChart>;

const size = { width: 1200, height: 675 } as const;
const ratio = 2;

/** The chart alone as the text of an SVG. Needs no page. */
export function renderSvg(option: EChartsCoreOption): string {
  const chart = init(null, null, { renderer: "svg", ssr: true, ...size });
  try {
    chart.setOption(option);
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

/** Renders the chart to an image file, at a fixed size, with its foot below. */
export async function renderPicture(
  option: EChartsCoreOption,
  format: "png" | "svg",
  foot: PictureFoot,
  { mutedText, background, font }: ChartTheme,
): Promise<Blob> {
  const laidOut = layOutFoot(foot, size.width, font);
  const height = size.height + laidOut.heightPx;
  if (format === "svg") {
    const svg = withFoot(renderSvg(option), laidOut, { color: mutedText, background, font });
    return new Blob([svg], { type: "image/svg+xml" });
  }
  const element = document.createElement("div");
  const chart = init(element, null, { renderer: "canvas", devicePixelRatio: ratio, ...size });
  try {
    chart.setOption(option);
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [size.width * ratio, height * ratio];
    const context = canvas.getContext("2d", { alpha: false });
    if (context === null) throw new Error("The canvas has no 2D context.");
    context.drawImage(chart.renderToCanvas({ pixelRatio: ratio }), 0, 0);
    drawFoot(context, laidOut, { topPx: size.height, ratio, color: mutedText, background, fontFamily: font });
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be created."))), "image/png");
    });
  } finally {
    chart.dispose();
  }
}

/** The SVG of a chart in a taller one, with the foot below. */
function withFoot(chartSvg: string, foot: LaidOutFoot, look: { color: string; background: string; font: string }): string {
  const namespace = "http://www.w3.org/2000/svg";
  const made = (name: string, attributes: Record<string, string | number>) => {
    const element = document.createElementNS(namespace, name);
    for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
    return element;
  };
  const height = size.height + foot.heightPx;
  const svg = made("svg", { width: size.width, height, viewBox: `0 0 ${size.width} ${height}` });
  const texts = made("g", {
    fill: look.color,
    "font-family": look.font,
    "font-size": foot.fontPx,
    "dominant-baseline": "central",
  });
  for (const [index, line] of foot.lines.entries()) {
    const text = made("text", { x: foot.x, y: size.height + foot.yOf(index) });
    text.textContent = line;
    texts.append(text);
  }
  const chart = new DOMParser().parseFromString(chartSvg, "image/svg+xml").documentElement;
  svg.append(made("rect", { width: size.width, height, fill: look.background }), chart, texts);
  return new XMLSerializer().serializeToString(svg);
}
