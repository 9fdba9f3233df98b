import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { sameDataset } from "./picker-rows.ts";

/** How many datasets of a category are selected, as shown by its header. */
export type SelectionState = "none" | "some" | "all";

export function selectionState(datasets: readonly DatasetRef[], chosen: readonly DatasetRef[]): SelectionState {
  const keys = new Set(chosen.map(datasetKey));
  const count = datasets.filter((dataset) => keys.has(datasetKey(dataset))).length;
  return count === 0 ? "none" : count === datasets.length ? "all" : "some";
}

/** Selects all datasets below a header, or none of them when all were selected. */
export function withHeaderToggled(chosen: readonly DatasetRef[], datasets: readonly DatasetRef[]): DatasetRef[] {
  const others = chosen.filter((ref) => !datasets.some((dataset) => sameDataset(ref, dataset)));
  return selectionState(datasets, chosen) === "all" ? others : [...others, ...datasets.map(refOf)];
}

export function withDatasetToggled(chosen: readonly DatasetRef[], dataset: DatasetRef): DatasetRef[] {
  const others = chosen.filter((ref) => !sameDataset(ref, dataset));
  return others.length < chosen.length ? others : [...chosen, refOf(dataset)];
}

const refOf = ({ datasetCategory, datasetId }: DatasetRef): DatasetRef => ({ datasetCategory, datasetId });
