import type { ColorScale } from "./color-scale.ts";
import type { ValueRange } from "./scale-limits.ts";

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const measured = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 5 });
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

/** Gives a number of a scale as people read it. */
export type ScaleText = (value: number) => string;

/** Whole numbers with all digits, others with as many as tell them apart. */
export const numberText: ScaleText = (value) => (Number.isInteger(value) ? whole : measured).format(value);

/** From 10,000 in thousands and millions: seven numbers have to stand under a scale. */
export const shortNumberText: ScaleText = (value) => (Math.abs(value) < 10_000 ? numberText(value) : compact.format(value));

interface ScaleStep extends ValueRange {
  /** The number of its color in the palette. */
  readonly color: number;
}

/** The steps of a scale from least to greatest. Each but the last ends where the next begins. */
export const scaleSteps = ({ range, limits, colors }: ColorScale): readonly ScaleStep[] =>
  [range.low, ...limits].map((low, step) => ({ color: colors[step] ?? 1, low, high: limits[step] ?? range.high }));

/** `21 – 38`, and `30` for both ends 30. */
export function rangeText({ low, high }: ValueRange, textOf: ScaleText): string {
  const [first, last] = [textOf(low), textOf(high)];
  return first === last ? first : `${first} – ${last}`;
}

/** The values of a step. Steps of whole numbers end before the next one begins. */
export function stepText(scale: ColorScale, step: number, textOf: ScaleText): string {
  const { low, high } = scaleSteps(scale)[step] ?? scale.range;
  const isLast = step === scale.limits.length;
  return rangeText({ low, high: scale.kind === "whole" && !isLast ? high - 1 : high }, textOf);
}

const equatorM = 40_075_016.686;
const degree = Math.PI / 180;

/** Width of a cell on the ground, in meters. */
export const cellWidthM = (level: number, latitude: number): number => (equatorM * Math.cos(latitude * degree)) / 2 ** level;

const rounded = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });

/** `138 km`, `1.22 km`, `340 m`. */
export const distanceText = (meters: number): string =>
  meters >= 1_000 ? `${rounded.format(meters / 1_000)} km` : `${rounded.format(meters)} m`;
