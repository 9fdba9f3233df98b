/** Colors and font of a chart. */
export interface ChartTheme {
  text: string;
  mutedText: string;
  line: string;
  strongLine: string;
  background: string;
  font: string;
}
