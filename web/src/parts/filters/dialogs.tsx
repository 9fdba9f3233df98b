import { lazyPart } from "#ui/lazy-part.tsx";

// They come with their first use: mount them once something was to be opened, and keep them mounted then.
export const FilterDialog = lazyPart(async () => ({ default: (await import("./filter-dialog.tsx")).FilterDialog }));
export const TimeRangeDialog = lazyPart(async () => ({ default: (await import("./time-range-dialog.tsx")).TimeRangeDialog }));
