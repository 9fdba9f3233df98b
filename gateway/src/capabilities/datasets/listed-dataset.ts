import type { DatasetAbout } from "@fairway/contract/dataset-about";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { FigureView } from "#query/whole-figures.ts";
import type { DatasetView } from "./dataset.ts";

/** Entry of a dataset in the catalog, without its schema. */
export interface ListedDataset extends Pick<DatasetView, "linkedDatasets"> {
  readonly dataset: DatasetRef;
  readonly about: DatasetAbout;
  readonly columns: DatasetView["schema"]["columns"];
  /** Its rows are computed by an external service. */
  readonly isExternal: boolean;
  /** The figures over all of its rows that its reader may have. */
  readonly figures: FigureView;
}

const listed = new WeakMap<DatasetView, ListedDataset>();

/** Cached per dataset. */
export function listedDataset(dataset: DatasetView, figuresOf: (dataset: DatasetView) => FigureView): ListedDataset {
  const one = listed.get(dataset) ?? { ...create(dataset), figures: figuresOf(dataset) };
  listed.set(dataset, one);
  return one;
}

const create = ({ owner, contact, origin, license, updateRhythm, tags, ...dataset }: DatasetView): Omit<ListedDataset, "figures"> => ({
  dataset: { datasetCategory: dataset.category, datasetId: dataset.id },
  about: { owner, contact, origin, license, updateRhythm, tags } satisfies Record<keyof DatasetAbout, unknown>,
  columns: dataset.schema.columns,
  linkedDatasets: dataset.linkedDatasets,
  isExternal: dataset.source.kind === "rest",
});
