import { mkdir, symlink, writeFile } from "node:fs/promises";
import type { Column } from "@fairway/contract/columns";
import type { AccessGrant, DatasetAccess } from "@fairway/contract/dataset-access";
import { join } from "node:path";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { entityRepositories } from "#capabilities/entities/entity-registry.ts";
import { type Administration, administrationOf } from "#capabilities/entities/service.ts";
import { internalDatasets } from "#entities/entity-types.ts";
import { type EntityStore, entityStore } from "#entities/store.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { defaultSecurityLimits } from "#identity/security-limits.ts";
import { JoltRunner } from "#jolt/runner.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { type EngineBench, engineBench } from "#query/duckdb/test-files.ts";
import { noServer } from "#query/presto/no-server.ts";
import { noEngine } from "#testing/no-engine.ts";
import { buildDataset } from "#testing/dataset-app.ts";
import { type TestDatabase, testDatabase } from "#testing/postgres.ts";
import { secretKey } from "#testing/secret-key.ts";
import { datasetAdministrationRoutes } from "./routes.ts";
import { mergeColumns } from "./schema-changes.ts";
import { SchemaUpdates } from "./schema-updates.ts";
import { someUser } from "#testing/some-user.ts";

const log = pino({ level: "silent" });
const user: SignedInUser = someUser({ id: "r", username: "root", roles: ["admin"] });

let database: TestDatabase;
let bench: EngineBench;
let store: EntityStore;
let datasets: Administration;
let updates: SchemaUpdates;
const profileRequests: string[] = [];
let routes: ReturnType<typeof datasetAdministrationRoutes>;

beforeAll(async () => {
  [database, bench] = await Promise.all([testDatabase(), engineBench()]);
  store = entityStore(database.db, log, secretKey);
  const addresses = new AddressPolicy([]);
  const repositories = entityRepositories({ key: secretKey, onChanged: () => undefined, addresses, jolt: new JoltRunner() });
  datasets = administrationOf(database.db, repositories["datasets/internal"], defaultSecurityLimits);
  updates = jobs(bench.engine);
  const engines = { lease: () => Promise.resolve({ engine: noServer, release: () => undefined }) };
  const absent = () => Promise.reject(new Error("there are no buckets"));
  const buckets = { locations: [], list: absent, browse: absent };
  routes = datasetAdministrationRoutes({
    datasets,
    updates,
    engine: bench.engine,
    engines,
    buckets,
    dataFolder: bench.folder,
    sampleRows: 25,
  });
});
beforeEach(async () => {
  await database.db.deleteFrom("entities").execute();
  await database.db.deleteFrom("schema_updates").execute();
});
afterAll(async () => {
  await updates.close();
  await bench.close();
  await database.drop();
});

const jobs = (engine: Pick<EngineBench["engine"], "columns">) =>
  new SchemaUpdates({
    db: database.db,
    entities: store,
    engines: {
      lease: () =>
        Promise.resolve({ engine: { ...noEngine, columns: (source, call) => engine.columns(source, call) }, release: () => undefined }),
    },
    save: (id, columns, by) => datasets.amend(id, "schema", by, (entity) => ({ ...entity, schema: { columns } })),
    requestProfile: (id) => Promise.resolve(profileRequests.push(id)),
    log,
  });

/** A handler's call by the administrator. */
const callOf = (part: { params?: object; body?: unknown; query?: object }) =>
  ({ params: {}, query: {}, user, signal: new AbortController().signal, ...part }) as never;
const inspect = (path: string) => routes.inspect(callOf({ body: { path } }));
const folder = (path: string) => routes.dataFolder(callOf({ query: { path } }));
const columns = (...named: [string, "STRING" | "integer" | "decimal" | "TIMESTAMP_MILLS"][]) =>
  named.map(([name, type]) => ({ name, type, description: `About ${name}.`, combined: null }));

