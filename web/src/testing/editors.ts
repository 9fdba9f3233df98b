import { userAdministration } from "@fairway/contract/accounts";
import { alertAdministration } from "@fairway/contract/alerts";
import { apiKeys } from "@fairway/contract/api-keys";
import { boards } from "@fairway/contract/boards";
import { feedback } from "@fairway/contract/feedback";
import { profile } from "@fairway/contract/profile";
import { signInMethods } from "@fairway/contract/second-factors";
import { ownSecurityEvents } from "@fairway/contract/security-events";
import { ownSessions } from "@fairway/contract/sessions";
import { settings } from "@fairway/contract/settings";
import { type Locator, page } from "vitest/browser";
import { openGroups } from "./dataset-groups.ts";
import { earthquakes, openForm, timeDialog, timeRange } from "./datasets-screen.ts";
import { openAdmin, serveEntities } from "./entities.ts";
import { gateway, openScreen, uiConfig } from "./open-screen.tsx";
import {
  board,
  openAllOwnData,
  openAlerts,
  openBoard,
  openBoardEditing,
  openDatasets,
  openFlows,
  openOwnSchema,
  openRequest,
  openSuggestions,
  ownedAlert,
  schemaAddress,
} from "./opened-screens.ts";
import { fewRows, openResults } from "./results.ts";
import { serveSavedSearches } from "./saved-searches.ts";

/** A dialog in which text is typed. */
export interface EditorDialog {
  /** The source file that asks before the text is lost. */
  readonly file: string;
  /** Shows the screen. */
  readonly screen: () => Promise<unknown>;
  /** Pressed with Enter. */
  readonly opener: () => Locator;
  /** Then chosen in the menu that opens. */
  readonly item?: string;
  readonly dialog: () => Locator;
  /** Shows the field. */
  readonly step?: (dialog: Locator) => Promise<unknown>;
  readonly field: (dialog: Locator) => Locator;
  readonly text?: string;
  /** False: Escape is a key of the fields. */
  readonly escape?: false;
  /** False: a click outside does nothing. */
  readonly outside?: false;
  /** The dialog is above every screen: another address does not close it. */
  readonly staysOverScreens?: true;
  /** The typed text is offered again after a reload. "reopened": the dialog is open again as well. */
  readonly keeps?: true | "reopened";
  /** The button at the top right, or another that closes without saving and asks. */
  readonly close?: string;
}

const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const dialog = (name: string | RegExp) => page.getByRole("dialog", { name, exact: true });
const box = (name: string) => (within: Locator) => within.getByRole("textbox", { name, exact: true });

