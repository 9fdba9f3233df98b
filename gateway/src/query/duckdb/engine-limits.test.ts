import { link, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DuckDBConnection, type DuckDBInstance } from "@duckdb/node-api";
import { defaultLimits } from "@fairway/contract/limits";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
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
/** A CSV glob over many links to one file: takes seconds, because every row is parsed again. */
const slow = datasetOver("slow-*.csv", { n: "integer", text: "STRING" }, { format: "csv" });
const slowSort = [{ column: "text", direction: "asc" }] as const;

const pathRequest = { time: "n", location: { latitude: "n", longitude: "n" }, intervalMs: 1_000 };
const manyGroups = Array.from({ length: 1_000 }, (_, index) => ({
  timeRange: null,
  conditions: [{ column: "n", type: "integer", operator: ">", value: BigInt(index) } as const],
}));

async function openBench(
  limits: Partial<typeof defaultLimits> = {},
  options: Partial<Parameters<typeof engineBench>[0]> = {},
): Promise<EngineBench> {
  const bench = await engineBench({ limits: { ...defaultLimits, ...limits }, ...options });
  benches.push(bench);
  await bench.prepare(`copy (select i as n, 'row ' || i as text from range(1000) t(i)) to 'FOLDER/numbers.parquet' (format parquet)`);
  return bench;
}

const addSlowData = async (bench: EngineBench) => {
  await bench.prepare(`copy (select i as n, md5(i::varchar) as text from range(200_000) t(i)) to 'FOLDER/slow-0.csv' (format csv)`);
  for (let part = 1; part < 30; part += 1) await link(`${bench.folder}/slow-0.csv`, `${bench.folder}/slow-${part}.csv`);
};

const reasonOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "answered",
    (error: EngineFailed) => error.reason,
  );

const search = ({ engine }: EngineBench, dataset: QueryableDataset, call: EngineCall, query: Partial<SearchQuery> = {}) =>
  engine.search(dataset, { ...all, ...query }, call);

