import type { FigureToWatch } from "#features/search/figure-to-watch.ts";
import type { BreakdownEntry } from "@fairway/contract/breakdowns";
import type { ExportedTable } from "#parts/result-export/export-all-dialog.tsx";
import type { Asked } from "@fairway/contract/charts/asked";

/** Dialogs of the results screen about a summary: an alert on a figure of it, and a file of its table. */
export type SummaryDialog = { kind: "alert"; figure: FigureToWatch } | { kind: "export-summary"; table: ExportedTable };

/** Actions on a summary and its groups. */
export interface CardActions {
  onEdit: () => void;
  onRemove: () => void;
  onSaveTemplate: () => void;
  onAddToBoard: () => void;
  /** Null if none of its measures can be watched. */
  onAlert: (() => void) | null;
  onExport: () => void;
  /** Copies the address of the search with this summary only. */
  onCopyLink: () => void;
  onChange: (breakdown: Asked) => void;
  /** Opens a search for the rows of these entries, or, with a column, their summary by it. */
  onOpen: (entries: readonly BreakdownEntry[], how: Drill) => void;
}

export type Drill = { kind: "rows" } | { kind: "keep" } | { kind: "exclude" } | { kind: "further"; column: string };
