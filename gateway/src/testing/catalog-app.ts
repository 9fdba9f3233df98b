import type { Column } from "@fairway/contract/columns";
import { openCatalog } from "#capabilities/catalog/capability.ts";
import { openDatasetAnnouncements } from "#capabilities/dataset-announcements/capability.ts";
import { openDatasets } from "#capabilities/datasets/capability.ts";
import { openDescriptions } from "#capabilities/descriptions/capability.ts";
import { openNotifications } from "#capabilities/notifications/capability.ts";
import { openEntityChanges } from "#entities/entity-changes.ts";
import { type EntityStore, entityStore } from "#entities/store.ts";
import { defaultSecurityLimits } from "#identity/security-limits.ts";
import { noServer } from "#query/presto/no-server.ts";
import { EngineRegistry, openedEngine } from "#query/engines.ts";
import { addDataset, buildDataset } from "./dataset-app.ts";
import { type IdentityApp, identityApp, type OnClose, rootsAccount, someAccounts } from "./identity-app.ts";
import { noEngine } from "./no-engine.ts";
import { ReportedChanges } from "./reported-changes.ts";
import { secretKey } from "./secret-key.ts";
import { accessTokenOf, adaAndGrace } from "./signed-in.ts";
import { testMasterKey } from "#testing/test-master-key.ts";

const columnNamed = (name: string, more: Partial<Column> = {}): Column => ({
  name,
  type: "STRING",
  description: `The ${name}.`,
  combined: null,
  ...more,
});

const place = columnNamed("place", { combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " } });

/**
 * Signs in Ada, a reader with the role schema-edit, Root, an administrator without it, and Grace, who has no role. Grace may not
 * read the dataset `secrets`. A user may have three open suggestions.
 */
export async function catalogApp(
  onClose?: OnClose,
  notificationParts: Partial<Parameters<typeof openNotifications>[0]> = {},
  /** Opens a second gateway on the database of this one. */
  peer?: IdentityApp,
) {
  let entities: EntityStore | undefined;
  let opened: Awaited<ReturnType<typeof openNotifications>> | undefined;
  const { users, roles } = someAccounts;
  const reported = new ReportedChanges();
  const gateway = await identityApp({
    ...(onClose && { onClose }),
    ...(peer && { peer }),
    accounts: {
      ...someAccounts,
      roles: [...roles, "schema-edit"],
      users: [...users.map((user) => (user.username === "ada" ? Object.assign({}, user, { roles: ["schema-edit"] }) : user)), rootsAccount],
    },
    capabilities: async ({ db, log, notifications }) => {
      const entityChanges = await openEntityChanges(notifications);
      const store = entityStore(db, log, secretKey, entityChanges.report);
      entities = store;
      const engines = new EngineRegistry(
        { files: openedEngine(noEngine), tables: openedEngine(noServer), rest: openedEngine(noEngine) },
        log,
      );
      const datasets = openDatasets({ entities: store, entityChanges, engines, categories: [], masterKey: testMasterKey });
      const { schema: schemaOf, schemas: schemasOf, canRead, scopeKeys: scopeKeysOf } = datasets;
      const limits = { ...defaultSecurityLimits, descriptionSuggestionsPerUser: 3 };
      const notifying = await openNotifications({
        db,
        canRead,
        scopeKeysOf,
        mail: undefined,
        publicUrl: undefined,
        portalTitle: async () => "Harbour Office",
        limits,
        live: reported,
        log,
        ...notificationParts,
      });
      opened = notifying;
      const descriptions = openDescriptions({ db, schemaOf, schemasOf, canRead, scopeKeysOf, notifier: notifying.notifier, limits });
      const { communityDescriptions } = descriptions;
      const announcements = openDatasetAnnouncements({ db, canRead, exists: datasets.exists });
      const { indexable } = datasets;
      const catalog = await openCatalog({ db, schemasOf, communityDescriptions, indexable, entityChanges, log });
      return [datasets, announcements, notifying, descriptions, catalog];
    },
  });
  if (entities === undefined || opened === undefined) throw new Error("the capabilities have not opened");
  const root = await accessTokenOf(gateway, "root", rootsAccount.password);
  const app = {
    entities,
    gateway,
    notifier: opened.notifier,
    reported,
    prune: opened.prune,
    root,
    ...(await adaAndGrace(gateway, (token) => token)),
  };
  if (peer) return app;
  const filterable = buildDataset().schema.columns;
  const located = [...filterable, columnNamed("lat", { type: "decimal" }), columnNamed("lng", { type: "decimal" }), place];
  await addDataset(app, {
    id: "storms",
    category: "nature",
    schema: {
      columns: [...located, columnNamed("at", { type: "TIMESTAMP_MILLS", unit: "ms" }), columnNamed("Wind_Speed")],
    },
    locationField: "place",
    mapSupport: { groupItemField: "id", itemLocationField: "place", itemTemporalField: "at" },
  });
  await addDataset(app, { id: "airports", category: "traffic", schema: { columns: [...located, columnNamed("runway")] } });
  await addDataset(app, { id: "budget", category: "money" });
  await addDataset(app, { id: "secrets", category: "money", roles: ["reader"], schema: { columns: [columnNamed("runway_secret")] } });
  return app;
}