it("[ENTITY-15] saves descriptions of a dataset and its columns, with a revision", async () => {
  await store.create(internalDatasets, buildDataset());
  const body = {
    datasetId: "rows",
    description: "New words.",
    columnDescriptions: [{ columnName: "id", description: "Number of the row." }],
  };
  const saved = await routes.describe(callOf({ params: { id: "rows" }, body }));
  expect(saved).toMatchObject({
    version: 2,
    description: "New words.",
    schema: { columns: [{ name: "id", description: "Number of the row." }] },
  });
  expect(await datasets.revisions("rows")).toMatchObject([{ action: "description", by: "root" }]);

  const unknown = { ...body, columnDescriptions: [{ columnName: "nobody", description: "" }] };
  await expect(routes.describe(callOf({ params: { id: "rows" }, body: unknown }))).rejects.toMatchObject({ code: "unknown-column" });
  await expect(routes.describe(callOf({ params: { id: "rows" }, body: { ...body, datasetId: "other" } }))).rejects.toBeInstanceOf(Refusal);
  await expect(routes.describe(callOf({ params: { id: "gone" }, body: { ...body, datasetId: "gone" } }))).rejects.toMatchObject({
    code: "not-found",
  });
});

it("[ENTITY-16][ENTITY-20] updates the schema from the data, keeping descriptions of remaining columns and reporting changes", async () => {
  await bench.prepare("copy (select 1::bigint as id, 'x' as name, 1.5 as height) to 'FOLDER/rows.parquet'");
  const before = columns(["id", "integer"], ["height", "integer"], ["gone", "STRING"]);
  await datasets.create({ ...buildDataset({ schema: { columns: before } }) }, user);
  const started = await routes.updateSchema(callOf({ params: { id: "rows" } }));
  expect(started).toMatchObject({ jobId: expect.any(String), status: "running", progress: { total: 3 } });
  const state = () => routes.schemaUpdate(callOf({ params: { id: "rows", jobId: started.jobId } }));
  await expect.poll(async () => (await state()).status).toBe("done");
  expect(await state()).toMatchObject({
    progress: { done: 3, total: 3 },
    result: { added: ["name"], removed: ["gone"], changed: [], unchanged: 2 },
    problem: null,
  });
  expect(profileRequests).toEqual(["rows"]);
  const [entity] = await datasets.list();
  expect(entity).toMatchObject({
    version: 2,
    schema: {
      columns: [
        { name: "id", description: "About id." },
        { name: "height", type: "integer", description: "About height." },
        { name: "name", type: "STRING", description: "" },
      ],
    },
  });
  await expect(routes.schemaUpdate(callOf({ params: { id: "rows", jobId: "no" } }))).rejects.toMatchObject({ code: "not-found" });
});

it("returns the running job when an update is started twice", async () => {
  await datasets.create({ ...buildDataset() }, user);
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const slow = jobs({ columns: () => finished.then(() => columns(["id", "integer"])) });
  const [first, second] = [await slow.start("rows", user), await slow.start("rows", user)];
  expect(second.jobId).toBe(first.jobId);
  finish();
  await slow.close();
  expect((await slow.get("rows", first.jobId)).status).toBe("done");
  expect((await slow.start("rows", user)).jobId).not.toBe(first.jobId);
  await slow.close();
});

it("fails an update with a readable message if the data or a needed column is missing or its gateway has crashed", async () => {
  await datasets.create({ ...buildDataset({ source: { kind: "files", glob: "nowhere.parquet", format: "parquet" } }) }, user);
  const missing = await updates.start("rows", user);
  await expect
    .poll(() => updates.get("rows", missing.jobId))
    .toMatchObject({ status: "failed", problem: "The dataset cannot be read: its data files are missing." });

  const needing = buildDataset({ id: "timed", schema: { columns: columns(["at", "TIMESTAMP_MILLS"]) }, temporalField: "at" });
  await datasets.create({ ...needing }, user);
  const without = jobs({ columns: () => Promise.resolve(columns(["id", "integer"])) });
  const failed = await without.start("timed", user);
  await without.close();
  expect(await without.get("timed", failed.jobId)).toMatchObject({ status: "failed", problem: expect.stringContaining("temporalField") });
  expect((await datasets.list()).map(({ version }) => version)).toEqual([1, 1]);

  await database.pool.query(
    "insert into schema_updates (id, dataset_id, status, step, alive_at) values ('dead', 'rows', 'running', '', now() - interval '2 minutes')",
  );
  expect(await updates.get("rows", "dead")).toMatchObject({ status: "failed", problem: "The gateway that ran it stopped." });
});

