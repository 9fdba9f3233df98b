import type { DatasetProfileState, DatasetThumbnail } from "@fairway/contract/dataset-profiles";
import type { DatasetRef } from "@fairway/contract/datasets";
import { defaultLimits } from "@fairway/contract/limits";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import { sql } from "kysely";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { internalDatasets } from "#entities/entity-types.ts";
import { EngineFailed } from "#query/engine.ts";
import { FigureView } from "#query/whole-figures.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import {
  type DatasetApp,
  addDataset,
  buildDataset,
  buildFilter,
  buildFilterSupport,
  datasetApp,
  buildColumn,
} from "#testing/dataset-app.ts";
import { openDatasetProfiles } from "./capability.ts";

const columns: InternalDataset["schema"]["columns"] = [
  ...buildDataset().schema.columns,
  buildColumn("name", "STRING"),
  buildColumn("at", "TIMESTAMP_MILLS"),
];
const timed: Partial<InternalDataset> = { schema: { columns }, temporalField: "at" };
const rows = { datasetCategory: "Tests", datasetId: "rows" };

let app: DatasetApp;
beforeAll(async () => {
  app = await datasetApp();
  const make = (count: number, file: string) =>
    `copy (select i as id, case when i > 0 then '<b>' || i % 2 || '</b>' end as name, timestamp '2020-01-01' + to_hours(i::integer) as at from range(${count}) t(i)) to 'FOLDER/${file}' (format parquet)`;
  await app.bench.prepare(make(10, "rows.parquet"));
  await app.bench.prepare(make(500, "other.parquet"));
});
beforeEach(async () => {
  for (const table of ["entities", "dataset_profiles", "dataset_measurements"] as const) await app.database.db.deleteFrom(table).execute();
  app.service.changed();
});
afterAll(() => app.close());

const read = (id = "rows", roles: readonly string[] = []) => app.call<DatasetProfileState>(roles, "GET", `/datasets/Tests/${id}/profile`);
const profile = async (id = "rows") => (await read(id)).body.profile;
const age = (column: "attempted_at" | "alive_at") =>
  sql`update dataset_profiles set ${sql.ref(column)} = now() - interval '25 hours'`.execute(app.database.db);

/** The profiler of another gateway, whose work on a dataset the test defines. */
function otherGateway(work: (dataset: SearchableDataset, signal: AbortSignal) => Promise<never>) {
  const changes: ((type: string | undefined) => void)[] = [];
  const gateway = openDatasetProfiles({
    db: app.database.db,
    pool: app.database.pool,
    figureView: () => Promise.resolve(FigureView.whole),
    listed: () => Promise.resolve([]),
    profiledDatasets: app.service.portalDatasets,
    use: (dataset, run) =>
      app.service.useForPortal(dataset, (searchable) => {
        const engine = Object.assign(Object.create(searchable.engine) as typeof searchable.engine, {
          profileDataset: (_: unknown, __: unknown, { signal }: { signal: AbortSignal }) => work(searchable, signal),
        });
        return run({ ...searchable, engine });
      }),
    entityChanges: { subscribe: (listener) => void changes.push(listener) },
    limits: defaultLimits,
    log: pino({ level: "silent" }),
    startDelayMs: 600_000,
  });
  onTestFinished(() => gateway.close?.());
  return { gateway, changed: () => changes.forEach((listener) => listener("datasets/internal")) };
}
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(new EngineFailed("abandoned", "Stopped."))));

