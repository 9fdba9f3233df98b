import { readdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Column } from "@fairway/contract/columns";
import type { ErrorBody } from "@fairway/contract/errors";
import { type ExportManifest, type ExportState, exports } from "@fairway/contract/exports";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import { defaultLimits } from "@fairway/contract/limits";
import type { SearchAnswer } from "@fairway/contract/search";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { searchService } from "#capabilities/search/service.ts";
import { installErrorHandler } from "#http/error-handler.ts";
import { Gatekeeper } from "#http/gatekeeper.ts";
import { serve } from "#http/serve.ts";
import type { QueryEngine } from "#query/engine.ts";
import { type DatasetApp, addDataset, buildFilterSupport, datasetApp } from "#testing/dataset-app.ts";
import type { ExportLimits } from "./exportable.ts";
import { exportRoutes } from "./routes.ts";
import { type ExportParts, type ExportService, openExports } from "./service.ts";

const column = (name: string, type: Column["type"], more: Partial<Column> = {}): Column => ({
  name,
  type,
  description: "",
  combined: null,
  ...more,
});
const columns = [
  column("id", "integer"),
  column("name", "STRING"),
  column("real", "decimal"),
  column("at", "TIMESTAMP_MILLS"),
  column("place", "STRING", { combined: { type: "COORDINATES", fields: ["real", "id"], joinedBy: ", " } }),
];
/** Seconds of work, as every row is parsed anew. */
const slow = {
  id: "slow",
  source: { kind: "files" as const, glob: "slow.csv", format: "csv" as const },
  schema: { columns: [column("n", "integer"), column("text", "STRING")] },
} satisfies Partial<InternalDataset>;

let base: DatasetApp;
beforeAll(async () => {
  base = await datasetApp();
  await base.bench.prepare(`copy (
    select i as id, ['=cmd', 'plain', 'a "b"', 'line' || chr(10) || 'break', null][1 + i % 5] as name, i / 4 as real,
      timestamp '2020-01-01 00:00:00.250' + to_seconds(i) as at from range(1000) t(i)) to 'FOLDER/rows.parquet' (format parquet)`);
  await base.bench.prepare(`copy (select i as n, md5(i::varchar) as text from range(6_000_000) t(i)) to 'FOLDER/slow.csv' (format csv)`);
  const filter = {
    id: "f",
    name: "id",
    display: "id",
    description: "",
    required: false,
    type: "integer",
    value: 10,
    operator: ">=",
    preFilled: true,
  } as const;
  const common = { category: "Tests", schema: { columns }, temporalField: "at" } as const;
  await addDataset(base, { ...common, id: "rows", filterSupport: buildFilterSupport({ supportsTimeRange: true }) });
  await addDataset(base, { ...common, id: "uncounted", features: ["PAGINATION"] });
  await addDataset(base, { ...common, id: "filtered", filterSupport: buildFilterSupport({ preFilledFilters: [filter] }) });
  await addDataset(base, { ...common, id: "secret: *", roles: ["insider"] });
  await addDataset(base, { ...slow, category: "Tests" });
  await addDataset(base, { ...slow, category: "Tests", id: "gone", source: { kind: "files", glob: "gone.csv", format: "csv" } });
});
afterAll(() => base.close());

interface Opened {
  readonly app: FastifyInstance;
  readonly service: ExportService;
  readonly counted: { rows: number; bytes: number; failures: number };
  /** Added to the clock. */
  ahead: number;
}
const opened: Opened[] = [];
afterEach(async () => {
  for (const { app, service } of opened.splice(0)) {
    await app.close();
    await service.close();
  }
});

