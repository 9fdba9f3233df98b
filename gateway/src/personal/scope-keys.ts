import type { DatasetRef } from "@fairway/contract/datasets";
import type { SearchColumns } from "@fairway/contract/derived-columns";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { wholeKey } from "#query/scope.ts";

/**
 * The keys under which rows of datasets were read. Whatever is made of rows and told later is stored with them, and told only while its reader
 * sees the same. Decision 1310.
 */
export type ScopeKeys = readonly (readonly [category: string, datasetId: string, key: string])[];

/** The user's current keys of these datasets, in the same order. */
export type ScopeKeysOf = (user: SignedInUser, datasets: readonly DatasetRef[]) => Promise<ScopeKeys>;

/** Of a dataset that cannot be read. */
export const unreadableKey = "-";

/** The datasets that a search reads. */
export const searchedDatasets = (dataset: DatasetRef, { lookups = [] }: Pick<SearchColumns, "lookups">): DatasetRef[] => [
  dataset,
  ...lookups.map((lookup) => lookup.dataset),
];

/** Whether the user sees the same as when these keys were stored. Without keys: all of the dataset, as before there were any. */
export async function seesTheSame(
  scopeKeysOf: ScopeKeysOf,
  user: SignedInUser,
  dataset: DatasetRef,
  stored: ScopeKeys | null,
): Promise<boolean> {
  const { datasetCategory, datasetId } = dataset;
  const before = stored ?? [[datasetCategory, datasetId, wholeKey] as const];
  const now = await scopeKeysOf(
    user,
    before.map(([category, id]) => ({ datasetCategory: category, datasetId: id })),
  );
  return before.every(([, , key], index) => now[index]?.[2] === key);
}

export const areWhole = (keys: ScopeKeys): boolean => keys.every(([, , key]) => key === wholeKey);

export const areSameKeys = (one: ScopeKeys, other: ScopeKeys): boolean => JSON.stringify(one) === JSON.stringify(other);
