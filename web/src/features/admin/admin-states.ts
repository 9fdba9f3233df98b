import { userAdministration } from "@fairway/contract/accounts";
import { entityDefinitions } from "@fairway/contract/administration";
import { datasetAdministration } from "@fairway/contract/dataset-administration";
import { alertAdministration } from "@fairway/contract/alerts";
import { apiKeyAdministration, type OwnedApiKey } from "@fairway/contract/api-keys";
import { type AdministeredType, entityTypes } from "@fairway/contract/entity-types";
import { platformMetadata } from "@fairway/contract/metadata";
import { ownership, sharing } from "@fairway/contract/sharing";
import { torchServiceChecks } from "@fairway/contract/torch-services";
import { page } from "vitest/browser";
import { buildColumn } from "#testing/dataset-builders.ts";
import { serveForms } from "#testing/dataset-forms.ts";
import { serveEntities } from "#testing/entities.ts";
import { gateway } from "#testing/open-screen.tsx";
import { openDatasets, ownedAlert } from "#testing/opened-screens.ts";
import { button, failure, forAdministrators, type ScreenState, text, title, failing, loading } from "#testing/screen-state.ts";

/** One of each type that is stored as it is written here. */
const examples = new Map<AdministeredType, Record<string, unknown>>([
  ["users", { id: "u-1", username: "grace", email: "grace@fairway.example", groups: [] }],
  ["docs", { id: "first", name: "First steps", category: "video/mp4", description: "" }],
  ["filesets", { id: "help", description: "Answers", s3Bucket: "demo", s3Prefix: "help", allowedRoles: [], allowsUploads: false }],
  [
    "joltSpecifications",
    { name: "orders", sourceType: "order", targetType: "customer", joltSpec: [{ operation: "shift", spec: { id: "customer.id" } }] },
  ],
]);

/** Choices that forms of users, groups and notices offer. */
function serveNone(): void {
  for (const type of Object.keys(entityTypes) as AdministeredType[]) serveEntities(type, []);
  gateway.answer(userAdministration.securityEvents, []);
  gateway.answer(torchServiceChecks.reachability, []);
}

const types = Object.entries(entityTypes) as [AdministeredType, (typeof entityTypes)[AdministeredType]][];

const slugOf = (address: string): string => address.replaceAll(/^\/|-settings$/g, "");

const emptyLists = types.map(([, { address, title: name }]): ScreenState => ({
  name: `entities-${slugOf(address)}-none`,
  answers: serveNone,
  open: address,
  shows: title(name),
}));

const lists = Array.from(examples, ([type, example]): ScreenState => ({
  name: `entities-${slugOf(entityTypes[type].address)}`,
  answers: () => {
    serveNone();
    serveEntities(type, [example]);
  },
  open: entityTypes[type].address,
  shows: () => page.getByRole("grid"),
}));

const datasetRoutes = entityDefinitions["datasets/internal"].routes;

export const ownedKey = (name: string, owner: string): OwnedApiKey => ({
  id: `key-${name}`,
  name,
  key: "fwk_…abcd",
  datasets: [{ datasetCategory: "Aviation", datasetId: "flights" }],
  filesets: ["photos"],
  ecosystems: ["reef"],
  createdDateMs: Date.UTC(2026, 0, 1),
  lastUsedMs: null,
  expiresAtMs: Date.UTC(2026, 5, 1, 16),
  previousKeyEndsMs: null,
  owner: { id: `user-${owner}`, username: owner, locked: owner === "grace" },
});

function serveOwnerless(): void {
  const boats = { to: { kind: "group", id: "g-1", name: "Boats" }, can: "view" } as const;
  gateway.answer(ownership.ownerless, {
    entries: [
      { kind: "board", id: "b-1", name: "Season", formerOwner: "grace", shares: [boats] },
      { kind: "ownDataset", id: "d-1", name: "rain-2024", formerOwner: "", shares: [] },
    ],
  });
  gateway.answer(sharing.candidates, [{ kind: "user", id: "u-bob", name: "bob" }]);
}

