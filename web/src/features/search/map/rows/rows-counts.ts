import { formatCount, pluralize } from "@fairway/contract/counts";
import type { GridTotals } from "@fairway/contract/grid";

/** How many rows there are, how many are in view, and what the cells leave out. */
export function countTexts({ rows, missing, outOfRange, polar }: GridTotals, inView: number | null): string[] {
  return [
    inView === null ? pluralize(rows, "row") : `${pluralize(rows, "row")}, ${formatCount(inView)} in view`,
    ...(missing > 0 ? [`${formatCount(missing)} without a location`] : []),
    ...(outOfRange > 0 ? [`${formatCount(outOfRange)} at impossible coordinates`] : []),
    ...(polar > 0 ? [`${formatCount(polar)} beyond 85°, counted at the edge`] : []),
  ];
}
