import type { BreakdownAnswer } from "../breakdowns.ts";
import { figureNumber } from "./figures.ts";
import { fewRows, rowCountPlace } from "./table-rows.ts";

/** The largest figures on both sides of zero. */
interface Shades {
  largest: number;
  goesBothWays: boolean;
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
  return {
    largest: numbers.reduce((largest, number) => Math.max(largest, Math.abs(number)), 0),
    goesBothWays: numbers.some((number) => number < 0),
  };
}

/** Null without a figure. */
export function shadeOf(figure: number | null, { largest }: Pick<Shades, "largest">): Shade | null {
  if (figure === null) return null;
  const percent = largest === 0 ? 0 : Math.min(maxPercent, Math.round((Math.abs(figure) / largest) * maxPercent));
  return { hue: figure < 0 ? "down" : "up", percent };
}
