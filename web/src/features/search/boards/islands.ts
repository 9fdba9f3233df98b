import { island } from "#ui/island.tsx";

/** The choices for a map of all rows, which few panels are. */
export const RowsLookFields = island(async () => ({ default: (await import("./rows-look-fields.tsx")).RowsLookFields }));