async function open(limits: Partial<ExportLimits> = {}, alone = true, more: Partial<ExportParts> = {}): Promise<Opened> {
  const counted = { rows: 0, bytes: 0, failures: 0 };
  const add = (name: keyof typeof counted) => ({ increment: (by = 1) => void (counted[name] += by) });
  const made: Opened = { app: Fastify({ routerOptions: { maxParamLength: 1_000 } }), service: undefined as never, counted, ahead: 0 };
  const service = await openExports({
    searches: searchService({ datasets: base.service, limits: defaultLimits }),
    canRead: (user, ref) =>
      base.service.find(user, ref.datasetCategory, ref.datasetId).then(
        () => true,
        () => false,
      ),
    folder: base.bench.exportFolder,
    alone,
    limits: { ...defaultLimits, ...limits },
    counts: { rows: add("rows"), bytes: add("bytes"), failures: add("failures") },
    log: { info: () => {}, error: () => {} },
    now: () => Date.now() + made.ahead,
    ...more,
  });
  Object.assign(made, { service });
  made.app.decorateRequest("signedIn", undefined);
  installErrorHandler(made.app);
  // A token here is the user's name and the roles it brings.
  const readAccessToken = (token: string) => {
    const [id = "", ...roles] = JSON.parse(Buffer.from(token, "base64url").toString()) as string[];
    return { id, username: `${id}'s name`, roles, sessionId: "s", signedInAtMs: 0 };
  };
  const gatekeeper = new Gatekeeper({ readAccessToken, readStepToken: () => Promise.resolve(undefined) });
  serve(made.app, gatekeeper, exports, exportRoutes(service));
  opened.push(made);
  return made;
}

type Who = readonly [id: string, ...roles: string[]];
const ada: Who = ["ada"];
const bob: Who = ["bob"];
const tokenOf = (who: Who) => Buffer.from(JSON.stringify(who)).toString("base64url");

interface Answer<Body> {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly bytes: Buffer;
  readonly body: Body;
}

async function call<Body = ErrorBody>(
  { app }: Opened,
  who: Who,
  method: "GET" | "POST" | "DELETE",
  url: string,
  body?: unknown,
): Promise<Answer<Body>> {
  const headers = { authorization: `Bearer ${tokenOf(who)}` };
  const answer = await app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body as object }) });
  const isJson = String(answer.headers["content-type"]).startsWith("application/json");
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.body,
    bytes: answer.rawPayload,
    body: (isJson ? JSON.parse(answer.body) : undefined) as Body,
  };
}

const start = (at: Opened, who: Who, body: object, id = "rows") =>
  call<{ exportId: string }>(at, who, "POST", `/datasets/Tests/${encodeURIComponent(id)}/export`, { search: {}, ...body });
