import { type Column, isNumeric } from "@fairway/contract/columns";
import { cellText } from "#lib/text/cell-text.ts";
import type { MapFields } from "./map-fields.ts";
import { areWhole, colorScaleOf, fullRange, type ColorScale, paletteColors, stepOf } from "./color-scale.ts";
import type { MapItem, MapItemList } from "./map-items.ts";
import { maxSteps } from "./scale-limits.ts";
import { scaleSteps } from "./scale-text.ts";

/** The first color of columns in `MapItems.colors`; those before are ages. */
const firstColor = 3;
const maxCategories = 8;
const scaleColors = paletteColors("ember");
const categoryColors: readonly string[] = Array.from({ length: maxCategories }, (_, index) => `var(--c${index + 1})`);
/** Of items without a value, and of rare ones. */
const otherColor = "var(--line-mark)";

interface NumberScale {
  readonly kind: "numbers";
  readonly column: Column;
  readonly min: number;
  readonly max: number;
  /** Of all items. */
  readonly colors: ColorScale;
}

interface Categories {
  readonly kind: "categories";
  readonly column: Column;
  /** The most frequent texts, each with its color. */
  readonly entries: readonly { readonly text: string; readonly color: string }[];
  readonly hasOthers: boolean;
}

/** How the values of a column become colors or sizes. */
export type MarkScale = NumberScale | Categories;

/** The colors of marks 3 and up. */
export const markColorsOf = ({ kind }: MarkScale): readonly string[] => (kind === "numbers" ? numberColors : textColors);
const numberColors = [...scaleColors, otherColor];
const textColors = [...categoryColors, otherColor];

/** From least to greatest, with the color and the ends of each step. */
export const stepsOf = ({ colors }: NumberScale): readonly { readonly color: string; readonly from: number; readonly to: number }[] =>
  scaleSteps(colors).map(({ color, low, high }) => ({ color: scaleColors[color - 1] ?? otherColor, from: low, to: high }));

const isPlain = ({ combined, name }: Column, { latitude, longitude, time }: MapFields): boolean =>
  combined === null && name !== latitude && name !== longitude && name !== time.name;

/** The columns that can size markers: numbers. */
export const sizeColumns = (columns: readonly Column[], fields: MapFields): readonly Column[] =>
  columns.filter((column) => isPlain(column, fields) && isNumeric(column.type));

/** The columns that can color markers: numbers, texts and truth values. */
export const colorColumns = (columns: readonly Column[], fields: MapFields): readonly Column[] =>
  columns.filter((column) => isPlain(column, fields) && (isNumeric(column.type) || column.type === "STRING" || column.type === "BOOLEAN"));

/** Null if no item has a value. */
export function markScale(items: readonly MapItem[], column: Column | undefined): MarkScale | null {
  if (column === undefined) return null;
  if (isNumeric(column.type)) {
    const values = Float64Array.from(items, (item) => numberOf(item, column));
    const range = fullRange(values);
    if (range === null) return null;
    const kind = areWhole(values) ? "whole" : "decimal";
    const colors = colorScaleOf(values, { scale: "linear", palette: "ember", range, kind });
    return { kind: "numbers", column, min: range.low, max: range.high, colors };
  }
  const counts = new Map<string, number>();
  for (const { row } of items) {
    const text = cellText(column, row);
    if (text !== null) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  if (counts.size === 0) return null;
  const frequent = [...counts].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, maxCategories);
  const entries = frequent.map(([text], index) => ({ text, color: categoryColors[index] ?? otherColor }));
  return { kind: "categories", column, entries, hasOthers: counts.size > entries.length };
}

/** The scale of a column by its name; null if it is not one of the `offered` ones or no item has a value. */
export const scaleNamed = (
  name: string | null | undefined,
  offered: typeof colorColumns,
  { items, fields }: Pick<MapItemList, "items" | "fields">,
  columns: readonly Column[],
): MarkScale | null =>
  markScale(
    items,
    offered(columns, fields).find((column) => column.name === name),
  );

/** The color of each item, in the format of `MapItems.colors`. */
export function markColorCodes(items: readonly MapItem[], scale: MarkScale): Uint8Array {
  if (scale.kind === "categories") {
    const codes = new Map(scale.entries.map(({ text }, index) => [text, firstColor + index]));
    const other = firstColor + maxCategories;
    return Uint8Array.from(items, ({ row }) => codes.get(cellText(scale.column, row) ?? "") ?? other);
  }
  return Uint8Array.from(items, (item) => firstColor + (placeOf(item, scale) ?? maxSteps));
}

/** The size of each item, to be added to its color. Items without a value keep the usual size. */
export const markSizeCodes = (items: readonly MapItem[], scale: MarkScale): Uint8Array =>
  Uint8Array.from(items, (item) => (scale.kind === "numbers" ? 16 * ((placeOf(item, scale) ?? -1) + 1) : 0));

/** Codes of colors and of sizes in one, as `MapItems.colors` has them. */
export const withSizes = (colors: Uint8Array, sizes: Uint8Array | null): Uint8Array =>
  sizes === null ? colors : colors.map((code, index) => code + (sizes[index] ?? 0));

/** The CSS color of a code. */
export const markColor = (scale: MarkScale, code: number): string => markColorsOf(scale)[code - firstColor] ?? otherColor;

/** Digits with which numbers are shown beside the scale. */
const shownNumber = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 5, useGrouping: false });
export const scaleText = (value: number): string => shownNumber.format(value);

/** The color and the size of a value, from 0; undefined without a value. */
function placeOf(item: MapItem, { column, colors }: NumberScale): number | undefined {
  const value = numberOf(item, column);
  return Number.isNaN(value) ? undefined : (colors.colors[stepOf(value, colors.limits)] ?? 1) - 1;
}

function numberOf({ row }: MapItem, { name }: Column): number {
  const value = row[name] ?? null;
  return value === null || value === "" || typeof value === "boolean" ? Number.NaN : Number(value);
}

/** The value that orders items by a column, the highest first: numbers, or texts as the legend has them. -∞ without a value. */
export function rankOf(scale: MarkScale): (item: MapItem) => number {
  const { column } = scale;
  if (scale.kind === "numbers") {
    return (item) => {
      const value = numberOf(item, column);
      return Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value;
    };
  }
  const ranks = new Map(scale.entries.map(({ text }, index) => [text, scale.entries.length - index]));
  return ({ row }) => {
    const text = cellText(column, row);
    return text === null ? Number.NEGATIVE_INFINITY : (ranks.get(text) ?? 0);
  };
}
