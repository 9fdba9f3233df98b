import { type Column, isNumeric } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";
import { cellText } from "#lib/text/cell-text.ts";
import type { MapFields } from "./map-fields.ts";
import { areWhole, colorScaleOf, fullRange, type ColorScale, paletteColors, stepOf } from "./color-scale.ts";
import type { MapItem, MapItemList } from "./map-items.ts";
import { maxSteps } from "./scale-limits.ts";

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

const isPlain = ({ combined, name }: Column, { latitude, longitude, time }: MapFields): boolean =>
  combined === null && name !== latitude && name !== longitude && name !== time.name;

/** The columns that can size markers: numbers. */
export const sizeColumns = (columns: readonly Column[], fields: MapFields): readonly Column[] =>
  columns.filter((column) => isPlain(column, fields) && isNumeric(column.type));

/** The columns that can color markers: numbers, texts and truth values. */
export const colorColumns = (columns: readonly Column[], fields: MapFields): readonly Column[] =>
  columns.filter((column) => isPlain(column, fields) && (isNumeric(column.type) || column.type === "STRING" || column.type === "BOOLEAN"));

/** The column of this name if it can color markers. */
export const colorColumnNamed = (name: string | null, columns: readonly Column[], fields: MapFields): Column | undefined =>
  colorColumns(columns, fields).find((column) => column.name === name);

/** Values of a column along paths that are drawn, one list for each path. */
export type ValuesAlong = readonly (readonly CellValue[])[];

/** Null if no item has a value, nor any position of the paths. */
export function markScale(items: readonly MapItem[], column: Column | undefined, along: ValuesAlong = []): MarkScale | null {
  if (column === undefined) return null;
  const valuesOf = <Value>(read: (value: CellValue) => Value): Value[] => [
    ...items.map(({ row }) => read(row[column.name] ?? null)),
    ...along.flatMap((values) => values.map(read)),
  ];
  if (isNumeric(column.type)) {
    const values = Float64Array.from(valuesOf(numberOf));
    const range = fullRange(values);
    if (range === null) return null;
    const kind = areWhole(values) ? "whole" : "decimal";
    const colors = colorScaleOf(values, { scale: "linear", palette: "ember", range, kind });
    return { kind: "numbers", column, min: range.low, max: range.high, colors };
  }
  const counts = new Map<string, number>();
  for (const text of valuesOf((value) => textOf(column, value))) {
    if (text !== null) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  if (counts.size === 0) return null;
  const frequent = [...counts].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, maxCategories);
  const entries = frequent.map(([text], index) => ({ text, color: categoryColors[index] ?? otherColor }));
  return { kind: "categories", column, entries, hasOthers: counts.size > entries.length };
}

/** The scale of a column by its name; null if it is not one of the `offered` ones or there is no value. */
export const scaleNamed = (
  name: string | null | undefined,
  offered: typeof colorColumns,
  { items, fields }: Pick<MapItemList, "items" | "fields">,
  columns: readonly Column[],
  along: ValuesAlong = [],
): MarkScale | null =>
  markScale(
    items,
    offered(columns, fields).find((column) => column.name === name),
    along,
  );

/** The color of a value, in the format of `MapItems.colors`. */
export function colorCodes(scale: MarkScale): (value: CellValue) => number {
  if (scale.kind === "numbers") return (value) => firstColor + (placeOf(value, scale) ?? maxSteps);
  const codes = new Map(scale.entries.map(({ text }, index) => [text, firstColor + index]));
  const other = firstColor + maxCategories;
  return (value) => codes.get(textOf(scale.column, value) ?? "") ?? other;
}

/** The color of each item, in the format of `MapItems.colors`. `valueOf`: its value, by default that of its last row. */
export function markColorCodes(
  items: readonly MapItem[],
  scale: MarkScale,
  valueOf: (item: MapItem) => CellValue = ({ row }) => row[scale.column.name] ?? null,
): Uint8Array {
  const codeOf = colorCodes(scale);
  return Uint8Array.from(items, (item) => codeOf(valueOf(item)));
}

/** The size of each item, to be added to its color. Items without a value keep the usual size. */
export const markSizeCodes = (items: readonly MapItem[], scale: MarkScale): Uint8Array =>
  Uint8Array.from(items, (item) => (scale.kind === "numbers" ? 16 * ((placeOf(item.row[scale.column.name] ?? null, scale) ?? -1) + 1) : 0));

/** Codes of colors and of sizes in one, as `MapItems.colors` has them. */
export const withSizes = (colors: Uint8Array, sizes: Uint8Array | null): Uint8Array =>
  sizes === null ? colors : colors.map((code, index) => code + (sizes[index] ?? 0));

/** The CSS color of a code. */
export const markColor = (scale: MarkScale, code: number): string => markColorsOf(scale)[code - firstColor] ?? otherColor;

/** Digits with which numbers are shown beside the scale. */
const shownNumber = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 5, useGrouping: false });
export const scaleText = (value: number): string => shownNumber.format(value);

/** The color and the size of a value, from 0; undefined without a value. */
function placeOf(value: CellValue, { colors }: NumberScale): number | undefined {
  const number = numberOf(value);
  return Number.isNaN(number) ? undefined : (colors.colors[stepOf(number, colors.limits)] ?? 1) - 1;
}

const textOf = (column: Column, value: CellValue): string | null => cellText(column, { [column.name]: value });

function numberOf(value: CellValue): number {
  return value === null || value === "" || typeof value === "boolean" ? Number.NaN : Number(value);
}

/** The value that orders items by a column, the highest first: numbers, or texts as the legend has them. -∞ without a value. */
export function rankOf(scale: MarkScale): (item: MapItem) => number {
  const { column } = scale;
  if (scale.kind === "numbers") {
    return ({ row }) => {
      const value = numberOf(row[column.name] ?? null);
      return Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value;
    };
  }
  const ranks = new Map(scale.entries.map(({ text }, index) => [text, scale.entries.length - index]));
  return ({ row }) => {
    const text = cellText(column, row);
    return text === null ? Number.NEGATIVE_INFINITY : (ranks.get(text) ?? 0);
  };
}