describe("the profile of a dataset", () => {
  it("is computed in the background, for those who may read the dataset", async () => {
    await addDataset(app, timed);
    await addDataset(app, { ...timed, id: "hidden", roles: ["insider"] });
    expect((await read()).body).toEqual({ state: "none", profile: null, failure: null });
    await app.profiles.runProfiler();
    const { body, status } = await read();
    expect([status, body.state, body.failure]).toEqual([200, "done", null]);
    expect(body.profile).toMatchObject({
      rows: 10,
      oldestMs: Date.UTC(2020, 0, 1),
      newestMs: Date.UTC(2020, 0, 1, 9),
      coverage: { unit: "day", buckets: [{ startMs: Date.UTC(2020, 0, 1), rows: 10 }] },
      columns: [
        { name: "id", min: 0, max: 9, distinct: 10, empty: 0, isApproximate: false },
        {
          name: "name",
          distinct: 2,
          empty: 1,
          top: [
            { value: "<b>1</b>", rows: 5 },
            { value: "<b>0</b>", rows: 4 },
          ],
          histogram: [],
        },
        { name: "at", type: "TIMESTAMP_MILLS" },
      ],
    });
    expect([(await read("hidden")).status, (await read("hidden", ["admin"])).status, (await read("none")).status]).toEqual([404, 404, 404]);
    expect((await read("hidden", ["insider"])).body.profile?.rows).toBe(10);
    const reach = { apiKeyId: "k", apiKeyName: "k", datasets: [rows], filesets: [], ecosystems: [] };
    const withKey = await app.call<DatasetProfileState>({ roles: ["insider"], reach }, "GET", "/datasets/Tests/hidden/profile");
    expect(withKey.status).toBe(404);
  });

  it("covers only the rows that the dataset shows, and only the columns that it still has", async () => {
    const only = (value: number) => ({
      filterSupport: buildFilterSupport({
        preFilledFilters: [buildFilter("id", { type: "integer", operator: "<", value, preFilled: true })],
      }),
    });
    await addDataset(app, { ...timed, ...only(4) });
    await app.profiles.runProfiler();
    expect((await profile())?.columns[0]).toMatchObject({ max: 3 });
    const replace = (change: Partial<InternalDataset>) =>
      app.entities.replace(internalDatasets, "rows", buildDataset({ ...timed, ...only(4), ...change }));
    await replace({ schema: { columns: columns.filter(({ name }) => name !== "name") } });
    expect((await profile())?.columns.map(({ name }) => name)).toEqual(["id", "at"]);
    await replace({ ...only(2) });
    expect(await profile()).toBeNull();
    await app.profiles.runProfiler();
    expect((await profile())?.columns[0]).toMatchObject({ max: 1 });
  });

  it("is computed again when it is a day old or an administrator asks for it", async () => {
    await addDataset(app, timed);
    await app.profiles.runProfiler();
    const first = await profile();
    await app.profiles.runProfiler();
    expect(await profile()).toEqual(first);
    await age("attempted_at");
    await app.profiles.runProfiler();
    const second = await profile();
    expect(second?.measuredMs).toBeGreaterThan(first?.measuredMs ?? 0);
    const update = (roles: readonly string[], id: string) => app.call(roles, "POST", `/admin/datasets/internal/${id}/profile`);
    expect((await update([], "rows")).status).toBe(403);
    expect((await update(["admin"], "none")).status).toBe(404);
    expect((await update(["admin"], "rows")).status).toBe(202);
    expect((await read()).body).toMatchObject({ profile: { rows: 10 } });
    await app.profiles.runProfiler();
    expect((await profile())?.measuredMs).toBeGreaterThan(second?.measuredMs ?? 0);
  });

  it("that fails says why and when, keeps the previous one, and does not stop the others", async () => {
    await addDataset(app, { ...timed, id: "a-broken", source: { kind: "files", glob: "missing.parquet", format: "parquet" } });
    await addDataset(app, timed);
    await app.profiles.runProfiler();
    expect((await read("a-broken")).body).toEqual({
      state: "failed",
      profile: null,
      failure: { problem: expect.stringContaining("its data files are missing"), failedMs: expect.any(Number) },
    });
    expect((await read()).body.state).toBe("done");
    const { gateway } = otherGateway(() => Promise.reject(new EngineFailed("timed-out", "Narrow it.")));
    await gateway.requestProfile("rows");
    await gateway.runProfiler();
    expect((await read()).body).toMatchObject({
      state: "failed",
      profile: { rows: 10 },
      failure: { problem: "It took longer than 600 s and was stopped." },
    });
  });

  it("is removed with its dataset, and not inherited by one with the same id", async () => {
    await addDataset(app, timed);
    await app.profiles.runProfiler();
    await app.database.db.deleteFrom("entities").execute();
    await addDataset(app, { ...timed, source: { kind: "files", glob: "other.parquet", format: "parquet" } });
    expect((await read()).body).toEqual({ state: "none", profile: null, failure: null });
    await app.database.db.deleteFrom("entities").execute();
    app.service.changed();
    await app.profiles.runProfiler();
    expect(await app.database.db.selectFrom("dataset_profiles").select("rows").execute()).toEqual([]);
    expect((await app.profiles.measurementsOf(rows))?.forPortal() ?? []).toEqual([]);
  });
});

