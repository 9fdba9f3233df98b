import { BarChart, LineChart, PieChart, ScatterChart } from "echarts/charts";
import { AriaComponent, GridComponent, LegendPlainComponent, TitleComponent, TooltipComponent } from "echarts/components";
import { type EChartsCoreOption, init, use } from "echarts/core";
import { CanvasRenderer, SVGRenderer } from "echarts/renderers";
import { pngWithFoot } from "#features/search/pictures/canvas-picture.ts";
import type { PictureFoot } from "#features/search/pictures/picture-foot.ts";
import { svgBlob, svgPicture } from "#features/search/pictures/svg-picture.ts";
import type { ChartTheme } from "@fairway/contract/charts/chart-theme";

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

export const pictureSize = { width: 1200, height: 675 } as const;
const ratio = 2;

/** The chart alone as the text of an SVG. Needs no page. */
export function renderSvg(option: EChartsCoreOption): string {
  const chart = init(null, null, { renderer: "svg", ssr: true, ...pictureSize });
  try {
    chart.setOption(option);
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

/** Renders the chart to an image file, at a fixed size, with its foot below. */
export async function renderPicture(option: EChartsCoreOption, format: "png" | "svg", foot: PictureFoot, theme: ChartTheme): Promise<Blob> {
  if (format === "svg") {
    const chart = new DOMParser().parseFromString(renderSvg(option), "image/svg+xml").documentElement;
    return svgBlob(svgPicture(chart, pictureSize, foot, theme).svg);
  }
  const element = document.createElement("div");
  const chart = init(element, null, { renderer: "canvas", devicePixelRatio: ratio, ...pictureSize });
  try {
    chart.setOption(option);
    const { mutedText: color, background, font } = theme;
    return await pngWithFoot(chart.renderToCanvas({ pixelRatio: ratio }), ratio, foot, { color, background, font });
  } finally {
    chart.dispose();
  }
}
