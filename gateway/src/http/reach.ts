import type { Reach } from "./handlers.ts";

/** Whether a call with this reach includes a dataset; an undefined reach is unlimited. */
export const reachesDataset = (reach: Reach | undefined, category: string, id: string): boolean =>
  reach === undefined || reach.datasets.some(({ datasetCategory, datasetId }) => datasetCategory === category && datasetId === id);

/** Whether a call with this reach includes a fileset; an undefined reach is unlimited. */
export const reachesFileset = (reach: Reach | undefined, id: string): boolean => reach === undefined || reach.filesets.includes(id);
