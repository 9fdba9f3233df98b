import type { DatasetRef } from "@fairway/contract/datasets";
import type { Reach } from "./signed-in-user.ts";

/** Whether a call with this reach includes a dataset; an undefined reach is unlimited. */
export const reachesDataset = (reach: Reach | undefined, category: string, id: string): boolean =>
  reach === undefined || reach.datasets.some(({ datasetCategory, datasetId }) => datasetCategory === category && datasetId === id);

/** Whether a call with this reach includes a fileset; an undefined reach is unlimited. */
export const reachesFileset = (reach: Reach | undefined, id: string): boolean => reach === undefined || reach.filesets.includes(id);

/**
 * The part of something about several datasets that a call with this reach sees: `none` of it where the call reaches none of them; only a
 * `part` where it reaches some, without texts, which may be about any of them; else the `whole`.
 */
export function reachOver(reach: Reach | undefined, datasets: readonly DatasetRef[]): "none" | "part" | "whole" {
  if (reach === undefined) return "whole";
  const reached = datasets.filter(({ datasetCategory, datasetId }) => reachesDataset(reach, datasetCategory, datasetId)).length;
  return reached === 0 ? "none" : reached < datasets.length ? "part" : "whole";
}
