import { once } from "node:events";
import { mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { externalDataset } from "@fairway/contract/external-datasets";
import { externalDatasets, internalDatasets, storedTypes } from "#entities/entity-types.ts";
import { type EntityStore, entityStore } from "#entities/store.ts";
import { defaultLimits } from "@fairway/contract/limits";
import { openDuckDb } from "#query/duckdb/engine.ts";
import { rowsOf } from "#query/duckdb/test-files.ts";
import { buildDataset } from "#testing/dataset-app.ts";
import { fileKey } from "#storage/key.ts";
import { localDiskStores, openLocalDisk, plainFolder } from "#storage/local-disk.ts";
import type { FileStore } from "#storage/storage.ts";
import { type TestDatabase, testDatabase } from "#testing/postgres.ts";
import { secretKey } from "#testing/secret-key.ts";
import { type Platform, seedPlatform } from "./seed.ts";
import { engineCall } from "#testing/engine-call.ts";
import { Scope } from "#query/scope.ts";

let database: TestDatabase;
let entities: EntityStore;
let root: string;
let folder: string;
let files: FileStore;
let printed: string[];
let accounts: unknown[];
let warnings: unknown[];

beforeAll(async () => {
  database = await testDatabase();
  entities = entityStore(database.db, { error: () => {} }, secretKey);
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.deleteFrom("entities").execute();
  root = await mkdtemp(join(tmpdir(), "fairway-seed-"));
  folder = join(root, "datasets");
  files = await openLocalDisk(join(root, "store"));
  [printed, accounts, warnings] = [[], [], []];
  await writeFile(join(root, "it's.csv"), "id,kind\n1,a\n2,b\n3,a\n");
  return async () => {
    await rm(root, { recursive: true });
    if (warnings.length > 0) throw new Error(`Warned: ${JSON.stringify(warnings)}`);
  };
});

const entity = buildDataset({
  source: { kind: "files", glob: "tests/rows/*.parquet", format: "parquet" },
  orderBy: [{ column: "id", direction: "desc" }],
});
const platform = (overrides: Partial<Platform["datasets"][number]> = {}): Platform => ({
  categories: [],
  datasets: [
    { entity, sources: { rows: join(root, "it's.csv") }, select: "select id from read_csv({rows}) order by id desc", ...overrides },
  ],
  accounts: { roles: ["admin"], groups: [], users: [] },
});
const seed = (description: Platform, signal = new AbortController().signal, upstreamCheckMs = 3_600_000) =>
  seedPlatform({
    platform: description,
    folder,
    files,
    filesetFolder: join(root, "files"),
    entities,
    identity: { ensureAccounts: async (ensured) => void accounts.push(ensured) },
    pool: database.pool,
    log: { info: () => {}, warn: (details, message) => void warnings.push([details, message]) },
    signal,
    upstreamCheckMs,
    print: (line) => printed.push(line),
  });
const builtFile = () => stat(join(folder, "tests/rows/rows.parquet"));

it("creates the files, the entities and the accounts", async () => {
  await seed(platform());
  expect((await readdir(join(folder, "tests/rows"))).toSorted()).toEqual(["rows.parquet", "rows.parquet.recipe"]);
  expect((await entities.list(internalDatasets)).map(({ body }) => body)).toEqual([entity]);
  expect(accounts).toEqual([platform().accounts]);
  expect(printed).toEqual(["Building the demo data …"]);
});

it("builds files that the engine reads in order", async () => {
  await seed(platform());
  const engine = await openDuckDb({
    dataFolder: folder,
    tempFolder: join(root, "spill"),
    copyFolder: join(root, "converted"),
    exportFolder: join(root, "exports"),
    limits: defaultLimits,
    log: { warn: () => {} },
  });
  const dataset = {
    category: "Tests",
    id: "rows",
    source: entity.source,
    columns: [{ name: "id", type: "integer" }],
    temporalField: null,
    location: null,
    orderBy: [{ column: "id", direction: "desc" }],
    scope: Scope.whole,
    ownConditions: [],
    features: new Set<never>(),
  } as const;
  const query = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 2 };
  expect(await rowsOf(await engine.search(dataset, query, engineCall()))).toEqual([{ id: 3 }, { id: 2 }]);
  await engine.close();
});

