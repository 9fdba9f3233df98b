import type { Column } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";
import { cellText } from "#lib/text/cell-text.ts";
import { firstAfter } from "#lib/time/sorted-times.ts";
import type { MapItem } from "./map-items.ts";
import { colorCodes, type MarkScale, type ValuesAlong } from "./marks.ts";
import type { PathPoints, ShownPath } from "./path-model.ts";

/** The values of a column along paths that have them. */
export const valuesAlong = (column: string, paths: Iterable<ShownPath>): ValuesAlong =>
  [...paths].flatMap(({ points }) => {
    const values = points?.values.get(column);
    return values === undefined || values.length === 0 ? [] : [values];
  });

/** The last colors per points: unchanged ones are the same object, so that they are not uploaded again. */
const lastMarks = new WeakMap<PathPoints, { readonly scale: MarkScale; readonly marks: Uint8Array }>();

/** The color of each point by a column, in the format of `MapItems.colors`; undefined if its values are not loaded. */
export function pathMarks(points: PathPoints, scale: MarkScale | null): Uint8Array | undefined {
  const values = scale === null ? undefined : points.values.get(scale.column.name);
  if (scale === null || values === undefined) return undefined;
  const last = lastMarks.get(points);
  if (last?.scale === scale) return last.marks;
  const codeOf = colorCodes(scale);
  const marks = Uint8Array.from(values, codeOf);
  lastMarks.set(points, { scale, marks });
  return marks;
}

/** The value of an item at a time: of the position that is shown then, or of its last row. Null before it was first seen. */
export function valueAt(item: MapItem, path: ShownPath | undefined, { name }: Pick<Column, "name">, atMs: number): CellValue {
  const last = item.row[name] ?? null;
  if (item.timeMs === null || item.timeMs <= atMs) return last;
  const points = path?.points ?? null;
  const values = points?.values.get(name);
  if (points === null || values === undefined) return last;
  return values[firstAfter(points.timeMs, atMs) - 1] ?? null;
}

/** A value with its unit. */
export function valueText(column: Column, value: CellValue): string {
  const text = cellText(column, { [column.name]: value });
  if (text === null) return "no value";
  return (column.unit ?? "") === "" ? text : `${text} ${column.unit}`;
}
