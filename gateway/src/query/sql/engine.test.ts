import { open } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EngineBench, datasetOver, engineBench, rowsOf } from "#query/duckdb/test-files.ts";
import { type EngineCall, SourceNotReady } from "#query/engine.ts";
import { type TableSource, inPlace } from "./table-source.ts";

const rows = 100_000;
const call: EngineCall = { signal: new AbortController().signal, owner: "anna" };
const dataset = datasetOver("whole.parquet", { n: "integer", filler: "STRING" });
const everything = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: rows };

let bench: EngineBench;
beforeAll(async () => {
  // One thread finds the rows in their order.
  bench = await engineBench({ threads: 1 });
  const select = `select range as n, md5(range::varchar) || md5(range::varchar || 'x') as filler from range(${rows})`;
  for (const name of ["whole", "torn"]) {
    await bench.prepare(`copy (${select}) to 'FOLDER/${name}.parquet' (format parquet, row_group_size 10000)`);
  }
  await bench.prepare("copy (select range as n from range(3)) to 'FOLDER/part.parquet' (format parquet)");
  const file = await open(path.join(bench.folder, "torn.parquet"), "r+");
  const { size } = await file.stat();
  await file.write(Buffer.alloc(Math.floor(size / 10), 0xff), 0, undefined, Math.floor(size * 0.7));
  await file.close();
});
afterAll(() => bench.close());

/** Gives the engine one file, and another one if that fails. */
function oneAfterTheOther(first: string, then: string): { readonly source: TableSource; readonly given: readonly string[] } {
  const given: string[] = [];
  const source: TableSource = {
    ...inPlace,
    use: async (_source, _need, _caller, work) => {
      const give = (glob: string) => {
        given.push(glob);
        return work({ kind: "files", glob, format: "parquet" }, false);
      };
      try {
        return await give(first);
      } catch {
        return give(then);
      }
    },
  };
  return { source, given };
}

describe("the data of a query", () => {
  it("are held before a slot is taken, until the last row has been read", async () => {
    const events: string[] = [];
    const note = (event: string) => events.push(`${event}, slots taken: ${bench.engine.metrics.running}`);
    const engine = bench.engine.over({
      ...inPlace,
      use: async (source, _need, _caller, work) => {
        note("held");
        try {
          return await work(source, false);
        } finally {
          note("released");
        }
      },
    });
    const stream = await engine.search(dataset, everything, call);
    expect(await rowsOf(stream)).toHaveLength(rows);
    expect(await stream.hasMore).toBe(false);
    expect(await engine.export(dataset, everything, { ...target("held.parquet"), format: "parquet" }, call)).toBe(rows);
    expect(events).toEqual(["held", "released", "held", "released"].map((event) => `${event}, slots taken: 0`));
  });

  it("are asked for again if a part of them does not do", async () => {
    const { source, given } = oneAfterTheOther("part.parquet", "whole.parquet");
    const stream = await bench.engine.over(source).search(dataset, everything, call);
    expect(await rowsOf(stream)).toHaveLength(rows);
    expect(given).toEqual(["part.parquet", "whole.parquet"]);
  });

  it("are not read again once rows are on their way: no row comes twice", async () => {
    const { source, given } = oneAfterTheOther("torn.parquet", "whole.parquet");
    const { chunks, hasMore } = await bench.engine.over(source).sample(dataset, everything, call);
    let text = "";
    const read = async () => {
      for await (const chunk of chunks) text += chunk;
    };
    await expect(read()).rejects.toThrow("The query failed in the engine.");
    const numbers = (JSON.parse(`[${text}]`) as { n: number }[]).map(({ n }) => n);
    expect(numbers.length).toBeGreaterThan(0);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect([await hasMore, given]).toEqual([false, ["torn.parquet"]]);
  });

  it("name the dataset that cannot be searched, whoever finds that out", async () => {
    const missing = new SourceNotReady([{ code: "data-missing", reason: "its data files are missing" }]);
    const engine = bench.engine.over({ ...inPlace, use: () => Promise.reject(missing) });
    const message = "The dataset 'rows' cannot be searched now: its data files are missing. Tell an administrator.";
    await expect(engine.search(dataset, everything, call)).rejects.toThrow(message);
    await expect(engine.aggregate(dataset, [{ type: "count", column: "*" }], [], everything, call)).rejects.toThrow(message);
    // Of a source without a dataset there is no name.
    await expect(engine.columns(dataset.source, call)).rejects.toThrow("The dataset cannot be read: its data files are missing.");
  });
});

const target = (name: string) => ({ path: path.join(bench.exportFolder, name), csvColumns: [], onRows: () => {} });
