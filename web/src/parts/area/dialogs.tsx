import { lazyPart } from "#ui/lazy-part.tsx";

// These load the map: mount them when first opened, and keep them mounted.
export const AreaDialog = lazyPart(async () => ({ default: (await import("./area-dialog.tsx")).AreaDialog }), { isLarge: true });
export const PlaceDialog = lazyPart(async () => ({ default: (await import("./place-dialog.tsx")).PlaceDialog }), { isLarge: true });
