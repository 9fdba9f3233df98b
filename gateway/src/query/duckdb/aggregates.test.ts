import type { ColumnType } from "@fairway/contract/columns";
import type { AggregationType, CellValue } from "@fairway/contract/search";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Aggregation, AggregationGroup, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { stepsOf } from "#query/sql/steps.ts";
import { type EngineBench, datasetOver, engineBench } from "./test-files.ts";
import { engineCall } from "#testing/engine-call.ts";

let bench: EngineBench;
const call = engineCall();
const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 100_000 };
const hour = 3_600_000;

const ms = "cast(hash(i * 3) % 144000 as bigint) * 1003 - 72000000";
const times = {
  instant: [
    "TIMESTAMP_MILLS",
    `case when i % 29 = 0 then null when i % 37 = 0 then 'infinity'::timestamp else make_timestamp_ms(${ms}) end`,
  ],
  finer: ["TIMESTAMP_MILLS", `make_timestamp_ms(${ms}) + to_microseconds(i % 1000)`],
  zoned: ["TIMESTAMP_MILLS", `case when i % 37 = 0 then '-infinity'::timestamptz else (make_timestamp_ms(${ms}) at time zone 'UTC') end`],
  seconds: ["TIMESTAMP_SECONDS", `case when i % 29 = 0 then null else make_timestamp_ms(${ms}) end`],
  number: ["TIMESTAMP_MILLS", ms],
  huge: ["TIMESTAMP_MILLS", `cast(${ms} as hugeint)`],
  whole: ["TIMESTAMP_SECONDS", `case when i % 29 = 0 then null else cast((${ms}) // 1000 as integer) end`],
  floating: [
    "TIMESTAMP_SECONDS",
    `case when i % 37 = 0 then 'nan'::double when i % 41 = 0 then '-infinity'::double else (${ms}) / 1000.0 end`,
  ],
  exact: ["TIMESTAMP_SECONDS", `cast((${ms}) / 1000.0 as decimal(18, 3))`],
} as const satisfies Record<string, readonly [ColumnType, string]>;
type Kind = keyof typeof times;
const kinds = Object.keys(times) as Kind[];

const columns = (time: ColumnType): Record<string, ColumnType> => ({
  n: "integer",
  'at "a"': time,
  big: "integer",
  real: "decimal",
  name: "STRING",
});
const over = (kind: Kind): QueryableDataset => datasetOver(`${kind}.parquet`, columns(times[kind][0]), { temporalField: 'at "a"' });

beforeAll(async () => {
  bench = await engineBench();
  for (const kind of kinds) {
    await bench.prepare(`copy (select i as n, ${times[kind][1]} as "at ""a""", 9007199254740991 + i as big, case when i % 5 = 0 then 'nan'::double when i % 7 = 0 then 'infinity'::double when i % 11 = 0 then null else i / 8 end as real,
      case when i % 3 > 0 then 'x' || i end as name from range(20000) t(i)) to 'FOLDER/${kind}.parquet' (format parquet, row_group_size 4096)`);
  }
});
afterAll(() => bench.close());

const aggregations: Aggregation[] = [
  { type: "count", column: "*" },
  { type: "count", column: "name" },
  { type: "sum", column: "big" },
  { type: "sum", column: "real" },
  { type: "avg", column: "real" },
  { type: "max", column: 'at "a"' },
  ...(["min", "max", "avg"] as const satisfies AggregationType[]).map((type) => ({ type, column: "n" })),
];

const span = (kind: Kind, startMs: number, endMs: number): AggregationGroup => ({
  timeRange: { column: 'at "a"', type: times[kind][0], startMs, endMs },
  conditions: [],
});
const hours = (kind: Kind, from: number, count: number, width = hour) =>
  Array.from({ length: count }, (_, index) => span(kind, from + index * width, from + (index + 1) * width - 1));

/** The values of each group, computed by a separate call. */
async function oneByOne(kind: Kind, groups: readonly AggregationGroup[], query: Partial<SearchQuery> = {}): Promise<CellValue[][]> {
  const answers: CellValue[][] = [];
  for (const { timeRange, conditions } of groups) {
    const narrowed = { ...all, ...query, timeRange, conditions: [...(query.conditions ?? []), ...conditions] };
    const [values = []] = await bench.engine.aggregate(over(kind), aggregations, [], narrowed, call);
    answers.push(values);
  }
  return answers;
}

const together = (kind: Kind, groups: readonly AggregationGroup[], query: Partial<SearchQuery> = {}) =>
  bench.engine.aggregate(over(kind), aggregations, groups, { ...all, ...query }, call);
const firstHour = -20 * hour;

