import { lazyPart } from "#ui/lazy-part.tsx";

// These load on first use: mount them when first opened, and keep them mounted.
export const FilterDialog = lazyPart(async () => ({ default: (await import("./filter-dialog.tsx")).FilterDialog }));
export const TimeRangeDialog = lazyPart(async () => ({ default: (await import("./time-range-dialog.tsx")).TimeRangeDialog }));
export const FilterBar = lazyPart(async () => ({ default: (await import("./filter-bar.tsx")).FilterBar }));
