import type { Alert, AlertDraft, AlertHistory, AlertList, SavedAlert } from "@fairway/contract/alerts";
import type { ErrorBody } from "@fairway/contract/errors";
import { defaultLimits } from "@fairway/contract/limits";
import type { Notification, NotificationPage } from "@fairway/contract/notifications";
import type { SavedSearch } from "@fairway/contract/saved-searches";
import Fastify, { type FastifyInstance } from "fastify";
import pino from "pino";
import { afterAll, afterEach, expect } from "vitest";
import { type Alerts, openAlerts } from "#capabilities/alerts/capability.ts";
import { openNotifications } from "#capabilities/notifications/capability.ts";
import { openSavedSearches } from "#capabilities/saved-searches/capability.ts";
import { breakdownExports } from "#capabilities/search/breakdown/exported-breakdown.ts";
import { searchService } from "#capabilities/search/service.ts";
import { serveCapability } from "#http/capability.ts";
import { installErrorHandler } from "#http/error-handler.ts";
import { Gatekeeper } from "#http/gatekeeper.ts";
import type { Reach } from "#http/signed-in-user.ts";
import { findById } from "#identity/accounts.ts";
import { defaultSecurityLimits } from "#identity/security-limits.ts";
import type { MailSettings } from "#config/mail-settings.ts";
import { testMasterKey as masterKey } from "#testing/test-master-key.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import type { QueryEngine } from "#query/engine.ts";
import { type DatasetApp, addDataset, buildFilterSupport, datasetApp, buildColumn } from "./dataset-app.ts";
import { ReportedChanges } from "./reported-changes.ts";
import { SignedInUser } from "#http/signed-in-user.ts";

/** A gateway that watches. */
export interface AlertGateway {
  readonly app: FastifyInstance;
  readonly alerts: Alerts;
  readonly reported: ReportedChanges;
  close(): Promise<void>;
}

export interface AlertGatewayOptions {
  readonly limits?: Partial<typeof defaultLimits>;
  readonly mail?: MailSettings;
  /** Default: this machine. */
  readonly webhookAddresses?: readonly string[];
  /** Wraps or replaces the engine for files. */
  readonly engine?: (real: QueryEngine) => QueryEngine;
}

