import type { ExternalDataset } from "@fairway/contract/external-datasets";
import { type AlertRecipe, demoAlerts } from "./alerts.ts";
import { type DemoAccounts, demoAccounts } from "./accounts.ts";
import { almanacDataset } from "./almanac-dataset.ts";
import { serveAlmanac } from "./almanac-server.ts";
import { aviation, aviationDatasets } from "./aviation.ts";
import { type BoardRecipe, demoBoards } from "./boards.ts";
import { type RunningCardIssuer, serveCards } from "./card-issuer.ts";
import type { DatasetRecipe } from "./dataset-recipe.ts";
import type { FilesetRecipe } from "./fileset-recipe.ts";
import { flightArchive } from "./flight-archive.ts";
import { flowEnvironments } from "./flows/environments.ts";
import { flightDesk } from "./flows/flight-desk.ts";
import type { FlowEnvironmentRecipe, FlowGroupRecipe } from "./flows/flow-recipes.ts";
import { stormDesk } from "./flows/storm-desk.ts";
import { type DocRecipe, type HelpSettings, help, helpSettings, tutorials } from "./help.ts";
import { naturalHazards, naturalHazardsDatasets } from "./natural-hazards.ts";
import { peopleAndEconomy, peopleAndEconomyDatasets } from "./people-and-economy.ts";
import { publicData } from "./public-data.ts";
import { startSettings, type StartSettings } from "./start-page.ts";
import { stormArchive } from "./storm-archive.ts";
import { tropicalWeather, tropicalWeatherDatasets } from "./tropical-weather.ts";

/** The demo platform, described as data. */
export interface DemoPlatform {
  readonly categories: readonly { readonly id: string; readonly description: string }[];
  readonly datasets: readonly DatasetRecipe[];
  readonly filesets: readonly FilesetRecipe[];
  readonly docs: readonly DocRecipe[];
  readonly flowGroups: readonly FlowGroupRecipe[];
  readonly flowEnvironments: readonly FlowEnvironmentRecipe[];
  readonly boards: readonly BoardRecipe[];
  readonly alerts: readonly AlertRecipe[];
  readonly settings: HelpSettings & { readonly start: StartSettings };
  readonly accounts: DemoAccounts;
  /** Services that the demo runs, each with its external dataset. */
  readonly upstreams: readonly (() => Promise<DemoUpstream>)[];
  /** Starts the demo's own card issuer. */
  readonly cards: () => Promise<RunningCardIssuer>;
}

interface DemoUpstream {
  readonly entity: ExternalDataset;
  close(): Promise<void>;
}

const categories = [tropicalWeather, naturalHazards, aviation, peopleAndEconomy];

async function serveAlmanacDataset(): Promise<DemoUpstream> {
  const almanac = await serveAlmanac();
  return { entity: almanacDataset(almanac), close: () => almanac.close() };
}

export const demoPlatform: DemoPlatform = {
  categories: categories.map(({ id, description }) => ({ id, description })),
  datasets: [...tropicalWeatherDatasets, ...naturalHazardsDatasets, ...aviationDatasets, ...peopleAndEconomyDatasets],
  filesets: [stormArchive, flightArchive, publicData, help],
  docs: tutorials,
  flowGroups: [stormDesk, flightDesk],
  flowEnvironments,
  boards: demoBoards,
  alerts: demoAlerts,
  settings: { ...helpSettings, start: startSettings },
  accounts: demoAccounts,
  upstreams: [serveAlmanacDataset],
  cards: serveCards,
};
