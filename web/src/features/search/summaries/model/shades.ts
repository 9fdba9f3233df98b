import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import { figureNumber } from "./figures.ts";

/** The largest figures on both sides of zero. */
interface Shades {
  largest: number;
}

interface Shade {
  /** One color for figures from zero on, another below. */
  hue: "up" | "down";
  /** How much of the color is mixed into the background, from 0 to `maxPercent`. */
  percent: number;
}

/** At this share the text of both themes still has a contrast of 4.5:1 on both colors. */
const maxPercent = 55;

export function shadesOf({ cells }: BreakdownAnswer): Shades {
  return { largest: cells.reduce((largest, { values }) => Math.max(largest, Math.abs(figureNumber(values[0]) ?? 0)), 0) };
}

/** Null without a figure. */
export function shadeOf(figure: number | null, { largest }: Shades): Shade | null {
  if (figure === null) return null;
  const percent = largest === 0 ? 0 : Math.round((Math.abs(figure) / largest) * maxPercent);
  return { hue: figure < 0 ? "down" : "up", percent };
}
