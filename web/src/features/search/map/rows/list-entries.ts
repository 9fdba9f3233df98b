import { pluralize } from "@fairway/contract/counts";
import { type Column, isTimestamp } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { ResultRow } from "@fairway/contract/search";
import type { CellRef } from "#features/search/map/canvas/rows-canvas.ts";
import { type ColorScale, paletteColor } from "#features/search/map/model/color-scale.ts";
import type { ScaleText } from "#features/search/map/model/scale-text.ts";
import { cellText } from "#lib/text/cell-text.ts";
import type { ListedCell } from "./cell-list.tsx";
import { maxListed, minAverageRows, orderCells } from "./cell-order.ts";
import { cellAt } from "./cell-set.ts";
import type { ColorBy } from "./measures.ts";
import { cellPlaceText, placeText } from "./place-text.ts";
import { rowName } from "./row-text.ts";
import type { ShownCells } from "./use-cells.ts";
import { shortTextOf } from "./value-text.ts";

/** The list beside the map. */
export interface ListOfCells {
  readonly caption: string;
  readonly label: string;
  /** The meaning of the first place: "Densest", "Highest". */
  readonly first: string;
  readonly entries: readonly ListedCell[];
}

export const cellKey = ({ level, x, y }: CellRef): string => `${level}/${x}/${y}`;

export function cellOfKey(key: string): CellRef | null {
  const [level, x, y] = key.split("/").map(Number);
  return level === undefined || x === undefined || y === undefined ? null : { level, x, y };
}

/** The key of a row that is shown one by one. */
export const rowKey = (index: number): string => `row ${index}`;
export const rowOfKey = (key: string): number | null => (key.startsWith("row ") ? Number(key.slice(4)) : null);

interface Listed {
  readonly cells: Pick<ShownCells, "loaded" | "placed" | "values" | "inView" | "scale" | "colors">;
  readonly colorBy: ColorBy;
  readonly column: Column | undefined;
  readonly description: DatasetDescription;
  readonly textOf: ScaleText;
  /** In which times are written. */
  readonly zone: string;
}

/** The cells in view by value, or the rows in view where they are shown one by one. */
export function listOfCells(listed: Listed): ListOfCells {
  const { loaded } = listed.cells;
  if (loaded === null) return noCells;
  return loaded.content.kind === "rows" ? listOfRows(listed) : listOfCounted(listed);
}

const noCells: ListOfCells = { caption: "", label: "Cells", first: "", entries: [] };

function firstOf(aggregation: NonNullable<ColorBy["measure"]>["aggregation"], column: Column | undefined): string {
  if (column !== undefined && isTimestamp(column.type)) return aggregation === "min" ? "Earliest" : "Latest";
  return aggregation === "min" ? "Lowest" : "Highest";
}

function listOfCounted({ cells: { loaded, values, inView, scale, colors }, colorBy, column, textOf }: Listed): ListOfCells {
  const shortText = shortTextOf(textOf, column);
  if (loaded?.content.kind !== "cells") return noCells;
  const set = loaded.content.cells;
  const { listed, isRanked } = orderCells(set, inView, values);
  const aggregation = colorBy.measure?.aggregation;
  const first = aggregation === undefined ? "Densest" : firstOf(aggregation, column);
  const unit = column?.unit ?? "";
  return {
    caption: isRanked ? `${first} with ${minAverageRows} rows or more` : `${first} of ${pluralize(inView.length, "cell")} in view`,
    label: `${first} cells`,
    first,
    entries: listed.map((index) => {
      const cell = cellAt(set, index);
      const value = values[index] ?? 0;
      return {
        key: cellKey(cell),
        color: colorOf(scale, colors[index] ?? 0),
        place: cellPlaceText(cell),
        value: `${shortText(value)}${unit === "" || aggregation === undefined ? "" : ` ${unit}`}`,
        rows: isRanked ? pluralize(set.counted?.[index] ?? 0, "row") : null,
      };
    }),
  };
}

function listOfRows({ cells: { placed, values, inView, scale, colors }, colorBy, column, description, textOf, zone }: Listed): ListOfCells {
  const order = [...inView];
  if (colorBy.measure !== null) {
    const rank = (index: number) => (Number.isNaN(values[index]) ? Number.NEGATIVE_INFINITY : (values[index] ?? 0));
    order.sort((a, b) => rank(b) - rank(a) || a - b);
  }
  const unit = column?.unit ?? "";
  const shortText = shortTextOf(textOf, column);
  const listed = order.slice(0, maxListed);
  const rows = listed.map((index) => placed.rows[index] ?? {});
  const names = rows.map((row) => rowName(description, row));
  // Rows of one item have the same name.
  const times = colorBy.measure === null && new Set(names).size <= names.length / 2 ? timesOf(description, rows, zone) : [];
  return {
    caption: `${pluralize(inView.length, "row")} in view`,
    label: "Rows in view",
    first: "",
    entries: listed.map((index, at) => {
      const { lat, lng } = placed.points[index] ?? { lat: 0, lng: 0 };
      const value = values[index] ?? Number.NaN;
      const place = placeText(lat, lng, 2);
      return {
        key: rowKey(index),
        color: colorBy.measure === null ? "var(--tide-7)" : colorOf(scale, colors[index] ?? 0),
        place: names[at] ?? place,
        value: Number.isNaN(value) ? (times[at] ?? "") : `${shortText(value)}${unit === "" ? "" : ` ${unit}`}`,
        rows: null,
      };
    }),
  };
}

/** When the rows were, as days, or as times of the day if all are of the same. */
function timesOf({ schema, temporalField }: DatasetDescription, rows: readonly ResultRow[], zone: string): string[] {
  const time = schema.columns.find(({ name }) => name === temporalField);
  if (time === undefined) return [];
  const parts = rows.map((row) => (cellText(time, row, zone) ?? "").split(", "));
  const isOneDay = new Set(parts.map(([day]) => day)).size === 1;
  return parts.map(([day = "", timeOfDay = day]) => (isOneDay ? timeOfDay : day));
}

const colorOf = (scale: ColorScale | null, number: number): string | null =>
  scale === null || number === 0 ? null : paletteColor(scale.palette, number);
