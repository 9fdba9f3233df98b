import path from "node:path";
import { defaultLimits } from "@fairway/contract/limits";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EngineBench, datasetOver, engineBench, rowsOf } from "#query/duckdb/test-files.ts";
import { type EngineCall, EngineFailed, SourceNotReady } from "#query/engine.ts";
import type { StatementServer } from "#query/presto/client/statements.ts";
import { PrestoServer } from "#query/presto/server.ts";
import { SqlEngine } from "./engine.ts";
import { type TableSource, inPlace } from "./table-source.ts";

const rows = 60_000;
const call: EngineCall = { signal: new AbortController().signal, owner: "anna" };
const dataset = datasetOver("whole.parquet", { n: "integer", filler: "STRING" });
const everything = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: rows };

let bench: EngineBench;
beforeAll(async () => {
  bench = await engineBench();
  await bench.prepare(`copy (select range as n, 'row ' || range as filler from range(${rows})) to 'FOLDER/whole.parquet' (format parquet)`);
  await bench.prepare("copy (select range as n from range(3)) to 'FOLDER/part.parquet' (format parquet)");
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
    const failure = new EngineFailed("upstream", "A part of the query server failed or was stopped.");
    async function* pages(sql: string) {
      if (sql.startsWith("describe")) {
        yield [["n", "bigint", "", ""]];
        return;
      }
      yield [["0"], ["1"]];
      throw failure;
    }
    const server: StatementServer = {
      kind: () => Promise.resolve("trino"),
      run: ({ sql }) => Promise.resolve({ queryId: "q1", columns: [], pages: pages(sql) }),
      close: () => Promise.resolve(),
    };
    const options = { server, exportFolder: bench.exportFolder, limits: defaultLimits, log: { warn: () => undefined } };
    let given = 0;
    const source: TableSource = {
      ...inPlace,
      use: (table, _need, _caller, work) => {
        const give = () => {
          given += 1;
          return work(table, false);
        };
        return give().catch(give);
      },
    };
    const engine = new SqlEngine(new PrestoServer(options), source, defaultLimits);
    const table = { ...datasetOver("", { n: "integer" }), source: { kind: "table", name: "lake.sales.numbers" } } as const;
    const { chunks, hasMore } = await engine.search(table, everything, call);
    let text = "";
    const read = async () => {
      for await (const chunk of chunks) text += chunk;
    };
    await expect(read()).rejects.toBe(failure);
    expect([text, await hasMore, given]).toEqual(['{"n":0},{"n":1}', false, 1]);
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
