import { type BreakdownAnswer, breakdownRequest, type BreakdownRequestDraft } from "@fairway/contract/breakdowns";
import type { Filter } from "@fairway/contract/filters";
import type { RowCount } from "@fairway/contract/search";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AnswersBench, answersBench, type ServerTables } from "./answers-bench.ts";
import { buildColumn, buildFilterSupport } from "./dataset-app.ts";

/** Rows by their number. Their times are both changes of New York in 2023: the skipped hour of March 12, and the repeated one of November 5. */
const rows = [
  ["San Juan", "9007199254740991", "'-0'", "'1.10'", "2023-03-12 06:59:59.999"],
  ["sand", "9007199254740992", "0.1", "'1.21'", "2023-03-12 07:00:00.000"],
  ["100%", "9007199254740993", "'NaN'", "'-0.05'", "2023-11-05 05:30:00.000"],
  ["a_b", "-9007199254740993", "'Infinity'", "0", "2023-11-05 06:30:00.000"],
  ["", "0", "-1.5", "null", "2023-11-05 07:00:00.000"],
  [null, "null", "null", "null", null],
] as const;
const text = (value: string | null) => (value === null ? "null" : `'${value}'`);
const few = `select * from (values ${rows
  .map(
    ([name, big, real, money, at], n) =>
      `(${n}, cast(${text(name)} as varchar), cast(${big} as bigint), cast(${real} as double), cast(${money} as decimal(10, 2)), cast(${text(at)} as timestamp))`,
  )
  .join(", ")}) as rows ("n", "name", "big", "real", "money", "at")`;
const fewColumns = {
  n: "integer",
  name: "STRING",
  big: "integer",
  real: "decimal",
  money: "decimal",
  at: "TIMESTAMP_MILLS",
} as const;

const newYork = "America/New_York";
const when = (operator: "when" | "not when", part: "hourOfDay" | "dayOfWeek", ...numbers: number[]): Filter => ({
  name: "at",
  operator,
  value: { part, zone: newYork, in: numbers },
});

const filters: readonly (readonly [Filter, readonly number[]])[] = [
  [{ name: "name", operator: "in", value: ["sand", null] }, [1, 5]],
  [{ name: "name", operator: "in", value: [""] }, [4]],
  [{ name: "name", operator: "not in", value: ["sand", ""] }, [0, 2, 3, 5]],
  [{ name: "name", operator: "between", value: ["100%", "a_b"] }, [0, 2, 3]],
  [{ name: "name", operator: "contains", value: "%" }, [2]],
  [{ name: "name", operator: "contains", value: "_" }, [3]],
  [{ name: "name", operator: "not contains", value: "SAN" }, [2, 3, 4, 5]],
  [{ name: "name", operator: "starts with", value: "san " }, [0]],
  [{ name: "name", operator: "not starts with", value: "SAN" }, [2, 3, 4, 5]],
  [{ name: "big", operator: "in", value: ["9007199254740993"] }, [2]],
  [{ name: "big", operator: "not in", value: ["9007199254740992", "170141183460469231731687303715884105727"] }, [0, 2, 3, 4, 5]],
  [{ name: "big", operator: "between", value: ["9007199254740992", "9007199254740993"] }, [1, 2]],
  [{ name: "real", operator: "in", value: [0] }, [0]],
  [{ name: "real", operator: "not in", value: ["-0"] }, [1, 2, 3, 4, 5]],
  [{ name: "real", operator: "between", value: [-1e300, 1e300] }, [0, 1, 4]],
  [{ name: "real", operator: "not between", value: [0, 0.1] }, [2, 3, 4, 5]],
  [{ name: "money", operator: "in", value: [1.1, "1.205", null] }, [0, 4, 5]],
  [{ name: "at", operator: "in", value: ["2023-03-12T07:00:00Z", null] }, [1, 5]],
  [{ name: "at", operator: "between", value: ["2023-03-12T07:00:00Z", "2023-11-05T06:30:00Z"] }, [1, 2, 3]],
  [when("when", "hourOfDay", 1), [0, 2, 3]],
  [when("when", "hourOfDay", 2), [4]],
  [when("when", "hourOfDay", 3), [1]],
  [when("not when", "dayOfWeek", 7), [5]],
  [
    {
      name: "*",
      operator: "any",
      value: [
        [{ name: "name", operator: "contains", value: "an" }, when("when", "hourOfDay", 3) as never],
        [{ name: "big", operator: "<", value: 0 }],
      ],
    },
    [1, 3],
  ],
];

