import { apiBase } from "@fairway/contract/api";
import { cac } from "@fairway/contract/cac";
import { datasetAnnouncements } from "@fairway/contract/dataset-announcements";
import { datasetFactRoutes } from "@fairway/contract/dataset-facts";
import { datasetGroups } from "@fairway/contract/dataset-groups";
import { datasetProfiles } from "@fairway/contract/dataset-profiles";
import { datasetQualities } from "@fairway/contract/dataset-quality";
import { descriptionSuggestions } from "@fairway/contract/description-suggestions";
import { docs } from "@fairway/contract/docs";
import { favoriteDatasets } from "@fairway/contract/favorites";
import { flows } from "@fairway/contract/flows";
import { graphTemplates } from "@fairway/contract/graph-templates";
import { live } from "@fairway/contract/live";
import { notices } from "@fairway/contract/notices";
import { notifications } from "@fairway/contract/notifications";
import { profile } from "@fairway/contract/profile";
import type { RouteShape } from "@fairway/contract/route";
import { savedSearches } from "@fairway/contract/saved-searches";
import { settings } from "@fairway/contract/settings";
import { startPage } from "@fairway/contract/start-page";
import { tools } from "@fairway/contract/tools";
import { torchServiceChecks } from "@fairway/contract/torch-services";

/** Reads that pages of the portal make by themselves, at intervals or on every screen, rather than because of what a user asks for. */
const backgroundReads: readonly RouteShape[] = [
  live.stream,
  notices.fresh,
  notifications.list,
  settings.ui,
  profile.read,
  cac.status,
  startPage.read,
  favoriteDatasets.list,
  savedSearches.list,
  savedSearches.shared,
  graphTemplates.list,
  datasetGroups.list,
  datasetAnnouncements.list,
  datasetAnnouncements.listAll,
  datasetFactRoutes.facts,
  datasetQualities.list,
  datasetQualities.listAll,
  datasetProfiles.read,
  datasetProfiles.thumbnail,
  descriptionSuggestions.counts,
  flows.groups,
  docs.list,
  tools.list,
  torchServiceChecks.reachability,
];

/** Matches the paths of background reads, in the syntax that PostgreSQL shares with JavaScript. */
export const backgroundReadPattern = `^${apiBase}(${backgroundReads.map(({ path }) => path.replaceAll(/:\w+/g, "[^/]+")).join("|")})$`;
