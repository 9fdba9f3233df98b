import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { datasetAdministration } from "@fairway/contract/dataset-administration";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import type { DateOrder, ReadingChoices } from "@fairway/contract/readings";
import pino from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { entityRepositories } from "#capabilities/entities/entity-registry.ts";
import { type Administration, administrationOf } from "#capabilities/entities/service.ts";
import { type EntityStore, entityStore } from "#entities/store.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { defaultSecurityLimits } from "#identity/security-limits.ts";
import { JoltRunner } from "#jolt/runner.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { type EngineBench, engineBench } from "#query/duckdb/test-files.ts";
import { parquetOf } from "#query/duckdb/test-parquet.ts";
import { buildDataset } from "#testing/dataset-app.ts";
import { type TestDatabase, testDatabase } from "#testing/postgres.ts";
import { secretKey } from "#testing/secret-key.ts";
import { DataWarnings } from "./data-warnings.ts";
import { storeReading, withReading } from "./reading-storage.ts";
import { datasetAdministrationRoutes } from "./routes.ts";
import { SchemaUpdates } from "./schema-updates.ts";
import { someUser } from "#testing/some-user.ts";

const log = pino({ level: "silent" });
const user: SignedInUser = someUser({ id: "r", username: "root", roles: ["admin"] });

let database: TestDatabase;
let bench: EngineBench;
let store: EntityStore;
let warnings: DataWarnings;
let datasets: Administration;
/** As the last release saved datasets: without a reading. */
let former: Administration;
/** Whether all gateways know readings. */
let isTaken = true;
let updates: SchemaUpdates;
let setOrder: DateOrder | null = null;
const dateOrder = () => Promise.resolve(setOrder);
let routes: ReturnType<typeof datasetAdministrationRoutes>;
beforeAll(async () => {
  [database, bench] = await Promise.all([testDatabase(), engineBench()]);
  store = entityStore(database.db, log, secretKey);
  const repositories = entityRepositories({
    key: secretKey,
    onChanged: () => undefined,
    addresses: new AddressPolicy([]),
    jolt: new JoltRunner(),
  });
  const engines = { lease: () => Promise.resolve({ engine: bench.engine, release: () => undefined }) };
  warnings = new DataWarnings(engines);
  const checks = [warnings.check];
  datasets = administrationOf(database.db, repositories["datasets/internal"], {
    ...defaultSecurityLimits,
    checks,
    complete: storeReading(engines, () => Promise.resolve(isTaken), dateOrder),
  });
  former = administrationOf(database.db, repositories["datasets/internal"], { ...defaultSecurityLimits, checks });
  updates = new SchemaUpdates({
    db: database.db,
    entities: store,
    engines,
    save: (id, columns, by, reading) =>
      datasets.amend(id, "schema", by, (entity) => ({ ...withReading(entity, reading), schema: { columns } })),
    requestProfile: () => Promise.resolve(),
    dateOrder,
    log,
  });
  const absent = () => Promise.reject(new Error("there are no buckets"));
  const buckets = { locations: [], list: absent, browse: absent };
  routes = datasetAdministrationRoutes({
    datasets,
    updates,
    engine: bench.engine,
    engines,
    buckets,
    dataFolder: bench.folder,
    dateOrder,
    sampleRows: 25,
  });
});
afterAll(async () => {
  warnings.close();
  await updates.close();
  await bench.close();
  await database.drop();
});

const callOf = (part: { params?: object; body?: unknown }) =>
  ({ params: {}, query: {}, user, signal: new AbortController().signal, ...part }) as never;
const write = (file: string, ...lines: readonly string[]) => writeFile(join(bench.folder, file), `${lines.join("\n")}\n`);
const inspect = (path: string, choices?: ReadingChoices) => routes.inspect(callOf({ body: { path, choices } }));
const over = (id: string, types: Readonly<Record<string, InternalDataset["schema"]["columns"][number]["type"]>>) =>
  buildDataset({
    id,
    source: { kind: "files", glob: `${id}.csv`, format: "csv" },
    schema: { columns: Object.entries(types).map(([name, type]) => ({ name, type, description: "", combined: null })) },
    temporalField: null,
    orderBy: null,
  });
