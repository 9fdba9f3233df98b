import type { EntityKind } from "./entity-kind.ts";
import type { EntityRow } from "./entity-list.ts";

const bounds = { min: 88, max: 400 };
/** Character widths of the two fonts at table size, and the horizontal padding of a cell. */
const characterPx = { text: 7.2, mono: 7.4, cell: 24 };
/** The arrow beside the name of the sorted column. */
const arrowPx = 18;
/** How much wider a capital letter is, in characters. */
const capitalExtra = 0.2;
// A sample is enough: measuring ten thousand rows on every change would be slow.
const maxMeasuredRows = 300;

function widthFor(name: string, texts: Iterable<string>, mono: boolean): number {
  let longest = 0;
  for (const text of texts) longest = Math.max(longest, mono ? text.length : text.length + capitalsOf(text) * capitalExtra);
  const header = Math.ceil(name.length * characterPx.text) + arrowPx;
  const widest = Math.max(header, Math.ceil(longest * (mono ? characterPx.mono : characterPx.text)));
  return Math.min(bounds.max, Math.max(bounds.min, widest + characterPx.cell));
}

const capitalsOf = (text: string): number => text.match(/\p{Lu}/gu)?.length ?? 0;

/** Preferred widths of the id and each shown column in pixels, by the longest text in the first rows. */
export function widthsOf(kind: EntityKind, rows: readonly EntityRow[], columns: readonly number[]): { id: number; columns: number[] } {
  const sample = rows.slice(0, maxMeasuredRows);
  return {
    // Generated ids are copied rather than read.
    id: kind.hasGeneratedId
      ? 104
      : widthFor(
          "id",
          sample.map(({ id }) => id),
          true,
        ),
    columns: columns.map((index) => {
      const { name = "", mono = false } = kind.columns[index] ?? {};
      return widthFor(
        name,
        sample.map(({ cells }) => cells[index] ?? ""),
        mono,
      );
    }),
  };
}

/** Where there is too little room, wide columns become narrower first. */
const narrowestWidePx = 240;

/** A column's track in the grid: it shares spare room by its preferred width. */
export const trackOf = (widthPx: number): string => `minmax(${Math.min(widthPx, narrowestWidePx)}px, ${widthPx}fr)`;
