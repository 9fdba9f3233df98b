import type { DatasetRef } from "@fairway/contract/datasets";
import { datasetKey, sameDataset } from "./picker-rows.ts";

/** How much of a category is chosen: what its header shows. */
export type Share = "none" | "some" | "all";

export function shareOf(datasets: readonly DatasetRef[], chosen: readonly DatasetRef[]): Share {
  const keys = new Set(chosen.map(datasetKey));
  const count = datasets.filter((dataset) => keys.has(datasetKey(dataset))).length;
  return count === 0 ? "none" : count === datasets.length ? "all" : "some";
}

/** A header stands for the datasets below it and is itself no part of the selection: all of them, or none where all were chosen. */
export function withHeaderToggled(chosen: readonly DatasetRef[], datasets: readonly DatasetRef[]): DatasetRef[] {
  const others = chosen.filter((one) => !datasets.some((dataset) => sameDataset(one, dataset)));
  return shareOf(datasets, chosen) === "all" ? others : [...others, ...datasets.map(refOf)];
}

export function withDatasetToggled(chosen: readonly DatasetRef[], dataset: DatasetRef): DatasetRef[] {
  const others = chosen.filter((one) => !sameDataset(one, dataset));
  return others.length < chosen.length ? others : [...chosen, refOf(dataset)];
}

const refOf = ({ datasetCategory, datasetId }: DatasetRef): DatasetRef => ({ datasetCategory, datasetId });
