/** Colors and font of a chart. */
export interface ChartTheme {
  text: string;
  mutedText: string;
  line: string;
  strongLine: string;
  background: string;
  font: string;
}

/** The light theme of the web app, for charts without a page. */
export const lightTheme: ChartTheme = {
  text: "#17202c",
  mutedText: "#5f6c7b",
  line: "#e1e6ec",
  strongLine: "#7b8896",
  background: "#ffffff",
  font: "'Inter Variable', Inter, sans-serif",
};
