import { link, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { DuckDBInstance } from "@duckdb/node-api";
import { defaultLimits } from "@fairway/contract/limits";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { EngineCall, EngineFailed, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { openLockedInstance } from "./locked-instance.ts";
import { type EngineBench, datasetOver, engineBench, rowsOf } from "./test-files.ts";
import { engineCall } from "#testing/engine-call.ts";

const call = engineCall();
const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 10 };

const benches: EngineBench[] = [];
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close();
});

const numbers = datasetOver("numbers.parquet", { n: "integer", text: "STRING" });
/** A CSV glob over the same file many times: seconds of work, because every row is parsed anew. */
const slow = datasetOver("slow-*.csv", { n: "integer", text: "STRING" }, { format: "csv" });
const slowSort = [{ column: "text", direction: "asc" }] as const;

const onePath = { time: "n", place: { latitude: "n", longitude: "n" }, intervalMs: 1_000 };
const manyGroups = Array.from({ length: 1_000 }, (_, index) => ({
  timeRange: null,
  conditions: [{ column: "n", type: "integer", operator: ">", value: BigInt(index) } as const],
}));

async function bench(
  limits: Partial<typeof defaultLimits> = {},
  more: Partial<Parameters<typeof engineBench>[0]> = {},
): Promise<EngineBench> {
  const made = await engineBench({ limits: { ...defaultLimits, ...limits }, ...more });
  benches.push(made);
  await made.prepare(`copy (select i as n, 'row ' || i as text from range(1000) t(i)) to 'FOLDER/numbers.parquet' (format parquet)`);
  return made;
}

const withSlowData = async (made: EngineBench) => {
  await made.prepare(`copy (select i as n, md5(i::varchar) as text from range(200_000) t(i)) to 'FOLDER/slow-0.csv' (format csv)`);
  for (let part = 1; part < 30; part += 1) await link(`${made.folder}/slow-0.csv`, `${made.folder}/slow-${part}.csv`);
};

const reasonOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "answered",
    (error: EngineFailed) => error.reason,
  );

const ask = ({ engine }: EngineBench, dataset: QueryableDataset, asking: EngineCall, query: Partial<SearchQuery> = {}) =>
  engine.search(dataset, { ...all, ...query }, asking);