/** Polls without a limit of its own; the test's timeout applies. */
const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe("a caller that disconnects", () => {
  it("fails no other call that waits for the same list of files", async () => {
    const bench = await openBench({ engineSlots: 2 });
    const globbed = datasetOver("number*.parquet", { n: "integer", text: "STRING" });
    const leaving = new AbortController();
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const preparing = vi
      .spyOn(DuckDBConnection.prototype, "prepare")
      .mockImplementationOnce(() => ended.then(() => Promise.reject(new Error("INTERRUPT Error: Interrupted!"))));
    const first = reasonOf(search(bench, globbed, engineCall(leaving.signal)));
    await until(() => preparing.mock.calls.length === 1);
    const other = reasonOf(search(bench, globbed, engineCall(undefined, "other")).then(rowsOf));
    await until(() => bench.engine.metrics.running === 2);
    await new Promise((resolve) => setImmediate(resolve));
    leaving.abort();
    end();
    expect(await Promise.all([first, other])).toEqual(["abandoned", "answered"]);
    preparing.mockRestore();
  });

  it("stops its query in the engine, which frees the slot and leaves the connection usable", async () => {
    const bench = await openBench({ engineSlots: 1 });
    await addSlowData(bench);
    const leaving = new AbortController();
    const outcome = reasonOf(search(bench, slow, engineCall(leaving.signal), { sort: slowSort }));
    await until(() => bench.engine.metrics.running === 1);
    leaving.abort(new Error("left"));
    expect(await outcome).toBe("abandoned");
    await until(() => bench.engine.metrics.running === 0);
    expect(await rowsOf(await search(bench, numbers, call, { limit: 1 }))).toEqual([{ n: 0, text: "row 0" }]);
  });

  it.each<[string, (bench: EngineBench, call: EngineCall) => Promise<unknown>]>([
    ["the newest rows", ({ engine }, call) => engine.maps.latest(slow, { item: "text", time: "n" }, all, call)],
    ["a path", ({ engine }, call) => engine.maps.path(slow, { ...pathRequest, columns: ["n"] }, all, call)],
    ["a path's count", ({ engine }, call) => engine.maps.countPath(slow, pathRequest, all, call)],
    ["groups in several scans", ({ engine }, call) => engine.aggregate(slow, [{ type: "max", column: "text" }], manyGroups, all, call)],
  ])("stops %s", async (_, query) => {
    const bench = await openBench({ engineSlots: 1 });
    await addSlowData(bench);
    const leaving = new AbortController();
    const outcome = reasonOf(query(bench, engineCall(leaving.signal)));
    await until(() => bench.engine.metrics.running === 1);
    leaving.abort(new Error("left"));
    expect(await outcome).toBe("abandoned");
    await until(() => bench.engine.metrics.running === 0);
  });

  it("before its query has started never starts it", async () => {
    const bench = await openBench();
    expect(await reasonOf(search(bench, numbers, engineCall(AbortSignal.abort())))).toBe("abandoned");
    expect(bench.engine.metrics).toEqual({ running: 0, waiting: 0 });
  });

  it("while waiting leaves the queue immediately", async () => {
    const bench = await openBench({ engineSlots: 1 });
    await addSlowData(bench);
    const [first, second] = [new AbortController(), new AbortController()];
    const running = reasonOf(search(bench, slow, engineCall(first.signal), { sort: slowSort }));
    const waiting = reasonOf(search(bench, numbers, engineCall(second.signal)));
    await until(() => bench.engine.metrics.waiting === 1);
    second.abort();
    expect(await waiting).toBe("abandoned");
    expect(bench.engine.metrics).toEqual({ running: 1, waiting: 0 });
    first.abort();
    expect(await running).toBe("abandoned");
  });

  it("frees the slot when it stops reading", async () => {
    const bench = await openBench({ engineSlots: 1 });
    await bench.prepare(`copy (select i as n, repeat('x', 20000) as text from range(1500) t(i)) to 'FOLDER/wide.parquet' (format parquet)`);
    const stream = await search(bench, datasetOver("wide.parquet", { n: "integer", text: "STRING" }), call, { limit: 1_500 });
    expect(bench.engine.metrics.running).toBe(1);
    for await (const chunk of stream.chunks) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await until(() => bench.engine.metrics.running === 0);
    expect(await rowsOf(await search(bench, numbers, call, { limit: 1 }))).toHaveLength(1);
  });

  it("holds no slot while it reads slowly, once the rest fits into memory", async () => {
    const bench = await openBench({ engineSlots: 1 });
    const stream = await search(bench, numbers, call, { limit: 1_000 });
    await until(() => bench.engine.metrics.running === 0);
    expect(await rowsOf(stream)).toHaveLength(1_000);
  });
});

