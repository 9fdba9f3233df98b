import { lazyPart } from "#ui/lazy-part.tsx";

/** The browser of one fileset in a dialog, locked to a path. Loaded on first use. */
export const FilesetDialog = lazyPart(async () => ({ default: (await import("./fileset-dialog.tsx")).FilesetDialog }));
