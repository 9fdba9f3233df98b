import type { MapPalette, MapRowsView, MapScale } from "@fairway/contract/map-view";
import { defaultPalette, defaultScale, type Quantity } from "#parts/map-look/rows-look.ts";
import { equalLimits, indexAtShare, linearLimits, logLimits, maxSteps, type ValueKind, type ValueRange } from "./scale-limits.ts";

/** Values become seven colors: a step can be named and found in the legend, a place in a gradient cannot. */
export interface ColorScale {
  readonly scale: MapScale;
  readonly palette: MapPalette;
  /** Values beyond have the color of the end. */
  readonly range: ValueRange;
  readonly kind: ValueKind;
  /** Where each step but the first begins. Empty: all values are shown as one. */
  readonly limits: readonly number[];
  /** The number of each step's color in the palette, from 1 to 7. */
  readonly colors: readonly number[];
}

/** Values of cells, items or positions; NaN and infinities are no values. */
export type Values = ArrayLike<number>;

export interface ColorScaleOptions {
  readonly scale: MapScale;
  readonly palette: MapPalette;
  readonly range: ValueRange;
  readonly kind: ValueKind;
  /** How much each value counts in steps of equal numbers. */
  readonly weights?: Values | undefined;
}

/** Below so many cells all of them set the range. */
const fewCells = 20;
/** Share of the cells that each end of the range of a measure leaves out. */
const leftOut = 0.01;

/** The colors of a palette, from 1 to 7. Each theme has its own, because either end of one for both would vanish in one of them. */
export const paletteColors = (palette: MapPalette): readonly string[] =>
  Array.from({ length: maxSteps }, (_, index) => `var(--${palette}-${index + 1})`);

/** The CSS color of a number in a palette. */
export const paletteColor = (palette: MapPalette, number: number): string => `var(--${palette}-${number})`;

/** A logarithm needs numbers above 0. */
export const canBeLog = ({ low }: ValueRange): boolean => low > 0;
/** Only values on both sides of 0 have a middle. */
export const canBeBalanced = ({ low, high }: ValueRange): boolean => low < 0 && high > 0;

/** Whether a person or the first look of a dataset has set the range, so that nothing computes it anew. */
export const isSetRange = (range: MapRowsView["range"]): boolean => range === "full" || range?.isTyped === true;

/** The least and the greatest value; null without any. */
export function fullRange(values: Values): ValueRange | null {
  let [low, high] = [Infinity, -Infinity];
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? { low, high } : null;
}

/** Of counts 1 to the most, of measures the middle 98%, and all of few. Null without values. */
export function automaticRange(values: Values, quantity: Quantity): ValueRange | null {
  const full = fullRange(values);
  if (full === null || full.low === full.high || quantity === "density") return full;
  if (quantity === "count") return { low: 1, high: full.high };
  const { sorted } = sortedValues(values, full, undefined);
  if (sorted.length < fewCells) return full;
  const cut = Math.floor(sorted.length * leftOut);
  return { low: sorted[cut] ?? full.low, high: sorted[sorted.length - 1 - cut] ?? full.high };
}

/** The scale of a view, whose range is computed if it has none. Null without values. */
export function scaleOfView(
  { scale, range, palette }: Pick<MapRowsView, "scale" | "range" | "palette">,
  values: Values,
  quantity: Quantity,
  kind: ValueKind = areWhole(values) ? "whole" : "decimal",
): ColorScale | null {
  const shown = range === "full" ? fullRange(values) : (range ?? automaticRange(values, quantity));
  if (shown === null) return null;
  return colorScaleOf(values, {
    scale: scale ?? defaultScale(quantity),
    palette: palette ?? defaultPalette(quantity),
    range: { low: shown.low, high: shown.high },
    kind,
  });
}

/** Whether all values are whole numbers. */
export function areWhole(values: Values): boolean {
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? Number.NaN;
    if (Number.isFinite(value) && !Number.isInteger(value)) return false;
  }
  return true;
}

/** The scale of a range; `values` are needed for steps of equal numbers. */
export function colorScaleOf(values: Values, { scale, palette, range, kind, weights }: ColorScaleOptions): ColorScale {
  if (palette === "balance" && canBeBalanced(range)) return balancedScale(values, { scale, palette, range, kind, weights });
  const used = scale === "log" && !canBeLog(range) ? "linear" : scale;
  const limits = readsAsOne(range, kind) ? [] : limitsOf(used, values, { range, kind, weights });
  return { scale: used, palette, range, kind, limits, colors: spreadColors(limits.length) };
}

function limitsOf(
  scale: MapScale,
  values: Values,
  { range, kind, weights }: Pick<ColorScaleOptions, "range" | "kind" | "weights">,
): readonly number[] {
  if (scale === "log") return logLimits(range, kind);
  if (scale === "linear") return linearLimits(range, kind);
  const { sorted, sortedWeights } = sortedValues(values, range, weights);
  return equalLimits(sorted, range, kind, sortedWeights);
}

/**
 * Steps on both sides of 0, as wide on one as on the other: the middle color is around 0.
 * What the range does not reach is left out with its colors.
 */
