import type { Dataset } from "./dataset.ts";
import type { EnabledDatasets } from "./enabled-datasets.ts";
import { portalView } from "./dataset-view.ts";
import { type SystemSchema, schemaOf } from "./system-schema.ts";

/** An enabled dataset with the texts that describe it. */
export interface IndexableDataset {
  readonly schema: SystemSchema;
  readonly tags: readonly string[];
  /** Whether rules withhold some of the columns from some readers. */
  readonly hasColumnRules: boolean;
  /** Changes whenever the dataset may have changed. */
  readonly revision: string;
}

const known = new WeakMap<EnabledDatasets, readonly IndexableDataset[]>();

/** Cached per snapshot of the datasets. */
export function indexableDatasets(enabled: EnabledDatasets): readonly IndexableDataset[] {
  // Whoever may read a dataset finds it by these texts.
  const datasets = known.get(enabled) ?? enabled.all.map(indexable);
  known.set(enabled, datasets);
  return datasets;
}

const indexable = (dataset: Dataset): IndexableDataset => ({
  schema: schemaOf(portalView(dataset)),
  tags: dataset.tags ?? [],
  hasColumnRules:
    dataset.access?.unnamedColumns === "withheld" || (dataset.access?.columns ?? []).some(({ others }) => others === "withheld"),
  revision: dataset.revision,
});
