import type { FigureToWatch } from "#features/search/figure-to-watch.ts";
import { leastRowsOf } from "@fairway/contract/charts/sentence";
import type { Asked } from "@fairway/contract/charts/asked";

/** The first measure that an alert can watch: of each group if they are values, else of all rows. Null if there is none. */
export function figureToWatch(asked: Asked): FigureToWatch | null {
  const measure = asked.measures.find(({ aggregation, of }) => aggregation !== "share" && typeof of !== "object");
  if (measure === undefined) return null;
  const [grouping, ...others] = asked.by ?? [];
  const by = grouping?.kind === "value" && others.length === 0 ? grouping.column : null;
  return { measure, by, leastRows: by === null ? null : leastRowsOf(asked) };
}
