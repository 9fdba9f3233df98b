import { type AccessList, datasetKey } from "@fairway/contract/datasets";
import type { OwnDataset } from "@fairway/contract/own-datasets";

type Listed = AccessList[number]["datasets"][number];

/** A listed dataset with its title, if it is one of a user. */
export interface TitledDataset extends Listed {
  readonly title?: string;
}

export interface TitledCategory {
  readonly id: string;
  readonly description: string;
  readonly datasets: readonly TitledDataset[];
}

/** The list with the user's own datasets first, then those that others share, then the categories. */
export function withOwnGroups(list: AccessList, own: ReadonlyMap<string, OwnDataset>): readonly TitledCategory[] {
  if (own.size === 0) return list;
  const groups = { own: [] as TitledDataset[], shared: [] as TitledDataset[] };
  const others = list.map(({ datasets, ...category }) => {
    const ordinary = datasets.filter((dataset) => {
      const mine = own.get(datasetKey(dataset));
      if (mine === undefined) return true;
      groups[mine.can === "own" ? "own" : "shared"].push({ ...dataset, title: mine.title || dataset.datasetId });
      return false;
    });
    return { ...category, datasets: ordinary };
  });
  return [
    { id: "Own data", description: "", datasets: byTitle(groups.own) },
    { id: "Shared with me", description: "", datasets: byTitle(groups.shared) },
    ...others,
  ].filter(({ id, datasets }) => datasets.length > 0 || list.some((category) => category.id === id && category.datasets.length === 0));
}

const byTitle = (datasets: readonly TitledDataset[]): readonly TitledDataset[] =>
  datasets.toSorted((one, other) => (one.title ?? "").localeCompare(other.title ?? "", "en"));