export const editorDialogs: readonly EditorDialog[] = [
  {
    file: "features/catalog/own-data/rename-button.tsx",
    screen: () => openOwnSchema(),
    opener: () => button("Rename"),
    dialog: () => dialog("Rename storm-tracks"),
    field: box("Name"),
  },
  {
    file: "features/admin/own-data/own-data-dialogs.tsx",
    screen: openAllOwnData,
    opener: () => button("Delete rain-2024 of ada"),
    dialog: () => dialog("Delete rain-2024"),
    field: box("Reason"),
  },
  {
    file: "features/feedback/feedback-form.tsx",
    screen: async () => {
      gateway.answer(feedback.own, []);
      gateway.answer(apiKeys.list, []);
      await openScreen("/keys");
    },
    opener: () => button("Submit Feedback"),
    dialog: () => dialog("Submit Feedback"),
    field: box("Comment"),
    outside: false,
    staysOverScreens: true,
    keeps: "reopened",
  },
  {
    file: "features/account/api-keys/keys-editor.tsx",
    screen: () => {
      gateway.answer(apiKeys.list, []);
      return openScreen("/keys");
    },
    opener: () => button("Create Key").first(),
    dialog: () => dialog("Create Key"),
    field: box("Name"),
    keeps: "reopened",
  },
  {
    file: "features/account/sign-in-methods/methods-passkey-name.tsx",
    screen: () => {
      gateway.answer(signInMethods.read, {
        authenticator: null,
        recoveryCodesLeft: 0,
        required: false,
        passkeys: [{ id: "p-1", name: "Work laptop", host: location.hostname, addedMs: 0, lastUsedMs: null }],
      });
      return openScreen("/sign-in-methods");
    },
    opener: () => page.getByRole("list", { name: "Passkeys" }).getByRole("button", { name: /^Rename/ }),
    dialog: () => dialog("Rename Passkey"),
    field: box("Name"),
  },
  {
    file: "features/catalog/schema/announce-dialog.tsx",
    screen: () => openScreen(schemaAddress, { roles: ["admin"] }),
    opener: () => page.getByRole("main").getByRole("button", { name: "More", exact: true }),
    item: "Announce…",
    dialog: () => dialog("Announce on storm-tracks"),
    field: box("Text"),
    keeps: true,
  },
  {
    file: "features/catalog/suggestions/suggest-dialog.tsx",
    screen: () => openScreen(schemaAddress),
    opener: () => button("Suggest a description"),
    dialog: () => dialog("Suggest a description"),
    field: box("Description"),
  },
  {
    file: "features/catalog/suggestions/decline-dialog.tsx",
    screen: openSuggestions,
    opener: () => button("Decline"),
    dialog: () => dialog("Decline this suggestion?"),
    field: box("Reason (optional)"),
    keeps: true,
  },
  {
    file: "features/admin/accounts/provider-link-dialog.tsx",
    screen: async () => {
      serveEntities("users", [{ id: "u-1", username: "grace", email: "grace@fairway.example", groups: [] }]);
      serveEntities("groups", []);
      serveEntities("roles", []);
      gateway.answer(settings.ui, { ...uiConfig, oidc: { displayName: "Harbour ID" } });
      gateway.answer(userAdministration.providerLink, null);
      await openAdmin("/user-settings", "Users");
    },
    opener: () => button("Actions: grace"),
    item: "Provider Link",
    dialog: () => dialog("Provider Link of grace"),
    field: box("Subject"),
  },
  {
    file: "features/admin/datasets/descriptions-dialog.tsx",
    screen: openDatasets,
    opener: () => button("Actions: airports"),
    item: "Edit Descriptions",
    dialog: () => dialog("Descriptions of airports"),
    field: box("iata"),
    outside: false,
    keeps: true,
  },
  {
    file: "features/admin/editor/editor-dialog.tsx",
    screen: openDatasets,
    opener: () => button("Actions: airports"),
    item: "Edit",
    dialog: () => dialog("Edit airports"),
    field: box("JSON"),
    text: "{}",
    escape: false,
    outside: false,
    keeps: true,
  },
  {
    file: "features/admin/editor/jolt-dialog.tsx",
    screen: async () => {
      const joltSpec = [{ operation: "shift", spec: { id: "customer.id" } }];
      serveEntities("joltSpecifications", [{ name: "orders", sourceType: "order", targetType: "customer", joltSpec }]);
      await openAdmin("/jolt-settings", "Jolt Specifications");
    },
    opener: () => button("Actions: orders"),
    item: "Try",
    dialog: () => dialog("Try orders"),
    field: box("Input"),
    text: "[1]",
    escape: false,
    outside: false,
  },
  {
    file: "features/admin/editor/form-dialog.tsx",
    screen: async () => {
      serveEntities("notices", []);
      serveEntities("roles", []);
      await openAdmin("/notice-settings", "Information Notices");
    },
    opener: () => button("New").first(),
    dialog: () => dialog("New notice"),
    field: box("Title"),
    outside: false,
  },
  {
    file: "features/admin/accounts/all-alerts-page.tsx",
    screen: async () => {
      gateway.answer(alertAdministration.list, { alerts: [ownedAlert], total: 1, checks: 1, durationMs: 1 });
      await openAdmin("/alert-settings", "Alerts of all users");
    },
    opener: () => button("End Rain of ada"),
    dialog: () => dialog("End Rain of ada?"),
    field: box("Reason"),
    keeps: true,
  },
  {
    file: "features/search/alerts/alert-dialog.tsx",
    screen: openAlerts,
    opener: () => button("New alert"),
    dialog: () => dialog("New Alert"),
    field: box("Name"),
  },
  {
    file: "features/search/subscriptions/subscription-dialog.tsx",
    screen: openBoard,
    opener: () => button("More actions"),
    item: "Send by email …",
    dialog: () => dialog("Send by email"),
    field: box("Name"),
  },
  {
    file: "features/search/boards/board-form-dialog.tsx",
    screen: () => {
      gateway.answer(boards.list, []);
      return openScreen("/boards");
    },
    opener: () => button("New board").first(),
    dialog: () => dialog("New Board"),
    field: box("Name"),
  },
  {
    file: "features/search/boards/panel-dialog.tsx",
    screen: openBoardEditing,
    opener: () => button("Edit Notes"),
    dialog: () => dialog("Text Panel"),
    field: box("Text"),
    keeps: true,
  },
  {
    file: "features/search/boards/add-panel-dialog.tsx",
    screen: openBoardEditing,
    opener: () => button("Add panel"),
    dialog: () => dialog("Add Panel"),
    step: (within) => within.getByRole("radio", { name: /^Katrina/ }).click(),
    field: box("Title"),
  },
  {
    file: "features/search/add-to-board/add-to-board-dialog.tsx",
    screen: async () => {
      gateway.answer(boards.list, [board]);
      gateway.answer(boards.read, board);
      await openResults(fewRows);
    },
    opener: () => button("Actions"),
    item: "Add to Board",
    dialog: () => dialog("Add to Board"),
    field: box("Title"),
  },
  {
    file: "features/search/saved-searches/saved-search-dialogs.tsx",
    screen: async () => {
      serveSavedSearches([]);
      await openResults(fewRows);
    },
    opener: () => button("Actions"),
    item: "Save Search Filters",
    dialog: () => dialog("Save Search Filters"),
    field: box("Name"),
  },
  {
    file: "features/search/dataset-groups/group-dialog.tsx",
    screen: () => openGroups(),
    opener: () => button("New Dataset Group"),
    dialog: () => dialog("Create Dataset Group"),
    field: box("Name"),
  },
  {
    file: "parts/filters/time-range-dialog.tsx",
    screen: () => openForm(earthquakes),
    opener: timeRange,
    dialog: timeDialog,
    field: box("Start"),
    text: "2001-05-01",
  },
  {
    file: "parts/filters/filter-dialog.tsx",
    screen: () => openForm(earthquakes),
    opener: () => page.getByRole("main").getByRole("button", { name: "Add filter", exact: true }),
    dialog: () => dialog("Add filter"),
    step: () => page.getByRole("listbox").getByRole("option", { name: "depth", exact: true }).click(),
    field: (within) => within.getByLabelText("Value", { exact: true }),
    text: "10",
  },
  {
    file: "parts/area/area-dialog.tsx",
    screen: () => openForm(earthquakes),
    opener: () => page.getByRole("button", { name: /^Area:/ }),
    dialog: () => dialog("Select Area"),
    field: box("Coordinates"),
    text: "1,1 2,2",
  },
  {
    file: "features/flows/list/new-flow-dialog.tsx",
    screen: () => openFlows("/niflow-flows"),
    opener: () => button("New Flow"),
    dialog: () => dialog("New Flow"),
    field: box("Flow Name"),
  },
  {
    file: "features/flows/requests/new-request-dialog.tsx",
    screen: () => openFlows("/niflow-requests"),
    opener: () => button("New Request").first(),
    dialog: () => dialog("New Request"),
    field: box("Request Name"),
    outside: false,
    keeps: true,
  },
  {
    file: "features/flows/request/new-iteration-dialog.tsx",
    screen: openRequest,
    opener: () => button("Actions"),
    item: "Create New Iteration",
    dialog: () => dialog("Create New Iteration"),
    field: box("Reason (optional)"),
    keeps: true,
  },
  {
    file: "features/flows/deploy/deploy-form.tsx",
    screen: openRequest,
    opener: () => button("Actions"),
    item: "Deploy",
    dialog: () => dialog("Deploy"),
    field: box("Username"),
    outside: false,
  },
];