interface ApiResponse<Body> {
  readonly status: number;
  readonly body: Body;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";
type Person = "ada" | "bob" | "root" | "ada+key";

/** When the first row of the dataset `rows` was; each further one is a minute later. */
export const firstRowMs = Date.parse("2026-03-01T00:00:00Z");

/** An API key for the dataset `rows`. */
const keyReach: Reach = {
  apiKeyId: "k",
  apiKeyName: "batch",
  datasets: [{ datasetCategory: "Tests", datasetId: "rows" }],
  filesets: [],
  ecosystems: [],
};

/** Gateways that watch, on one database and one folder. Call at the top of a test file: registers hooks. */
export async function alertsApp() {
  const base: DatasetApp = await datasetApp();
  const { db, pool } = base.database;
  const writeRows = async (rows: number) => {
    await base.bench.prepare(`copy (
      select i as id, 'row ' || i as name, timestamp '2026-03-01 00:00:00' + to_minutes(i) as at from range(${rows}) t(i)
    ) to 'FOLDER/rows.parquet' (format parquet)`);
  };
  /** One row for each time. */
  const writeTimes = async (times: readonly string[]) => {
    const rows = times.map((time, index) => `(${index}, 'row ${index}', timestamp '${time}')`).join(", ");
    await base.bench.prepare(`copy (select * from (values ${rows}) t(id, name, "at")) to 'FOLDER/rows.parquet' (format parquet)`);
  };
  await writeRows(10);
  const schema = { columns: [buildColumn("id", "integer"), buildColumn("name", "STRING"), buildColumn("at", "TIMESTAMP_MILLS")] };
  const filterSupport = buildFilterSupport({ supportsTimeRange: true });
  await addDataset(base, { id: "rows", schema, temporalField: "at", filterSupport });
  await addDataset(base, { id: "timeless", schema });
  await addDataset(base, { id: "uncounted", schema, features: ["SAMPLE", "PAGINATION"] });
  await addDataset(base, { id: "secret", schema, temporalField: "at", filterSupport, roles: ["insider"] });
  await pool.query(
    "insert into users (id, username, username_key, email) select id, id, id, id || '@example.org' from unnest(array['ada', 'bob', 'root']) as id",
  );
  await pool.query("insert into roles (id, name) values ('insider', 'insider'), ('admin', 'admin') on conflict do nothing");

  const opened: AlertGateway[] = [];
  afterEach(async () => {
    for (const gateway of opened.splice(0)) await gateway.close();
    await pool.query("delete from saved_searches");
    await pool.query("delete from alerts");
    await pool.query("delete from notifications");
    await pool.query("delete from user_roles");
    await pool.query("update users set locked = false");
    await writeRows(10);
  });
  afterAll(() => base.close());

  async function open({
    limits = {},
    mail,
    webhookAddresses = ["127.0.0.0/8"],
    engine = (real) => real,
  }: AlertGatewayOptions = {}): Promise<AlertGateway> {
    const reported = new ReportedChanges();
    const log = pino({ level: "silent" });
    const { canRead, scopeKeys: scopeKeysOf } = base.service;
    const notifications = await openNotifications({
      db,
      canRead,
      scopeKeysOf,
      mail,
      publicUrl: "https://data.example.org",
      portalTitle: async () => "Harbour Office",
      limits: defaultSecurityLimits,
      live: reported,
      log,
      intervalMs: 50,
    });
    const searches = searchService({ datasets: base.service, limits: defaultLimits });
    const savedSearches = openSavedSearches({ db, canRead, candidates: "everyone", live: reported, notifier: notifications.notifier });
    const alerts = openAlerts({
      db,
      canRead,
      findSavedSearch: (user, id) => savedSearches.find(user, id),
      scopeKeysOf,
      searches: {
        prepare: (user, path, data, work) =>
          searches.prepare(user, path, data, (found) => work({ ...found, engine: engine(found.engine) })),
        prepareBreakdown: breakdownExports({ datasets: base.service, limits: defaultLimits }),
      },
      notifier: notifications.notifier,
      sendsEmail: mail !== undefined,
      masterKey,
      webhookAddresses: AddressPolicy.forUsers(webhookAddresses),
      publicUrl: "https://data.example.org",
      retrySeconds: 0,
      limits: { ...defaultLimits, alertLeastMinutes: 1, ...limits },
      live: reported,
      log,
      pollMs: 20,
    });
    const app = Fastify();
    app.decorateRequest("signedIn", undefined);
    installErrorHandler(app);
    const readAccessToken = async (token: string) => {
      const [id = "", key] = token.split("+");
      const account = await findById(db, id);
      return (
        account && SignedInUser.make({ ...account, sessionId: "s", signedInAtMs: 0, ...(key === undefined ? {} : { reach: keyReach }) })
      );
    };
    const gatekeeper = new Gatekeeper({ readAccessToken, readStepToken: () => Promise.resolve(undefined) });
    for (const capability of [alerts, notifications, savedSearches]) serveCapability(app, gatekeeper, capability);
    let closing: Promise<void> | undefined;
    const close = async () => {
      await app.close();
      await alerts.close?.();
      await notifications.close?.();
    };
    const gateway = { app, alerts, reported, close: () => (closing ??= close()) };
    opened.push(gateway);
    return gateway;
  }

  async function call<Body = ErrorBody>(
    gateway: AlertGateway,
    person: Person,
    method: Method,
    url: string,
    body?: unknown,
  ): Promise<ApiResponse<Body>> {
    const headers = { authorization: `Bearer ${person}` };
    const response = await gateway.app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body as object }) });
    const isJson = String(response.headers["content-type"]).startsWith("application/json");
    return { status: response.statusCode, body: (isJson ? JSON.parse(response.body) : undefined) as Body };
  }

  let names = 0;
  const saveSearch = async (gateway: AlertGateway, person: Person, datasetId = "rows", query: object = {}): Promise<string> => {
    const draft = { datasetCategory: "Tests", datasetId, queryName: `search ${(names += 1)}`, query: JSON.stringify(query) };
    const { status, body } = await call<SavedSearch>(gateway, person, "POST", "/favorite/queries", draft);
    expect(status).toBe(201);
    return body.id;
  };
  const draftOf = (savedSearchId: string, overrides: Partial<AlertDraft> = {}): AlertDraft => ({
    name: `alert ${(names += 1)}`,
    savedSearchId,
    condition: { kind: "new-rows" },
    everyMinutes: 60,
    ...overrides,
  });

  const find = async (gateway: AlertGateway, person: Person, id: string): Promise<Alert> => {
    const found = (await call<AlertList>(gateway, person, "GET", "/alerts")).body.alerts.find((alert) => alert.id === id);
    if (found === undefined) throw new Error("there is no such alert");
    return found;
  };
  const checksOf = async (id: string): Promise<number> =>
    Number((await pool.query<{ count: string }>("select count(*) from alert_checks where alert_id = $1", [id])).rows[0]?.count);
  const waitForChecks = async (id: string, count: number): Promise<void> =>
    expect.poll(() => checksOf(id), { timeout: 10_000, interval: 10 }).toBe(count);

  /** Waits until no gateway is busy with a check. */
  const settled = (): Promise<void> =>
    expect
      .poll(() => opened.flatMap(({ alerts }) => (alerts.gauges ?? []).map(({ read }) => read())).every((running) => running === 0), {
        timeout: 10_000,
        interval: 5,
      })
      .toBe(true);

  return {
    base,
    pool,
    open,
    call,
    saveSearch,
    draftOf,
    find,
    writeRows,
    writeTimes,
    checksOf,
    waitForChecks,
    settled,
    /** An alert that has been checked for the first time. */
    create: async (gateway: AlertGateway, person: Person, overrides: Partial<AlertDraft> = {}, datasetId = "rows", query: object = {}) => {
      const draft = draftOf(await saveSearch(gateway, person, datasetId, query), overrides);
      const { status, body } = await call<SavedAlert>(gateway, person, "POST", "/alerts", draft);
      expect([status, body]).toEqual([201, expect.objectContaining({ name: draft.name })]);
      await waitForChecks(body.id, 1);
      await settled();
      return { id: body.id, draft, secret: body.webhookSecret ?? "" };
    },
    /** Makes the next check due and waits for its end. */
    check: async (id: string): Promise<void> => {
      const before = await checksOf(id);
      await pool.query("update alerts set next_check_at = now() where id = $1", [id]);
      await waitForChecks(id, before + 1);
      await settled();
    },
    history: async (gateway: AlertGateway, person: Person, id: string, query = "") =>
      (await call<AlertHistory>(gateway, person, "GET", `/alerts/${id}/history${query}`)).body,
    /** Oldest first. */
    messages: async (gateway: AlertGateway, person: Person): Promise<Notification[]> =>
      (await call<NotificationPage>(gateway, person, "GET", "/notifications")).body.notifications.toReversed(),
    setRoles: async (person: Person, roles: readonly string[]) => {
      await pool.query("delete from user_roles where user_id = $1", [person]);
      for (const role of roles) await pool.query("insert into user_roles (user_id, role_id) values ($1, $2)", [person, role]);
    },
  };
}