/** 3,000 rows of 30 groups, whose values are known. */
const many = `select n, n % 30 as g, cast(n as double) as v, case when n % 10 > 0 then cast(n as bigint) end as id from
  (select a.d + 10 * b.d + 100 * c.d + 1000 * e.d as n from ${["a", "b", "c"].map((name) => `(values ${digits(10)}) as ${name}(d)`).join(" cross join ")}
  cross join (values ${digits(3)}) as e(d)) as numbers`;

function digits(count: number): string {
  return Array.from({ length: count }, (_, digit) => `(${digit})`).join(", ");
}

/** How many random questions are asked, by their seeds. */
export interface AnswersSize {
  readonly seeds: readonly number[];
  readonly filters: number;
  readonly breakdowns: number;
}

/** Tests of filters and breakdowns for every engine that answers them, through the portal. Without `open`: of files. */
export function describeAnswers(name: string, size: AnswersSize, open?: () => Promise<ServerTables>): void {
  describe(`the answers of ${name}`, { timeout: 600_000 }, () => {
    let bench: AnswersBench;
    const support = buildFilterSupport({ supportsTimeRange: true });

    beforeAll(async () => {
      bench = await answersBench(await open?.());
      const columns = Object.entries(fewColumns).map(([column, type]) => buildColumn(column, type));
      await bench.add("few", few, { schema: { columns }, temporalField: "at", filterSupport: support });
      const ofMany = [buildColumn("n", "integer"), buildColumn("g", "integer"), buildColumn("v", "decimal"), buildColumn("id", "integer")];
      await bench.add("many", many, { schema: { columns: ofMany } });
    }, 180_000);
    afterAll(() => bench.close());

    const post = <Body>(id: string, call: string, body: object) => bench.app.call<Body>([], "POST", `/datasets/Tests/${id}/${call}`, body);
    const breakdown = async (
      id: string,
      { search = {}, ...body }: Omit<BreakdownRequestDraft, "search"> & { search?: BreakdownRequestDraft["search"] },
    ) => {
      const { status, body: answer } = await post<BreakdownAnswer>(id, "breakdown", { search, ...body });
      expect([status, answer]).toEqual([200, expect.anything()]);
      return answer;
    };

    it("find by every form of filter the rows that they name", async () => {
      for (const [filter, expected] of filters) {
        const { body } = await post<{ results: readonly { n: number }[] }>("few", "search", { filters: [filter] });
        expect([filter, body]).toMatchObject([filter, { results: expect.anything() as unknown }]);
        expect([filter, body.results.map(({ n }) => n).toSorted((one, other) => one - other)]).toEqual([filter, expected]);
        const { body: counted } = await post<RowCount>("few", "rowCount", { filters: [filter] });
        expect([filter, counted.rows]).toEqual([filter, expected.length]);
      }
    });

    it("group by values as they are shown, with whole numbers beyond 2^53 and -0 as 0", async () => {
      const measures = [{ aggregation: "count" }];
      const keys = async (column: string) => {
        const answer = await breakdown("few", { by: [{ kind: "value", column, sort: { by: "key" } }], measures });
        return answer.by[0]?.entries.map((entry, place) => ["value" in entry ? entry.value : entry.kind, answer.cells[place]?.values[0]]);
      };
      expect(await keys("big")).toEqual([
        ["-9007199254740993", 1],
        [0, 1],
        [9007199254740991, 1],
        [9007199254740992, 1],
        ["9007199254740993", 1],
        ["empty", 1],
      ]);
      expect(await keys("real")).toEqual([
        [-1.5, 1],
        [0, 1],
        [0.1, 1],
        ["empty", 3],
      ]);
      const sums = await breakdown("few", {
        measures: [
          { aggregation: "sum", column: "big" },
          { aggregation: "sum", column: "money" },
        ],
      });
      expect(sums.cells[0]?.values).toEqual(["18014398509481983", 2.26]);
    });

    it("count the days and hours of New York at both of its changes", async () => {
      const search = { timeRange: { start: "2023-11-05T04:00:00Z", end: "2023-11-06T04:59:59.999Z" } };
      const hours = await breakdown("few", {
        search,
        by: [{ kind: "time", unit: "hour", zone: newYork }],
        measures: [{ aggregation: "count" }],
      });
      expect([hours.by[0]?.entries.length, hours.cells.slice(0, 4).map(({ values }) => values[0])]).toEqual([25, [0, 1, 1, 1]]);
      const days = await breakdown("few", {
        by: [{ kind: "part", part: "hourOfDay", zone: newYork }],
        measures: [{ aggregation: "count" }],
      });
      expect(days.cells.slice(0, 5).map(({ values }) => values[0])).toEqual([0, 3, 1, 1, 0]);
    });

    it("compute distinct counts, medians and percentiles exactly on demand, and say what is an estimate", async () => {
      const measures = [
        { aggregation: "distinct", column: "id" },
        { aggregation: "median", column: "v" },
        { aggregation: "percentile", column: "v", p: 0.9 },
        { aggregation: "median", column: "v", where: [{ name: "g", operator: "=", value: 1 }], id: "some" },
        { aggregation: "count" },
      ];
      const exact = await breakdown("many", { measures, accuracy: "exact" });
      expect(exact.cells[0]?.values).toEqual([2_700, 1_499.5, 2_699.1, 1_486, 3_000]);
      expect(exact.measures.map(({ isEstimate }) => isEstimate)).toEqual([false, false, false, false, false]);
      const about = await breakdown("many", { measures, accuracy: "estimate" });
      expect(about.measures.map(({ isEstimate }) => isEstimate)).toEqual([true, true, true, true, false]);
      for (const [index, value] of [2_700, 1_499.5, 2_699.1, 1_486, 3_000].entries())
        expect(Math.abs(Number(about.cells[0]?.values[index]) / value - 1)).toBeLessThan(0.15);
    });

    it("name the best groups, compute Other from its rows, and total each axis", async () => {
      const measures = [{ aggregation: "avg", column: "v" }, { aggregation: "count" }, { aggregation: "median", column: "v" }];
      const top = { count: 2, other: true };
      const answer = await breakdown("many", { by: [{ kind: "value", column: "g", top }], measures, accuracy: "exact", totals: true });
      expect(answer.by[0]?.entries).toMatchObject([{ value: 29 }, { value: 28 }, { kind: "other", count: 28 }]);
      expect(answer.cells.map(({ values }) => values)).toEqual([
        [1_514, 100, 1_514],
        [1_513, 100, 1_513],
        [1_498.5, 2_800, 1_498.5],
      ]);
      const by = [
        { kind: "value" as const, column: "g", top },
        { kind: "range" as const, column: "v", edges: [1_000, 2_000] },
      ];
      const table = await breakdown("many", { by, measures, accuracy: "exact", totals: true });
      expect(table.totals?.axes.map((axis) => axis.map(({ values }) => values[1]))).toEqual([
        [100, 100, 2_800],
        [1_000, 1_000, 1_000],
      ]);
      expect(table.cells).toHaveLength(9);
    });

    it("export the groups of a list in its order, with those of the period before", async () => {
      const period = (day: number) => ({ start: `2023-11-0${day}T00:00:00Z`, end: `2023-11-0${day}T23:59:59.999Z` });
      const body = {
        search: { timeRange: { start: "2023-03-12T00:00:00Z", end: "2023-03-12T23:59:59.999Z" } },
        by: [{ kind: "value" as const, column: "name", sort: { by: "count(*)", of: "change" as const, direction: "asc" as const } }],
        measures: [
          { aggregation: "count" },
          { aggregation: "share" },
          { aggregation: "max", column: "big" },
          { aggregation: "avg", column: "real" },
        ],
        compare: { to: period(5) },
      };
      const answer = await breakdown("few", body);
      expect(await bench.comparedExport("few", breakdownRequest.parse(body), answer)).toBeGreaterThan(3);
    });

    it("leave out a figure that overflows instead of failing", async () => {
      const huge = [0, 1, 2].map((n) => `select ${n} as n, cast(1.7e308 as double) as v`).join(" union all ");
      await bench.add("huge", huge, { schema: { columns: [buildColumn("n", "integer"), buildColumn("v", "decimal")] } });
      const measures = [
        { aggregation: "stddev", column: "v" },
        { aggregation: "sum", column: "v" },
        { aggregation: "share", column: "v" },
        { aggregation: "product", of: ["sum(v)", "max(v)"] },
        { aggregation: "max", column: "v" },
        { aggregation: "count" },
      ] as BreakdownRequestDraft["measures"];
      const answer = await breakdown("huge", { by: [{ kind: "value", column: "n", sort: { by: "key" } }], measures, totals: true });
      expect(answer.totals?.all.values).toEqual([null, null, null, null, 1.7e308, 3]);
      expect(answer.cells.map(({ values }) => values)).toEqual([0, 1, 2].map(() => [null, 1.7e308, null, null, 1.7e308, 1]));
    });

    it.each(size.seeds)("are those of an evaluation without SQL (seed %i)", async (seed) => {
      expect(await bench.comparedFilters(seed, size.filters)).toBe(size.filters);
      expect(await bench.comparedBreakdowns(seed, size.breakdowns)).toBe(size.breakdowns);
    });
  });
}