/** Resolves when the engine says so; bounded by the test's own limit. */
const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe("leaving", () => {
  it("stops the query in the engine: its slot is free again and its connection works", async () => {
    const made = await bench({ engineSlots: 1 });
    await withSlowData(made);
    const leaving = new AbortController();
    const asked = reasonOf(ask(made, slow, engineCall(leaving.signal), { sort: slowSort }));
    await until(() => made.engine.metrics.running === 1);
    leaving.abort(new Error("left"));
    expect(await asked).toBe("abandoned");
    await until(() => made.engine.metrics.running === 0);
    expect(await rowsOf(await ask(made, numbers, call, { limit: 1 }))).toEqual([{ n: 0, text: "row 0" }]);
  });

  it.each<[string, (made: EngineBench, asking: EngineCall) => Promise<unknown>]>([
    ["the newest rows", ({ engine }, asking) => engine.maps.latest(slow, { item: "text", time: "n" }, all, asking)],
    ["a path", ({ engine }, asking) => engine.maps.path(slow, { ...onePath, columns: ["n"] }, all, asking)],
    ["a path's count", ({ engine }, asking) => engine.maps.countPath(slow, onePath, all, asking)],
    ["groups in several scans", ({ engine }, asking) => engine.aggregate(slow, [{ type: "max", column: "text" }], manyGroups, all, asking)],
  ])("stops %s, too", async (_, asking) => {
    const made = await bench({ engineSlots: 1 });
    await withSlowData(made);
    const leaving = new AbortController();
    const asked = reasonOf(asking(made, engineCall(leaving.signal)));
    await until(() => made.engine.metrics.running === 1);
    leaving.abort(new Error("left"));
    expect(await asked).toBe("abandoned");
    await until(() => made.engine.metrics.running === 0);
  });

  it("before the query began starts none", async () => {
    const made = await bench();
    expect(await reasonOf(ask(made, numbers, engineCall(AbortSignal.abort())))).toBe("abandoned");
    expect(made.engine.metrics).toEqual({ running: 0, waiting: 0 });
  });

  it("while waiting gives up the place in the queue at once", async () => {
    const made = await bench({ engineSlots: 1 });
    await withSlowData(made);
    const [first, second] = [new AbortController(), new AbortController()];
    const running = reasonOf(ask(made, slow, engineCall(first.signal), { sort: slowSort }));
    const waiting = reasonOf(ask(made, numbers, engineCall(second.signal)));
    await until(() => made.engine.metrics.waiting === 1);
    second.abort();
    expect(await waiting).toBe("abandoned");
    expect(made.engine.metrics).toEqual({ running: 1, waiting: 0 });
    first.abort();
    expect(await running).toBe("abandoned");
  });

  it("a reader who stops reading frees the slot too", async () => {
    const made = await bench({ engineSlots: 1 });
    await made.prepare(`copy (select i as n, repeat('x', 20000) as text from range(1500) t(i)) to 'FOLDER/wide.parquet' (format parquet)`);
    const stream = await ask(made, datasetOver("wide.parquet", { n: "integer", text: "STRING" }), call, { limit: 1_500 });
    expect(made.engine.metrics.running).toBe(1);
    for await (const chunk of stream.chunks) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await until(() => made.engine.metrics.running === 0);
    expect(await rowsOf(await ask(made, numbers, call, { limit: 1 }))).toHaveLength(1);
  });

  it("a slow reader holds no slot once the rest fits in memory", async () => {
    const made = await bench({ engineSlots: 1 });
    const stream = await ask(made, numbers, call, { limit: 1_000 });
    await until(() => made.engine.metrics.running === 0);
    expect(await rowsOf(stream)).toHaveLength(1_000);
  });
});

