import { island } from "#ui/island.tsx";

// Few visits share something.
export const ShareDialog = island(async () => ({ default: (await import("./share-dialog.tsx")).ShareDialog }));
export const ShareFields = island(async () => ({ default: (await import("./share-fields.tsx")).ShareFields }));
export const GiveDialog = island(async () => ({ default: (await import("./give-dialog.tsx")).GiveDialog }));
