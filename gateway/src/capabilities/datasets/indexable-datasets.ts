import type { DatasetView } from "./dataset.ts";
import type { EnabledDatasets } from "./enabled-datasets.ts";
import { portalView } from "./dataset-view.ts";
import { type SystemSchema, schemaOf } from "./system-schema.ts";

/** An enabled dataset with the texts that describe it. */
export interface IndexableDataset {
  readonly schema: SystemSchema;
  readonly tags: readonly string[];
  /** Changes whenever the dataset may have changed. */
  readonly revision: string;
}

const known = new WeakMap<EnabledDatasets, readonly IndexableDataset[]>();

/** Cached per snapshot of the datasets. */
export function indexableDatasets(enabled: EnabledDatasets): readonly IndexableDataset[] {
  // Whoever may read a dataset finds it by these texts.
  const datasets = known.get(enabled) ?? enabled.all.map((dataset) => indexable(portalView(dataset)));
  known.set(enabled, datasets);
  return datasets;
}

const indexable = (dataset: DatasetView): IndexableDataset => ({
  schema: schemaOf(dataset),
  tags: dataset.tags ?? [],
  revision: dataset.revision,
});
