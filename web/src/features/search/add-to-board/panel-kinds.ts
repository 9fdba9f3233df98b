import type { BoardPanel } from "@fairway/contract/boards";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { countingProblem } from "#features/search/map/model/countable.ts";
import { mapFieldsOf } from "#features/search/map/model/map-fields.ts";

/** How a panel shows a search. */
export type SearchPanelKind = Exclude<BoardPanel["kind"], "hidden" | "text">;

/** How a search can be shown: `rows` is a map of all rows, and `map` one of items. */
export type ShownAs = SearchPanelKind | "rows";

/** How a search of this dataset can be shown without a graph, with labels. */
export function panelKinds(description: DatasetDescription): readonly { value: ShownAs; label: string }[] {
  return [
    { value: "table", label: "Table of the first rows" },
    ...(description.features.includes("COUNT") ? [{ value: "number" as const, label: "Number of rows" }] : []),
    ...(mapFieldsOf(description) === null ? [] : [{ value: "map" as const, label: "Map of the items" }]),
    ...(countingProblem(description) === null ? [{ value: "rows" as const, label: "Map of all rows" }] : []),
  ];
}