/** Saves a choice as the dialog How Files Are Read does. */
async function applied(id: string, choices: ReadingChoices) {
  const read = await routes.reading(callOf({ params: { id }, body: { choices } }));
  const { warnings: _, ...entity } = await datasets.get(id);
  const source = { ...(entity["source"] as object), reading: read.stored };
  await datasets.edit({ ...entity, source, schema: { columns: read.columns } }, user);
  return read;
}
const readingWarnings = async (id: string) =>
  ((await datasets.get(id)).warnings ?? []).filter(({ code }) => code === "reading-unconfirmed");

it("proposes a dataset with what was understood, as it is chosen, and stores it", async () => {
  await write("visits.csv", "visit,share,who", "01/02/2024,12 %,a", "04/03/2024,7 %,b");
  const proposed = await inspect("visits.csv");
  expect(proposed.reading).toMatchObject({ dateOrder: "month-first", questions: [{ question: "dateOrder", isAnswered: false }] });
  expect(proposed.dataset).toMatchObject({
    source: { reading: { dateOrder: "month-first", columns: [{ name: "visit", format: "M/D/Y", state: "assumed" }, { unit: "%" }, {}] } },
    schema: { columns: [{ name: "visit", day: true }, { name: "share", unit: "%", type: "integer" }, { name: "who" }] },
  });
  const chosen = await inspect("visits.csv", { dateOrder: "day-first", columns: { share: { type: "STRING" } } });
  expect(chosen.sample[0]).toEqual({ visit: Date.UTC(2024, 1, 1) / 1_000, share: "12 %", who: "a" });
  const saved = await datasets.create({ ...chosen.dataset, category: "Read" }, user);
  expect(saved).toMatchObject({ source: { reading: { dateOrder: "day-first" } } });
  expect(saved.warnings).toBeUndefined();
  const read = await routes.reading(callOf({ params: { id: "visits" }, body: {} }));
  expect(read).toMatchObject({ isStored: true, differences: [], reading: { dateOrder: "day-first" } });
});

it("refuses choices that lose most values, and columns that are not there", async () => {
  await write("phones.csv", "phone,n", "x1,1", "x2,2", "3,3");
  await expect(inspect("phones.csv", { columns: { phone: { type: "integer" } } })).rejects.toMatchObject({
    code: "invalid-value",
    message: "2 of 3 values of 'phone' are no integers.",
  });
  await expect(inspect("phones.csv", { columns: { gone: { type: "integer" } } })).rejects.toMatchObject({ code: "unknown-column" });
});

it("swaps latitude and longitude if that is the answer", async () => {
  await write("swapped.csv", "lat,lng,name", "139.7,35.6,Tokyo", "151.2,-33.8,Sydney");
  const proposed = await inspect("swapped.csv");
  expect(proposed.reading?.questions).toMatchObject([{ question: "swappedPlaces", taken: "keep" }]);
  const location = (found: typeof proposed) => (found.dataset as unknown as InternalDataset).schema.columns.at(-1)?.combined?.fields;
  expect(location(proposed)).toEqual(["lat", "lng"]);
  expect(location(await inspect("swapped.csv", { answers: { swappedPlaces: "swap" } }))).toEqual(["lng", "lat"]);
});

it("proposes the place that texts of positions hold, and none of numbers that are no degrees", async () => {
  await write("stations.csv", "station,location", 'a,"52.5, 13.4"', 'b,"48.1, 11.6"');
  const { dataset } = await inspect("stations.csv");
  expect(dataset).toMatchObject({ locationField: "coordinates", filterSupport: { supportsGeospatial: true } });
  await write("meters.csv", "station,lat,lng", "a,5800000,500000", "b,5900000,510000");
  const meters = await inspect("meters.csv");
  expect(meters.dataset).toMatchObject({ locationField: null });
  expect(meters.notes).toContain("There is no location: most values of lat and lng are no degrees.");
});

