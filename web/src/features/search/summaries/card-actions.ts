import type { BreakdownEntry } from "@fairway/contract/breakdowns";
import type { Asked } from "./model/summary.ts";

/** Actions on a summary and its groups. */
export interface CardActions {
  onEdit: () => void;
  onRemove: () => void;
  /** Copies the address of the search with this summary only. */
  onCopyLink: () => void;
  onChange: (breakdown: Asked) => void;
  /** Opens a search for the rows of these entries, or, with a column, their summary by it. */
  onOpen: (entries: readonly BreakdownEntry[], how: Drill) => void;
}

export type Drill = { kind: "rows" } | { kind: "keep" } | { kind: "exclude" } | { kind: "further"; column: string };
