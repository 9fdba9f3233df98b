/** Colours and letters of the page that a chart is drawn on. */
export interface Ink {
  text: string;
  soft: string;
  line: string;
  edge: string;
  ground: string;
  font: string;
}

/** Colours and letters as they are where a chart stands. */
export function inkOf(element: Element): Ink {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  return {
    text: token("--text"),
    soft: token("--text-3"),
    line: token("--line"),
    edge: token("--line-mark"),
    ground: token("--bg"),
    font: token("--font-ui"),
  };
}