it("refuses a list of rows that no file holds", async () => {
  await write("lists.json", '{"rows":[{"a":1},{"a":2}],"other":[{"b":2}]}');
  await expect(inspect("lists.json", { path: "gone" })).rejects.toMatchObject({
    code: "invalid-value",
    message: "No file holds a list of rows at 'gone'.",
  });
  expect((await inspect("lists.json", { path: "other" })).sample).toEqual([{ b: 2 }]);
});

it("answers rows with a column named __proto__", async () => {
  await write("proto.csv", "__proto__,x", "1,2");
  const answer = datasetAdministration.inspect.response.parse(await inspect("proto.csv"));
  expect(answer.sample.map((row) => Object.entries(row))).toEqual([
    [
      ["__proto__", 1],
      ["x", 2],
    ],
  ]);
});

it("takes choices for columns with names that objects have", async () => {
  await write("names.csv", "__proto__,constructor,toString", "1,2,3", "4,5,6");
  const text = '{"path":"names.csv","choices":{"columns":{"__proto__":{"type":"STRING"},"constructor":{"type":"decimal"}}}}';
  const { path, choices } = datasetAdministration.inspect.body.parse(JSON.parse(text));
  const { dataset, sample } = datasetAdministration.inspect.response.parse(await inspect(path, choices));
  expect((dataset as unknown as InternalDataset).schema.columns.map(({ name, type }) => [name, type])).toEqual([
    ["__proto__", "STRING"],
    ["constructor", "decimal"],
    ["toString", "integer"],
  ]);
  expect(JSON.stringify(sample)).toBe('[{"__proto__":"1","constructor":2,"toString":3},{"__proto__":"4","constructor":5,"toString":6}]');
});

it("accepts files of GeoJSON", async () => {
  await writeFile(
    join(bench.folder, "places.geojson"),
    '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"A"},"geometry":{"type":"Point","coordinates":[179.5,-18]}}]}',
  );
  const proposed = await inspect("places.geojson");
  expect(proposed.dataset).toMatchObject({ source: { format: "json", reading: { path: "features" } }, locationField: "location" });
  expect(proposed.sample).toEqual([{ name: "A", latitude: -18, longitude: 179.5 }]);
});

it("warns of a dataset without a stored reading whose values could be read otherwise, until it is answered", async () => {
  await write("old.csv", "day,amount,code,name", "01/02/2024,1.5,007,a", "03/04/2024,2,008,b");
  await former.create(over("old", { day: "TIMESTAMP_SECONDS", amount: "integer", code: "integer", name: "STRING" }), user);
  const [warning, ...others] = await readingWarnings("old");
  expect(others).toEqual([]);
  expect(warning).toEqual({
    code: "reading-unconfirmed",
    message:
      "How the values of 'day' (assumed), 'amount' (integer, but its values look like decimal), 'code' (integer, but its values look like STRING) are read is not confirmed. Look at the reading, and save the dataset or update its schema to keep it.",
    path: "source.reading",
  });
  isTaken = false;
  await datasets.edit(await datasets.get("old"), user);
  // A gateway of the last release could not save the dataset any more.
  expect((await datasets.get("old"))["source"]).not.toHaveProperty("reading");
  isTaken = true;
  await datasets.edit(await datasets.get("old"), user);
  expect(await datasets.get("old")).toMatchObject({ source: { reading: { dateOrder: "month-first" } } });
  // Questions that nobody has answered stay open.
  expect(await readingWarnings("old")).toEqual([
    {
      code: "reading-unconfirmed",
      message: "1 question about how the files are read is open ('day'). Answer it in How Files Are Read.",
      path: "source.reading",
    },
  ]);
  await applied("old", { answers: { dateOrder: "month-first" } });
  expect(await readingWarnings("old")).toEqual([]);
});

