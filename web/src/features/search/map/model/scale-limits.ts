/** Steps of colors and of sizes: so few that one can be found in the legend. */
export const maxSteps = 7;

/** Both ends belong to it. */
export interface ValueRange {
  readonly low: number;
  readonly high: number;
}

/** Kind of the values: limits of whole numbers are whole, those of times are starts of days, hours or minutes. */
export type ValueKind = "whole" | "decimal" | { readonly unitMs: number };

/** How far a rounded limit may be from the exact one, in steps. */
const roundingOf = { whole: 0.02, decimal: 0.05 };
/** The same for ratios, in steps and at most as a natural logarithm. */
const logRounding = 0.25;
const maxLogRounding = 0.12;

/** Where each step but the first begins: steps of the same width. None if the ends are equal. */
export function linearLimits({ low, high }: ValueRange, kind: ValueKind): readonly number[] {
  if (!(low < high)) return [];
  const each = oneForEach({ low, high }, kind);
  if (each !== undefined) return each;
  const width = high - low + (kind === "whole" ? 1 : 0);
  const step = width / maxSteps;
  const slack = step * (kind === "whole" ? roundingOf.whole : roundingOf.decimal);
  const exact = Array.from({ length: maxSteps - 1 }, (_, index) => low + (width * (index + 1)) / maxSteps);
  return rising(
    exact.map((limit) => rounded(limit, limit - slack, limit + slack, kind)),
    { low, high },
    kind,
  );
}

/** Steps of about the same ratio, with round limits. The range has to lie above 0. */
export function logLimits({ low, high }: ValueRange, kind: ValueKind): readonly number[] {
  if (!(low < high) || low <= 0) return [];
  const each = oneForEach({ low, high }, kind);
  if (each !== undefined) return each;
  const step = Math.log(high / low) / maxSteps;
  const slack = Math.exp(Math.min(step * logRounding, maxLogRounding));
  const exact = Array.from({ length: maxSteps - 1 }, (_, index) => low * Math.exp(step * (index + 1)));
  return rising(
    exact.map((limit) => rounded(limit, limit / slack, limit * slack, kind)),
    { low, high },
    kind,
  );
}

/**
 * Steps that hold about the same share of the values; equal values are never parted.
 * `sorted` are values within the range in ascending order, `weights` belong to them.
 */
export function equalLimits(sorted: Float64Array, range: ValueRange, kind: ValueKind, weights?: Float64Array): readonly number[] {
  if (!(range.low < range.high) || sorted.length === 0) return [];
  const each = fewValues(sorted, range);
  if (each !== undefined) return each;
  const limits: number[] = [];
  for (let step = 1; step < maxSteps; step++) {
    const at = indexAtShare(sorted.length, step / maxSteps, weights);
    const limit = sorted[at] ?? Number.NaN;
    const previous = limits.at(-1) ?? range.low;
    if (!(limit > previous)) continue;
    // Every number after the next smaller value parts the values in the same way.
    const below = Math.max(previous, valueBelow(sorted, at));
    const [from, to] = [below + (limit - below) / 2, limit];
    limits.push(kind === "whole" ? limit : rounded(from + (to - from) / 2, from, to, kind, limit));
  }
  return limits;
}

/** Index of the value below which lies a share of all values, from 0 to 1. */
export function indexAtShare(count: number, share: number, weights?: Float64Array): number {
  if (weights === undefined) return Math.min(count - 1, Math.round(count * share));
  let total = 0;
  for (const weight of weights) total += weight;
  let sum = 0;
  for (let index = 0; index < count; index++) {
    if (sum >= total * share) return index;
    sum += weights[index] ?? 0;
  }
  return count - 1;
}

/** Whole numbers of which there are no more than steps. */
function oneForEach({ low, high }: ValueRange, kind: ValueKind): readonly number[] | undefined {
  if (kind !== "whole" || high - low >= maxSteps || !Number.isInteger(low)) return undefined;
  return Array.from({ length: Math.floor(high) - low }, (_, index) => low + index + 1);
}

/** The values but the least; undefined if there are more than steps. */
function fewValues(sorted: Float64Array, { low }: ValueRange): readonly number[] | undefined {
  const distinct: number[] = [];
  for (const value of sorted) {
    if (value === distinct.at(-1)) continue;
    if (distinct.length === maxSteps) return undefined;
    distinct.push(value);
  }
  return distinct.filter((value) => value > low).slice(1 - maxSteps);
}

function valueBelow(sorted: Float64Array, at: number): number {
  const value = sorted[at] ?? Number.NaN;
  for (let index = at - 1; index >= 0; index--) {
    const other = sorted[index] ?? Number.NaN;
    if (other < value) return other;
  }
  return value;
}

/** Ascending limits within the range, whole ones at least 1 apart. */
function rising(limits: readonly number[], { low, high }: ValueRange, kind: ValueKind): readonly number[] {
  const all: number[] = [];
  for (const limit of limits) {
    const previous = all.at(-1) ?? low;
    const next = kind === "whole" ? Math.max(limit, Math.floor(previous) + 1) : limit;
    if (next > previous && next <= high) all.push(next);
  }
  return all;
}

function rounded(value: number, from: number, to: number, kind: ValueKind, otherwise = value): number {
  if (kind === "whole") return roundest(value, from, to, 1) ?? Math.round(otherwise);
  if (kind === "decimal") return roundest(value, from, to, 0) ?? otherwise;
  return roundestTime(value, from, to, kind.unitMs) ?? Math.round(otherwise);
}

/** The multiple of the greatest power of ten, or of twice or five times it, between two numbers. */
function roundest(value: number, from: number, to: number, leastUnit: number): number | undefined {
  if (from <= 0 && to >= 0) return 0;
  const greatest = Math.ceil(Math.log10(Math.max(Math.abs(from), Math.abs(to))));
  for (let power = greatest; power > greatest - 16; power--) {
    for (const factor of [5, 2, 1]) {
      if (factor * 10 ** power < leastUnit) return undefined;
      // Dividing by a power of ten is exact where multiplying by 0.1 is not.
      const multiple =
        power < 0
          ? (Math.round((value * 10 ** -power) / factor) * factor) / 10 ** -power
          : Math.round(value / (factor * 10 ** power)) * factor * 10 ** power;
      if (multiple >= from && multiple <= to) return multiple;
    }
  }
  return undefined;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const timeUnits = [7 * day, day, 12 * hour, 6 * hour, hour, 30 * minute, 10 * minute, 5 * minute, minute, 10 * second, second];

/** The start of a year, month, day, hour and so on between two times, in UTC. */
function roundestTime(value: number, from: number, to: number, unitMs: number): number | undefined {
  const lies = (timeMs: number): boolean => timeMs >= from * unitMs && timeMs <= to * unitMs;
  const valueMs = value * unitMs;
  const date = new Date(valueMs);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const starts = [Date.UTC(year, 0), Date.UTC(year + 1, 0), Date.UTC(year, month), Date.UTC(year, month + 1)];
  for (const start of starts) if (lies(start)) return start / unitMs;
  for (const unit of timeUnits) {
    const start = Math.round(valueMs / unit) * unit;
    if (lies(start)) return start / unitMs;
  }
  return undefined;
}
