import { pluralize } from "@fairway/contract/counts";
import type { ListOfCells } from "./list-entries.ts";
import type { ColorBy } from "./measures.ts";
import type { ShownCells } from "./use-cells.ts";

/** The contents of an answer, for people who do not see it: `1,490 cells, 11,840 rows in view, most 38 at 20.0° N, 92.1° W`. */
export function answerText(
  { loaded, inView, rowsInView }: ShownCells,
  { measure, perArea }: ColorBy,
  { first: meaning, entries: [first] }: ListOfCells,
): string {
  if (loaded === null) return "";
  if (inView.length === 0) return "No rows in this view.";
  if (loaded.content.kind === "rows") return `${pluralize(inView.length, "row")} in view, each shown as a dot`;
  const counts = `${pluralize(inView.length, "cell")}, ${pluralize(rowsInView, "row")} in view`;
  if (first === undefined) return counts;
  const most = measure === null ? (perArea ? "densest" : "most") : meaning.toLowerCase();
  return `${counts}, ${most} ${first.value} at ${first.place}`;
}
