import { userAdministration } from "@fairway/contract/accounts";
import { alerts } from "@fairway/contract/alerts";
import { subscriptions } from "@fairway/contract/subscriptions";
import { apiKeys } from "@fairway/contract/api-keys";
import { boards } from "@fairway/contract/boards";
import { columnValues } from "@fairway/contract/column-values";
import { datasetAdministration } from "@fairway/contract/dataset-administration";
import { descriptions } from "@fairway/contract/descriptions";
import { docAdministration, docs } from "@fairway/contract/docs";
import { entityDefinitions } from "@fairway/contract/administration";
import { filesets } from "@fairway/contract/filesets";
import { flowDifferences } from "@fairway/contract/flow-differences";
import { signInMethods } from "@fairway/contract/second-factors";
import { expect, vi } from "vitest";
import { type Locator, page } from "vitest/browser";
import { buildEvent, serveEvents } from "./audit.ts";
import { earthquakes, openForm, storms } from "./datasets-screen.ts";
import { openAdmin, serveEntities } from "./entities.ts";
import { serveFilesets } from "./filesets.ts";
import { buildDeployment, serveDeployments } from "./flow-deployments.ts";
import { smallDrawing } from "./flow-differences.tsx";
import { requestAddress, serveFlowRequest } from "./flow-request.ts";
import { days, graphsLink, openGraphs, serveAggregates } from "./graphs.ts";
import { press } from "./keyboard.ts";
import { details, itemButton, mapLink, openMap, prepareMaps } from "./maps.ts";
import { gateway, openScreen } from "./open-screen.tsx";
import { openAlerts, openBoard, openDatasets, openEmails, openImport, openOwnSchema, schemaAddress } from "./opened-screens.ts";
import { alterRows, cell, fewRows, header, openResults } from "./results.ts";
import { serveSummaries } from "./summaries.ts";
import { serveSavedSearches, buildSavedSearch } from "./saved-searches.ts";

/** A button or dialog by its name, or whatever else. */
type Named = string | RegExp | (() => Locator);

/** A dialog, drawer or panel without text that could be lost. */
interface ListedOverlay {
  /** The source file of the overlay. */
  readonly file: string;
  /** Has the focus before, and again after. */
  readonly opener: Named;
  /** Pressed in the opener; default Enter. */
  readonly key?: string;
  /** Then chosen in the menu that opens. */
  readonly item?: string;
  readonly overlay: Named;
  /** Has the focus after, if not the opener. */
  readonly returnTo?: () => Locator;
  /** The button that closes it; null: there is none. Default Close. */
  readonly close?: string | null;
  /** False: only its button closes it; Escape is a key of its fields. */
  readonly escape?: false;
  /** Beside the content, without the focus: Escape closes it once the focus is in it. */
  readonly isPassive?: true;
  /** A part of the overlay that shows once it is loaded. */
  readonly loaded?: (overlay: Locator) => Locator;
}

/** An overlay with the locators of what is named. */
export interface Overlay extends ListedOverlay {
  readonly opener: () => Locator;
  readonly overlay: () => Locator;
}

/** The overlays of one screen. */
interface SweptScreen<One> {
  readonly name: string;
  readonly screen: () => Promise<unknown>;
  readonly overlays: readonly One[];
}

const button = (name: string) => page.getByRole("button", { name, exact: true });
const region = (name: string) => page.getByRole("region", { name, exact: true });
const inMain = (name: string) => page.getByRole("main").getByRole("button", { name, exact: true });

const phone = () => page.viewport(390, 844);

async function openSchema(): Promise<void> {
  gateway.answer(descriptions.communityRevisions, []);
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new DOMException("Not allowed", "NotAllowedError"));
  await openScreen(schemaAddress, { roles: ["schema-edit"] });
}

async function openTable(): Promise<void> {
  gateway.answer(columnValues.profile, {
    rows: 4,
    empty: 0,
    distinct: 1,
    min: "Katrina",
    max: "Katrina",
    top: [{ value: "Katrina", rows: 4 }],
    histogram: [],
  });
  alterRows((rows) => rows.map((row, index) => (index === 1 ? { ...row, name: "long ".repeat(100) } : row)));
  await openResults(fewRows);
}

