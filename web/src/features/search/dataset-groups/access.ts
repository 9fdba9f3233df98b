import type { DatasetGroup } from "@fairway/contract/dataset-groups";
import { type AccessList, datasetKey, type DatasetRef } from "@fairway/contract/datasets";

export const lostAccess =
  "Your account no longer has access to this Dataset Grouping, because you have lost access to 1 or more Datasets in this group.";

/** The datasets of a group that the user can access. A group can be searched only if these are all of its datasets. */
export function accessibleDatasets({ datasets }: DatasetGroup, list: AccessList): DatasetRef[] {
  const keys = new Set(list.flatMap((category) => category.datasets).map(datasetKey));
  return datasets.filter((dataset) => keys.has(datasetKey(dataset)));
}

export const isAccessible = (group: DatasetGroup, list: AccessList): boolean =>
  accessibleDatasets(group, list).length === group.datasets.length;
