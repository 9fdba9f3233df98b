import { type DemoAccounts, demoAccounts } from "./accounts.ts";
import { aviation, aviationDatasets } from "./aviation.ts";
import type { DatasetRecipe } from "./dataset-recipe.ts";

/** A platform described as data: what a portal needs to show itself at work. */
export interface DemoPlatform {
  readonly categories: readonly { readonly id: string; readonly description: string }[];
  readonly datasets: readonly DatasetRecipe[];
  readonly accounts: DemoAccounts;
}

const categories = [aviation];

export const demoPlatform: DemoPlatform = {
  categories: categories.map(({ id, description }) => ({ id, description })),
  datasets: [...aviationDatasets],
  accounts: demoAccounts,
};
