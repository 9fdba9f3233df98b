import { BarChart, LineChart, PieChart } from "echarts/charts";
import { AriaComponent, GridComponent, LegendPlainComponent, TitleComponent, TooltipComponent } from "echarts/components";
import { type EChartsCoreOption, init, use } from "echarts/core";
import { CanvasRenderer, SVGRenderer } from "echarts/renderers";

use([
  BarChart,
  LineChart,
  PieChart,
  AriaComponent,
  GridComponent,
  LegendPlainComponent,
  TitleComponent,
  TooltipComponent,
  CanvasRenderer,
  SVGRenderer,
]);

/** A chart in a box of the page. The box gets the role and the description of a picture. */
export const startChart = (box: HTMLElement) => init(box, null, { renderer: "canvas" });
export type Chart = ReturnType<typeof startChart>;

const size = { width: 1200, height: 675 } as const;

/** The chart as a picture file, drawn anew at a size of its own. */
export async function pictureOf(option: EChartsCoreOption, format: "png" | "svg"): Promise<Blob> {
  if (format === "svg") {
    const chart = init(null, null, { renderer: "svg", ssr: true, ...size });
    try {
      chart.setOption(option);
      return new Blob([chart.renderToSVGString()], { type: "image/svg+xml" });
    } finally {
      chart.dispose();
    }
  }
  const box = document.createElement("div");
  const chart = init(box, null, { renderer: "canvas", devicePixelRatio: 2, ...size });
  try {
    chart.setOption(option);
    const canvas = chart.renderToCanvas({ pixelRatio: 2 });
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be made."))), "image/png");
    });
  } finally {
    chart.dispose();
  }
}