describe("limits", () => {
  it("stop a query that takes too long, with a clear message", async () => {
    const bench = await openBench({ engineSlots: 1, queryTimeoutMs: 500 });
    await addSlowData(bench);
    await expect(search(bench, slow, call, { sort: slowSort })).rejects.toMatchObject({
      reason: "timed-out",
      message: "The query took longer than 0.5 s and was stopped. Narrow it with a time range or more filters.",
    });
    await until(() => bench.engine.metrics.running === 0);
    // On a busy machine, this one may take longer than the limit as well.
    const next = () => search(bench, numbers, call, { limit: 1 }).then(rowsOf);
    await expect.poll(next, { timeout: 20_000 }).toHaveLength(1);
  });

  it("refuse queries beyond the queue as busy immediately, with a retry time", async () => {
    const bench = await openBench({ engineSlots: 1, engineQueue: 1 });
    await addSlowData(bench);
    const leaving = new AbortController();
    const running = reasonOf(search(bench, slow, engineCall(leaving.signal), { sort: slowSort }));
    const waiting = reasonOf(search(bench, numbers, engineCall(leaving.signal)));
    await expect(search(bench, numbers, call)).rejects.toMatchObject({ reason: "busy", retryAfterSeconds: 5 });
    leaving.abort();
    expect(await Promise.all([running, waiting])).toEqual(["abandoned", "abandoned"]);
  });

  it("end a wait that is too long as busy", async () => {
    const bench = await openBench({ engineSlots: 1, engineWaitMs: 100 });
    await addSlowData(bench);
    const leaving = new AbortController();
    const running = reasonOf(search(bench, slow, engineCall(leaving.signal), { sort: slowSort }));
    expect(await reasonOf(search(bench, numbers, call))).toBe("busy");
    leaving.abort();
    await running;
  });

  it("serve waiting queries in order of arrival", async () => {
    const bench = await openBench({ engineSlots: 1 });
    const served: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await rowsOf(await search(bench, numbers, engineCall(), { limit: 1 }));
        served.push(index);
      }),
    );
    expect(served).toEqual(served.toSorted((a, b) => a - b));
  });

  it("leave slots to other users, however many queries one user sends", async () => {
    const bench = await openBench({ engineSlots: 4, engineSlotsPerUser: 2 });
    await addSlowData(bench);
    const leaving = new AbortController();
    const heavy = Array.from({ length: 4 }, () =>
      reasonOf(search(bench, slow, engineCall(leaving.signal, "heavy"), { sort: slowSort, offset: 1_000 })),
    );
    await until(() => bench.engine.metrics.running === 2);
    expect(bench.engine.metrics.waiting).toBe(2);
    expect(await rowsOf(await search(bench, numbers, engineCall(undefined, "ada"), { limit: 1 }))).toHaveLength(1);
    leaving.abort();
    expect(await Promise.all(heavy)).toEqual(["abandoned", "abandoned", "abandoned", "abandoned"]);
  });

  it("release the slot between the scans of many groups, so that others get their turn", async () => {
    const bench = await openBench({ engineSlots: 1 });
    const answered: string[] = [];
    const groups = manyGroups.slice(0, 210);
    const batch = bench.engine.aggregate(numbers, [{ type: "max", column: "n" }], groups, all, engineCall(undefined, "heavy"));
    const small = search(bench, numbers, engineCall(undefined, "ada"), { limit: 1 }).then(rowsOf);
    await Promise.all([batch.then(() => answered.push("batch")), small.then(() => answered.push("small"))]);
    expect(answered).toEqual(["small", "batch"]);
    expect(await batch).toEqual(groups.map(() => [999]));
  });

  it("fail only the query that needs too much memory", async () => {
    const bench = await openBench({}, { memoryLimitMb: 50, tempLimitMb: 1 });
    await bench.prepare(
      `copy (select i as n, repeat(md5(i::varchar), 6) as text from range(400_000) t(i)) to 'FOLDER/large.parquet' (format parquet)`,
    );
    const large = datasetOver("large.parquet", { n: "integer", text: "STRING" });
    expect(await reasonOf(search(bench, large, call, { sort: slowSort, offset: 390_000 }))).toBe("out-of-memory");
    expect(await rowsOf(await search(bench, numbers, call, { limit: 1 }))).toHaveLength(1);
  });
});

describe("the lockdown", () => {
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
  ])("rejects %s", async (statement) => {
    const connection = await locked.connect();
    await expect(connection.run(statement)).rejects.toThrow(/Permission|disabled|locked|Cannot/i);
    connection.closeSync();
  });

  it("does not follow a link out of the folder", async () => {
    const bench = await openBench();
    await symlink("/etc", `${bench.folder}/out`);
    const source = { kind: "files", glob: "out/passwd", format: "csv" } as const;
    expect(await reasonOf(bench.engine.columns(source, call))).toBe("not-ready");
  });

  it("leaves no file behind after reading", async () => {
    const bench = await openBench();
    await rowsOf(await search(bench, numbers, call, { sort: slowSort }));
    expect(await readdir(bench.folder)).toEqual(["numbers.parquet"]);
  });
});
