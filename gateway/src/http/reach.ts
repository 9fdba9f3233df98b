import type { Reach } from "./handlers.ts";

/** Whether a call with this reach, or any reach where it is undefined, may know of a dataset. */
export const reachesDataset = (reach: Reach | undefined, category: string, id: string): boolean =>
  reach === undefined || reach.datasets.some((one) => one.datasetCategory === category && one.datasetId === id);
