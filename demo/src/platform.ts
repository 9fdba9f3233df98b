import type { PlatformRecipe, Upstream } from "@fairway/contract/recipes";
import { demoAlerts } from "./alerts.ts";
import { type DemoAccounts, demoAccounts } from "./accounts.ts";
import { almanacDataset } from "./almanac-dataset.ts";
import { serveAlmanac } from "./almanac-server.ts";
import { aviation, aviationDatasets } from "./aviation.ts";
import { demoBoards } from "./boards.ts";
import { type RunningCardIssuer, serveCards } from "./card-issuer.ts";
import { flightArchive } from "./flight-archive.ts";
import { flowEnvironments } from "./flows/environments.ts";
import { flightDesk } from "./flows/flight-desk.ts";
import { stormDesk } from "./flows/storm-desk.ts";
import { type HelpSettings, help, helpSettings, tutorials } from "./help.ts";
import { naturalHazards, naturalHazardsDatasets } from "./natural-hazards.ts";
import { peopleAndEconomy, peopleAndEconomyDatasets } from "./people-and-economy.ts";
import { publicData } from "./public-data.ts";
import { startSettings, type StartSettings } from "./start-page.ts";
import { stormArchive } from "./storm-archive.ts";
import { stormReports } from "./storm-reports.ts";
import { tropicalWeather, tropicalWeatherDatasets } from "./tropical-weather.ts";

/** The demo platform, described as data. */
export interface DemoPlatform extends PlatformRecipe {
  readonly settings: HelpSettings & { readonly start: StartSettings };
  readonly accounts: DemoAccounts;
  /** Starts the demo's own card issuer. */
  readonly cards: () => Promise<RunningCardIssuer>;
}

const categories = [tropicalWeather, naturalHazards, aviation, peopleAndEconomy];

async function serveAlmanacDataset(): Promise<Upstream> {
  const almanac = await serveAlmanac();
  return { entity: almanacDataset(almanac), close: () => almanac.close() };
}

export const demoPlatform: DemoPlatform = {
  categories: categories.map(({ id, description }) => ({ id, description })),
  datasets: [...tropicalWeatherDatasets, stormReports, ...naturalHazardsDatasets, ...aviationDatasets, ...peopleAndEconomyDatasets],
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
