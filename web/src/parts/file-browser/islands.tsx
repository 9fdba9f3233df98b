import { island } from "#ui/island.tsx";

/** The browser of one fileset in a dialog, locked to a path. Loaded on first use. */
export const FilesetDialog = island(async () => ({ default: (await import("./fileset-dialog.tsx")).FilesetDialog }));