it("refuses an update that takes a column from a rule, by its name, and tells which new columns all readers see", async () => {
  const rows: AccessGrant["rows"] = { filters: [{ name: "region", operator: "=", value: "north" }] };
  const access: DatasetAccess = {
    rules: [{ name: "Own region", grants: [{ roles: ["north"], rows }] }],
    columns: [{ names: ["pay"], roles: ["hr"], others: "withheld" }],
  };
  const schema = { columns: columns(["region", "STRING"], ["pay", "integer"]) };
  await datasets.create({ ...buildDataset({ access, schema }) }, user);
  const updateTo = async (...found: Parameters<typeof columns>) => {
    const runner = jobs({ columns: () => Promise.resolve(columns(...found)) });
    const { jobId } = await runner.start("rows", user);
    await runner.close();
    return runner.get("rows", jobId);
  };
  expect(await updateTo(["pay", "integer"])).toMatchObject({
    status: "failed",
    problem: expect.stringContaining("the access rule 'Own region': there is no stored column 'region'"),
  });
  expect(await updateTo(["region", "STRING"])).toMatchObject({
    status: "failed",
    problem: expect.stringContaining("access rule 1 for columns: there is no column 'pay'"),
  });
  expect((await updateTo(["region", "STRING"], ["pay", "integer"], ["note", "STRING"])).result).toMatchObject({ open: ["note"] });
  const closed = { ...buildDataset({ access: { ...access, unnamedColumns: "withheld" }, schema }) };
  await datasets.edit(closed, user);
  expect((await updateTo(["region", "STRING"], ["pay", "integer"], ["note", "STRING"])).result).not.toHaveProperty("open");
});

it("takes over from the data which times are whole days, at first and with every schema update", async () => {
  const days = `select 1::bigint as id, date '2024-01-01' as d, timestamp '2024-01-01 10:00:00' as "at", 1704067200::bigint as n`;
  await bench.prepare(`copy (${days}) to 'FOLDER/rows.parquet'`);
  const proposed = await inspect("rows.parquet");
  expect((proposed.dataset["schema"] as { columns: Column[] }).columns.filter(({ day }) => day === true).map(({ name }) => name)).toEqual([
    "d",
  ]);
  const before = columns(["id", "integer"], ["d", "TIMESTAMP_MILLS"], ["at", "TIMESTAMP_MILLS"], ["n", "TIMESTAMP_MILLS"]);
  const declared = before.map((column) => Object.assign({}, column, column.name === "n" ? { day: true } : {}));
  await datasets.create({ ...buildDataset({ schema: { columns: declared } }) }, user);
  const updatedDays = async () => {
    const { jobId } = await routes.updateSchema(callOf({ params: { id: "rows" } }));
    await expect.poll(async () => (await routes.schemaUpdate(callOf({ params: { id: "rows", jobId } }))).status).toBe("done");
    const [entity] = await datasets.list();
    const schema = entity?.["schema"] as { columns: Column[] };
    return schema.columns.filter(({ day }) => day === true).map(({ name }) => name);
  };
  // The data do not prove the type of numbers: the declared one stays.
  expect(await updatedDays()).toEqual(["d", "n"]);
  await bench.prepare(
    `copy (select * replace (timestamp '2024-01-01 10:00:00' as d, date '2024-01-01' as "at") from (${days})) to 'FOLDER/rows.parquet'`,
  );
  expect(await updatedDays()).toEqual(["at", "n"]);
});

it("keeps declared column types that are compatible with the data", () => {
  const place = {
    name: "place",
    type: "STRING" as const,
    description: "",
    combined: { type: "COORDINATES" as const, fields: ["lat", "lon"], joinedBy: ", " },
  };
  const declared = [
    ...columns(["at", "TIMESTAMP_MILLS"], ["lat", "decimal"], ["lon", "decimal"], ["code", "STRING"], ["size", "integer"]),
    place,
  ];
  const merged = mergeColumns(declared, columns(["at", "integer"], ["lat", "decimal"], ["code", "integer"], ["size", "STRING"]));
  expect(merged.changes).toEqual({
    added: [],
    removed: ["lon", "place"],
    changed: [{ name: "size", from: "integer", to: "STRING" }],
    unchanged: 3,
  });
  expect(merged.columns.map(({ name, type }) => [name, type])).toEqual([
    ["at", "TIMESTAMP_MILLS"],
    ["lat", "decimal"],
    ["code", "STRING"],
    ["size", "STRING"],
  ]);
});