describe("the thumbnail of a dataset", () => {
  const thumbnail = (id = "rows") => app.call<DatasetThumbnail>([], "GET", `/datasets/Tests/${id}/profile/thumbnail`);

  it("shows coverage and positions of rows that the dataset shows", async () => {
    const position = { type: "COORDINATES" as const, fields: ["id", "id"], joinedBy: ", " };
    const located = [...columns, { name: "place", type: "STRING" as const, description: "", combined: position }];
    await addDataset(app, { ...timed, schema: { columns: located }, locationField: "place" });
    await addDataset(app, { ...timed, id: "hidden", roles: ["insider"] });
    expect((await thumbnail()).body).toEqual({ coverage: null, positions: [] });
    await app.profiles.runProfiler();
    const { body } = await thumbnail();
    expect(body.coverage?.buckets).toEqual([{ startMs: Date.UTC(2020, 0, 1), rows: 10 }]);
    expect(body.positions.map(([lat]) => lat).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect((await thumbnail("hidden")).status).toBe(404);
    await app.database.db.deleteFrom("entities").execute();
    await addDataset(app, { ...timed, source: { kind: "files", glob: "other.parquet", format: "parquet" } });
    expect((await thumbnail()).body).toEqual({ coverage: null, positions: [] });
  });
});

describe("the thumbnails of all datasets", () => {
  const position = { type: "COORDINATES" as const, fields: ["id", "id"], joinedBy: ", " };
  const located = { schema: { columns: [...columns, { name: "place", type: "STRING" as const, description: "", combined: position }] } };
  const other: Partial<InternalDataset> = { source: { kind: "files", glob: "other.parquet", format: "parquet" } };
  const thumbnails = async (caller: Parameters<DatasetApp["call"]>[0]) =>
    (await app.call<(DatasetThumbnail & { dataset: DatasetRef })[]>(caller, "GET", "/datasets/thumbnails")).body;
  const idsOf = async (caller: Parameters<DatasetApp["call"]>[0]) => (await thumbnails(caller)).map(({ dataset }) => dataset.datasetId);
  const reach = { apiKeyId: "k", apiKeyName: "k", datasets: [rows], filesets: [], ecosystems: [] };

  it("are in one answer, each only for those who may read its dataset", async () => {
    await addDataset(app, { ...timed, ...located, id: "located", locationField: "place" });
    await addDataset(app, timed);
    await addDataset(app, { ...timed, id: "hidden", roles: ["insider"] });
    await addDataset(app, { ...timed, id: "disabled" }, false);
    expect(await thumbnails([])).toEqual([]);
    await app.profiles.runProfiler();
    await addDataset(app, { ...timed, id: "unprofiled" });
    app.service.changed();
    const [first, second, ...others] = await thumbnails([]);
    expect([first?.dataset.datasetId, first?.coverage, first?.positions.length, others]).toEqual(["located", null, 10, []]);
    const day = { unit: "day", buckets: [{ startMs: Date.UTC(2020, 0, 1), rows: 10 }] };
    expect(second).toEqual({ dataset: rows, coverage: day, positions: [] });
    expect(await idsOf(["insider"])).toEqual(["hidden", "located", "rows"]);
    expect(await idsOf([])).toEqual(["located", "rows"]);
    expect(await idsOf({ roles: ["insider"], reach })).toEqual(["rows"]);
    expect((await app.call("nobody", "GET", "/datasets/thumbnails")).status).toBe(401);
  });

  it("are those of the present data, as soon as it is profiled again", async () => {
    await addDataset(app, timed);
    await app.profiles.runProfiler();
    expect(await thumbnails([])).toHaveLength(1);
    await app.database.db.deleteFrom("entities").execute();
    await addDataset(app, { ...timed, ...other });
    app.service.changed();
    expect(await thumbnails([])).toEqual([]);
    await app.profiles.runProfiler();
    expect((await thumbnails([]))[0]?.coverage?.buckets).toHaveLength(21);
  });

  it("are answered with 304 to a caller who has them, until a profile or what the caller may read changes", async () => {
    await addDataset(app, timed);
    await addDataset(app, { ...timed, id: "hidden", roles: ["insider"] });
    await app.profiles.runProfiler();
    const ask = async (roles: readonly string[], etag: string) => {
      const authorization = `Bearer ${Buffer.from(JSON.stringify(roles)).toString("base64url")}`;
      const headers = { authorization, "if-none-match": etag };
      const response = await app.app.inject({ method: "GET", url: "/datasets/thumbnails", headers });
      return { status: response.statusCode, etag: String(response.headers["etag"]), body: response.body };
    };
    const first = await ask([], "");
    expect(await ask([], first.etag)).toEqual({ status: 304, etag: first.etag, body: "" });
    expect((await ask(["insider"], first.etag)).status).toBe(200);
    expect((await ask([], (await ask(["insider"], "")).etag)).status).toBe(200);
    await age("attempted_at");
    await app.profiles.runProfiler();
    expect((await ask([], first.etag)).status).toBe(200);
  });
});

describe("figures for other parts", () => {
  it("are those of the present data only", async () => {
    await addDataset(app, timed);
    await app.profiles.runProfiler();
    const key = JSON.stringify(["Tests", "rows"]);
    const figures = await app.profiles.profilesOf([rows, { datasetCategory: "Tests", datasetId: "none" }]);
    expect([...figures.keys()]).toEqual([key]);
    expect(figures.get(key)?.forPortal()).toMatchObject({ rows: 10, newestMs: Date.UTC(2020, 0, 1, 9) });
  });

  it("hold the last thirty measurements, newest first", async () => {
    await addDataset(app, timed);
    await sql`insert into dataset_measurements select 'Tests', 'rows', now() - make_interval(days => day), day, null, '{}' from generate_series(1, 40) day`.execute(
      app.database.db,
    );
    await app.profiles.runProfiler();
    const measurements = (await app.profiles.measurementsOf(rows))?.forPortal() ?? [];
    expect(measurements.map((one) => one.rows)).toEqual([10, ...Array.from({ length: 29 }, (_, index) => index + 1)]);
    expect(measurements[0]).toMatchObject({ newestMs: Date.UTC(2020, 0, 1, 9), empty: { id: 0, name: 1, at: 0 } });
  });
});

describe("profiles of several gateways", () => {
  it("are computed one at a time", async () => {
    await addDataset(app, timed);
    let end: (failure: EngineFailed) => void = () => undefined;
    let started: () => void = () => undefined;
    const isStarted = new Promise<void>((resolve) => (started = resolve));
    const { gateway } = otherGateway((_, signal) => {
      started();
      return Promise.race([new Promise<never>((_resolve, reject) => (end = reject)), untilAborted(signal)]);
    });
    const running = gateway.runProfiler();
    await isStarted;
    await addDataset(app, { ...timed, id: "waiting" });
    app.service.changed();
    await app.profiles.runProfiler();
    expect((await read()).body).toEqual({ state: "running", profile: null, failure: null });
    expect((await read("waiting")).body.state).toBe("none");
    // A busy engine means later, not a failure.
    end(new EngineFailed("busy", "The query engine is busy."));
    await running;
    expect((await read()).body.state).toBe("none");
    await app.profiles.runProfiler();
    expect((await read()).body.state).toBe("done");
  });

  it("are canceled when their dataset is deleted", async () => {
    await addDataset(app, timed);
    await addDataset(app, { ...timed, id: "waiting" });
    let start: () => void = () => undefined;
    const isStarted = new Promise<void>((resolve) => (start = resolve));
    const { gateway, changed } = otherGateway(({ queryable }, signal) => {
      if (queryable.id === "waiting") return Promise.reject(new EngineFailed("failed", "The query failed."));
      start();
      return untilAborted(signal);
    });
    const deleted = gateway.runProfiler();
    await isStarted;
    await app.database.db.deleteFrom("entities").where("id", "=", "rows").execute();
    app.service.changed();
    changed();
    await deleted;
    const stored = await app.database.db.selectFrom("dataset_profiles").select("dataset_id").execute();
    expect(stored).toEqual([{ dataset_id: "waiting" }]);
  });

  it("count as failed when their gateway died", async () => {
    await addDataset(app, timed);
    await app.profiles.runProfiler();
    await age("alive_at");
    await app.profiles.runProfiler();
    expect((await read()).body).toMatchObject({
      state: "failed",
      profile: { rows: 10 },
      failure: { problem: "The gateway that computed it stopped." },
    });
  });
});

describe("datasets whose readers may see different rows", () => {
  it("have no figures of the portal's account: no profile, thumbnail, fact, change or value, also of before", async () => {
    let isPersonal = false;
    const own = await datasetApp({ hasRowsPerReader: () => isPersonal });
    onTestFinished(() => own.close());
    const make = `copy (select i as id, 'n' as name, timestamp '2020-01-01' + to_hours(i::integer) as at from range(10) t(i)) to 'FOLDER/rows.parquet' (format parquet)`;
    await own.bench.prepare(make);
    await addDataset(own, timed);
    await own.profiles.runProfiler();
    await sql`insert into dataset_measurements select 'Tests', 'rows', now() - interval '2 days', 3, null, '{}'`.execute(own.database.db);
    const shown = async () => ({
      profile: (await own.call<DatasetProfileState>([], "GET", "/datasets/Tests/rows/profile")).body,
      thumbnail: (await own.call<DatasetThumbnail>([], "GET", "/datasets/Tests/rows/profile/thumbnail")).body,
      thumbnails: (await own.call<unknown[]>([], "GET", "/datasets/thumbnails")).body,
      facts: (await own.call<{ rows: number | null; newestMs: number | null; updatedMs: number | null }[]>([], "GET", "/datasets/facts"))
        .body[0],
      figures: (await own.profiles.profilesOf([rows])).size,
      changes: (await own.profiles.changesOf()).size,
      measurements: (await own.profiles.measurementsOf(rows))?.forPortal().length ?? 0,
      values: await own.profiles.topValuesOf(rows, "name", FigureView.whole),
    });
    expect(await shown()).toMatchObject({
      profile: { state: "done", profile: { rows: 10 } },
      thumbnail: { coverage: { unit: "day" } },
      thumbnails: [{ dataset: rows }],
      facts: { rows: 10, newestMs: Date.UTC(2020, 0, 1, 9) },
      figures: 1,
      changes: 1,
      measurements: 2,
      values: ["n"],
    });
    isPersonal = true;
    own.service.changed();
    const nothing = {
      profile: { state: "none", profile: null, failure: null },
      thumbnail: { coverage: null, positions: [] },
      thumbnails: [],
      facts: expect.objectContaining({ rows: null, oldestMs: null, newestMs: null, updatedMs: null }),
      figures: 0,
      changes: 0,
      measurements: 0,
      values: [],
    };
    expect(await shown()).toEqual(nothing);
    const requested = await own.call(["admin"], "POST", "/admin/datasets/internal/rows/profile");
    expect([requested.status, requested.body.errors[0]?.code]).toEqual([400, "not-supported"]);
    expect(await own.profiles.requestProfile("rows")).toBeUndefined();
    await addDataset(own, { ...timed, id: "other" });
    own.service.changed();
    await own.profiles.runProfiler();
    expect(await shown()).toEqual(nothing);
    expect(await own.database.db.selectFrom("dataset_profiles").select("dataset_id").execute()).toEqual([{ dataset_id: "rows" }]);
  });
});
