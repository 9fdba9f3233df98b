import { island } from "#ui/island.tsx";

// These load the map: mount them when first opened, and keep them mounted.
export const AreaDialog = island(async () => ({ default: (await import("./area-dialog.tsx")).AreaDialog }), { isLarge: true });
export const LocationDialog = island(async () => ({ default: (await import("./location-dialog.tsx")).LocationDialog }), {
  isLarge: true,
});
