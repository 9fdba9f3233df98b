import type { BreakdownAnswer } from "../breakdowns.ts";
import { figureNumber } from "./figures.ts";
import { fewRows, rowCountPlace } from "./table-rows.ts";

interface Shades {
  /** The least figure, and at most 0. */
  low: number;
  /** The greatest figure, and at least 0. */
  high: number;
  /** The farther one from 0. */
  largest: number;
}

export interface Shade {
  /** One color for figures from zero on, another below. */
  hue: "up" | "down";
  /** How much of the color is mixed into the background, from 0 to `maxPercent`. */
  percent: number;
}

/** At this share the text of both themes still has a contrast of 4.5:1 on both colors. */
const maxPercent = 55;

/** The scale of a figure, by its place. Cells of few rows do not count, unless all are. */
export function shadesOf(answer: BreakdownAnswer, figure: number): Shades {
  const count = rowCountPlace(answer);
  const isLarge = ({ values }: BreakdownAnswer["cells"][number]): boolean => count < 0 || (figureNumber(values[count]) ?? 0) >= fewRows;
  const large = answer.cells.filter(isLarge);
  const numbers = (large.length > 0 ? large : answer.cells).map(({ values }) => figureNumber(values[figure]) ?? 0);
  const low = numbers.reduce((least, number) => Math.min(least, number), 0);
  const high = numbers.reduce((most, number) => Math.max(most, number), 0);
  return { low, high, largest: Math.max(-low, high) };
}

/** Null without a figure. */
export function shadeOf(figure: number | null, { largest }: Pick<Shades, "largest">): Shade | null {
  if (figure === null) return null;
  const percent = largest === 0 ? 0 : Math.min(maxPercent, Math.round((Math.abs(figure) / largest) * maxPercent));
  return { hue: figure < 0 ? "down" : "up", percent };
}
