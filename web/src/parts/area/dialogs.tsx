import { lazyPart } from "#ui/lazy-part.tsx";

// They bring the map along: mount them once they were to be opened, and keep them mounted then.
export const AreaDialog = lazyPart(async () => ({ default: (await import("./area-dialog.tsx")).AreaDialog }), { isLarge: true });
export const PlaceDialog = lazyPart(async () => ({ default: (await import("./place-dialog.tsx")).PlaceDialog }), { isLarge: true });
