import type { BoardPanel } from "@fairway/contract/boards";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { mapFieldsOf } from "#features/search/map/model/map-fields.ts";

/** How a panel shows a search. */
export type SearchPanelKind = Exclude<BoardPanel["kind"], "hidden" | "text">;

/** How a search of this dataset can be shown without a graph, with labels. `showsRows`: its map shows all rows. */
export function panelKinds(description: DatasetDescription, showsRows = false): readonly { value: SearchPanelKind; label: string }[] {
  return [
    { value: "table", label: "Table of the first rows" },
    ...(description.features.includes("COUNT") ? [{ value: "number" as const, label: "Number of rows" }] : []),
    ...(showsRows
      ? [{ value: "map" as const, label: "Map of all rows" }]
      : mapFieldsOf(description) === null
        ? []
        : [{ value: "map" as const, label: "Map of the items" }]),
  ];
}
