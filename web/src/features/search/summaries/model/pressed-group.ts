import type { BreakdownAnswer, BreakdownEntry } from "@fairway/contract/breakdowns";
import type { Column } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";
import { entryLabel, figureNumber, fullFigureText } from "./figures.ts";
import { measureLabel } from "./measure-wording.ts";
import type { Asked } from "./summary.ts";
import { rowCountPlace } from "./table-rows.ts";

/** A group or cell, as its menu and its full name describe it. */
export interface PressedGroup {
  name: string;
  lines: readonly string[];
  /** Null if the summary does not count them. */
  rows: number | null;
  /** One of each grouping that is narrowed. */
  entries: readonly BreakdownEntry[];
}

interface Answered {
  asked: Asked;
  answer: BreakdownAnswer;
  columns: readonly Column[];
  /** Values of a cell by the places of its entries, such as `0,3`. */
  cells: ReadonlyMap<string, { values: readonly CellValue[] }>;
}

/** The group at the places of these entries, one for each grouping; null stands for all entries of a grouping. */
export function pressedGroup({ asked, answer, columns, cells }: Answered, at: readonly (number | null)[]): PressedGroup | null {
  const entries: BreakdownEntry[] = [];
  const names: string[] = [];
  for (const [index, place] of at.entries()) {
    if (place === null) continue;
    const axis = answer.by[index];
    const entry = axis?.entries[place];
    if (!axis || !entry) return null;
    entries.push(entry);
    names.push(
      entryLabel(
        entry,
        columns.find(({ name }) => name === axis.column),
      ),
    );
  }
  const values = at.includes(null) ? totalOf(answer, at) : (cells.get(at.join())?.values ?? []);
  const count = rowCountPlace(answer);
  return {
    name: names.join(", "),
    lines: linesOf(asked, answer, values),
    rows: count < 0 || values === null ? null : (figureNumber(values[count]) ?? 0),
    entries,
  };
}

/** The figures of the rows of one entry, whatever the other groupings. Null where the answer has none. */
function totalOf({ totals }: BreakdownAnswer, at: readonly (number | null)[]): readonly CellValue[] | null {
  const [index, ...more] = at.flatMap((place, axis) => (place === null ? [] : [axis]));
  if (index === undefined || more.length > 0) return null;
  return totals?.axes[index]?.[at[index] ?? -1]?.values ?? null;
}

/** `Average of delay 21.98 min`, one for each measure. */
export const linesOf = (asked: Asked, answer: BreakdownAnswer, values: readonly CellValue[] | null): string[] =>
  values === null
    ? []
    : answer.measures.flatMap((measure, index) => {
        const one = asked.measures[index];
        return one ? [`${measureLabel(one)} ${fullFigureText(values[index], measure)}`] : [];
      });