it("builds nothing and prints nothing on a second start", async () => {
  await seed(platform());
  const before = await builtFile();
  printed = [];
  await seed(platform());
  expect((await builtFile()).mtimeMs).toBe(before.mtimeMs);
  expect(printed).toEqual([]);
});

it.each([
  ["another statement", () => platform({ select: "select id + 1 as id from read_csv({rows}) order by id desc" })],
  ["another order", () => platform({ entity: { ...entity, orderBy: [{ column: "id", direction: "asc" }] } })],
])("rebuilds the file for a recipe with %s", async (_what, changed) => {
  await seed(platform());
  const before = await builtFile();
  await seed(changed());
  expect((await builtFile()).ino).not.toBe(before.ino);
});

it("keeps an administrator's changes", async () => {
  await seed(platform());
  await entities.replace(internalDatasets, "rows", { ...entity, description: "Mine." });
  await entities.setEnabled(internalDatasets, "rows", false);
  await seed(platform());
  expect(await entities.get(internalDatasets, "rows")).toMatchObject({ enabled: false, body: { description: "Mine." } });
});

it("builds each file once when two gateways start at the same time", async () => {
  await Promise.all([seed(platform()), seed(platform())]);
  expect(printed).toHaveLength(1);
  expect(await entities.list(internalDatasets)).toHaveLength(1);
});

it("leaves no file after a failed build, and succeeds on the next one", async () => {
  await expect(seed(platform({ select: "select nothing from read_csv({rows})" }))).rejects.toThrow(/nothing/);
  await expect(builtFile()).rejects.toMatchObject({ code: "ENOENT" });
  await seed(platform());
  expect((await builtFile()).size).toBeGreaterThan(0);
});

