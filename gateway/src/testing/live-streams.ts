import type { FastifyInstance } from "fastify";
import { DatasetChanges } from "#capabilities/datasets/dataset-changes.ts";
import { openNotices } from "#capabilities/notices/capability.ts";
import { openNotifications } from "#capabilities/notifications/capability.ts";
import { openEntityChanges } from "#entities/entity-changes.ts";
import { type EntityStore, entityStore } from "#entities/store.ts";
import { defaultSecurityLimits } from "#identity/security-limits.ts";
import { LiveChanges } from "#database/live-changes.ts";
import { openOwnDatasets } from "#own-data/own-datasets.ts";
import type { Notifier } from "#personal/notify.ts";
import { adasPassword, type IdentityApp, identityApp, someAccounts } from "./identity-app.ts";
import type { LiveReader } from "./live-reader.ts";
import { secretKey } from "./secret-key.ts";
import { accessTokenOf } from "./signed-in.ts";
import { openLive } from "../capabilities/live/capability.ts";

const gracesPassword = "nanoseconds";

const limits = { liveStreams: 6, liveStreamsPerUser: 3 };

export interface Gateway {
  readonly app: IdentityApp;
  readonly url: string;
  readonly notifier: Notifier;
  readonly entities: EntityStore;
  readonly changes: LiveChanges;
  /** As by SIGTERM. */
  readonly stop: () => void;
  readonly openStreams: () => number;
}

interface Options {
  readonly accessTokenSeconds?: number;
  readonly sessionCheckMs?: number;
  readonly heartbeatMs?: number;
}

export async function openGateway(
  onClose: (close: () => Promise<void>) => void,
  peer?: IdentityApp,
  options: Options = {},
): Promise<Gateway> {
  const { accessTokenSeconds = 1_800, ...timing } = options;
  const stopping = new AbortController();
  let parts: Pick<Gateway, "notifier" | "entities" | "changes" | "openStreams"> | undefined;
  const app = await identityApp({
    onClose,
    limits: { accessTokenSeconds },
    headRoutes: true,
    ...(peer ? { peer } : { accounts: someAccounts }),
    capabilities: async ({ db, identity, notifications, log }) => {
      const changes = await LiveChanges.open({ notifications, log });
      const entityChanges = await openEntityChanges(notifications);
      const entities = entityStore(db, log, secretKey, entityChanges.report);
      const datasetChanges = new DatasetChanges({ entityChanges, ownDatasets: await openOwnDatasets(db, notifications) });
      const notices = openNotices({ db, entities, entityChanges, live: changes, log });
      const notifying = await openNotifications({
        db,
        canRead: async () => true,
        scopeKeysOf: async () => [],
        mail: undefined,
        publicUrl: undefined,
        portalTitle: async () => "Harbour Office",
        limits: defaultSecurityLimits,
        live: changes,
        log,
      });
      const live = openLive({
        liveChanges: changes,
        onNoticesChanged: notices.onChanged,
        onDatasetsChanged: (listener) => datasetChanges.subscribe(listener),
        identity,
        limits,
        build: "b1",
        stopping: stopping.signal,
        log,
        ...timing,
      });
      parts = { notifier: notifying.notifier, entities, changes, openStreams: () => live.gauges?.[0]?.read() ?? -1 };
      return [notices, notifying, live, { routes: {}, close: () => (datasetChanges.close(), changes.close()) }];
    },
  });
  if (parts === undefined) throw new Error("the capabilities have not opened");
  servers.push(app.app.server);
  return { app, url: `${await app.app.listen({ host: "127.0.0.1", port: 0 })}/live`, stop: () => stopping.abort(), ...parts };
}

export const opened = {} as { one: Gateway; two: Gateway; ids: Record<string, string> };

export const closing: (() => Promise<void>)[] = [];

const servers: FastifyInstance["server"][] = [];

export async function openGateways(): Promise<void> {
  opened.one = await openGateway((close) => closing.push(close));
  opened.two = await openGateway((close) => closing.push(close), opened.one.app);
  const { rows } = await opened.one.app.database.pool.query<{ id: string; username: string }>("select id, username from users");
  opened.ids = Object.fromEntries(rows.map(({ id, username }) => [username, id]));
}

export async function closeGateways(): Promise<void> {
  // A client may have connected without having sent a request.
  for (const server of servers) server.closeAllConnections();
  for (const close of closing.toReversed()) await close();
}

export const adasToken = () => accessTokenOf(opened.one.app, "ada", adasPassword);

export const gracesToken = () => accessTokenOf(opened.one.app, "grace", gracesPassword);

export const idOf = (username: string): string => opened.ids[username] ?? "";

export const about = (reader: LiveReader, topic: string) =>
  reader.messages.filter((message) => message.kind === "changed" && message.topic === topic);
