import type { DatasetAbout } from "@fairway/contract/dataset-about";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { FigureView } from "#query/whole-figures.ts";
import type { InternalDataset } from "@fairway/contract/internal-datasets";

/** A dataset as far as its facts and relations need it. */
export interface DatasetListing extends Pick<InternalDataset, "linkedDatasets"> {
  readonly dataset: DatasetRef;
  readonly about: DatasetAbout;
  readonly columns: InternalDataset["schema"]["columns"];
  readonly isExternal: boolean;
  /** The figures over all of its rows that the reader may have. */
  readonly figures: FigureView;
}
