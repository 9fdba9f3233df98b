import type { DatasetRelations } from "@fairway/contract/dataset-facts";
import { type DatasetRef, datasetKey } from "@fairway/contract/datasets";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import type { DatasetListing } from "./dataset-listing.ts";

type Link = InternalDataset["linkedDatasets"][number];

/** Links between datasets of the list, which holds those that the user may know about. */
export function linksOf(all: readonly DatasetListing[], dataset: DatasetListing): Pick<DatasetRelations, "linksTo" | "linkedFrom"> {
  const key = datasetKey(dataset.dataset);
  const known = new Set(all.map((one) => datasetKey(one.dataset)));
  const relation = (target: DatasetRef, { display, filters }: Link) => ({
    dataset: target,
    display,
    columns: [...new Set(filters.map(({ name }) => name))],
  });
  return {
    linksTo: dataset.linkedDatasets.filter((link) => known.has(datasetKey(link))).map((link) => relation(refOf(link), link)),
    linkedFrom: all
      .filter((other) => datasetKey(other.dataset) !== key)
      .flatMap((other) => other.linkedDatasets.filter((link) => datasetKey(link) === key).map((link) => relation(other.dataset, link))),
  };
}

/** The plain columns that hold fileset ids, as the dataset's FILESET columns name them. */
export const filesetColumns = ({ columns }: Pick<DatasetListing, "columns">): string[] => [
  ...new Set(columns.flatMap(({ combined }) => (combined?.type === "FILESET" ? combined.fields.slice(0, 1) : []))),
];

const refOf = ({ datasetCategory, datasetId }: DatasetRef): DatasetRef => ({ datasetCategory, datasetId });