it("keeps the questions of a new dataset open until somebody answers", async () => {
  await write("asked.csv", "visit,who", "01/02/2024,a", "04/03/2024,b");
  const { dataset } = await inspect("asked.csv");
  expect(dataset).toMatchObject({ source: { reading: { dateOrder: "month-first" } } });
  expect(dataset.source).not.toHaveProperty("reading.answers");
  expect((await datasets.create({ ...dataset, category: "Read" }, user)).warnings).toMatchObject([{ code: "reading-unconfirmed" }]);
  const { jobId } = await updates.start("asked", user);
  await expect.poll(async () => (await updates.get("asked", jobId)).status).toBe("done");
  expect(await readingWarnings("asked")).toHaveLength(1);
  await applied("asked", { dateOrder: "month-first" });
  expect(await readingWarnings("asked")).toEqual([]);
});

it("applies a decimal mark and the types of columns with one save", async () => {
  await write("marks.csv", "Kennung;pop;done;w", "0012;1.234;yes;1", "0345;12.345;no;2");
  const { dataset } = await inspect("marks.csv");
  await datasets.create({ ...dataset, category: "Read" }, user);
  const types = async () => ((await datasets.get("marks"))["schema"] as InternalDataset["schema"]).columns.map(({ type }) => type);
  expect(await types()).toEqual(["STRING", "decimal", "STRING", "integer"]);
  const read = await applied("marks", {
    decimalMark: ",",
    columns: { Kennung: { type: "integer" }, done: { type: "BOOLEAN", format: "yes/no" } },
  });
  expect(read.changes).toMatchObject({
    changed: [
      { name: "Kennung", from: "STRING", to: "integer" },
      { name: "pop", from: "decimal", to: "integer" },
      { name: "done", from: "STRING", to: "BOOLEAN" },
    ],
  });
  const rows = [
    { Kennung: 12, pop: 1_234, done: true, w: 1 },
    { Kennung: 345, pop: 12_345, done: false, w: 2 },
  ];
  expect(read.sample).toEqual(rows);
  expect(await types()).toEqual(["integer", "integer", "BOOLEAN", "integer"]);
  // A schema update leaves it at that, and has nothing to complain of.
  const { jobId } = await updates.start("marks", user);
  await expect.poll(async () => (await updates.get("marks", jobId)).status).toBe("done");
  expect((await updates.get("marks", jobId)).result).toEqual({ added: [], removed: [], changed: [], unchanged: 4, reading: [] });
  expect(await routes.reading(callOf({ params: { id: "marks" }, body: {} }))).toMatchObject({ differences: [], sample: rows });
  const back = await applied("marks", { answers: { decimalMark: "." }, columns: { Kennung: null, done: null } });
  expect(back.sample?.[0]).toEqual({ Kennung: "0012", pop: 1.234, done: "yes", w: 1 });
});

it("makes days of texts with one save, also where a schema update has to do it", async () => {
  await write("texts.csv", "d,n", "01/02/2024,1", "03/04/2024,2");
  const { dataset } = await inspect("texts.csv", { columns: { d: { type: "STRING" } } });
  await datasets.create({ ...dataset, category: "Read" }, user);
  const columnsOf = async () => ((await datasets.get("texts"))["schema"] as InternalDataset["schema"]).columns;
  expect(await columnsOf()).toMatchObject([{ type: "STRING" }, {}]);
  const { stored } = await routes.reading(
    callOf({ params: { id: "texts" }, body: { choices: { columns: { d: { type: "TIMESTAMP_SECONDS", format: "D/M/Y" } } } } }),
  );
  const entity = await datasets.get("texts");
  await datasets.edit({ ...entity, source: { ...(entity["source"] as object), reading: stored } }, user);
  const { jobId } = await updates.start("texts", user);
  await expect.poll(async () => (await updates.get("texts", jobId)).status).toBe("done");
  expect((await updates.get("texts", jobId)).result).toMatchObject({ changed: [{ name: "d", from: "STRING", to: "TIMESTAMP_SECONDS" }] });
  expect((await columnsOf())[0]).toMatchObject({ type: "TIMESTAMP_SECONDS", day: true });
});