async function started(at: Opened, who: Who, body: object, id = "rows"): Promise<string> {
  const { status, body: answer } = await start(at, who, body, id);
  expect([status, answer]).toEqual([202, { exportId: expect.stringMatching(/^[\w-]{43}$/) }]);
  return answer.exportId;
}
const stateOf = async (at: Opened, who: Who, exportId: string) => (await call<ExportState>(at, who, "GET", `/exports/${exportId}`)).body;
/** Asks until it is so; bounded by the test's own limit. */
async function until(at: Opened, who: Who, exportId: string, is: (state: ExportState) => boolean): Promise<ExportState> {
  for (;;) {
    const state = await stateOf(at, who, exportId);
    if (is(state)) return state;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
const ended = (at: Opened, who: Who, exportId: string) => until(at, who, exportId, ({ status }) => status !== "running");
async function exported(at: Opened, body: object, id = "rows", who: Who = ada) {
  const exportId = await started(at, who, body, id);
  const state = await ended(at, who, exportId);
  const file = await call<Record<string, unknown>[]>(at, who, "GET", `/exports/${exportId}/file`);
  return { exportId, state, file };
}
const files = () => readdir(base.bench.exportFolder);
const searched = async (search: object, id = "rows") => {
  const rows: SearchAnswer["results"] = [];
  for (;;) {
    const paging = { offset: rows.length, max: 1_000 };
    const { body } = await base.call<SearchAnswer>([], "POST", `/datasets/Tests/${id}/search`, { ...search, paging });
    rows.push(...body.results);
    if (body.results.length < 1_000) return rows;
  }
};

describe("an export", () => {
  const narrowed = {
    timeRange: { start: "2020-01-01T00:01:00Z", end: "2020-01-01T00:11:00Z" },
    filters: [{ name: "name", operator: "<>", value: "plain" }],
    sort: [{ column: "real", direction: "asc" }],
  };

  it("as JSON holds the rows of the search, every column", async () => {
    const { state, file } = await exported(await open(), { format: "json", search: narrowed });
    const rows = await searched(narrowed);
    expect(rows).toHaveLength(480);
    expect(file.body).toEqual(rows);
    expect(state).toMatchObject({ status: "done", rows: 480, totalRows: 480, cut: false, failure: null });
    expect(file.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "content-disposition": `attachment; filename="Tests_rows.json"; filename*=UTF-8''Tests_rows.json`,
      "content-length": String(file.bytes.length),
    });
    expect(state.file).toEqual({ name: "Tests_rows.json", bytes: file.bytes.length });
  });

  it("as CSV holds the columns asked for in their order, disarmed", async () => {
    const { file } = await exported(await open(), { format: "csv", search: narrowed, columns: ["place", "name", "at"] });
    const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const lines = (await searched(narrowed)).map(({ real, id, name, at }) =>
      [`${String(real)}, ${String(id)}`, name === "=cmd" ? "'=cmd" : ((name as string | null) ?? ""), new Date(Number(at)).toISOString()]
        .map(quoted)
        .join(","),
    );
    expect(file.text).toBe(["place,name,at", ...lines, ""].join("\r\n"));
    expect(file.headers["content-type"]).toBe("text/csv; charset=utf-8; header=present");
  });

  it("as CSV without a choice holds every column of the description", async () => {
    const { file } = await exported(await open(), { format: "csv" });
    expect(file.text.split("\r\n")[0]).toBe("id,name,real,at,place");
    expect(file.text.split("\r\n")).toHaveLength(1_002);
  });

  it("as Parquet holds the rows of the search with their types", async () => {
    const { file } = await exported(await open(), { format: "parquet", search: narrowed });
    const copy = join(base.bench.folder, "copy.parquet");
    await writeFile(copy, file.bytes);
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const answer = await connection.runAndReadAll(`select id::integer as id, name, real, epoch_ms("at")::double as "at" from '${copy}'`);
    expect(answer.getRowObjectsJson()).toEqual(await searched(narrowed));
    connection.closeSync();
    instance.closeSync();
  });

  it("is described by a manifest", async () => {
    const at = await open();
    const search = { filters: [{ name: "real", operator: "<", value: 50 }] };
    const { exportId, state } = await exported(at, { format: "csv", search, columns: ["name", "place"] }, "filtered");
    const answer = await call<ExportManifest>(at, ada, "GET", `/exports/${exportId}/manifest`);
    expect(answer.headers["content-disposition"]).toMatch(/filename="Tests_filtered\.manifest\.json"/);
    expect(answer.body).toEqual({
      exportId,
      dataset: { datasetCategory: "Tests", datasetId: "filtered" },
      format: "csv",
      columns: ["name", "place"],
      query: search,
      preFilledFilters: [{ name: "id", operator: ">=", value: 10 }],
      user: "ada's name",
      startedAt: expect.stringMatching(/^\d{4}-.+Z$/),
      finishedAt: expect.stringMatching(/^\d{4}-.+Z$/),
      runMs: expect.any(Number),
      rows: 190,
      totalRows: 190,
      cut: false,
      maxRows: 10_000_000,
      file: state.file,
    });
    const { startedAt, finishedAt, runMs } = answer.body;
    expect(Date.parse(finishedAt) - Date.parse(startedAt)).toBe(runMs);
  });

  it("of more than the operator's limit is cut, and says so in its state, its name and its manifest", async () => {
    const at = await open({ exportMaxRows: 300 });
    for (const id of ["rows", "uncounted"]) {
      const { exportId, state, file } = await exported(at, { format: "json" }, id);
      expect(state).toMatchObject({
        rows: 300,
        totalRows: id === "rows" ? 1_000 : null,
        cut: true,
        file: { name: `Tests_${id}-cut.json` },
      });
      expect(file.headers["content-disposition"]).toContain(`"Tests_${id}-cut.json"`);
      expect(file.body).toEqual((await searched({}, id)).slice(0, 300));
      const manifest = await call<ExportManifest>(at, ada, "GET", `/exports/${exportId}/manifest`);
      expect(manifest.body).toMatchObject({ rows: 300, cut: true, maxRows: 300 });
      expect(manifest.headers["content-disposition"]).toContain(`"Tests_${id}-cut.manifest.json"`);
    }
  });

  it("of exactly the operator's limit is whole", async () => {
    const at = await open({ exportMaxRows: 1_000 });
    for (const id of ["rows", "uncounted"]) {
      const { state } = await exported(at, { format: "json" }, id);
      expect(state).toMatchObject({ rows: 1_000, cut: false, file: { name: `Tests_${id}.json` } });
    }
  });

  it("that fails says why, leaves no file and does not keep the next one waiting", async () => {
    const at = await open();
    const { state, file } = await exported(at, { format: "csv" }, "gone");
    const failure = "The dataset 'gone' cannot be searched now: its data files are missing. Tell an administrator.";
    expect(state).toMatchObject({ status: "failed", failure, file: null });
    expect(file.status).toBe(409);
    expect([await files(), at.counted.failures]).toEqual([[], 1]);
    expect((await exported(at, { format: "csv" })).state.status).toBe("done");
  });

  it("that takes too long is stopped and says so", async () => {
    const { state } = await exported(await open({ exportTimeoutMs: 300 }), { format: "csv" }, "slow");
    expect(state.status).toBe("failed");
    expect(state.failure).toBe("The export took longer than 0.3 s and was stopped. Narrow it with a time range or more filters.");
    expect(await files()).toEqual([]);
  });

  it("that needs more room than there is is stopped and says so", async () => {
    const at = await open({ exportFilesBytes: 10_000 });
    const { state } = await exported(at, { format: "csv" });
    expect(state).toMatchObject({ status: "failed", failure: expect.stringContaining("no room left") });
    expect(await files()).toEqual([]);
  });

  it("counts its rows and bytes", async () => {
    const at = await open();
    const { state } = await exported(at, { format: "csv" });
    expect(at.counted).toEqual({ rows: 1_000, bytes: state.file?.bytes, failures: 0 });
  });
});

describe("a running export", () => {
  it("tells how far it is and is cancelled in the engine", async () => {
    const at = await open();
    const exportId = await started(at, ada, { format: "csv" }, "slow");
    const state = await until(at, ada, exportId, ({ rows, totalRows }) => rows > 0 && totalRows !== null);
    expect(state).toMatchObject({ status: "running", totalRows: 6_000_000, file: null });
    expect(state.rows).toBeLessThan(6_000_000);
    expect((await call(at, ada, "GET", `/exports/${exportId}/file`)).status).toBe(409);
    expect((await call(at, ada, "DELETE", `/exports/${exportId}`)).status).toBe(204);
    expect(at.service.running).toBe(0);
    expect(await stateOf(at, ada, exportId)).toMatchObject({ status: "cancelled", file: null });
    expect(await files()).toEqual([]);
    expect((await call(at, ada, "GET", `/exports/${exportId}/file`)).status).toBe(409);
  });

  it("keeps its owner from a second one, and others once there are too many", async () => {
    const at = await open({ exportsAtOnce: 2 });
    await started(at, ada, { format: "csv" }, "slow");
    const second = await start(at, ada, { format: "csv" });
    expect([second.status, second.headers["retry-after"]]).toEqual([429, "10"]);
    expect(second.body).toMatchObject({ errors: [{ code: "too-many-requests", message: expect.stringContaining("running already") }] });
    await started(at, bob, { format: "csv" }, "slow");
    const third = await start(at, ["eve"], { format: "csv" });
    expect([third.status, third.headers["retry-after"]]).toEqual([503, "15"]);
    expect(third.body).toMatchObject({ errors: [{ code: "engine-busy" }] });
  });

  it("leaves one turn of two calls at the same time to one of them", async () => {
    const at = await open();
    const answers = await Promise.all([1, 2, 3].map(() => start(at, ada, { format: "csv" }, "slow")));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 429, 429]);
  });

  it("ends with its gateway, whose files go too", async () => {
    const at = await open();
    const done = await exported(at, { format: "csv" });
    await started(at, ada, { format: "csv" }, "slow");
    expect(await files()).toContain(`${done.exportId}.csv`);
    await at.service.close();
    expect([at.service.running, await files()]).toEqual([0, []]);
  });
});

