import type { BreakdownAnswer, BreakdownEntry } from "@fairway/contract/breakdowns";
import type { Column } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";
import { changeText, entryLabel, figureNumber, fullFigureText } from "@fairway/contract/charts/figures";
import { measureLabel } from "@fairway/contract/charts/measure-wording";
import type { Asked } from "@fairway/contract/charts/asked";
import { figureOf, rowCountPlace } from "@fairway/contract/charts/table-rows";

/** A group or cell, as its menu and its full name describe it. */
export interface PressedGroup {
  name: string;
  lines: readonly string[];
  /** Null if the summary does not count them. */
  rows: number | null;
  /** One of each grouping that is narrowed. */
  entries: readonly BreakdownEntry[];
}

/** The figures of a group, and those before where the summary is compared. */
interface Figures {
  values: readonly CellValue[];
  before?: readonly CellValue[] | null | undefined;
}

interface Answered {
  asked: Asked;
  answer: BreakdownAnswer;
  columns: readonly Column[];
  /** Values of a cell by the places of its entries, such as `0,3`. */
  cells: ReadonlyMap<string, Figures>;
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
    names.push(entryLabel(entry, axis, columns));
  }
  const figures = at.includes(null) ? totalOf(answer, at) : (cells.get(at.join()) ?? { values: [] });
  const count = rowCountPlace(answer);
  return {
    name: names.join(", "),
    lines: linesOf(asked, answer, figures),
    rows: count < 0 || figures === null ? null : (figureNumber(figures.values[count]) ?? 0),
    entries,
  };
}

/** The figures of the rows of one entry, whatever the other groupings. Null where the answer has none. */
function totalOf({ totals }: BreakdownAnswer, at: readonly (number | null)[]): Figures | null {
  const [index, ...more] = at.flatMap((place, axis) => (place === null ? [] : [axis]));
  if (index === undefined || more.length > 0) return null;
  return totals?.axes[index]?.[at[index] ?? -1] ?? null;
}

/** `Average of delay 21.98 min`, or `Average of delay 21.98 min (+8.18)` beside a comparison; one for each measure. */
export const linesOf = (asked: Asked, { measures }: BreakdownAnswer, figures: Figures | null): string[] =>
  figures === null
    ? []
    : measures.flatMap((measure, index) => {
        const one = asked.measures[index];
        const change = figureOf({ values: figures.values, before: figures.before ?? null }, index, "change");
        const changed = change === null ? "" : ` (${changeText(change, measure)})`;
        return one ? [`${measureLabel(one)} ${fullFigureText(figures.values[index], measure)}${changed}`] : [];
      });