it("refuses a field and an answer that contradict each other, in a call and in what is saved", async () => {
  await write("contrary.csv", "d,n", "01/02/2024,1", "03/04/2024,2");
  const contrary = { dateOrder: "month-first", answers: { dateOrder: "day-first" } } as const;
  const { dataset } = await inspect("contrary.csv");
  const saved = await datasets.create({ ...dataset, category: "Read" }, user);
  const message = /'choices.answers.dateOrder' is 'day-first', but 'choices.dateOrder' is 'month-first'/;
  const refused = { code: "invalid-value", message: expect.stringMatching(message) as string };
  await expect(inspect("contrary.csv", contrary)).rejects.toMatchObject(refused);
  await expect(routes.reading(callOf({ params: { id: "contrary" }, body: { choices: contrary } }))).rejects.toMatchObject(refused);
  const source = saved["source"] as InternalDataset["source"] & { reading: object };
  await expect(datasets.edit({ ...saved, source: { ...source, reading: { ...source.reading, ...contrary } } }, user)).rejects.toMatchObject(
    { code: "invalid-value", message: expect.stringContaining("'source.reading.answers.dateOrder'") as string },
  );
});

it("swaps the places of a dataset if that is the answer", async () => {
  await write("turned.csv", "lat,lng,name", "139.7,35.6,Tokyo", "151.2,-33.8,Sydney");
  await datasets.create({ ...(await inspect("turned.csv")).dataset, category: "Read" }, user);
  const fields = async () => ((await datasets.get("turned"))["schema"] as InternalDataset["schema"]).columns.at(-1)?.combined?.fields;
  expect(await fields()).toEqual(["lat", "lng"]);
  await applied("turned", { answers: { swappedPlaces: "swap" } });
  expect(await fields()).toEqual(["lng", "lat"]);
  await applied("turned", { answers: { swappedPlaces: "swap" } });
  expect(await fields()).toEqual(["lng", "lat"]);
});

it("does not warn if nothing was assumed, and saves datasets whose files are missing", async () => {
  await write("plain.csv", "n,name", "1,a", "2,b");
  await former.create(over("plain", { n: "integer", name: "STRING" }), user);
  expect(await readingWarnings("plain")).toEqual([]);
  const saved = await datasets.create(over("missing", { n: "integer" }), user);
  expect(saved).toMatchObject({ source: { glob: "missing.csv" }, warnings: [{ code: "data-missing" }] });
  expect(saved["source"]).not.toHaveProperty("reading");
  await expect(routes.reading(callOf({ params: { id: "gone" }, body: {} }))).rejects.toMatchObject({ code: "not-found" });
});

it("stores the reading in a schema update, and reports later what no longer fits without changing what was assumed", async () => {
  await write("days.csv", "day,n", "01/02/2024,1", "03/04/2024,2");
  await former.create(over("days", { day: "TIMESTAMP_SECONDS", n: "integer" }), user);
  const update = async () => {
    const { jobId } = await routes.updateSchema(callOf({ params: { id: "days" } }));
    const state = () => routes.schemaUpdate(callOf({ params: { id: "days", jobId } }));
    await expect.poll(async () => (await state()).status).toBe("done");
    return (await state()).result;
  };
  expect(await update()).toMatchObject({ unchanged: 2, reading: [] });
  expect(await datasets.get("days")).toMatchObject({
    source: { reading: { dateOrder: "month-first", columns: [{ state: "assumed" }, { state: "sure" }] } },
  });
  await write("days.csv", "day,n", "01/02/2024,1", "03/04/2024,2", "13/04/2024,3");
  expect(await update()).toMatchObject({
    reading: [
      "1 value of 'day' cannot be read as a date, month first (05/03/2024 is May 3) (line 4: '13/04/2024'). 'day' is stored as a date, month first (05/03/2024 is May 3); its values look like a date, day first (05/03/2024 is March 5) now.",
    ],
  });
  expect(await datasets.get("days")).toMatchObject({
    source: { reading: { dateOrder: "month-first", columns: [{ format: "M/D/Y" }, {}] } },
  });
});

