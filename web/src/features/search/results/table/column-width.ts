import { type Column, isTimestamp } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { cellText } from "#lib/cell-text.ts";

const padding = 24;
/** The pin beside coordinates. */
const pinPx = 36;
/** Digits, dashes among them, and capitals take more room than other letters. */
const widePx = 8.8;
const characterPx = 7.4;
const headerCharacterPx = 6.8;
/** Room for the sort arrow and the menu's button beside the name. */
const headerTools = 30;
const smallest = 88;
const largest = 340;
const timestampPx = 196;
const rowsLookedAt = 50;

/** Widths that fit the columns' names and the first rows. Later pages never change them. */
export function fittingWidths(columns: readonly Column[], rows: readonly ResultRow[]): Record<string, number> {
  const sample = rows.slice(0, rowsLookedAt);
  return Object.fromEntries(columns.map((column) => [column.name, fittingWidth(column, sample)]));
}

function fittingWidth(column: Column, sample: readonly ResultRow[]): number {
  const note = isTimestamp(column.type) ? "" : (column.unit ?? "");
  const header = (column.name.length + (note === "" ? 0 : note.length + 1)) * headerCharacterPx + headerTools;
  const body = isTimestamp(column.type) ? timestampPx : widest(column, sample) + (column.combined?.type === "COORDINATES" ? pinPx : 0);
  return Math.round(Math.min(largest, Math.max(smallest, header + padding, body + padding)));
}

/** In pixels. */
function widest(column: Column, sample: readonly ResultRow[]): number {
  // Before the rows are there, a guess by type keeps the skeleton close to what follows.
  if (sample.length === 0) return (column.combined ? 20 : column.type === "STRING" ? 16 : 8) * characterPx;
  return sample.reduce((most, row) => Math.max(most, textPx(cellText(column, row) ?? "")), 0);
}

function textPx(text: string): number {
  // A text this long has the widest column whatever its letters are.
  if (text.length * characterPx > largest) return largest;
  const wide = text.match(/[\dA-Z-]/g)?.length ?? 0;
  return wide * widePx + (text.length - wide) * characterPx;
}
