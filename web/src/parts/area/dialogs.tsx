import { lazyPart } from "#ui/lazy-part.tsx";

// It brings the map along: mount it once it was to be opened, and keep it mounted then.
export const AreaDialog = lazyPart(async () => ({ default: (await import("./area-dialog.tsx")).AreaDialog }));
