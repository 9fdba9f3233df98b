import { formatCount, pluralize } from "@fairway/contract/counts";
import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import type { TitledCategory, TitledDataset } from "#parts/own-datasets/own-groups.ts";

export type PickerDataset = TitledDataset;

export interface PickerCategory {
  id: string;
  datasets: readonly PickerDataset[];
}

export const sameDataset = (one: DatasetRef | null, other: DatasetRef | null): boolean =>
  one !== null && other !== null && one.datasetCategory === other.datasetCategory && one.datasetId === other.datasetId;

interface PickerFilter {
  /** Every word must occur in the title, the id, the category or the description, ignoring case. */
  text: string;
  /** Keys of the datasets to show; null for all. */
  onlyKeys: ReadonlySet<string> | null;
}

/** The categories with their matching datasets; empty categories are left out. */
export function pickerCategories(list: readonly TitledCategory[], { text, onlyKeys }: PickerFilter): PickerCategory[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return list
    .map(({ id, datasets }) => ({
      id,
      datasets: datasets.filter((dataset) => matches(dataset, words) && (onlyKeys === null || onlyKeys.has(datasetKey(dataset)))),
    }))
    .filter(({ datasets }) => datasets.length > 0);
}

function matches({ datasetCategory, datasetId, description, title = "" }: PickerDataset, words: readonly string[]): boolean {
  const text = `${title}\n${datasetId}\n${datasetCategory}\n${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** `10 datasets, 3 favorites`, or `2 of 10 datasets` while filtered. */
export function pickerCounts(shown: number, all: number, favoriteCount: number): string {
  const datasets = pluralize(all, "dataset");
  if (shown < all) return `${formatCount(shown)} of ${datasets}`;
  return favoriteCount === 0 ? datasets : `${datasets}, ${pluralize(favoriteCount, "favorite")}`;
}
