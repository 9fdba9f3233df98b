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

/** Starts a chart in an element, which gets the role and description of an image. */
export const createChart = (element: HTMLElement) => init(element, null, { renderer: "canvas" });
export type Chart = ReturnType<typeof createChart>;

const size = { width: 1200, height: 675 } as const;

/** Renders the chart to an image file, at a fixed size. */
export async function renderPicture(option: EChartsCoreOption, format: "png" | "svg"): Promise<Blob> {
  if (format === "svg") {
    const chart = init(null, null, { renderer: "svg", ssr: true, ...size });
    try {
      chart.setOption(option);
      return new Blob([chart.renderToSVGString()], { type: "image/svg+xml" });
    } finally {
      chart.dispose();
    }
  }
  const element = document.createElement("div");
  const chart = init(element, null, { renderer: "canvas", devicePixelRatio: 2, ...size });
  try {
    chart.setOption(option);
    const canvas = chart.renderToCanvas({ pixelRatio: 2 });
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be created."))), "image/png");
    });
  } finally {
    chart.dispose();
  }
}
