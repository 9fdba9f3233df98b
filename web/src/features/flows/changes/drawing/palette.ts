import type { FlowDrawingState } from "@fairway/contract/flow-differences";

interface StateColors {
  /** Border, line and mark. */
  readonly line: string;
  readonly fill: string;
  /** On the mark. */
  readonly sign: string;
}

/** The colors of the theme. */
export interface Palette {
  readonly background: string;
  readonly text: string;
  readonly mutedText: string;
  readonly focus: string;
  readonly note: string;
  readonly font: string;
  readonly states: Readonly<Record<FlowDrawingState, StateColors>>;
}

/** Reads the colors from the CSS variables at the element. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  const state = (line: string, fill: string): StateColors => ({ line: read(line), fill: read(fill), sign: read("--bg") });
  return {
    background: read("--bg"),
    text: read("--text"),
    mutedText: read("--text-2"),
    focus: read("--focus"),
    note: read("--bg-rail"),
    font: read("--font-ui"),
    states: {
      same: state("--line-mark", "--bg-panel"),
      added: state("--accent", "--accent-soft"),
      removed: state("--rose", "--rose-soft"),
      changed: state("--amber", "--amber-soft"),
      moved: state("--json-number", "--bg-press"),
    },
  };
}
