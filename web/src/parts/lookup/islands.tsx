import { island } from "#ui/island.tsx";

/** Few visits look up columns. */
export const LookupDialog = island(async () => ({ default: (await import("./lookup-dialog.tsx")).LookupDialog }));
