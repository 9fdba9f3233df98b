import { island } from "#ui/island.tsx";

/** The choices for a map of all rows, which few panels are. */
export const RowsLookFields = island(async () => ({ default: (await import("./rows-look-fields.tsx")).RowsLookFields }));

/** Both versions of a board that two people have saved. */
export const BoardConflictDialog = island(() => import("./board-conflict-dialog.tsx"));
