import type { ChartTheme } from "@fairway/contract/charts/chart-theme";

/** Reads the chart theme from CSS variables at the element. */
export function readChartTheme(element: Element): ChartTheme {
  const style = getComputedStyle(element);
  const readVariable = (name: string): string => style.getPropertyValue(name).trim();
  return {
    text: readVariable("--text"),
    mutedText: readVariable("--text-3"),
    line: readVariable("--line"),
    strongLine: readVariable("--line-mark"),
    background: readVariable("--bg"),
    // ECharts writes it between double quotes into SVG without escaping it.
    font: readVariable("--font-ui").replaceAll('"', "'"),
  };
}
