import { counted, formatCount } from "@fairway/contract/counts";
import type { AccessList, DatasetRef } from "@fairway/contract/datasets";

export type PickerDataset = AccessList[number]["datasets"][number];

export interface PickerCategory {
  id: string;
  datasets: readonly PickerDataset[];
}

/** One name for a dataset: its id is unique within its category only. */
export const datasetKey = ({ datasetCategory, datasetId }: DatasetRef): string => JSON.stringify([datasetCategory, datasetId]);

export const sameDataset = (one: DatasetRef | null, other: DatasetRef | null): boolean =>
  one !== null && other !== null && one.datasetCategory === other.datasetCategory && one.datasetId === other.datasetId;

interface Narrowing {
  /** Every word must be in the name, the category or the description, in any case. */
  text: string;
  /** Keys of the only datasets to show; null for all. */
  only: ReadonlySet<string> | null;
}

/** The categories with what is left of their datasets; empty ones fall away. */
export function pickerCategories(list: AccessList, { text, only }: Narrowing): PickerCategory[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return list
    .map(({ id, datasets }) => ({
      id,
      datasets: datasets.filter((dataset) => matches(dataset, words) && (only === null || only.has(datasetKey(dataset)))),
    }))
    .filter(({ datasets }) => datasets.length > 0);
}

function matches({ datasetCategory, datasetId, description }: PickerDataset, words: readonly string[]): boolean {
  const text = `${datasetId}\n${datasetCategory}\n${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** `10 datasets, 3 favourites`; while narrowed, how many are shown. */
export function pickerCounts(shown: number, all: number, favourites: number): string {
  const datasets = counted(all, "dataset");
  if (shown < all) return `${formatCount(shown)} of ${datasets}`;
  return favourites === 0 ? datasets : `${datasets}, ${counted(favourites, "favourite")}`;
}