describe("nobody but its owner", () => {
  it("knows of an export: not its state, its file, its manifest, and cannot end it", async () => {
    const at = await open();
    const { exportId } = await exported(at, { format: "csv" });
    const unknown = await call(at, ada, "GET", "/exports/nothing");
    expect(unknown.status).toBe(404);
    for (const [method, rest] of [
      ["GET", ""],
      ["GET", "/file"],
      ["GET", "/manifest"],
      ["DELETE", ""],
    ] as const) {
      const answer = await call(at, bob, method, `/exports/${exportId}${rest}`);
      expect([answer.status, answer.body]).toEqual([404, unknown.body]);
    }
    expect((await call(at, ada, "GET", `/exports/${exportId}/file`)).status).toBe(200);
  });

  it("and a key of its owner only where the key opens its dataset", async () => {
    const at = await open();
    const { exportId } = await exported(at, { format: "csv" });
    const keyFor = (datasetId: string) => ({
      id: "ada",
      username: "ada",
      roles: [],
      sessionId: "k",
      signedInAtMs: 0,
      reach: { apiKeyId: "k", apiKeyName: "key", datasets: [{ datasetCategory: "Tests", datasetId }], filesets: [], ecosystems: [] },
    });
    for (const ask of ["state", "download", "remove"] as const) {
      await expect(at.service[ask](keyFor("filtered"), exportId)).rejects.toMatchObject({ code: "not-found" });
    }
    expect(await at.service.state(keyFor("rows"), exportId)).toMatchObject({ status: "done" });
    expect((await at.service.download(keyFor("rows"), exportId)).status).toBe("done");
  });

  it("and the owner no longer, once the dataset may not be used: the file stays closed", async () => {
    const at = await open();
    const insider: Who = ["ada", "insider"];
    const { exportId, file } = await exported(at, { format: "csv" }, "secret: *", insider);
    expect(file.headers["content-disposition"]).toContain('filename="Tests_secret- -.csv"');
    for (const rest of ["/file", "/manifest"]) {
      expect((await call(at, ada, "GET", `/exports/${exportId}${rest}`)).status).toBe(404);
      expect((await call(at, insider, "GET", `/exports/${exportId}${rest}`)).status).toBe(200);
    }
    expect((await call(at, ada, "DELETE", `/exports/${exportId}`)).status).toBe(204);
  });

  it("signs in by the cookie for its file and its manifest, and for nothing else", async () => {
    const at = await open();
    const { exportId } = await exported(at, { format: "csv" });
    const withCookie = async (method: "GET" | "POST" | "DELETE", url: string, who: Who = ada) => {
      const headers = { cookie: `theme=dark; JWT=${tokenOf(who)}; other=1` };
      return (await at.app.inject({ method, url, headers, ...(method === "POST" ? { payload: {} } : {}) })).statusCode;
    };
    expect(await withCookie("GET", `/exports/${exportId}/file`)).toBe(200);
    expect(await withCookie("GET", `/exports/${exportId}/manifest`)).toBe(200);
    expect(await withCookie("GET", `/exports/${exportId}/file`, bob)).toBe(404);
    expect(await withCookie("GET", `/exports/${exportId}`)).toBe(401);
    expect(await withCookie("DELETE", `/exports/${exportId}`)).toBe(401);
    expect(await withCookie("POST", "/datasets/Tests/rows/export")).toBe(401);
    expect((await at.app.inject({ method: "GET", url: `/exports/${exportId}/file` })).statusCode).toBe(401);
  });
});