function balancedScale(values: Values, { scale, palette, range, kind, weights }: ColorScaleOptions): ColorScale {
  const most = Math.max(-range.low, range.high);
  const sizes = Float64Array.from({ length: values.length }, (_, index) => Math.abs(values[index] ?? Number.NaN));
  const isEqual = scale === "steps";
  const { sorted, sortedWeights } = sortedValues(isEqual ? sizes : [], { low: 0, high: most }, weights);
  const ofSizes = [1, 3, 5].map((part) => {
    const share = part / maxSteps;
    return isEqual ? (sorted[indexAtShare(sorted.length, share, sortedWeights)] ?? Number.NaN) : most * share;
  });
  const positive = ofSizes.map((size) => (kind === "whole" ? Math.max(1, Math.round(size)) : shortNumber(size, most)));
  const all = [...positive.map((size) => -size).toReversed(), ...positive];
  const limits = all.filter((limit, index) => limit > range.low && limit <= range.high && limit > (all[index - 1] ?? -Infinity));
  const lowest = all.filter((limit) => limit <= range.low).length;
  const colors = [lowest + 1, ...limits.map((limit) => all.lastIndexOf(limit) + 2)];
  return { scale: isEqual ? scale : "linear", palette, range, kind, limits, colors };
}

/** A number with as many digits as a hundredth of the greatest one needs. */
const shortNumber = (value: number, greatest: number): number => {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(greatest)));
  return digits > 15 ? value : Number(value.toFixed(digits));
};

/** Fewer steps are spread over all colors; a single one has the greatest. */
const spreadColors = (limits: number): readonly number[] =>
  limits === 0 ? [maxSteps] : Array.from({ length: limits + 1 }, (_, step) => Math.round((step * (maxSteps - 1)) / limits) + 1);

/** The step of a value, from 0. Values beyond the range belong to the outermost steps. */
export function stepOf(value: number, limits: readonly number[]): number {
  let step = 0;
  while (step < limits.length && value >= (limits[step] ?? Infinity)) step++;
  return step;
}

/** The number of each value's color in the palette, from 1 to 7; 0 without a value. */
export function colorNumbers(values: Values, { limits, colors }: Pick<ColorScale, "limits" | "colors">): Uint8Array {
  const numbers = new Uint8Array(values.length);
  for (let index = 0; index < numbers.length; index++) {
    const value = values[index] ?? Number.NaN;
    if (Number.isFinite(value)) numbers[index] = colors[stepOf(value, limits)] ?? 0;
  }
  return numbers;
}

/** How many values lie beyond each end of a range. */
export interface Beyond {
  readonly below: number;
  readonly above: number;
  /** How many values there are. */
  readonly count: number;
}

export function beyondOf(values: Values, { low, high }: ValueRange): Beyond {
  let [below, above, count] = [0, 0, 0];
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    count++;
    if (value < low) below++;
    else if (value > high) above++;
  }
  return { below, above, count };
}

/** More than 1% beyond an end. The automatic range of a measure itself leaves out as much at each end. */
export const needsRescale = ({ below, above, count }: Beyond): boolean => Math.max(below, above) > count * leftOut;

/** The subject that a computed range belongs to. */
export interface RangeSubject {
  /** Changes with everything that the rows depend on. */
  readonly search: string;
  /** Identifies count or measure, such as its column and aggregation. */
  readonly measure: string;
  /** Whether the values grow with the cell: rows per cell and sums, but neither averages nor rows per area. */
  readonly growsWithCell: boolean;
  readonly level: number;
}

/** Whether the range computed for one picture stays for the next. Panning changes no subject, so that colors do not move. */
export const keepsRange = (before: RangeSubject, after: RangeSubject): boolean =>
  before.search === after.search && before.measure === after.measure && (before.level === after.level || !after.growsWithCell);

/** Values within a range in ascending order, with their weights. */
function sortedValues(
  values: Values,
  { low, high }: ValueRange,
  weights: Values | undefined,
): { sorted: Float64Array; sortedWeights: Float64Array | undefined } {
  const lies = (value: number): boolean => value >= low && value <= high;
  if (weights === undefined) return { sorted: Float64Array.from(values).filter(lies).toSorted(), sortedWeights: undefined };
  const order = Array.from({ length: values.length }, (_, index) => index)
    .filter((index) => lies(values[index] ?? Number.NaN))
    .toSorted((one, other) => (values[one] ?? 0) - (values[other] ?? 0));
  return {
    sorted: Float64Array.from(order, (index) => values[index] ?? Number.NaN),
    sortedWeights: Float64Array.from(order, (index) => weights[index] ?? 0),
  };
}

/** Digits that tell measured values apart. */
const shownDigits = 5;

/** Whether both ends of a range would be shown by the same text. */
const readsAsOne = ({ low, high }: ValueRange, kind: ValueKind): boolean =>
  low === high || (kind === "decimal" && Number(low.toPrecision(shownDigits)) === Number(high.toPrecision(shownDigits)));