/** A form that is part of a screen. */
export interface EditorPage {
  readonly file: string;
  readonly screen: () => Promise<unknown>;
  readonly field: () => Locator;
}

export const editorPages: readonly EditorPage[] = [
  {
    file: "features/account/profile/profile-form.tsx",
    screen: () => {
      gateway.answer(profile.read, { username: "ada", email: "ada@fairway.example", firstName: "Ada", lastName: "Lovelace", roles: [] });
      gateway.answer(ownSessions.list, []);
      gateway.answer(ownSessions.signIns, []);
      gateway.answer(ownSecurityEvents.list, []);
      return openScreen("/user-profile");
    },
    field: () => page.getByRole("textbox", { name: "First name" }),
  },
  {
    file: "features/account/profile/password-page.tsx",
    screen: () => {
      gateway.answer(apiKeys.list, []);
      return openScreen("/change-password");
    },
    field: () => page.getByRole("textbox", { name: "New password" }),
  },
  {
    file: "features/catalog/schema/schema-page.tsx",
    screen: async () => {
      await openScreen(schemaAddress, { roles: ["schema-edit"] });
      await button("Edit").click();
      await page.getByRole("menuitem", { name: "Private Descriptions" }).click();
    },
    field: () => page.getByRole("main").getByRole("textbox").first(),
  },
];
