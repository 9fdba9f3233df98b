import { type ColumnType, type Operator, satisfies } from "@fairway/contract/columns";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ComparisonCondition, EngineFailed, type QueryEngine, type QueryableDataset, type SearchQuery } from "#query/engine.ts";
import type { BreakdownQuery } from "#query/breakdown.ts";
import { rowsOf } from "#query/duckdb/test-files.ts";
import { shownRows, tableOf } from "#testing/arrow-table.ts";
import { engineCall } from "#testing/engine-call.ts";

/** The rows of the suite's dataset, in the dataset's order. */
export const suiteRows = [
  { n: 1, name: "Ada", depth: 1.5, open: true, big: "9007199254740993" },
  { n: 2, name: 'a "quoted" \\ é 😀', depth: -0.25, open: false, big: "-9007199254740993" },
  { n: 3, name: "", depth: 0, open: null, big: "12345678901234567" },
  { n: 4, name: null, depth: null, open: true, big: null },
  { n: 5, name: "Ada", depth: 1e21, open: false, big: 7 },
  { n: 6, name: "line\nbreak\u2028", depth: 2, open: true, big: 0 },
  { n: 7, name: "</script>", depth: 3, open: null, big: 1 },
] as const;

export const suiteColumns: Readonly<Record<keyof (typeof suiteRows)[number], ColumnType>> = {
  n: "integer",
  name: "STRING",
  depth: "decimal",
  open: "BOOLEAN",
  big: "integer",
};

const sqlTypes: Readonly<Record<string, string>> = { integer: "bigint", decimal: "double", BOOLEAN: "boolean", STRING: "varchar" };
const literal = (value: string | number | boolean | null): string => (value === null ? "null" : `'${String(value).replaceAll("'", "''")}'`);

/** `suiteRows` as SQL engines select them. */
export const suiteSelect: string = suiteRows
  .map((row) => {
    const types: Readonly<Record<string, string>> = suiteColumns;
    const cells = Object.entries(row).map(
      ([column, value]) => `cast(${literal(value)} as ${sqlTypes[types[column] ?? ""] ?? ""}) as "${column}"`,
    );
    return `select ${cells.join(", ")}`;
  })
  .join(" union all ");

export interface EngineUnderTest {
  readonly engine: QueryEngine;
  /** Holds `suiteRows` with `suiteColumns`. */
  readonly dataset: QueryableDataset;
  /** A dataset whose rows cannot be read. */
  readonly broken: QueryableDataset;
  /** Operators supported for `n` and `name`. */
  readonly operators: { readonly n: readonly Operator[]; readonly name: readonly Operator[] };
  close(): Promise<void>;
}

const call = engineCall();
const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 100 };

const evaluate = (operator: Operator, a: number | string, b: number | string): boolean => satisfies(operator, a < b ? -1 : a > b ? 1 : 0);

const byNumber = (operator: Operator, value: number): ComparisonCondition => ({
  column: "n",
  type: "integer",
  operator,
  value: BigInt(value),
});
const byName = (operator: Operator, value: string): ComparisonCondition => ({ column: "name", type: "STRING", operator, value });

const orFailureReason = <T>(result: Promise<T>): Promise<T | string> => result.catch(({ reason }: EngineFailed) => reason);

