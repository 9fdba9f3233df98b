import type { DatasetAbout } from "@fairway/contract/dataset-about";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { DatasetView } from "./dataset.ts";

/** Entry of a dataset in the catalog, without its schema. */
export interface ListedDataset extends Pick<DatasetView, "linkedDatasets"> {
  readonly dataset: DatasetRef;
  readonly about: DatasetAbout;
  readonly columns: DatasetView["schema"]["columns"];
  /** Its rows are computed by an external service. */
  readonly isExternal: boolean;
}

const listed = new WeakMap<DatasetView, ListedDataset>();

/** Cached per dataset. */
export function listedDataset(dataset: DatasetView): ListedDataset {
  const one = listed.get(dataset) ?? create(dataset);
  listed.set(dataset, one);
  return one;
}

const create = ({ owner, contact, origin, license, updateRhythm, tags, ...dataset }: DatasetView): ListedDataset => ({
  dataset: { datasetCategory: dataset.category, datasetId: dataset.id },
  about: { owner, contact, origin, license, updateRhythm, tags } satisfies Record<keyof DatasetAbout, unknown>,
  columns: dataset.schema.columns,
  linkedDatasets: dataset.linkedDatasets,
  isExternal: dataset.source.kind === "rest",
});