it("leaves out of a dataset what cannot be read of Parquet, when it is proposed and when its schema is updated", async () => {
  const values = [150n, -225n];
  await writeFile(
    join(bench.folder, "amounts.parquet"),
    parquetOf([
      { name: "id", long: [1n, 2n] },
      { name: "amount", decimal: values, digits: 39, scale: 2, bytes: 17 },
    ]),
  );
  const reason = /^The column 'amount' is left out: it contains DECIMAL\(39,2\), and numbers of more than 38 digits cannot be read exactly/;
  const proposed = await inspect("amounts.parquet");
  expect(proposed.dataset).toMatchObject({ schema: { columns: [{ name: "id" }] } });
  expect(proposed.sample).toEqual([{ id: 1 }, { id: 2 }]);
  expect(proposed.problems).toEqual([expect.stringMatching(reason)]);
  // A dataset of an earlier release, which described what the engine took it for.
  const source = { kind: "files", glob: "amounts.parquet", format: "parquet" } as const;
  const saved = await datasets.create({ ...over("amounts", { id: "integer", amount: "decimal" }), source }, user);
  expect(saved.warnings).toMatchObject([{ code: "data-incomplete", message: expect.stringContaining("it is read as empty") as string }]);
  const { jobId } = await updates.start("amounts", user);
  await expect.poll(async () => (await updates.get("amounts", jobId)).status).toBe("done");
  const { result } = await updates.get("amounts", jobId);
  expect(result).toMatchObject({ removed: ["amount"], leftOut: [expect.stringMatching(reason)] });
  expect((await datasets.get("amounts")).warnings).toBeUndefined();
});

it("proposes the places of points of Parquet, and says that the metadata are incomplete", async () => {
  const geo = JSON.stringify({ columns: { geometry: { encoding: "WKB" } }, primary_column: "geometry" });
  await bench.prepare(
    `copy (select 1 as id, st_aswkb('POINT (10 50)'::geometry) as geometry) to 'FOLDER/stops.parquet' (format parquet, kv_metadata {geo: '${geo}'})`,
  );
  const { dataset, notes, problems, sample } = await inspect("stops.parquet");
  expect(sample).toEqual([{ id: 1, geometry: "POINT (10 50)", latitude: 50, longitude: 10 }]);
  expect(dataset).toMatchObject({ locationField: "location", filterSupport: { supportsGeospatial: true } });
  expect(problems).toEqual([]);
  expect(notes.slice(0, 2)).toEqual([
    "The GeoParquet metadata of 'geometry' is incomplete (its geometry types); it is read by its values.",
    "'geometry' contains points: 'latitude' and 'longitude' are derived from them.",
  ]);
});

it("reads dates that nothing proves in the portal's order, which the browser's does not change", async () => {
  const content = ["visit,who", "01/02/2024,a", "04/03/2024,b"];
  await write("ordered.csv", ...content);
  const body = { path: "ordered.csv", hints: { dateOrder: "month-first" } };
  expect(await routes.inspect(callOf({ body }))).toMatchObject({ reading: { dateOrder: "month-first" } });
  setOrder = "day-first";
  try {
    const proposed = await routes.inspect(callOf({ body }));
    expect(proposed).toMatchObject({ reading: { dateOrder: "day-first", questions: [{ taken: "day-first", isAnswered: false }] } });
    expect(proposed.sample[0]).toEqual({ visit: Date.UTC(2024, 1, 1) / 1_000, who: "a" });
    // A choice goes before it, and so does what a dataset stores.
    const chosen = await routes.inspect(callOf({ body: { ...body, choices: { dateOrder: "month-first" } } }));
    expect(chosen.sample[0]).toEqual({ visit: Date.UTC(2024, 0, 2) / 1_000, who: "a" });
    await datasets.create({ ...chosen.dataset, category: "Read" }, user);
    expect(await routes.reading(callOf({ params: { id: "ordered" }, body: {} }))).toMatchObject({ reading: { dateOrder: "month-first" } });
    // Without a stored reading, a save takes it.
    await write("unordered.csv", ...content);
    expect(await datasets.create(over("unordered", { visit: "TIMESTAMP_SECONDS", who: "STRING" }), user)).toMatchObject({
      source: { reading: { dateOrder: "day-first" } },
    });
  } finally {
    setOrder = null;
  }
});
