import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ColumnType } from "@fairway/contract/columns";
import type { ErrorBody } from "@fairway/contract/errors";
import { defaultLimits } from "@fairway/contract/limits";
import type { SearchAnswer } from "@fairway/contract/search";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { type EngineCall, EngineFailed, type QueryableDataset } from "#query/engine.ts";
import { addDataset, type DatasetApp, type DatasetResponse, datasetApp } from "#testing/dataset-app.ts";
import { engineCall } from "#testing/engine-call.ts";
import { ConfiguredPresto } from "#query/presto/configured-engine.ts";
import { Scope } from "#query/scope.ts";

const columns: Readonly<Record<string, ColumnType>> = {
  orderkey: "integer",
  orderdate: "TIMESTAMP_SECONDS",
  totalprice: "decimal",
  comment: "STRING",
};
const rounds = 5;

/** Outcome of a call to a server that went away: its error, or nothing if it ended before. */
type Outcome = DatasetResponse<SearchAnswer & ErrorBody>;

/** Kills a server and starts it again, by calls to `controlUrl`: `kill`, `start`, `pause` and `resume`. */
export function describeServerFaults(name: string, serverUrl: string, controlUrl: string): void {
  describe(`${name} that is killed`, { timeout: 1_200_000 }, () => {
    const tables = new ConfiguredPresto({
      configuration: { current: () => Promise.resolve({ prestoURL: serverUrl, prestoSource: "faults" }) },
      signIn: { user: "fairway", asUser: false },
      addresses: new AddressPolicy(["127.0.0.1"]),
      exportFolder: tmpdir(),
      limits: { ...defaultLimits, engineSlots: 8, engineSlotsPerUser: 7 },
      log: { warn: () => {} },
    });
    let app: DatasetApp;
    beforeAll(async () => {
      app = await datasetApp({ tables });
      await app.bench.prepare("copy (select i as id from range(1000) t(i)) to 'FOLDER/rows.parquet' (format parquet)");
      const schema = {
        columns: Object.entries(columns).map(([column, type]) => ({ name: column, type, description: "", combined: null })),
      };
      await addDataset(app, { id: "rows" });
      const source = (table: string) => ({ kind: "table" as const, name: table });
      await addDataset(app, { id: "orders", schema, source: source("tpch.sf1.orders") });
      await addDataset(app, { id: "few", schema, source: source("tpch.tiny.orders") });
    }, 120_000);
    afterAll(() => app.close());

    const search = (dataset: string, body: object): Promise<Outcome> =>
      app.call<SearchAnswer & ErrorBody>([], "POST", `/datasets/Tests/${dataset}/search`, body);
    const newest = { sort: [{ column: "comment", direction: "desc" }], paging: { offset: 0, max: 25 } };
    const tell = async (request: "kill" | "start" | "pause" | "resume") => {
      const response = await fetch(`${controlUrl}/${request}`, { method: "POST" });
      expect([response.status, await response.text()]).toEqual([200, ""]);
    };

    /** Writes every row until the server goes away. `onRows` is called with the first ones. */
    const exportAll = async (onRows: () => void, call: EngineCall): Promise<number> => {
      const settings = await tables.settings();
      const engine = await tables.open(settings);
      try {
        const dataset: QueryableDataset = {
          category: "Tests",
          id: "orders",
          source: { kind: "table", name: "tpch.sf1.orders" },
          columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })),
          temporalField: null,
          location: null,
          orderBy: [],
          scope: Scope.whole,
          ownConditions: [],
          features: new Set(),
        };
        const file = path.join(app.bench.exportFolder, `${randomUUID()}.json`);
        const query = { timeRange: null, area: null, conditions: [], sort: [], limit: 10_000_000 };
        return (await engine.export?.(dataset, query, { format: "json", path: file, csvColumns: [], onRows }, call)) ?? 0;
      } finally {
        await tables.close(engine);
      }
    };

    /** Searches the table until it answers; until then, each answer is one clear error. */
    const untilAnswered = async (): Promise<Outcome> => {
      for (;;) {
        const outcome = await search("few", newest);
        if (outcome.status === 200) return outcome;
        expectOneClearError(outcome);
      }
    };

    it.each(Array.from({ length: rounds }, (_, at) => at + 1))("fails clearly and recovers by itself (kill %i of 5)", async () => {
      const expected = (await untilAnswered()).body.results;
      expect(expected).toHaveLength(25);
      let rowsCame = () => {};
      const hasRows = new Promise<void>((resolve) => (rowsCame = resolve));
      const exported = exportAll(rowsCame, engineCall()).then(
        (rows) => rows,
        (error: unknown) => error,
      );
      await hasRows;
      // Each sorts 1.5 million texts, which takes longer than killing the server.
      const searches = Array.from({ length: 3 }, (_, at) => search("orders", { ...newest, paging: { offset: at * 25, max: 25 } }));
      await expect.poll(() => tables.metrics.running, { timeout: 60_000 }).toBeGreaterThan(0);
      await tell("kill");
      const outcomes = await Promise.all([...searches, search("few", newest)]);
      const failed = outcomes.filter(({ status }) => status !== 200);
      expect(failed.length).toBeGreaterThan(0);
      for (const outcome of failed) expectOneClearError(outcome);
      expectClearFailure(await exported);

      // Files are not kept waiting by a table's server that is gone.
      const stillDown = search("few", newest);
      for (let at = 0; at < 5; at++) expect((await search("rows", { paging: { offset: 0, max: 25 } })).status).toBe(200);
      expectOneClearError(await stillDown);

      await tell("start");
      expect((await untilAnswered()).body.results).toEqual(expected);
      // Profiles of the datasets may be under way.
      await expect.poll(() => tables.metrics, { timeout: 300_000 }).toEqual({ running: 0, waiting: 0 });
    });

    it("keeps nobody of other datasets waiting while it hangs, and goes on afterwards", async () => {
      await untilAnswered();
      await tell("pause");
      const hung = Array.from({ length: 8 }, () => search("few", newest));
      for (let at = 0; at < 5; at++) expect((await search("rows", { paging: { offset: 0, max: 25 } })).status).toBe(200);
      for (const outcome of await Promise.all(hung)) expectOneClearError(outcome);
      await tell("resume");
      await untilAnswered();
    });
  });
}

/** One sentence that says what happened, without anything of the server's own. */
const sentence = /^[A-Z][^\n]{20,200}\.$/;
const innards = /java|exception|https?:|\d+\.\d+\.\d+\.\d+|select|nextUri/i;

function expectOneClearError({ status, body }: Outcome): void {
  expect([429, 502, 503, 504]).toContain(status);
  expect(body.errors).toHaveLength(1);
  const [error] = body.errors;
  expect(error?.message).toMatch(sentence);
  expect(error?.message).not.toMatch(innards);
}

function expectClearFailure(failure: unknown): void {
  expect(failure).toBeInstanceOf(EngineFailed);
  const { message, reason } = failure as EngineFailed;
  expect(reason).toBe("upstream");
  expect(message).toMatch(sentence);
  expect(message).not.toMatch(innards);
}
