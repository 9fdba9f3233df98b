import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { ErrorBody } from "@fairway/contract/errors";
import type { ExportState } from "@fairway/contract/exports";
import { defaultLimits } from "@fairway/contract/limits";
import type { SearchAnswer } from "@fairway/contract/search";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, afterEach, expect } from "vitest";
import type { ExportLimits } from "#capabilities/exports/exportable.ts";
import { userOfKey } from "#capabilities/api-keys/callers.ts";
import { openExporting } from "#capabilities/exports/capability.ts";
import type { ExportService } from "#capabilities/exports/service.ts";
import { breakdownExports } from "#capabilities/search/breakdown/exported-breakdown.ts";
import { searchService } from "#capabilities/search/service.ts";
import { serveCapability } from "#http/capability.ts";
import { installErrorHandler } from "#http/error-handler.ts";
import { Gatekeeper } from "#http/gatekeeper.ts";
import { defaultSecurityLimits } from "#identity/security-limits.ts";
import { findById } from "#identity/accounts.ts";
import { EngineFailed, type QueryEngine } from "#query/engine.ts";
import { localDiskStores } from "#storage/local-disk.ts";
import type { FileStore, FileStores } from "#storage/storage.ts";
import { type DatasetApp, addDataset, buildFilter, buildFilterSupport, datasetApp, buildColumn } from "./dataset-app.ts";
import { ReportedChanges } from "./reported-changes.ts";
import { SignedInUser } from "#http/signed-in-user.ts";

const columns = [
  buildColumn("id", "integer"),
  buildColumn("name", "STRING"),
  buildColumn("real", "decimal"),
  buildColumn("at", "TIMESTAMP_MILLS"),
  buildColumn("place", "STRING", { combined: { type: "COORDINATES", fields: ["real", "id"], joinedBy: ", " } }),
];

/** A gateway that serves exports only. */
export interface ExportGateway {
  readonly app: FastifyInstance;
  readonly service: ExportService;
  readonly counters: { rows: number; bytes: number; failures: number };
  readonly reported: ReportedChanges;
  /** Shuts it down gracefully. */
  close(): Promise<void>;
}

export interface GatewayOptions {
  readonly limits?: Partial<ExportLimits>;
  /** No other gateway uses the database. */
  readonly alone?: boolean;
  /** Wraps or replaces the engine for files. */
  readonly engine?: (real: QueryEngine) => QueryEngine;
  readonly stores?: (real: FileStores) => FileStores;
}

export interface ApiResponse<Body> {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly bytes: Buffer;
  readonly body: Body;
}

type Method = "GET" | "POST" | "DELETE";

/** Gateways that share the database, store and data folder of one test file. */
export interface ExportsApp {
  readonly base: DatasetApp;
  /** Gateways that a test opens are closed after it. */
  open(options?: GatewayOptions): Promise<ExportGateway>;
  /** Calls as the user with this id: ada, bob or eve. */
  call<Body = ErrorBody>(gateway: ExportGateway, userId: string, method: Method, url: string, body?: unknown): Promise<ApiResponse<Body>>;
  requestExport(gateway: ExportGateway, userId: string, body: object, datasetId?: string): Promise<ApiResponse<{ exportId: string }>>;
  startExport(gateway: ExportGateway, userId: string, body: object, datasetId?: string): Promise<string>;
  stateOf(gateway: ExportGateway, userId: string, exportId: string): Promise<ExportState>;
  /** Polls until the predicate holds; bounded by the test's timeout. */
  waitForState(gateway: ExportGateway, userId: string, exportId: string, is: (state: ExportState) => boolean): Promise<ExportState>;
  waitForEnd(gateway: ExportGateway, userId: string, exportId: string): Promise<ExportState>;
  exportFile(
    gateway: ExportGateway,
    body: object,
    datasetId?: string,
    userId?: string,
  ): Promise<{ exportId: string; state: ExportState; file: ApiResponse<Record<string, unknown>[]> }>;
  searchRows(search: object, datasetId?: string): Promise<SearchAnswer["results"]>;
  /** Files being written (scratch) and files in the store (kept). */
  files(): Promise<{ scratch: string[]; kept: string[] }>;
  store(): Promise<FileStore>;
  /** Moves a timestamp of an export into the past. */
  backdate(exportId: string, column: "alive_at" | "finished_at", seconds: number): Promise<void>;
  setRoles(userId: string, roles: readonly string[]): Promise<void>;
}