/** The results of a dataset without a graphs view, with a summary. */
async function openSummarized(): Promise<void> {
  serveSummaries({ hasNumbers: false });
  await openScreen(graphsLink(days, { graphs: [{ breakdown: { measures: [{ aggregation: "count", column: "*" }] } }] }));
  const dialog = page.getByRole("dialog");
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  await press("Escape");
  await expect.element(dialog).not.toBeInTheDocument();
}

async function openWithSavedSearch(): Promise<void> {
  serveSavedSearches([buildSavedSearch("Strong ones", JSON.stringify({ filters: [] }))]);
  await openForm(storms);
}

const listedScreens: readonly SweptScreen<ListedOverlay>[] = [
  {
    name: "any screen",
    screen: () => openScreen("/faq"),
    overlays: [
      { file: "shell/palette/palette.tsx", opener: "More", key: "Control+k", overlay: "Search everything", close: null },
      { file: "shell/frame/shortcut-sheet.tsx", opener: "More", key: "?", overlay: "Keyboard shortcuts" },
      { file: "features/notifications/notifications-dialog.tsx", opener: "Notifications", overlay: "Notifications" },
      { file: "ui/dialog/confirm-dialog.tsx", opener: "Logout", overlay: "Logout?", close: "Cancel" },
    ],
  },
  {
    name: "a phone",
    screen: async () => {
      await phone();
      await openForm(earthquakes);
    },
    overlays: [
      { file: "shell/frame/phone-drawer.tsx", opener: "Open menu", overlay: "Menu", close: "Close menu" },
      { file: "features/search/datasets/picker-sheet.tsx", opener: /^Dataset:/, overlay: "Choose a dataset" },
    ],
  },
  {
    name: "an import",
    screen: openImport,
    overlays: [
      {
        file: "features/add-data/unread-dialog.tsx",
        opener: "Show the unread values of wet_days",
        overlay: "Could not be read: wet_days",
        close: "Done",
      },
      { file: "features/add-data/column-dialog.tsx", opener: () => page.getByRole("columnheader", { name: /month/ }), overlay: "month" },
    ],
  },
  {
    name: "an import on a phone",
    screen: async () => {
      await phone();
      await openImport();
    },
    overlays: [{ file: "features/add-data/rows-sheet.tsx", opener: "Show the rows", overlay: "First rows" }],
  },
  {
    name: "the schema of an own dataset",
    screen: openOwnSchema,
    overlays: [
      { file: "parts/sharing/share-dialog.tsx", opener: "Share", overlay: "Share storm-tracks" },
      { file: "parts/sharing/give-dialog.tsx", opener: "Give away", overlay: "Give away storm-tracks" },
    ],
  },
  {
    name: "the table of results",
    screen: openTable,
    overlays: [
      {
        file: "parts/result-export/export-dialog.tsx",
        opener: "Actions",
        item: "Export Current Results",
        overlay: "Export Current Results",
      },
      { file: "parts/result-export/export-all-dialog.tsx", opener: "Actions", item: "Export All Results", overlay: "Export All Results" },
      {
        file: "features/search/results/schema/schema-dialog.tsx",
        opener: "Actions",
        item: "Explore Dataset Schema",
        overlay: "Schema for storm-tracks",
        loaded: (overlay) => overlay.getByRole("rowheader").first(),
      },
      {
        file: "features/search/results/column-profile/profile-dialog.tsx",
        opener: () => header("name"),
        key: "Alt+ArrowDown",
        item: "Summary of name",
        overlay: "Summary of name",
        returnTo: () => button("name column menu"),
      },
      {
        file: "features/search/results/table/full-text-dialog.tsx",
        opener: () => cell(2, "name").getByRole("button", { name: "See More" }),
        overlay: "name",
      },
    ],
  },
  {
    name: "results without a graphs view",
    screen: openSummarized,
    overlays: [
      {
        file: "features/search/graphs/summaries-dialog.tsx",
        opener: "Actions",
        item: "Summarize Results",
        overlay: "Summaries of storm-tracks",
        loaded: (overlay) => overlay.getByText(/^All \d+ rows$/),
      },
    ],
  },
  {
    name: "panels beside the results",
    screen: openTable,
    overlays: [
      {
        file: "features/search/results/result-side-panels.tsx",
        opener: () => cell(1, "season"),
        overlay: () => region("Row details"),
        close: "Close row details",
      },
      {
        file: "features/search/results/result-side-panels.tsx",
        opener: "Actions",
        item: "Show Column Visibility",
        overlay: () => region("Columns"),
        close: "Close columns",
      },
    ],
  },
  {
    name: "selected rows",
    screen: async () => {
      await openTable();
      await press(" ", cell(1, "season"));
      await press(" ", cell(3, "season"));
    },
    overlays: [{ file: "features/search/results/compare/compare-dialog.tsx", opener: "Compare", overlay: "Compare 2 rows" }],
  },
  {
    name: "a window without room beside the results",
    screen: async () => {
      await phone();
      await openTable();
    },
    overlays: [
      { file: "ui/kit/detail-panel.tsx", opener: "Actions", item: "Show Column Visibility", overlay: "Columns", close: "Close columns" },
    ],
  },
  {
    name: "the search form",
    screen: openWithSavedSearch,
    overlays: [{ file: "features/search/saved-searches/load-dialog.tsx", opener: "Saved search filters", overlay: "Saved search filters" }],
  },
  {
    name: "graphs",
    screen: async () => {
      serveAggregates();
      await openGraphs(graphsLink(days));
    },
    overlays: [
      { file: "features/search/graphs/graph-templates.tsx", opener: "Templates", overlay: "Graph templates" },
      {
        file: "features/search/graphs/graphs-view.tsx",
        opener: "New graph",
        overlay: () => page.getByRole("form", { name: "New graph" }),
        close: "Close editor",
        escape: false,
      },
    ],
  },
  {
    name: "graphs in a narrow window",
    screen: async () => {
      await page.viewport(1024, 768);
      serveAggregates();
      await openGraphs(graphsLink(days));
    },
    overlays: [{ file: "features/search/graphs/graphs-view.tsx", opener: "New graph", overlay: "New graph", close: "Close editor" }],
  },
  {
    name: "the map",
    screen: async () => {
      prepareMaps();
      await openMap();
    },
    overlays: [
      {
        file: "features/search/map/item-details.tsx",
        opener: () => itemButton("Bonnie"),
        overlay: () => details("Bonnie"),
        close: "Close details",
        isPassive: true,
      },
    ],
  },
  {
    name: "an item of the map",
    screen: async () => {
      prepareMaps();
      await openMap();
      await press("Enter", itemButton("Bonnie"));
    },
    overlays: [
      {
        file: "features/search/map/path-layers-panel.tsx",
        opener: () => details("Bonnie").getByRole("button", { name: "Path layers" }),
        overlay: () => region("Path layers of Bonnie"),
        close: "Close path layers",
      },
      {
        file: "parts/area/location-dialog.tsx",
        opener: () => details("Bonnie").getByRole("button", { name: "37.1, -74.9" }),
        overlay: "position",
      },
    ],
  },
  {
    name: "the map on a phone",
    screen: async () => {
      await phone();
      prepareMaps();
      await openScreen(mapLink());
    },
    overlays: [{ file: "features/search/map/item-list-pane.tsx", opener: /^\d+ items$/, overlay: "Items", close: null }],
  },
  {
    name: "a schema",
    screen: openSchema,
    overlays: [
      {
        file: "features/catalog/descriptions/history-dialog.tsx",
        opener: () => inMain("More"),
        item: "History of Community Descriptions",
        overlay: "History of community descriptions of storm-tracks",
      },
      {
        file: "features/catalog/descriptions/upload-dialog.tsx",
        opener: () => inMain("More"),
        item: "Upload Descriptions from CSV",
        overlay: "Upload descriptions of storm-tracks",
      },
      {
        file: "features/catalog/schema/api-example-dialog.tsx",
        opener: () => inMain("More"),
        item: "API Example",
        overlay: "How to call storm-tracks",
      },
      { file: "ui/dialog/copy-failed-dialog.tsx", opener: () => inMain("More"), item: "Copy Link", overlay: "Copy Failed" },
    ],
  },
  {
    name: "internal datasets",
    screen: () => {
      gateway.answer(entityDefinitions["datasets/internal"].routes.revisions, []);
      gateway.answer(datasetAdministration.dataFolder, []);
      gateway.refuse(datasetAdministration.updateSchema, "internal", "The engine rests.");
      return openDatasets();
    },
    overlays: [
      {
        file: "features/admin/editor/revisions-dialog.tsx",
        opener: "Actions: airports",
        item: "Revisions",
        overlay: "Revisions of airports",
      },
      {
        file: "features/admin/datasets/schema-update-dialog.tsx",
        opener: "Actions: airports",
        item: "Update Schema",
        overlay: "Update schema of airports",
      },
      { file: "features/admin/import/import-dialog.tsx", opener: "Import", overlay: "Import internal datasets" },
      { file: "features/admin/datasets/new-from-data-dialog.tsx", opener: "New from data", overlay: "New from data" },
    ],
  },
  {
    name: "docs",
    screen: async () => {
      serveEntities("docs", [{ id: "first", name: "First steps", category: "video/mp4", description: "" }]);
      gateway.answer(docAdministration.files, { files: [] });
      await openAdmin("/doc-settings", "Docs");
    },
    overlays: [{ file: "features/admin/datasets/doc-files-dialog.tsx", opener: "Actions: first", item: "Files", overlay: /^Files of/ }],
  },
  {
    name: "users",
    screen: async () => {
      serveEntities("users", [{ id: "u-1", username: "grace", email: "grace@fairway.example", groups: [] }]);
      serveEntities("groups", []);
      serveEntities("roles", []);
      gateway.answer(userAdministration.securityEvents, []);
      await openAdmin("/user-settings", "Users");
    },
    overlays: [
      {
        file: "features/admin/accounts/security-events-dialog.tsx",
        opener: "Actions: grace",
        item: "Security Activity",
        overlay: "Security Activity of grace",
      },
    ],
  },
  {
    name: "filesets",
    screen: async () => {
      serveFilesets(gateway, { help: { files: { "faq.bin": 2 } } }, ["help"]);
      gateway.answer(filesets.tags, { tags: {} });
      serveEntities("filesets", [
        { id: "help", description: "Answers", s3Bucket: "demo", s3Prefix: "help", allowedRoles: [], allowsUploads: false },
      ]);
      await openAdmin("/fileset-settings", "Filesets");
    },
    overlays: [{ file: "parts/file-browser/fileset-dialog.tsx", opener: "Actions: help", item: "Open", overlay: "help" }],
  },
  {
    name: "a folder",
    screen: async () => {
      serveFilesets(gateway, { archive: { files: { "one.bin": 10 } } });
      gateway.answer(filesets.tags, { tags: {} });
      await openScreen("/filesets?fileset=archive");
    },
    overlays: [{ file: "parts/file-preview/file-preview.tsx", opener: "one.bin", overlay: "one.bin" }],
  },
  {
    name: "sign-in methods",
    screen: () => {
      const secret = "JBSWY3DPEHPK3PXP";
      gateway.answer(signInMethods.read, {
        authenticator: null,
        recoveryCodesLeft: 1,
        passkeys: [{ id: "p-1", name: "Work laptop", host: location.hostname, addedMs: 0, lastUsedMs: null }],
        required: false,
      });
      gateway.answer(signInMethods.beginAuthenticator, { secret, uri: `otpauth://totp/Fairway:ada?secret=${secret}` });
      return openScreen("/sign-in-methods");
    },
    overlays: [
      { file: "features/account/sign-in-methods/methods-authenticator.tsx", opener: "Set Up", overlay: "Set Up Authenticator App" },
    ],
  },
  {
    name: "keys",
    screen: () => {
      const none = { datasets: [], filesets: [], ecosystems: [] };
      const key = {
        id: "Nightly",
        name: "Nightly",
        key: "fwk_…x7Qa",
        createdDateMs: 0,
        lastUsedMs: null,
        expiresAtMs: null,
        previousKeyEndsMs: null,
        ...none,
        filesets: ["charts"],
        lost: none,
      };
      gateway.answer(apiKeys.list, [key]);
      return openScreen("/keys");
    },
    overlays: [
      { file: "features/account/api-keys/keys-help.tsx", opener: "Help", overlay: "Using API Keys" },
      { file: "features/account/api-keys/keys-rotate.tsx", opener: "Rotate Nightly", overlay: "Rotate Nightly" },
    ],
  },
  {
    name: "a flow request",
    screen: async () => {
      serveFlowRequest();
      serveDeployments([buildDeployment(1)]);
      gateway.answer(flowDifferences.drawing, smallDrawing);
      await openScreen(`${requestAddress}?mode=diff&view=drawing&base=accepted`, { roles: ["admin"] });
    },
    overlays: [
      { file: "features/flows/deploy/history-dialog.tsx", opener: "1 deployment", overlay: "Deployment History" },
      { file: "features/flows/request/status-dialog.tsx", opener: "Actions", item: "Abandon", overlay: "Abandon this request?" },
      {
        file: "features/flows/changes/flow-drawing.tsx",
        opener: "Full screen (F)",
        overlay: /^Drawing of/,
        close: "Leave full screen (Escape)",
      },
    ],
  },
  {
    name: "the deployments of a flow",
    screen: async () => {
      serveFlowRequest();
      serveDeployments([buildDeployment(1)]);
      await openScreen(requestAddress, { roles: ["admin"] });
      await press("Enter", button("1 deployment"));
    },
    overlays: [{ file: "features/flows/deploy/drift-dialog.tsx", opener: /^Check for drift/, overlay: "Check for Drift" }],
  },
  {
    name: "a flow request in a narrow window",
    screen: async () => {
      await page.viewport(1024, 768);
      serveFlowRequest();
      await openScreen(requestAddress);
    },
    overlays: [{ file: "features/flows/request/request-page.tsx", opener: /^Comments/, overlay: "Comments", close: "Close comments" }],
  },
  {
    name: "alerts",
    screen: () => {
      gateway.answer(alerts.history, { checks: [], hasMore: false });
      return openAlerts();
    },
    overlays: [
      { file: "features/search/alerts/history-dialog.tsx", opener: "Actions for Rain", item: "History", overlay: "History of Rain" },
    ],
  },
  {
    name: "emails",
    screen: () => {
      gateway.answer(subscriptions.deliveries, { deliveries: [], hasMore: false });
      return openEmails();
    },
    overlays: [
      {
        file: "features/search/subscriptions/deliveries-dialog.tsx",
        opener: "Actions for Season",
        item: "Deliveries",
        overlay: "Deliveries of Season",
      },
    ],
  },
  {
    name: "a board",
    screen: () => {
      gateway.answer(boards.revisions, []);
      return openBoard();
    },
    overlays: [{ file: "features/search/boards/revisions-dialog.tsx", opener: "More actions", item: "History", overlay: "History" }],
  },
  {
    name: "the audit log",
    screen: () => {
      serveEvents([buildEvent(1, { requestTimeMs: 0 })]);
      return openScreen("/auditing", { roles: ["admin"] });
    },
    overlays: [
      {
        file: "features/auditing/audit-details.tsx",
        opener: () => page.getByRole("table", { name: "Audit events" }).getByRole("row").getByRole("button"),
        overlay: "Audit Event",
      },
    ],
  },
  {
    name: "tutorial videos",
    screen: () => {
      gateway.answer(docs.list, [
        {
          id: "first",
          name: "First steps",
          category: "video/mp4",
          description: "",
          hasContent: true,
          hasPreview: false,
          hasCaptions: false,
        },
      ]);
      gateway.answer(docs.url, { url: "/video" });
      return openScreen("/tutorials");
    },
    overlays: [
      {
        file: "features/help/video-player.tsx",
        opener: () => page.getByRole("list", { name: "Tutorial videos" }).getByRole("button"),
        overlay: "First steps",
      },
    ],
  },
];

const located = (role: "button" | "dialog", named: Named) =>
  typeof named === "function" ? named : () => page.getByRole(role, { name: named, exact: true });

const withLocators = (one: ListedOverlay): Overlay => ({
  ...one,
  opener: located("button", one.opener),
  overlay: located("dialog", one.overlay),
});

export const sweptScreens: readonly SweptScreen<Overlay>[] = listedScreens.map(({ name, screen, overlays }) => ({
  name,
  screen,
  overlays: overlays.map(withLocators),
}));
