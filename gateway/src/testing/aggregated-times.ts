import type { ColumnType } from "@fairway/contract/columns";
import type { AggregationType, CellValue } from "@fairway/contract/search";
import { expect } from "vitest";
import type { Aggregation, AggregationGroup, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { type EngineBench, datasetOver, engineBench } from "../query/duckdb/test-files.ts";
import { engineCall } from "./engine-call.ts";

export const opened = {} as { bench: EngineBench };

const call = engineCall();

const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 100_000 };

export const hour = 3_600_000;

const ms = "cast(hash(i * 3) % 144000 as bigint) * 1003 - 72000000";

export const times = {
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

export async function openTimes(): Promise<void> {
  opened.bench = await engineBench();
  for (const kind of kinds) {
    await opened.bench
      .prepare(`copy (select i as n, ${times[kind][1]} as "at ""a""", 9007199254740991 + i as big, case when i % 5 = 0 then 'nan'::double when i % 7 = 0 then 'infinity'::double when i % 11 = 0 then null else i / 8 end as real,
      case when i % 3 > 0 then 'x' || i end as name from range(20000) t(i)) to 'FOLDER/${kind}.parquet' (format parquet, row_group_size 4096)`);
  }
}

const aggregations: Aggregation[] = [
  { type: "count", column: "*" },
  { type: "count", column: "name" },
  { type: "sum", column: "big" },
  { type: "sum", column: "real" },
  { type: "avg", column: "real" },
  { type: "max", column: 'at "a"' },
  ...(["min", "max", "avg"] as const satisfies AggregationType[]).map((type) => ({ type, column: "n" })),
];

export const span = (kind: Kind, startMs: number, endMs: number): AggregationGroup => ({
  timeRange: { column: 'at "a"', type: times[kind][0], startMs, endMs },
  conditions: [],
});

export const hours = (kind: Kind, from: number, count: number, width = hour) =>
  Array.from({ length: count }, (_, index) => span(kind, from + index * width, from + (index + 1) * width - 1));

/** The values of each group, computed by a separate call. */
export async function oneByOne(kind: Kind, groups: readonly AggregationGroup[], query: Partial<SearchQuery> = {}): Promise<CellValue[][]> {
  const answers: CellValue[][] = [];
  for (const { timeRange, conditions } of groups) {
    const narrowed = { ...all, ...query, timeRange, conditions: [...(query.conditions ?? []), ...conditions] };
    const [values = []] = await opened.bench.engine.aggregate(over(kind), aggregations, [], narrowed, call);
    answers.push(values);
  }
  return answers;
}

export const together = (kind: Kind, groups: readonly AggregationGroup[], query: Partial<SearchQuery> = {}) =>
  opened.bench.engine.aggregate(over(kind), aggregations, groups, { ...all, ...query }, call);

export const firstHour = -20 * hour;

/** Compares steps of time around 1970 and beyond the data with separate calls. */
export async function compareSteps(kind: Kind): Promise<void> {
  const groups = hours(kind, firstHour - 3 * hour, 17, 3 * hour);
  const expected = await oneByOne(kind, groups);
  expect(expected.filter(([count]) => Number(count) > 0).length).toBeGreaterThan(12);
  expect(expected[0]).toEqual([0, 0, null, null, null, null, null, null, null]);
  expect(await together(kind, groups)).toEqual(expected);
}