it("stops between two files when aborted", async () => {
  await expect(seed(platform(), AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
  await seed(platform());
  expect((await builtFile()).size).toBeGreaterThan(0);
});

it("updates the address of its external datasets, unless an administrator changed their host", async () => {
  let port = 4_000;
  let closed = 0;
  const start = () => {
    port += 1;
    const key = `key-${port}`;
    const entity = externalDataset.parse({
      name: "Almanac",
      baseRoute: `http://127.0.0.1:${port}`,
      apiKeyCredential: { headerName: "X-Key", key },
    });
    return Promise.resolve({ entity, close: () => Promise.resolve(void (closed += 1)) });
  };
  const platform: Platform = { categories: [], datasets: [], accounts: { roles: [], groups: [], users: [] }, upstreams: [start] };
  const ends = [await seed(platform)];
  const storedBody = async () => (await entities.get(externalDatasets, "Almanac")).reveal();
  expect(await storedBody()).toMatchObject({ baseRoute: "http://127.0.0.1:4001", apiKeyCredential: { key: "key-4001" } });
  await entities.replace(externalDatasets, "Almanac", {
    ...(await storedBody()),
    description: "Changed.",
    roles: [{ roleName: "sailor" }],
  });
  ends.push(await seed(platform));
  expect(await storedBody()).toMatchObject({
    baseRoute: "http://127.0.0.1:4002",
    apiKeyCredential: { key: "key-4002" },
    description: "Changed.",
    roles: [{ roleName: "sailor" }],
  });
  const moved = { ...(await storedBody()), baseRoute: "https://almanac.example.org" };
  await entities.replace(externalDatasets, "Almanac", moved);
  ends.push(await seed(platform));
  expect(await storedBody()).toEqual(moved);
  for (const end of ends) await end();
  expect(closed).toBe(3);
});

it("lets another gateway serve an external dataset when the one that served it has ended", async () => {
  const start = async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const entity = externalDataset.parse({ name: "Almanac", baseRoute: `http://127.0.0.1:${port}` });
    const close = async () => {
      server.close();
      await once(server, "close");
    };
    return { entity, close };
  };
  const platform: Platform = { categories: [], datasets: [], accounts: { roles: [], groups: [], users: [] }, upstreams: [start] };
  const address = async () => (await entities.list(externalDatasets))[0]?.body.baseRoute;
  const open = () => seed(platform, new AbortController().signal, 20);
  const endFirst = await open();
  const first = await address();
  const endSecond = await open();
  const second = await address();
  expect(second).not.toBe(first);
  await endSecond();
  await expect.poll(address).toBe(first);
  await entities.remove(externalDatasets, "Almanac");
  const endThird = await open();
  await entities.remove(externalDatasets, "Almanac");
  await endThird();
  expect(await address()).toBeUndefined();
  await endFirst();
});

const archive = { id: "archive", description: "", s3Bucket: "demo", s3Prefix: "archive", allowedRoles: [], allowsUploads: true };
const filesetPlatform = (value = "1", content = "string_agg(id, ',' order by id)"): Platform => ({
  categories: [],
  datasets: [],
  accounts: { roles: [], groups: [], users: [] },
  filesets: [
    {
      entity: archive,
      sources: { rows: join(root, "it's.csv") },
      selects: [
        `select 'by-kind/' || kind || '.txt' as path, ${content} || ' ${value}' as content,
          timestamp '2005-08-29' as modified, json_object('kind', kind) as tags from read_csv({rows}) group by kind`,
      ],
      copies: [{ path: "rows.csv", from: join(root, "it's.csv"), tags: {} }],
    },
  ],
});
const archived = (path: string) => join(root, "files/demo/archive", path);
const textOf = (path: string) => readFile(archived(path), "utf8");

it("builds the files of filesets with their tags and times", async () => {
  await seed(filesetPlatform());
  const store = await localDiskStores(join(root, "files"), plainFolder).of("demo");
  expect(await store.list("archive/")).toMatchObject({ files: [{ key: "archive/rows.csv" }], commonPrefixes: ["archive/by-kind/"] });
  expect(await store.head(fileKey("archive/by-kind/a.txt"))).toMatchObject({ lastModified: new Date("2005-08-29T00:00:00Z") });
  expect(await store.tags(fileKey("archive/by-kind/a.txt"))).toEqual({ kind: "a" });
  expect([await textOf("by-kind/a.txt"), await textOf("rows.csv")]).toEqual(["1,3 1", "id,kind\n1,a\n2,b\n3,a\n"]);
  expect((await entities.list(storedTypes.filesets)).map(({ body }) => body)).toEqual([archive]);
  expect(printed).toEqual(["Building the demo data …"]);
});

it("keeps what users and administrators did with a fileset", async () => {
  await seed(filesetPlatform());
  await entities.replace(storedTypes.filesets, "archive", { ...archive, description: "Mine." });
  await writeFile(archived("uploaded.txt"), "uploaded");
  await rm(archived("rows.csv"));
  await seed(filesetPlatform());
  expect(printed).toHaveLength(1);
  await expect(stat(archived("rows.csv"))).rejects.toMatchObject({ code: "ENOENT" });
  await writeFile(archived("by-kind/a.txt"), "replaced");
  await utimes(archived("by-kind/a.txt"), new Date(), new Date(Date.now() + 10_000));
  await seed(filesetPlatform("2"));
  expect([await textOf("by-kind/a.txt"), await textOf("by-kind/b.txt")]).toEqual(["replaced", "2 2"]);
  expect(await textOf("uploaded.txt")).toBe("uploaded");
  expect((await entities.get(storedTypes.filesets, "archive")).body.description).toBe("Mine.");
});

it("builds a fileset again after a failed build", async () => {
  await expect(seed(filesetPlatform("1", "nothing"))).rejects.toThrow(/nothing/);
  await expect(seed(filesetPlatform(), AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
  await seed(filesetPlatform());
  expect(await textOf("by-kind/b.txt")).toBe("2 1");
});

it("creates docs with their files once", async () => {
  const tour = { id: "tour", name: "Tour", category: "video/mp4", description: "" };
  const description = { ...platform(), datasets: [], docs: [{ entity: tour, files: { object: join(root, "it's.csv") } }] };
  await seed(description);
  expect((await entities.list(storedTypes.docs)).map(({ body }) => body)).toEqual([tour]);
  const key = fileKey("docs/tour/object");
  expect(await files.head(key)).toMatchObject({ size: 20 });
  await entities.replace(storedTypes.docs, "tour", { ...tour, name: "Mine" });
  await files.remove(key);
  await seed(description);
  expect(await files.head(key)).toBeUndefined();
  expect((await entities.get(storedTypes.docs, "tour")).body.name).toBe("Mine");
});