describe("groups that are steps of time", () => {
  it.each(kinds)(
    "[GRAPH-31] yield the same values as separate calls, around 1970 and beyond the data, for a time stored as %s",
    async (kind) => {
      const groups = hours(kind, firstHour - 3 * hour, 17, 3 * hour);
      const expected = await oneByOne(kind, groups);
      expect(expected.filter(([count]) => Number(count) > 0).length).toBeGreaterThan(12);
      expect(expected[0]).toEqual([0, 0, null, null, null, null, null, null, null]);
      expect(await together(kind, groups)).toEqual(expected);
    },
  );

  it("[GRAPH-31] yield the same values as separate calls when the range cuts the first and last, and with filters", async () => {
    for (const kind of ["instant", "seconds"] as const) {
      const [, ...inner] = hours(kind, firstHour, 12);
      const groups = [
        span(kind, firstHour + 1_234_567, firstHour + hour - 1),
        ...inner.slice(0, -1),
        span(kind, firstHour + 11 * hour, firstHour + 11.5 * hour),
      ];
      expect(stepsOf(groups)?.indexes).toEqual(groups.map((_, index) => index));
      const query = { conditions: [{ column: "n", type: "integer", operator: ">", value: 5_000n }] as const };
      expect(await together(kind, groups, query)).toEqual(await oneByOne(kind, groups, query));
      const ranged = {
        timeRange: { column: 'at "a"', type: times[kind][0], startMs: firstHour + 2.5 * hour, endMs: firstHour + 4.5 * hour },
      };
      const [none, , third] = await together(kind, groups, ranged);
      expect(none).toEqual([0, 0, null, null, null, null, null, null, null]);
      expect(third).toEqual((await oneByOne(kind, [span(kind, firstHour + 2.5 * hour, firstHour + 3 * hour - 1)]))[0]);
    }
  });

  it("[GRAPH-31] may come in any order, with omissions and repetitions, and be as narrow as the column's unit", async () => {
    const some = hours("instant", firstHour, 9);
    const groups = [7, 2, 2, 5, 0].map((index) => some[index]).filter((group) => group !== undefined);
    expect(stepsOf(groups)?.indexes).toEqual([7, 2, 2, 5, 0]);
    expect(await together("instant", groups)).toEqual(await oneByOne("instant", groups));
    const seconds = Array.from({ length: 100 }, (_, index) => span("finer", firstHour + index * 1_000, firstHour + index * 1_000 + 999));
    expect(await together("finer", seconds)).toEqual(await oneByOne("finer", seconds));
    const moment = span("whole", 0, 0);
    expect(await together("whole", [moment])).toEqual(await oneByOne("whole", [moment]));
  });

  it.each([
    [
      "they overlap",
      [
        [0, 10],
        [5, 15],
      ],
    ],
    [
      "an inner one differs in width",
      [
        [0, 9],
        [10, 15],
        [20, 29],
      ],
    ],
    [
      "they are not aligned to one grid",
      [
        [0, 9],
        [15, 24],
        [30, 39],
      ],
    ],
    [
      "they are too far apart",
      [
        [0, 9],
        [1_000_000, 1_000_009],
      ],
    ],
  ])("[GRAPH-31] are not treated as steps if %s, and still yield the right values", async (_, edges) => {
    const groups = edges.map(([from = 0, to = 0]) => span("instant", firstHour + from * 60_000, firstHour + to * 60_000 + 59_999));
    expect(stepsOf(groups)).toBeUndefined();
    expect(await together("instant", groups)).toEqual(await oneByOne("instant", groups));
  });
});

describe("groups with conditions", () => {
  it("count rows without a value apart from those of other values", async () => {
    const real = (operator: "=" | "<>", value: number | null) => ({ column: "real", type: "decimal" as const, operator, value });
    const name = (operator: "=" | "<>", value: string | null) => ({ column: "name", type: "STRING" as const, operator, value });
    const groups: AggregationGroup[] = [
      [real("=", 1)],
      [real("=", null)],
      [real("<>", 1), real("<>", null)],
      [name("=", "x1")],
      [name("=", null)],
      [name("<>", "x1"), name("<>", null)],
    ].map((conditions) => ({ timeRange: null, conditions }));
    const counts = (await together("instant", groups)).map(([count]) => Number(count));
    const isEmpty = (n: number) => n % 5 === 0 || n % 7 === 0 || n % 11 === 0;
    const empty = Array.from({ length: 20_000 }, (_, n) => n).filter(isEmpty).length;
    const [one = 0, , others = 0] = counts;
    expect(counts[1]).toBe(empty);
    expect(one).toBeGreaterThan(0);
    expect(one + empty + others).toBe(20_000);
    expect(counts.slice(3)).toEqual([1, 6_667, 13_332]);
  });

  it("[GRAPH-31] yield the same values as separate calls, even if they need several scans", async () => {
    const groups = Array.from({ length: 60 }, (_, index): AggregationGroup => ({
      timeRange: index % 3 === 0 ? (span("instant", firstHour, firstHour + 20 * hour).timeRange ?? null) : null,
      conditions: [
        { column: "n", type: "integer", operator: ">=", value: BigInt(index * 333) },
        {
          column: "name",
          type: "STRING",
          operator: index % 2 === 0 ? "<>" : "=",
          value: index % 2 === 0 ? "' or 1=1 --" : `x${index * 400 + 1}`,
        },
      ],
    }));
    expect(await together("instant", groups)).toEqual(await oneByOne("instant", groups));
  });
});
