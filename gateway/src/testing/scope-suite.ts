import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { datasetOver, rowsOf } from "#query/duckdb/test-files.ts";
import type { ComparisonCondition, QueryEngine, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { type GrantedRows, type Part, Scope } from "#query/scope.ts";
import { engineCall } from "#testing/engine-call.ts";
import type { SqlEngineUnderTest } from "#testing/sql-engine-suite.ts";

const call = engineCall();

interface Row {
  readonly id: number;
  readonly region: string | null;
  readonly size: number | null;
  readonly price: number | null;
  readonly atMs: number | null;
}

/** The same numbers at each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const regions = ["north", "North", "south", "", null, "north pole", "süd"];
const next = numbers(11);
const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T;

/** With values on borders of steps, below zero, and beyond what may be computed with. */
const rows: readonly Row[] = Array.from({ length: 300 }, (_, id) => ({
  id,
  region: pick(regions),
  size: pick([null, 0, -1, -10, 9, 10, 11, -9_223_372_036, 2 ** 40, Math.floor(next() * 200) - 100]),
  price: pick([null, 0, -0.5, 0.5, -0.25, 1e300, Number.NaN, Number.POSITIVE_INFINITY, Math.round(next() * 800 - 400) / 8]),
  atMs: id % 9 === 4 ? null : Date.UTC(1969, 10, 29, 22) + id * 5_400_000,
}));

const select = (): string => {
  const values = rows.map(({ id, region, size, price, atMs }) => {
    const text = region === null ? "cast(null as varchar)" : `'${region}'`;
    return `(${id}, ${text}, cast(${size ?? "null"} as bigint), cast(${price === null ? "null" : `'${price}'`} as double), cast(${atMs ?? "null"} as bigint))`;
  });
  return `select * from (values ${values.join(", ")}) as readings(id, region, size, price, "at")`;
};

const columns = { id: "integer", region: "STRING", size: "integer", price: "decimal", at: "TIMESTAMP_MILLS" } as const;
type Name = keyof typeof columns;

const everything = { timeRange: null, area: null, conditions: [] } as const;
const allRows: GrantedRows = everything;
const noCoarse: Part["coarse"] = new Map();
const where = (...conditions: ComparisonCondition[]): GrantedRows => ({ timeRange: null, area: null, conditions });
const isRegion = (value: string | null): ComparisonCondition => ({ column: "region", type: "STRING", operator: "=", value });
const sizeAtLeast = (value: number): ComparisonCondition => ({ column: "size", type: "integer", operator: ">=", value: BigInt(value) });

/** In plain code. */
function matches(row: Row, { conditions, timeRange }: GrantedRows): boolean {
  const isWithin = timeRange === null || (row.atMs !== null && row.atMs >= timeRange.startMs && row.atMs <= timeRange.endMs);
  return (
    isWithin &&
    conditions.every((condition) => {
      if (condition.operator === "=" && "column" in condition) return row[condition.column as "region"] === condition.value;
      return row.size !== null && "value" in condition && BigInt(row.size) >= (condition.value as bigint);
    })
  );
}

const isShown = (row: Row, rules: Part["rules"]): boolean => rules.every((grants) => grants.some((grant) => matches(row, grant)));

type Subject = Pick<SqlEngineUnderTest, "store" | "close"> & { readonly engine: QueryEngine };

let scopes = 0;

/** Tests of scopes for every SQL engine, against rules and coarse values in plain code. */
export function describeScopes(name: string, open: () => Promise<Subject>): void {
  describe(`scopes of ${name}`, { timeout: 300_000 }, () => {
    let subject: Subject;
    let whole: QueryableDataset;
    beforeAll(async () => {
      subject = await open();
      const source = await subject.store("readings", select());
      whole = { ...datasetOver("", columns), source, temporalField: "at", orderBy: [{ column: "id", direction: "asc" }] };
    }, 180_000);
    afterAll(() => subject.close());

    /** The dataset as one sees it who gets none of the columns `hidden`. */
    const partOf = (rules: Part["rules"], coarse = noCoarse, hidden: readonly Name[] = []): QueryableDataset => {
      const isHidden = ({ name: one }: { readonly name: string }) => hidden.includes(one as Name);
      return {
        ...whole,
        scope: Scope.of(`scope ${++scopes}`, { rules, coarse, hidden: whole.columns.filter(isHidden) }),
        columns: whole.columns.filter((column) => !isHidden(column)),
        orderBy: hidden.includes("id") ? [] : whole.orderBy,
      };
    };
    const search = async (dataset: QueryableDataset, query: Partial<SearchQuery> = {}) =>
      rowsOf(await subject.engine.search(dataset, { ...everything, sort: [], offset: 0, limit: 1_000, ...query }, call));
    const idsOf = async (dataset: QueryableDataset, query?: Partial<SearchQuery>) =>
      (await search(dataset, query)).map(({ id }) => Number(id));
    const countOf = async (dataset: QueryableDataset) =>
      Number((await subject.engine.aggregate(dataset, [{ type: "count", column: "*" }], [], everything, call))[0]?.[0]);

    it("show a row that satisfies a grant of every rule, and no other", async () => {
      const oneDay = { column: "at", type: "TIMESTAMP_MILLS", startMs: 0, endMs: 86_400_000 } as const;
      const grants = [
        where(isRegion("north")),
        where(isRegion(null)),
        where(isRegion("north"), sizeAtLeast(0)),
        where(sizeAtLeast(10)),
        { ...where(isRegion("süd")), timeRange: oneDay },
        allRows,
      ];
      const cases: Part["rules"][] = [[], [[]], [[allRows], []], [[allRows]]];
      for (let index = 0; index < 20; index += 1) {
        cases.push(Array.from({ length: 1 + (index % 2) }, () => Array.from({ length: 1 + Math.floor(next() * 3) }, () => pick(grants))));
      }
      for (const rules of cases) {
        const expected = rows.filter((row) => isShown(row, rules)).map(({ id }) => id);
        expect(await idsOf(partOf(rules))).toEqual(expected);
        expect(await countOf(partOf(rules, noCoarse, ["region", "size"]))).toBe(expected.length);
      }
    });

    it("give pages of the rows that are shown, and count none that is not", async () => {
      const dataset = partOf([[where(isRegion("north"))]]);
      const expected = await idsOf(dataset);
      const pages = [0, 30, 60, 90].map((offset) => idsOf(dataset, { offset, limit: 30, sort: [{ column: "size", direction: "desc" }] }));
      expect((await Promise.all(pages)).flat().toSorted((one, other) => one - other)).toEqual(expected);
    });

    it("leave columns out so that nothing can name them", async () => {
      const dataset = partOf([[where(isRegion("north"))]], noCoarse, ["region"]);
      const found = await search(dataset);
      expect([found.length, found.every((row) => !("region" in row))]).toEqual([
        rows.filter(({ region }) => region === "north").length,
        true,
      ]);
      await expect(search(dataset, { conditions: [isRegion("north")] })).rejects.toMatchObject({ reason: "failed" });
      await expect(search(dataset, { sort: [{ column: "region", direction: "asc" }] })).rejects.toMatchObject({ reason: "failed" });
      // Not even by an engine that were asked without any check: its statement has no such column.
      const unchecked = { ...dataset, columns: whole.columns, orderBy: [{ column: "region", direction: "asc" as const }] };
      expect((await search(unchecked)).every((row) => !("region" in row))).toBe(true);
    });

    it("show coarse values, also at borders, below zero and where none can be computed", async () => {
      const coarse: Part["coarse"] = new Map([
        ["region", { kind: "first", characters: 2 }],
        ["size", { kind: "step", step: 10 }],
        ["price", { kind: "step", step: 0.5 }],
        ["at", { kind: "start", unit: "day" }],
      ] as const);
      const found = await search(partOf([[allRows]], coarse));
      const floored = (value: number, width: number) => Math.floor(value / width) * width;
      const expected = rows.map(({ id, region, size, price, atMs }) => ({
        id,
        region: region === null ? null : region.slice(0, 2),
        size: size === null ? null : floored(size, 10),
        price: price === null || !Number.isFinite(price) || Math.abs(price) > 1e18 ? null : floored(price, 0.5) + 0.25,
        at: atMs === null ? null : floored(atMs, 86_400_000),
      }));
      expect(found).toEqual(expected);
    });

    it("show the starts of hours, months and years", async () => {
      for (const unit of ["hour", "month", "year"] as const) {
        const found = await search(partOf([[allRows]], new Map([["at", { kind: "start", unit }]])));
        const startOf = (ms: number): number => {
          const date = new Date(ms);
          if (unit === "hour") return Math.floor(ms / 3_600_000) * 3_600_000;
          return Date.UTC(date.getUTCFullYear(), unit === "month" ? date.getUTCMonth() : 0);
        };
        expect(found.map(({ at }) => at)).toEqual(rows.map(({ atMs }) => (atMs === null ? null : startOf(atMs))));
      }
    });

    it("have empty columns that keep their type", async () => {
      const dataset = partOf([[allRows]], new Map(Object.keys(columns).map((column) => [column, { kind: "empty" }] as const)));
      expect((await search({ ...dataset, orderBy: [] }, { limit: 2 }))[0]).toEqual({
        id: null,
        region: null,
        size: null,
        price: null,
        at: null,
      });
      expect(await countOf(dataset)).toBe(rows.length);
    });

    it("filter, sort and add by coarse values only", async () => {
      const dataset = partOf([[allRows]], new Map([["size", { kind: "step", step: 10 }]]));
      const sized = rows.filter(({ size }) => size !== null && Math.floor(size / 10) * 10 >= 10);
      expect(await countOf(partOf([[where(sizeAtLeast(10))]]))).toBe(rows.filter(({ size }) => size !== null && size >= 10).length);
      expect(await idsOf(dataset, { conditions: [sizeAtLeast(10)] })).toEqual(sized.map(({ id }) => id));
      const isNine: ComparisonCondition = { column: "size", type: "integer", operator: "=", value: 9n };
      expect(await idsOf(dataset, { conditions: [isNine] })).toEqual([]);
      const [[greatest] = []] = await subject.engine.aggregate(dataset, [{ type: "max", column: "size" }], [], everything, call);
      expect(Number(greatest)).toBe(Math.floor(2 ** 40 / 10) * 10);
    });

    it("have an extent of the times that are shown, whoever asked before", async () => {
      const rules: Part["rules"] = [[where(isRegion("süd"))]];
      const timesOf = (shown: readonly Row[]) => shown.flatMap(({ atMs }) => (atMs === null ? [] : [atMs]));
      const extentOf = (times: readonly number[]) => ({ startMs: Math.min(...times), endMs: Math.max(...times) });
      const part = partOf(rules);
      const expected = extentOf(timesOf(rows.filter((row) => isShown(row, rules))));
      expect(expected).not.toEqual(extentOf(timesOf(rows)));
      for (const [dataset, extent] of [
        [whole, extentOf(timesOf(rows))],
        [part, expected],
        [whole, extentOf(timesOf(rows))],
        [part, expected],
        [partOf([[]]), null],
      ] as const)
        expect(await subject.engine.timeExtent(dataset, call)).toEqual(extent);
    });
  });
}
