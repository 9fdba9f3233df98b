import type { Board, BoardPanel } from "@fairway/contract/boards";
import type { ErrorBody } from "@fairway/contract/errors";
import { defaultLimits } from "@fairway/contract/limits";
import type { Notification, NotificationPage } from "@fairway/contract/notifications";
import type { SavedSearch } from "@fairway/contract/saved-searches";
import type { Subscription, SubscriptionDelivery, SubscriptionDraft, SubscriptionList } from "@fairway/contract/subscriptions";
import Fastify, { type FastifyInstance } from "fastify";
import pino from "pino";
import { afterAll, afterEach, expect } from "vitest";
import { openBoards } from "#capabilities/boards/capability.ts";
import { openNotifications } from "#capabilities/notifications/capability.ts";
import { openSavedSearches } from "#capabilities/saved-searches/capability.ts";
import { breakdownAnswers } from "#capabilities/search/breakdown/routes.ts";
import { groupValues } from "#capabilities/search/graphs.ts";
import { searchService } from "#capabilities/search/service.ts";
import { openSubscriptions } from "#capabilities/subscriptions/capability.ts";
import { ChartPictures } from "#charts/chart-pictures.ts";
import { mailSettings } from "#config/mail-settings.ts";
import type { DatabaseConnection } from "#database/connection.ts";
import { type Capability, serveCapability } from "#http/capability.ts";
import { installErrorHandler } from "#http/error-handler.ts";
import { Gatekeeper } from "#http/gatekeeper.ts";
import { findById } from "#identity/accounts.ts";
import { defaultSecurityLimits } from "#identity/security-limits.ts";
import { AnswerStore } from "#query/answer-store.ts";
import type { QueryEngine } from "#query/engine.ts";
import { masterKeyOf } from "#secrets/master-key.ts";
import { addDataset, buildColumn, buildFilterSupport, type DatasetApp, datasetApp } from "./dataset-app.ts";
import { mailPassword, openMailServer, type ReceivedMail } from "./mail-server.ts";
import { ReportedChanges } from "./reported-changes.ts";
import { SignedInUser } from "#http/signed-in-user.ts";

export interface SubscriptionGateway {
  readonly app: FastifyInstance;
  readonly subscriptions: Capability;
  close(): Promise<void>;
}

export interface SubscriptionGatewayOptions {
  /** Default: to the mail server of the app. */
  readonly sendsEmail?: boolean;
  readonly allowsRows?: boolean;
  readonly gatherMs?: number;
  readonly retrySeconds?: readonly number[];
  readonly publicUrl?: string | undefined;
  /** Default: the real ones, however busy the machine is. */
  readonly charts?: Pick<ChartPictures, "png">;
  /** A connection of its own. */
  readonly database?: Pick<DatabaseConnection, "db">;
  /** Wraps or replaces the engine for files. */
  readonly engine?: (real: QueryEngine) => QueryEngine;
}