/** Tests for every engine, according to the features that it and its dataset declare; `ordered`: whether rows are stored in an order. */
export function describeEngine(
  name: string,
  features: { sorts: boolean; pages: boolean; counts: boolean; maps: boolean; ordered?: false },
  open: () => Promise<EngineUnderTest>,
): void {
  describe(`the engine ${name}`, () => {
    let subject: EngineUnderTest;
    beforeAll(async () => {
      subject = await open();
    });
    afterAll(() => subject.close());

    const search = async (query: Partial<SearchQuery> = {}) =>
      rowsOf(await subject.engine.search(subject.dataset, { ...all, ...query }, call));

    it("declares the features that the suite expects", () => {
      const { engine, dataset } = subject;
      const { ordered: _, ...declared } = features;
      expect({
        sorts: engine.supportsSort,
        pages: dataset.features.has("PAGINATION"),
        counts: dataset.features.has("COUNT"),
        maps: engine.maps !== undefined,
      }).toEqual(declared);
      for (const feature of dataset.features) expect(engine.features).toContain(feature);
    });

    it("returns every row as JSON, with integers beyond 2^53 as strings", async () => {
      expect(await search()).toEqual(suiteRows);
    });

    it("returns the same rows as Arrow, if it offers that", async () => {
      const { engine, dataset } = subject;
      expect(engine.searchArrow === undefined).toBe(engine.export === undefined);
      const arrow = async (query: Partial<SearchQuery>) => {
        const stream = await engine.searchArrow?.(dataset, { ...all, ...query }, call);
        const chunks: Uint8Array[] = [];
        for await (const chunk of stream?.chunks ?? []) chunks.push(chunk);
        return { rows: shownRows(chunks), metadata: tableOf(chunks).batches.at(-1)?.metadata, hasMore: await stream?.hasMore };
      };
      if (engine.searchArrow === undefined) return;
      expect(await arrow({})).toEqual({ rows: suiteRows, metadata: new Map(), hasMore: false });
      const cut = { rows: suiteRows.slice(0, 3), metadata: new Map([["hasMore", "true"]]), hasMore: true };
      expect(await arrow({ limit: 3 })).toEqual(cut);
      expect((await arrow({ conditions: [byName("=", "' or 1=1 --&n=1")] })).rows).toEqual([]);
      expect((await arrow({ conditions: [byName("=", "Ada")], sort: [], offset: 1 })).rows).toEqual([suiteRows[4]]);
    });

    it("returns the columns", async () => {
      const columns = await subject.engine.columns(subject.dataset.source, call);
      expect(Object.fromEntries(columns.map((column) => [column.name, column.type]))).toEqual(suiteColumns);
    });

    it("filters with each operator that is declared", async () => {
      expect(subject.operators.n).toContain("=");
      for (const operator of subject.operators.n) {
        const expected = suiteRows.filter(({ n }) => evaluate(operator, n, 3));
        expect([operator, await search({ conditions: [byNumber(operator, 3)] })]).toEqual([operator, expected]);
      }
      for (const operator of subject.operators.name) {
        const expected = suiteRows.filter((row) => (row.name === null ? operator === "<>" : evaluate(operator, row.name, "Ada")));
        expect([operator, await search({ conditions: [byName(operator, "Ada")] })]).toEqual([operator, expected]);
      }
    });

    it("takes values literally and combines conditions with AND", async () => {
      const [, quoted] = suiteRows;
      expect(await search({ conditions: [byName("=", quoted.name)] })).toEqual([quoted]);
      expect(await search({ conditions: [byName("=", "' or 1=1 --&n=1")] })).toEqual([]);
      expect(await search({ conditions: [byName("=", "Ada"), byNumber("=", 5)] })).toEqual([suiteRows[4]]);
      expect(await search({ conditions: [byName("=", "Ada"), byNumber("=", 2)] })).toEqual([]);
    });

    it("stops at the limit and reports whether there are more rows", async () => {
      const cut = await subject.engine.search(subject.dataset, { ...all, limit: 3 }, call);
      expect([await rowsOf(cut), await cut.hasMore]).toEqual([suiteRows.slice(0, 3), true]);
      const whole = await subject.engine.search(subject.dataset, { ...all, limit: suiteRows.length }, call);
      expect([(await rowsOf(whole)).length, await whole.hasMore]).toEqual([suiteRows.length, false]);
    });

    it("returns the first rows as a sample", async () => {
      const rows = await rowsOf(await subject.engine.sample(subject.dataset, { conditions: [], limit: 2 }, call));
      // Rows of a table are in no order.
      const expected = features.ordered === false ? rows.map(({ n }) => suiteRows.find((row) => row.n === n)) : suiteRows.slice(0, 2);
      expect([rows.length, rows]).toEqual([2, expected]);
    });

    it("sorts rows as requested, or fails as unsupported", async () => {
      const ordered = await orFailureReason(search({ sort: [{ column: "n", direction: "desc" }] }));
      expect(ordered).toEqual(features.sorts ? suiteRows.toReversed() : "unsupported");
    });

    it("pages without repeating or skipping rows, or fails as unsupported", async () => {
      const pages = await Promise.all([3, 6, 9].map((offset) => orFailureReason(search({ offset, limit: 3 }))));
      const refused = pages.map(() => "unsupported");
      expect(pages).toEqual(features.pages ? [suiteRows.slice(3, 6), suiteRows.slice(6), []] : refused);
    });

    it("counts the rows of a search and of its groups, or fails as unsupported", async () => {
      const count = (groups: ComparisonCondition[][], conditions: ComparisonCondition[] = []) =>
        orFailureReason(
          subject.engine.aggregate(
            subject.dataset,
            [{ type: "count", column: "*" }],
            groups.map((group) => ({ timeRange: null, conditions: group })),
            { ...all, conditions },
            call,
          ),
        );
      const ada = byName("=", "Ada");
      const counts = [await count([]), await count([], [ada]), await count([[byNumber("=", 1)], [byNumber("=", 2)]], [ada])];
      const refused = counts.map(() => "unsupported");
      expect(counts).toEqual(features.counts ? [[[suiteRows.length]], [[2]], [[1], [0]]] : refused);
    });

    it("returns each item's newest row and its path, or has no maps", async () => {
      const { engine, dataset } = subject;
      const pathQuery = { time: "n", location: { latitude: "depth", longitude: "depth" }, intervalMs: 2 };
      const query = { ...all, conditions: [byName("=", "Ada")] };
      const responses = [
        engine.maps && (await rowsOf(await engine.maps.latest(dataset, { item: "name", time: "n" }, all, call))),
        engine.maps && (await rowsOf(await engine.maps.path(dataset, { ...pathQuery, columns: ["depth", "n"] }, query, call))),
        await engine.maps?.countPath(dataset, pathQuery, all, call),
      ];
      const [, quoted, empty, , ada, line, script] = suiteRows;
      const path = [suiteRows[0], ada].map(({ depth, n }) => ({ depth, n }));
      // One position per interval: 1 · 2, 3 · 5 · 6, 7. The fourth row has no position.
      expect(responses).toEqual(features.maps ? [[script, line, ada, empty, quoted], path, 4] : [undefined, undefined, undefined]);
    });

    it("breaks rows down by values, with those without one, or has no breakdowns", async () => {
      const { engine, dataset } = subject;
      const column = { name: "name", type: "STRING" } as const;
      const order = { measure: null, of: "value", direction: "asc" } as const;
      const count = { aggregation: "count", column: null, p: 0, where: null, of: "all" } as const;
      const query: BreakdownQuery = {
        ...all,
        axes: [{ kind: "value", column, top: null, showsEmpty: true, order }],
        measures: [count],
        having: [],
        before: null,
        totals: false,
        accuracy: undefined,
        maxListed: 1_000,
        maxCells: 1_000,
      };
      const result = await engine.breakdown?.(dataset, query, call);
      const names = suiteRows.flatMap(({ name }) => (name === null || name === "Ada" ? [] : [name]));
      const values = ["Ada", ...names].toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
      const expected = {
        entries: [...values.map((value) => ({ kind: "value", value })), { kind: "empty" }],
        counts: [...values.map((value) => (value === "Ada" ? 2 : 1)), 1],
      };
      const found = result && { entries: result.axes[0]?.entries, counts: result.cells.map((cell) => cell.values[0]) };
      expect(found).toEqual(features.maps ? expected : undefined);
    });

    it("rejects before the first row when the rows cannot be read", async () => {
      const failure: unknown = await subject.engine.search(subject.broken, all, call).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(EngineFailed);
      expect((failure as EngineFailed).message).toMatch(/^[A-Z].*\.$/);
    });

    it("starts nothing when the call is already aborted", async () => {
      const aborted = engineCall(AbortSignal.abort(new Error("aborted")));
      for (const result of [subject.engine.search(subject.dataset, all, aborted), subject.engine.sample(subject.dataset, all, aborted)]) {
        await expect(result).rejects.toMatchObject({ reason: "abandoned" });
      }
    });

    it("has no time extent without a time column, and responds to a ping", async () => {
      expect(await subject.engine.timeExtent(subject.dataset, call)).toBeNull();
      await expect(subject.engine.ping()).resolves.toBeUndefined();
    });
  });
}