export const states: readonly ScreenState[] = forAdministrators([
  ...emptyLists,
  ...lists,
  { name: "entities-internal-dataset", open: openDatasets, shows: () => button("Actions: airports"), phone: true },
  {
    name: "internal-dataset-form",
    answers: serveForms,
    open: "/internal-dataset-settings?form=storm-tracks",
    shows: () => text("The first 200 rows")(),
    phone: true,
  },
  {
    name: "internal-dataset-form-text-files",
    answers: serveForms,
    open: "/internal-dataset-settings?form=visits",
    shows: text("UTF-8, comma, column names in line 1, 3 rows"),
  },
  {
    name: "internal-dataset-form-problems",
    answers: serveForms,
    open: "/internal-dataset-settings?form=storm-tracks",
    steps: [() => page.getByRole("textbox", { name: "Category" }).fill("")],
    shows: text("One thing keeps this from being saved"),
  },
  loading(
    "internal-dataset-form-loading",
    "/internal-dataset-settings?form=storm-tracks",
    datasetRoutes.get,
    title("storm-tracks"),
    serveForms,
  ),
  failing("internal-dataset-form-failed", "/internal-dataset-settings?form=storm-tracks", datasetRoutes.get, serveForms),
  loading("entities-loading", entityTypes.filesets.address, entityDefinitions.filesets.routes.list, title("Filesets"), serveNone),
  failing("entities-failed", entityTypes.filesets.address, entityDefinitions.filesets.routes.list, serveNone),
  {
    name: "entity-new-notice",
    answers: serveNone,
    open: entityTypes.notices.address,
    steps: [() => button("New").first().click()],
    shows: () => page.getByRole("dialog"),
    phone: true,
  },
  {
    name: "entity-new-user",
    answers: serveNone,
    open: entityTypes.users.address,
    steps: [() => button("New").first().click()],
    shows: () => page.getByRole("dialog"),
  },
  {
    name: "new-from-data-found",
    answers: () => {
      gateway.answer(datasetAdministration.dataFolder, ({ query: { path } }) =>
        path === "" ? [{ name: "aviation", path: "aviation", kind: "folder" as const, bytes: null }] : [],
      );
      gateway.answer(datasetAdministration.inspect, {
        dataset: { id: "made", schema: { columns: [buildColumn("iata"), buildColumn("city")] } },
        files: 1,
        sample: [
          { iata: "FRA", city: "Frankfurt" },
          { iata: "HAM", city: "Hamburg" },
        ],
        notes: ["The data is partitioned by 'day'."],
        problems: ["1 of 4 lines could not be read."],
      });
    },
    open: openDatasets,
    steps: [
      () => button("New from data").click(),
      () => page.getByRole("dialog").getByRole("button", { name: "aviation" }).click(),
      () => button("This whole folder").click(),
    ],
    shows: () => page.getByRole("region", { name: "Sample" }),
  },
  {
    name: "about",
    answers: () =>
      gateway.answer(platformMetadata.read, {
        gateway: { version: "2.0.0", release: "r12", startedAt: "2026-11-21T22:44:30.053Z", memoryMb: 1198 },
        database: { name: "PostgreSQL", reachable: true },
      }),
    open: "/about",
    shows: () => page.getByRole("region", { name: "gateway", exact: true }),
    phone: true,
  },
  {
    name: "about-failed",
    answers: () => gateway.refuse(platformMetadata.read, "internal", "Nobody is in."),
    open: "/about",
    shows: failure,
  },
  {
    name: "all-keys",
    answers: () => gateway.answer(apiKeyAdministration.list, [ownedKey("Nightly", "ada"), ownedKey("Dashboard", "grace")]),
    open: "/key-settings",
    shows: text("Dashboard"),
    phone: true,
  },
  {
    name: "all-keys-none",
    answers: () => gateway.answer(apiKeyAdministration.list, []),
    open: "/key-settings",
    shows: title("API Keys of all users"),
  },
  failing("all-keys-failed", "/key-settings", apiKeyAdministration.list),
  {
    name: "all-alerts",
    answers: () => gateway.answer(alertAdministration.list, { alerts: [ownedAlert], total: 1, checks: 1, durationMs: 1 }),
    open: "/alert-settings",
    shows: () => button("End Rain of ada"),
    phone: true,
  },
  {
    name: "all-alerts-cut",
    answers: () =>
      gateway.answer(alertAdministration.list, {
        alerts: [
          ownedAlert,
          {
            ...ownedAlert,
            id: "a-2",
            name: "Snow",
            owner: { id: "u-grace", username: "grace", locked: true },
            reason: "Gone.",
            isEnded: true,
          },
        ],
        total: 1_400,
        checks: 1_289,
        durationMs: 61_244,
      }),
    open: "/alert-settings",
    shows: text("1,398 more alerts took less time."),
    phone: true,
  },
  {
    name: "all-alerts-none",
    answers: () => gateway.answer(alertAdministration.list, { alerts: [], total: 0, checks: 0, durationMs: 0 }),
    open: "/alert-settings",
    shows: title("Alerts of all users"),
  },
  failing("all-alerts-failed", "/alert-settings", alertAdministration.list),
  { name: "ownerless", answers: serveOwnerless, open: "/ownerless-settings", shows: () => button("Give Season to"), phone: true },
  {
    name: "ownerless-give",
    answers: serveOwnerless,
    open: "/ownerless-settings",
    steps: [
      () => button("Give Season to").click(),
      () => page.getByRole("combobox", { name: "New owner" }).fill("bob"),
      () => page.getByRole("option", { name: /^bob/ }).click(),
    ],
    shows: text("bob becomes its owner."),
    phone: true,
  },
  {
    name: "ownerless-none",
    answers: () => gateway.answer(ownership.ownerless, { entries: [] }),
    open: "/ownerless-settings",
    shows: title("Without owner"),
    phone: true,
  },
  failing("ownerless-failed", "/ownerless-settings", ownership.ownerless),
]);