interface ApiResponse<Body> {
  readonly status: number;
  readonly body: Body;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";
type Person = "ada" | "bob";

const masterKey = masterKeyOf(Buffer.alloc(32, 7));
const place = { x: 0, y: 0, w: 4, h: 4 };

/** Gateways that send boards and searches to a real mail server, on one database and one folder. Call at the top of a test file: registers hooks. */
export async function subscriptionsApp() {
  const base: DatasetApp = await datasetApp();
  const { db, pool } = base.database;
  const received: ReceivedMail[] = [];
  /** Called before the server accepts an email; what it throws refuses it. */
  let onMail: (mail: ReceivedMail) => void = () => {};
  const server = await openMailServer((mail) => {
    onMail(mail);
    received.push(mail);
  });
  const writeRows = async (rows: number) => {
    await base.bench.prepare(`copy (
      select i as id, 'row <' || i || '>' as name, timestamp '2026-03-01 00:00:00' + to_minutes(i) as at from range(${rows}) t(i)
    ) to 'FOLDER/rows.parquet' (format parquet)`);
  };
  await writeRows(30);
  const schema = { columns: [buildColumn("id", "integer"), buildColumn("name", "STRING"), buildColumn("at", "TIMESTAMP_MILLS")] };
  const filterSupport = buildFilterSupport({ supportsTimeRange: true });
  await addDataset(base, { id: "rows", schema, temporalField: "at", filterSupport });
  await addDataset(base, { id: "secret", schema, temporalField: "at", filterSupport, roles: ["insider"] });
  await pool.query(
    "insert into users (id, username, username_key, email) select id, id, id, id || '@example.org' from unnest(array['ada', 'bob']) as id",
  );
  await pool.query("insert into roles (id, name) values ('insider', 'insider') on conflict do nothing");

  const realCharts = new ChartPictures({ timeoutMs: 60_000, onFailure: () => undefined });
  const opened: SubscriptionGateway[] = [];
  afterEach(async () => {
    for (const gateway of opened.splice(0)) await gateway.close();
    for (const table of ["subscriptions", "saved_searches", "boards", "notifications", "user_roles"])
      await pool.query(`delete from ${table}`);
    await pool.query("update users set locked = false, email = id || '@example.org'");
    received.length = 0;
    onMail = () => {};
    await writeRows(30);
  });
  afterAll(async () => {
    await base.close();
    await server.close();
    await realCharts.close();
  });

  async function open({
    sendsEmail = true,
    allowsRows = false,
    gatherMs,
    retrySeconds = [0, 0, 0],
    database = base.database,
    engine = (real) => real,
    charts = realCharts,
    ...options
  }: SubscriptionGatewayOptions = {}): Promise<SubscriptionGateway> {
    const live = new ReportedChanges();
    const log = pino({ level: "silent" });
    const { canRead, scopeKeys: scopeKeysOf } = base.service;
    const own = database.db;
    const publicUrl = "publicUrl" in options ? options.publicUrl : "https://data.example.org";
    const portalTitle = async () => "Harbour Office";
    const mail = sendsEmail
      ? mailSettings(`smtp://portal:${encodeURIComponent(mailPassword)}@127.0.0.1:${server.port}`, "portal@example.org")
      : undefined;
    const limits = defaultSecurityLimits;
    const notifications = await openNotifications({
      db: own,
      canRead,
      scopeKeysOf,
      mail,
      publicUrl,
      portalTitle,
      limits,
      live,
      log,
      intervalMs: 3_600_000,
    });
    const searches = searchService({ datasets: base.service, limits: defaultLimits });
    const shared = { db: own, canRead, candidates: "everyone", live, notifier: notifications.notifier } as const;
    const boards = openBoards({ ...shared, limits: defaultLimits });
    const savedSearches = openSavedSearches(shared);
    const subscriptions = openSubscriptions({
      db: own,
      canRead,
      scopeKeysOf,
      searches: {
        prepare: (user, path, data, work) =>
          searches.prepare(user, path, data, (found) => work({ ...found, engine: engine(found.engine) })),
        answerBreakdown: breakdownAnswers({ datasets: base.service, limits: defaultLimits, answers: new AnswerStore(1_000_000) }),
        groupValues: groupValues({ datasets: base.service, limits: defaultLimits }),
      },
      findBoard: (user, id) => boards.find(user, id),
      findSavedSearch: (user, id) => savedSearches.find(user, id),
      notifier: notifications.notifier,
      mailSender: notifications.mailSender,
      portalTitle,
      masterKey,
      publicUrl,
      allowsRows,
      live,
      log,
      pollMs: 20,
      charts: { png: (...chart) => charts.png(...chart), close: () => Promise.resolve() },
      gatherMs,
      retrySeconds,
    });
    const app = Fastify();
    app.decorateRequest("signedIn", undefined);
    installErrorHandler(app);
    const readAccessToken = async (id: string) => {
      const account = await findById(db, id);
      return account && SignedInUser.make({ ...account, sessionId: "s", signedInAtMs: 0 });
    };
    const gatekeeper = new Gatekeeper({ readAccessToken, readStepToken: () => Promise.resolve(undefined) });
    for (const capability of [subscriptions, notifications, boards, savedSearches]) serveCapability(app, gatekeeper, capability);
    let closing: Promise<void> | undefined;
    const close = async () => {
      await app.close();
      await subscriptions.close?.();
      await notifications.close?.();
    };
    const gateway = { app, subscriptions, close: () => (closing ??= close()) };
    opened.push(gateway);
    return gateway;
  }

  async function call<Body = ErrorBody>(
    gateway: SubscriptionGateway,
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
  const saveSearch = async (gateway: SubscriptionGateway, person: Person, query: object = {}, more: object = {}): Promise<string> => {
    const draft = {
      datasetCategory: "Tests",
      datasetId: "rows",
      queryName: `search ${(names += 1)}`,
      query: JSON.stringify(query),
      ...more,
    };
    const { status, body } = await call<SavedSearch>(gateway, person, "POST", "/favorite/queries", draft);
    expect(status).toBe(201);
    return body.id;
  };
  const saveBoard = async (gateway: SubscriptionGateway, person: Person, panels: readonly object[], more: object = {}): Promise<string> => {
    const placed = panels.map((panel, index) => ({ id: `p${index}`, place: { ...place, y: index * 4 }, ...panel })) as BoardPanel[];
    const draft = { name: `board ${(names += 1)}`, content: { panels: placed }, ...more };
    const { status, body } = await call<Board>(gateway, person, "POST", "/boards", draft);
    expect([status, body]).toEqual([201, expect.anything()]);
    return body.id;
  };
  const draftOf = (of: SubscriptionDraft["of"], overrides: Partial<SubscriptionDraft> = {}): SubscriptionDraft => ({
    name: `email ${(names += 1)}`,
    of,
    at: { hour: 8, minute: 0, weekdays: [1, 2, 3, 4, 5, 6, 7], zone: "UTC" },
    ...overrides,
  });
  const list = async (gateway: SubscriptionGateway, person: Person) =>
    (await call<SubscriptionList>(gateway, person, "GET", "/subscriptions")).body;
  const deliveries = async (gateway: SubscriptionGateway, person: Person, id: string) =>
    (await call<{ deliveries: SubscriptionDelivery[] }>(gateway, person, "GET", `/subscriptions/${id}/deliveries`)).body.deliveries;
  const deliveryCount = async (id: string) =>
    (await pool.query("select from subscription_deliveries where subscription_id = $1 and kind <> 'sending'", [id])).rowCount ?? 0;
  /** Makes today's turn due: as if its time had come right now. */
  const makeDue = (where = "true") =>
    pool.query(
      `update subscriptions set run_day = to_char(now() at time zone 'UTC', 'YYYY-MM-DD'), due_at = now(), claimed_until = null,
        hour = extract(hour from now() at time zone 'UTC'), minute = extract(minute from now() at time zone 'UTC') where ${where}`,
    );

  return {
    base,
    pool,
    received,
    onMail: (action: (mail: ReceivedMail) => void) => (onMail = action),
    writeRows,
    open,
    call,
    saveSearch,
    saveBoard,
    draftOf,
    list,
    deliveries,
    makeDue,
    deliveryCount,
    create: async (
      gateway: SubscriptionGateway,
      person: Person,
      of: SubscriptionDraft["of"],
      overrides: Partial<SubscriptionDraft> = {},
    ) => {
      const { status, body } = await call<Subscription>(gateway, person, "POST", "/subscriptions", draftOf(of, overrides));
      expect([status, body]).toEqual([201, expect.anything()]);
      return body;
    },
    /** Makes a turn due and waits for its end. */
    run: async (id: string): Promise<void> => {
      const before = await deliveryCount(id);
      await pool.query("update subscriptions set last_day = null where id = $1", [id]);
      await makeDue(`id = '${id}'`);
      await expect.poll(() => deliveryCount(id), { timeout: 60_000, interval: 10 }).toBe(before + 1);
    },
    waitForDeliveries: (id: string, count: number) => expect.poll(() => deliveryCount(id), { timeout: 60_000, interval: 10 }).toBe(count),
    /** Oldest first. */
    messages: async (gateway: SubscriptionGateway, person: Person): Promise<Notification[]> =>
      (await call<NotificationPage>(gateway, person, "GET", "/notifications")).body.notifications.toReversed(),
    setRoles: async (person: Person, roles: readonly string[]) => {
      await pool.query("delete from user_roles where user_id = $1", [person]);
      for (const role of roles) await pool.query("insert into user_roles (user_id, role_id) values ($1, $2)", [person, role]);
    },
  };
}

/** The parts of an email by their media type, decoded. */
export function mailParts({ content }: ReceivedMail): Map<string, string> {
  const boundaries = [...content.matchAll(/boundary="([^"]+)"/g)].flatMap(([, boundary = ""]) => boundary);
  const pieces = boundaries.reduce((texts, boundary) => texts.flatMap((text) => text.split(`--${boundary}`)), [content]);
  return new Map(
    pieces.flatMap((piece) => {
      const [head = "", ...rest] = piece.split("\r\n\r\n");
      const [, type] = /^Content-Type: ([\w/+-]+)/im.exec(head) ?? [];
      if (type === undefined || type.startsWith("multipart/")) return [];
      return [[type, decoded(rest.join("\r\n\r\n"), /^Content-Transfer-Encoding: (\S+)/im.exec(head)?.[1] ?? "7bit")] as const];
    }),
  );
}

function decoded(text: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(text, "base64").toString();
  if (encoding !== "quoted-printable") return text;
  const bytes = text
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}

export const dataset = { datasetCategory: "Tests", datasetId: "rows" };

export const secret = { datasetCategory: "Tests", datasetId: "secret" };

export const count = { kind: "number", title: "Count", dataset, query: {}, value: { aggregation: "count", column: "*" } };

/** A panel with a graph. */
export const graphOf = (title: string, graph: object) => ({ kind: "graph", title, dataset, query: {}, graph });

/** A summary as a panel keeps it. */
export const summary = (chart: string | null, breakdown: object) => ({ version: 2, title: null, chart, breakdown });

export const byMinutes = { measures: [{ aggregation: "count" }], by: [{ kind: "time", unit: "minute", size: 10 }] };
