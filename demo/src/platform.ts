import { type DemoAccounts, demoAccounts } from "./accounts.ts";
import { aviation, aviationDatasets } from "./aviation.ts";
import type { DatasetRecipe } from "./dataset-recipe.ts";
import { naturalHazards, naturalHazardsDatasets } from "./natural-hazards.ts";
import { peopleAndEconomy, peopleAndEconomyDatasets } from "./people-and-economy.ts";
import { tropicalWeather, tropicalWeatherDatasets } from "./tropical-weather.ts";

/** A platform described as data: what a portal needs to show itself at work. */
export interface DemoPlatform {
  readonly categories: readonly { readonly id: string; readonly description: string }[];
  readonly datasets: readonly DatasetRecipe[];
  readonly accounts: DemoAccounts;
}

const categories = [tropicalWeather, naturalHazards, aviation, peopleAndEconomy];

export const demoPlatform: DemoPlatform = {
  categories: categories.map(({ id, description }) => ({ id, description })),
  datasets: [...tropicalWeatherDatasets, ...naturalHazardsDatasets, ...aviationDatasets, ...peopleAndEconomyDatasets],
  accounts: demoAccounts,
};