describe("files of exports", () => {
  it("go when their time is over", async () => {
    const at = await open({ exportKeepMinutes: 60 });
    const { exportId } = await exported(at, { format: "csv" });
    at.ahead = 59 * 60_000;
    expect((await call(at, ada, "GET", `/exports/${exportId}/file`)).status).toBe(200);
    at.ahead = 61 * 60_000;
    for (const rest of ["", "/file", "/manifest"]) {
      expect((await call(at, ada, "GET", `/exports/${exportId}${rest}`)).status).toBe(404);
    }
    expect(await files()).toEqual([]);
  });

  it("go when their owner removes them", async () => {
    const at = await open();
    const { exportId } = await exported(at, { format: "csv" });
    expect((await call(at, ada, "DELETE", `/exports/${exportId}`)).status).toBe(204);
    expect([await files(), (await call(at, ada, "GET", `/exports/${exportId}`)).status]).toEqual([[], 404]);
  });

  it("are few per user: the oldest makes room for the next", async () => {
    const at = await open({ exportsKeptPerUser: 2 });
    const other = await exported(at, { format: "csv" }, "rows", bob);
    const mine = [];
    for (let count = 0; count < 3; count += 1) mine.push(await exported(at, { format: "csv" }));
    const statuses = await Promise.all(mine.map(async ({ exportId }) => (await call(at, ada, "GET", `/exports/${exportId}`)).status));
    expect(statuses).toEqual([404, 200, 200]);
    expect((await call(at, bob, "GET", `/exports/${other.exportId}/file`)).status).toBe(200);
    expect(await files()).toHaveLength(3);
  });

  it("that fill their room keep new exports out until one goes", async () => {
    const at = await open({ exportFilesBytes: 90_000 });
    const first = await exported(at, { format: "csv" });
    const second = await exported(at, { format: "json" }, "rows", bob);
    expect([first.state.status, second.state.status]).toEqual(["done", "failed"]);
    const size = first.state.file?.bytes ?? 0;
    const tight = await open({ exportFilesBytes: size + 1 });
    const kept = await exported(tight, { format: "csv" });
    expect(kept.state.status).toBe("done");
    const third = await start(tight, bob, { format: "csv", search: { filters: [{ name: "id", operator: "<", value: 2 }] } });
    expect(third.status).toBe(202);
    expect((await ended(tight, bob, third.body.exportId)).failure).toContain("no room left");
  });

  it("of a gateway that is gone are removed at the start; those of others that share the folder are kept while they are young", async () => {
    const young = join(base.bench.exportFolder, "young.csv");
    const old = join(base.bench.exportFolder, "old.csv");
    for (const file of [young, old]) await writeFile(file, "left");
    const twoHoursAgo = Date.now() / 1_000 - 7_200;
    await utimes(old, twoHoursAgo, twoHoursAgo);
    await open({}, false);
    expect(await files()).toEqual(["young.csv"]);
    await open({}, true);
    expect(await files()).toEqual([]);
    await expect(stat(young)).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("what is refused", () => {
  const refused = async (body: object, id = "rows", who: Who = ada) => {
    const answer = await start(await open(), who, body, id);
    return [answer.status, ...(answer.body as unknown as ErrorBody).errors.map(({ code, path }) => `${code} ${path ?? ""}`.trim())];
  };

  it.each([
    ["a format that is not there", { format: "xlsx" }, "invalid-request format"],
    ["a page", { format: "csv", search: { paging: { offset: 0, max: 5 } } }, "not-supported search.paging"],
    [
      "an unknown column in a filter",
      { format: "csv", search: { filters: [{ name: "x", operator: "=", value: 1 }] } },
      "unknown-column search.filters.0.name",
    ],
    ["an unknown column", { format: "csv", columns: ["id", "x"] }, "unknown-column columns.1"],
    ["a column twice", { format: "csv", columns: ["id", "id"] }, "invalid-request columns.1"],
    ["no column at all", { format: "csv", columns: [] }, "invalid-request columns"],
    ["a choice of columns for JSON", { format: "json", columns: ["id"] }, "not-supported columns"],
    [
      "an area where there is none",
      { format: "csv", search: { geospatial: { polygons: ["0 0, 1 0, 1 1, 0 0"], antimeridianPolygons: false } } },
      "not-supported search.geospatial",
    ],
  ])("%s", async (_what, body, problem) => {
    expect(await refused(body)).toEqual([400, problem]);
  });

  it("a dataset whose engine exports nothing", async () => {
    const searches = searchService({ datasets: base.service, limits: defaultLimits });
    const at = await open({}, true, {
      searches: {
        prepare: async (user, where, data) => {
          const found = await searches.prepare(user, where, data);
          return { ...found, engine: Object.create(found.engine, { export: { value: undefined } }) as QueryEngine };
        },
      },
    });
    const answer = await start(at, ada, { format: "csv" });
    expect([answer.status, answer.body]).toMatchObject([400, { errors: [{ code: "not-supported" }] }]);
  });

  it("a dataset that does not exist, or that is not for this user, in one and the same way", async () => {
    expect(await refused({ format: "csv" }, "nothing")).toEqual([404, "not-found"]);
    expect(await refused({ format: "csv" }, "secret: *")).toEqual([404, "not-found"]);
  });
});
