import { alerts, type OwnedAlert } from "@fairway/contract/alerts";
import { boards } from "@fairway/contract/boards";
import { descriptionSuggestions } from "@fairway/contract/description-suggestions";
import { type EditableOwnDataset, ownDatasetForm } from "@fairway/contract/own-dataset-form";
import { ownDatasetAdministration, ownDatasets } from "@fairway/contract/own-datasets";
import { page } from "vitest/browser";
import { entityKindOf } from "#features/admin/entities/entity-kind-of.ts";
import { buildAlert, dataset, saved } from "./alerts.ts";
import { buildSubscription, serveSubscriptions } from "./subscriptions.ts";
import { boardOf } from "./board-panels.ts";
import { buildColumn } from "./dataset-builders.ts";
import { openAdmin, serveEntities } from "./entities.ts";
import { serveDeployments } from "./flow-deployments.ts";
import { requestAddress, serveFlowRequest } from "./flow-request.ts";
import { buildFlow, buildFlowGroup, serveFlows } from "./flows.ts";
import { gateway, openScreen } from "./open-screen.tsx";
import { buildOwnData, buildOwnDataset, buildVersion, serveImport } from "./own-data.ts";
import { buildOwnSettings } from "./own-settings.ts";
import { fewRows, searchLink } from "./results.ts";
import { serveSavedSearches } from "./saved-searches.ts";

// Screens with something to edit, for the sweeps over all editors and menus.

export const schemaAddress = "/data-catalog/Tropical%20weather/storm-tracks";

export const board = boardOf({ id: "notes", kind: "text", title: "Notes", text: "Read this.", place: { x: 0, y: 0, w: 3, h: 3 } });

const alert = buildAlert("Rain", { id: "a-1", link: searchLink(fewRows), lastCheckedMs: null, nextCheckMs: null, seen: null });

export const ownedAlert: OwnedAlert = {
  id: "a-1",
  name: "Rain",
  owner: { id: "u-ada", username: "ada", locked: false },
  dataset,
  condition: { kind: "above", rows: 100 },
  everyMinutes: 5,
  state: "ok",
  reason: "",
  isEnded: false,
  lastCheckedMs: null,
  checks: 1,
  failed: 0,
  durationMs: 1,
};

const internalDataset = {
  ...entityKindOf("datasets/internal").template,
  id: "airports",
  category: "Aviation",
  source: { kind: "files", glob: "airports.csv", format: "csv" },
  schema: { columns: [buildColumn("iata"), buildColumn("city")] },
};

/** The own data of all users, for an administrator. */
export async function openAllOwnData(): Promise<void> {
  gateway.answer(ownDatasets.list, buildOwnData());
  gateway.answer(ownDatasetAdministration.list, {
    datasets: [{ ...buildOwnDataset(), lastUsedMs: null, shareCount: 2 }],
    bytes: 58_000,
    maxBytes: 50_000_000_000,
  });
  await openScreen("/own-data-settings", { roles: ["admin"] });
}

/** The schema of a dataset, as if the user had brought it. */
export async function openOwnSchema(
  own = buildOwnDataset({ datasetCategory: "Tropical weather", datasetId: "storm-tracks" }),
  edited: Partial<EditableOwnDataset> = {},
): Promise<void> {
  gateway.answer(ownDatasets.list, buildOwnData({ datasets: [own] }));
  gateway.answer(ownDatasetForm.one, { ...own, settings: buildOwnSettings(), version: 1, ...edited });
  gateway.answer(ownDatasets.versions, [buildVersion({ version: 2, kind: "appended", isCurrent: true }), buildVersion()]);
  await openScreen(schemaAddress);
}

export async function openImport(): Promise<void> {
  gateway.answer(ownDatasets.list, buildOwnData());
  serveImport(gateway);
  await openScreen("/add-data/import-1");
}

export async function openBoard(): Promise<void> {
  gateway.answer(boards.list, [board]);
  gateway.answer(boards.read, board);
  serveSavedSearches([saved]);
  await openScreen("/boards/season");
}

export async function openBoardEditing(): Promise<void> {
  await openBoard();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
}

export async function openAlerts(): Promise<void> {
  serveSavedSearches([saved]);
  gateway.answer(alerts.list, { alerts: [alert], emailAddress: null });
  await openScreen("/alerts");
}

export async function openEmails(): Promise<void> {
  serveSubscriptions([buildSubscription("Season")]);
  await openScreen("/alerts/emails");
}

export async function openRequest(address = requestAddress): Promise<void> {
  serveFlowRequest();
  serveDeployments([]);
  await openScreen(address, { roles: ["admin"] });
}

export async function openFlows(address: string): Promise<void> {
  serveFlows([{ group: buildFlowGroup("weather"), flows: [buildFlow(1, "storm-ingest")], requests: [] }]);
  await openScreen(address);
}

export async function openDatasets(): Promise<void> {
  serveEntities("datasets/internal", [internalDataset]);
  await openAdmin("/internal-dataset-settings", "Internal Datasets");
}

export async function openSuggestions(): Promise<void> {
  gateway.answer(descriptionSuggestions.list, [
    {
      id: "s-1",
      columnName: null,
      description: "Tracks of storms.",
      replaces: "",
      username: "jonas",
      name: "Jonas Keller",
      isOwn: false,
      suggestedMs: 0,
    },
  ]);
  await openScreen(schemaAddress, { roles: ["schema-edit"] });
}