describe("limits", () => {
  it("a query that takes too long is stopped with a clear message", async () => {
    const made = await bench({ engineSlots: 1, queryTimeoutMs: 200 });
    await withSlowData(made);
    await expect(ask(made, slow, call, { sort: slowSort })).rejects.toMatchObject({
      reason: "timed-out",
      message: "The query took longer than 0.2 s and was stopped. Narrow it with a time range or more filters.",
    });
    await until(() => made.engine.metrics.running === 0);
    expect(await rowsOf(await ask(made, numbers, call, { limit: 1 }))).toHaveLength(1);
  });

  it("more than may wait are turned away as busy at once, with a time to come back", async () => {
    const made = await bench({ engineSlots: 1, engineQueue: 1 });
    await withSlowData(made);
    const leaving = new AbortController();
    const running = reasonOf(ask(made, slow, engineCall(leaving.signal), { sort: slowSort }));
    const waiting = reasonOf(ask(made, numbers, engineCall(leaving.signal)));
    await expect(ask(made, numbers, call)).rejects.toMatchObject({ reason: "busy", retryAfterSeconds: 5 });
    leaving.abort();
    expect(await Promise.all([running, waiting])).toEqual(["abandoned", "abandoned"]);
  });

  it("too long a wait ends as busy", async () => {
    const made = await bench({ engineSlots: 1, engineWaitMs: 100 });
    await withSlowData(made);
    const leaving = new AbortController();
    const running = reasonOf(ask(made, slow, engineCall(leaving.signal), { sort: slowSort }));
    expect(await reasonOf(ask(made, numbers, call))).toBe("busy");
    leaving.abort();
    await running;
  });

  it("those who wait are served in the order they came", async () => {
    const made = await bench({ engineSlots: 1 });
    const served: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await rowsOf(await ask(made, numbers, engineCall(), { limit: 1 }));
        served.push(index);
      }),
    );
    expect(served).toEqual(served.toSorted((a, b) => a - b));
  });

  it("one person leaves slots to the others, however many queries they send", async () => {
    const made = await bench({ engineSlots: 4, engineSlotsPerUser: 2 });
    await withSlowData(made);
    const leaving = new AbortController();
    const heavy = Array.from({ length: 4 }, () =>
      reasonOf(ask(made, slow, engineCall(leaving.signal, "heavy"), { sort: slowSort, offset: 1_000 })),
    );
    await until(() => made.engine.metrics.running === 2);
    expect(made.engine.metrics.waiting).toBe(2);
    expect(await rowsOf(await ask(made, numbers, engineCall(undefined, "ada"), { limit: 1 }))).toHaveLength(1);
    leaving.abort();
    expect(await Promise.all(heavy)).toEqual(["abandoned", "abandoned", "abandoned", "abandoned"]);
  });

  it("many groups give the slot back between their scans, so that others get their turn", async () => {
    const made = await bench({ engineSlots: 1 });
    const answered: string[] = [];
    const groups = manyGroups.slice(0, 210);
    const batch = made.engine.aggregate(numbers, [{ type: "max", column: "n" }], groups, all, engineCall(undefined, "heavy"));
    const small = ask(made, numbers, engineCall(undefined, "ada"), { limit: 1 }).then(rowsOf);
    await Promise.all([batch.then(() => answered.push("batch")), small.then(() => answered.push("small"))]);
    expect(answered).toEqual(["small", "batch"]);
    expect(await batch).toEqual(groups.map(() => [999]));
  });

  it("a query that needs too much memory fails alone", async () => {
    const made = await bench({}, { memoryLimitMb: 50, tempLimitMb: 1 });
    await made.prepare(
      `copy (select i as n, repeat(md5(i::varchar), 6) as text from range(400_000) t(i)) to 'FOLDER/large.parquet' (format parquet)`,
    );
    const large = datasetOver("large.parquet", { n: "integer", text: "STRING" });
    expect(await reasonOf(ask(made, large, call, { sort: slowSort, offset: 390_000 }))).toBe("out-of-memory");
    expect(await rowsOf(await ask(made, numbers, call, { limit: 1 }))).toHaveLength(1);
  });
});

describe("the lock", () => {
  let root: string;
  let locked: DuckDBInstance;
  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), "fairway-lock-"));
    locked = (await openLockedInstance({ dataFolder: `${root}/data`, copyFolder: `${root}/copies`, tempFolder: `${root}/spill` })).instance;
  });
  afterAll(async () => {
    locked.closeSync();
    await rm(root, { recursive: true });
  });

  it.each([
    "select * from read_text('/etc/passwd')",
    "select * from glob('/etc/*')",
    "copy (select 1) to '/tmp/fairway-escape.csv'",
    "attach '/tmp/fairway-escape.db'",
    "install httpfs",
    "load httpfs",
    "set memory_limit = '100GB'",
    "set lock_configuration = false",
    "set enable_external_access = true",
  ])("holds against: %s", async (statement) => {
    const connection = await locked.connect();
    await expect(connection.run(statement)).rejects.toThrow(/Permission|disabled|locked|Cannot/i);
    connection.closeSync();
  });

  it("a link out of the folder is not followed", async () => {
    const made = await bench();
    await symlink("/etc", `${made.folder}/out`);
    const source = { kind: "files", glob: "out/passwd", format: "csv" } as const;
    expect(await reasonOf(made.engine.columns(source, call))).toBe("not-ready");
  });

  it("reading leaves no file behind", async () => {
    const made = await bench();
    await rowsOf(await ask(made, numbers, call, { sort: slowSort }));
    expect(await readdir(made.folder)).toEqual(["numbers.parquet"]);
  });
});
