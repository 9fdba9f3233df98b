import { lazyPart } from "#ui/lazy-part.tsx";

// These load the map: mount them when first opened, and keep them mounted.
export const AreaDialog = lazyPart(async () => ({ default: (await import("./area-dialog.tsx")).AreaDialog }), { isLarge: true });
export const LocationDialog = lazyPart(async () => ({ default: (await import("./location-dialog.tsx")).LocationDialog }), {
  isLarge: true,
});
