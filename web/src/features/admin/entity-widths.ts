import type { EntityKind } from "./entity-kind.ts";
import type { EntityRow } from "./entity-list.ts";

const bounds = { least: 88, most: 400 };
/** Of the two faces at the size of a table, and what a cell keeps free around its text. */
const characterPx = { text: 7.2, mono: 7.4, cell: 24 };
// Enough to tell what a column holds; all of ten thousand rows would be measured at each change.
const looked = 300;

function needed(texts: Iterable<string>, mono: boolean): number {
  let longest = 0;
  for (const text of texts) longest = Math.max(longest, text.length);
  return Math.min(
    bounds.most,
    Math.max(bounds.least, Math.ceil(longest * (mono ? characterPx.mono : characterPx.text)) + characterPx.cell),
  );
}

/** Pixels that the id and each shown column ask for, by the longest text of the first rows. */
export function widthsOf(kind: EntityKind, rows: readonly EntityRow[], columns: readonly number[]): { id: number; columns: number[] } {
  const some = rows.slice(0, looked);
  return {
    // An id that the gateway gave is there to be copied, not to be read.
    id: kind.givenId ? 104 : needed(["id", ...some.map(({ id }) => id)], true),
    columns: columns.map((place) => {
      const { name = "", mono = false } = kind.columns[place] ?? {};
      return needed([name, ...some.map(({ cells }) => cells[place] ?? "")], mono);
    }),
  };
}