/** A search for some of the rows, in an order. */
export const narrowed = {
  timeRange: { start: "2020-01-01T00:01:00Z", end: "2020-01-01T00:11:00Z" },
  filters: [{ name: "name", operator: "<>", value: "plain" }],
  sort: [{ column: "real", direction: "asc" }],
};

export const noFiles = { scratch: [], kept: [] };

/** Blocks exports in the engine until they are released. */
export class BlockedExports {
  readonly #pending: (() => void)[] = [];
  /** Number of exports started. */
  started = 0;
  /** Number of exports interrupted while blocked. */
  interrupted = 0;

  /** An engine whose exports report ten rows and then block. */
  readonly engine = (real: QueryEngine): QueryEngine => {
    const blockedExport: QueryEngine["export"] = async (dataset, query, target, call) => {
      this.started += 1;
      target.onRows(10);
      await new Promise<void>((resolve, reject) => {
        this.#pending.push(resolve);
        call.signal.addEventListener("abort", () => {
          this.interrupted += 1;
          reject(new EngineFailed("abandoned", "The export was canceled."));
        });
      });
      return (await real.export?.(dataset, query, target, call)) ?? 0;
    };
    return new Proxy(real, {
      get: (target, name) => {
        if (name === "export") return blockedExport;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
  };

  release(): void {
    for (const resolve of this.#pending.splice(0)) resolve();
  }
}

/** Call at the top of a test file: registers hooks. */
export async function exportsApp(): Promise<ExportsApp> {
  const base = await datasetApp();
  const { db, pool } = base.database;
  await base.bench.prepare(`copy (
    select i as id, ['=cmd', 'plain', 'a "b"', 'line' || chr(10) || 'break', null][1 + i % 5] as name, i / 4 as real,
      timestamp '2020-01-01 00:00:00.250' + to_seconds(i) as at from range(1000) t(i)) to 'FOLDER/rows.parquet' (format parquet)`);
  const filter = buildFilter("id", { type: "integer", value: 10, operator: ">=", preFilled: true });
  const common = { category: "Tests", schema: { columns }, temporalField: "at" } as const;
  await addDataset(base, { ...common, id: "rows", filterSupport: buildFilterSupport({ supportsTimeRange: true }) });
  await addDataset(base, { ...common, id: "uncounted", features: ["PAGINATION"] });
  await addDataset(base, { ...common, id: "filtered", filterSupport: buildFilterSupport({ preFilledFilters: [filter] }) });
  await addDataset(base, { ...common, id: "secret: *", roles: ["insider"] });
  await addDataset(base, { ...common, id: "gone", source: { kind: "files", glob: "gone.parquet", format: "parquet" } });
  await pool.query(
    "insert into users (id, username, username_key) select id, id || '''s name', id from unnest(array['ada', 'bob', 'eve']) as id",
  );
  await pool.query("insert into roles (id, name) values ('insider', 'insider')");
  const stores = localDiskStores(dirname(base.bench.exportFolder));

  const opened: ExportGateway[] = [];
  afterEach(async () => {
    for (const gateway of opened.splice(0)) await gateway.close();
    await pool.query("delete from exports");
    await app.setRoles("ada", []);
    await pool.query("update users set locked = false");
    await open({ alone: true }).then(({ close }) => close());
    expect(await app.files()).toEqual(noFiles);
  });
  afterAll(() => base.close());

  async function open({ limits = {}, alone = false, engine = (real) => real, stores: wrap = (real) => real }: GatewayOptions = {}) {
    const reported = new ReportedChanges();
    const counters = { rows: 0, bytes: 0, failures: 0 };
    const searches = searchService({ datasets: base.service, limits: defaultLimits });
    const exporting = await openExporting({
      db,
      searches: {
        prepare: (user, datasetPath, data, work) =>
          searches.prepare(user, datasetPath, data, (found) => work({ ...found, engine: engine(found.engine) })),
        prepareBreakdown: breakdownExports({ datasets: base.service, limits: defaultLimits }),
      },
      canRead: (user, ref) =>
        base.service.find(user, ref.datasetCategory, ref.datasetId).then(
          () => true,
          () => false,
        ),
      findKeyUser: (keyId) => userOfKey(db, keyId, defaultSecurityLimits.providerConfirmedDays),
      scopeKeysOf: base.service.scopeKeys,
      stores: wrap(stores),
      scratchFolder: base.bench.exportFolder,
      alone,
      limits: { ...defaultLimits, ...limits },
      publicUrl: "https://portal.test",
      metrics: {
        counter: (name) => ({ increment: (by = 1) => void (counters[name.split("_")[2] as keyof typeof counters] += by) }),
      },
      live: reported,
      log: { info: () => {}, error: () => {} },
    });
    const server = Fastify({ routerOptions: { maxParamLength: 1_000 } });
    server.decorateRequest("signedIn", undefined);
    installErrorHandler(server);
    const readAccessToken = async (token: string) => {
      const account = await findById(db, token);
      return account && SignedInUser.make({ ...account, sessionId: "s", signedInAtMs: 0 });
    };
    const gatekeeper = new Gatekeeper({ readAccessToken, readStepToken: () => Promise.resolve(undefined) });
    serveCapability(server, gatekeeper, exporting);
    const { service } = exporting;
    let closing: Promise<void> | undefined;
    const close = async () => {
      await server.close();
      await service.close();
    };
    return { app: server, service, counters, reported, close: () => (closing ??= close()) };
  }

  const app: ExportsApp = {
    base,
    open: async (options) => {
      const gateway = await open(options);
      opened.push(gateway);
      return gateway;
    },
    call: async <Body>(gateway: ExportGateway, userId: string, method: Method, url: string, body?: unknown): Promise<ApiResponse<Body>> => {
      const headers = { authorization: `Bearer ${userId}` };
      const response = await gateway.app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body as object }) });
      const isJson = String(response.headers["content-type"]).startsWith("application/json");
      return {
        status: response.statusCode,
        headers: response.headers,
        text: response.body,
        bytes: response.rawPayload,
        body: (isJson ? JSON.parse(response.body) : undefined) as Body,
      };
    },
    requestExport: (gateway, userId, body, datasetId = "rows") =>
      app.call(gateway, userId, "POST", `/datasets/Tests/${encodeURIComponent(datasetId)}/export`, { search: {}, ...body }),
    startExport: async (gateway, userId, body, datasetId) => {
      const { status, body: response } = await app.requestExport(gateway, userId, body, datasetId);
      expect([status, response]).toEqual([202, { exportId: expect.stringMatching(/^[\w-]{43}$/) }]);
      return response.exportId;
    },
    stateOf: async (gateway, userId, exportId) => (await app.call<ExportState>(gateway, userId, "GET", `/exports/${exportId}`)).body,
    waitForState: async (gateway, userId, exportId, is) => {
      for (;;) {
        const state = await app.stateOf(gateway, userId, exportId);
        if (is(state)) return state;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    waitForEnd: (gateway, userId, exportId) => app.waitForState(gateway, userId, exportId, ({ status }) => status !== "running"),
    exportFile: async (gateway, body, datasetId = "rows", userId = "ada") => {
      const exportId = await app.startExport(gateway, userId, body, datasetId);
      const state = await app.waitForEnd(gateway, userId, exportId);
      const file = await app.call<Record<string, unknown>[]>(gateway, userId, "GET", `/exports/${exportId}/file`);
      return { exportId, state, file };
    },
    searchRows: async (search, datasetId = "rows") => {
      const rows: SearchAnswer["results"] = [];
      for (;;) {
        const paging = { offset: rows.length, max: 1_000 };
        const { body } = await base.call<SearchAnswer>([], "POST", `/datasets/Tests/${datasetId}/search`, { ...search, paging });
        rows.push(...body.results);
        if (body.results.length < 1_000) return rows;
      }
    },
    files: async () => ({
      scratch: await readdir(base.bench.exportFolder),
      kept: (await (await app.store()).list("")).files.map(({ key }) => key),
    }),
    store: () => stores.of("exported"),
    backdate: async (exportId, timestamp, seconds) => {
      await pool.query(`update exports set ${timestamp} = ${timestamp} - make_interval(secs => $2) where id = $1`, [exportId, seconds]);
    },
    setRoles: async (userId, roles) => {
      await pool.query("delete from user_roles where user_id = $1", [userId]);
      for (const role of roles) await pool.query("insert into user_roles (user_id, role_id) values ($1, $2)", [userId, role]);
    },
  };
  return app;
}