it("proposes columns, time, location and map for a file, with a sample, and the proposal can be saved", async () => {
  await mkdir(join(bench.folder, "sea"), { recursive: true });
  await bench.prepare(
    "copy (select 'A' || i as callsign, 1700000000 + i as seen_at, timestamp '2024-01-01' + i * interval '1 hour' as observed, 50.5 + i as lat, i::double as lon from range(40) t(i)) to 'FOLDER/sea/ships.parquet'",
  );
  const found = await inspect("sea/ships.parquet");
  expect(found.files).toBe(1);
  expect(found.sample).toHaveLength(25);
  expect(found.sample[0]).toMatchObject({ callsign: "A0", seen_at: 1_700_000_000, lat: 50.5 });
  expect(found.dataset).toMatchObject({
    id: "ships",
    category: "Sea",
    source: { kind: "files", glob: "sea/ships.parquet", format: "parquet" },
    temporalField: "observed",
    locationField: "location",
    mapSupport: { groupItemField: "callsign", itemLocationField: "location", itemTemporalField: "observed" },
    titleField: "callsign",
  });
  const types = (found.dataset as { schema: { columns: { name: string; type: string }[] } }).schema.columns.map(({ name, type }) => [
    name,
    type,
  ]);
  expect(types).toContainEqual(["seen_at", "TIMESTAMP_SECONDS"]);
  expect(found.dataset).toHaveProperty(
    "schema.columns",
    expect.arrayContaining([
      expect.objectContaining({ name: "location", combined: { type: "COORDINATES", fields: ["lat", "lon"], joinedBy: ", " } }),
    ]),
  );
  expect(found.notes).toContain("'seen_at' looks like a time in seconds since 1970.");
  expect(await datasets.create(found.dataset, user)).toMatchObject({ id: "ships", version: 1 });
});

it("also inspects CSV, JSON and folders of files", async () => {
  await mkdir(join(bench.folder, "logs", "2024"), { recursive: true });
  await writeFile(join(bench.folder, "prices.csv"), "item,price\npear,1.5\nplum,2\n");
  await writeFile(join(bench.folder, "logs", "2024", "a.ndjson"), '{"id":1,"text":"x"}\n');
  await writeFile(join(bench.folder, "logs", "2024", "b.ndjson"), '{"id":2,"text":"y"}\n');
  await writeFile(join(bench.folder, "logs", "notes.md"), "nothing");
  expect(await inspect("prices.csv")).toMatchObject({
    dataset: { source: { glob: "prices.csv", format: "csv" } },
    sample: [
      { item: "pear", price: 1.5 },
      { item: "plum", price: 2 },
    ],
  });
  expect(await inspect("logs")).toMatchObject({ files: 2, dataset: { id: "logs", source: { glob: "logs/**/*.ndjson", format: "json" } } });
  expect(await folder("logs")).toEqual([{ name: "2024", path: "logs/2024", kind: "folder", bytes: null }]);
  expect(await folder("")).toContainEqual({ name: "prices.csv", path: "prices.csv", kind: "file", bytes: 27 });
});

it("refuses paths and links that lead out of the data folder, and files that are not data", async () => {
  await writeFile(join(bench.folder, "..", "secret.csv"), "password\nhunter2\n");
  await symlink(join(bench.folder, "..", "secret.csv"), join(bench.folder, "link.csv"));
  await symlink(join(bench.folder, ".."), join(bench.folder, "up"));
  await writeFile(join(bench.folder, "broken.parquet"), "not parquet");
  await writeFile(join(bench.folder, "readme.md"), "words");
  for (const path of [
    "../secret.csv",
    "/etc/passwd",
    "sea/../../secret.csv",
    "link.csv",
    "up",
    "up/secret.csv",
    "..",
    "a\0b",
    "..\\secret.csv",
    "nowhere",
  ]) {
    await expect(inspect(path)).rejects.toMatchObject({ code: "not-found" });
    await expect(folder(path)).rejects.toMatchObject({ code: "not-found" });
  }
  for (const path of ["broken.parquet", "readme.md"]) await expect(inspect(path)).rejects.toMatchObject({ code: "not-supported" });
  expect((await folder("")).map(({ name }) => name)).not.toContain("link.csv");
});

it("says that no query server is connected when tables are listed or inspected without one", async () => {
  const refused = { reason: "not-ready", message: expect.stringContaining("No query server is connected.") as unknown };
  await expect(routes.tables(callOf({ query: { within: "", contains: "" } }))).rejects.toMatchObject(refused);
  await expect(routes.inspectTable(callOf({ body: { table: "a.b.c" } }))).rejects.toMatchObject(refused);
});
