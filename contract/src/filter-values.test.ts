import { expect, it } from "vitest";
import type { ColumnType } from "./columns.ts";
import type { FilterValue } from "./datasets.ts";
import { parseFilterValue } from "./filter-values.ts";

const accepted: [ColumnType, FilterValue, unknown][] = [
  ["STRING", "", ""],
  ["STRING", " é😀'\";--\0", " é😀'\";--\0"],
  ["BOOLEAN", true, true],
  ["BOOLEAN", "false", false],
  ["integer", 12, 12n],
  ["integer", -0, 0n],
  ["integer", "-7", -7n],
  ["integer", "9223372036854775807", 9223372036854775807n],
  ["integer", "-9223372036854775808", -9223372036854775808n],
  ["integer", "17293822569102704640", 17293822569102704640n],
  ["integer", "-170141183460469231731687303715884105728", -(2n ** 127n)],
  ["integer", "340282366920938463463374607431768211455", 2n ** 128n - 1n],
  ["integer", 9007199254740991, 9007199254740991n],
  ["decimal", 1.5, 1.5],
  ["decimal", "-.5e-3", -0.0005],
  ["decimal", "1e308", 1e308],
  ["decimal", "3.", 3],
  ["TIMESTAMP_SECONDS", 1_500_000_000, 1_500_000_000_000n],
  ["TIMESTAMP_SECONDS", "-1", -1_000n],
  ["TIMESTAMP_SECONDS", "2017-07-14T02:40:00Z", 1_500_000_000_000n],
  ["TIMESTAMP_SECONDS", "2017-07-14T04:40:00+02:00", 1_500_000_000_000n],
  ["TIMESTAMP_MILLS", 1_500_000_000_123, 1_500_000_000_123n],
  ["TIMESTAMP_MILLS", "2017-07-14T02:40:00.123456789", 1_500_000_000_123n],
  ["TIMESTAMP_MILLS", "2017-07-14T02:40", 1_500_000_000_000n],
  ["TIMESTAMP_MILLS", "2020-02-29", 1_582_934_400_000n],
];

it.each(accepted)("%s accepts %j", (type, value, parsed) => {
  expect(parseFilterValue(type, value)).toEqual({ value: parsed });
});

const refused: Record<ColumnType, FilterValue[]> = {
  STRING: [12, true, "\ud800"],
  BOOLEAN: [1, 0, "", "TRUE", "yes", " true"],
  integer: [
    "",
    " 1",
    "1 ",
    "12abc",
    "1.0",
    "0x10",
    "1e3",
    "+1",
    "--1",
    true,
    1.5,
    Number.NaN,
    1e300,
    2 ** 53,
    "-170141183460469231731687303715884105729",
    "340282366920938463463374607431768211456",
    "9".repeat(41),
  ],
  decimal: ["", " 1", "12abc", "1,5", "0x10", "NaN", "Infinity", "1e999", ".", "e5", true, Number.POSITIVE_INFINITY],
  TIMESTAMP_SECONDS: [
    "",
    "now",
    "1.5",
    1.5,
    true,
    "2017-7-14",
    "2017-02-30",
    "2017-13-01",
    "2017-07-14T25:00Z",
    "2017-07-14 02:40",
    1e15,
    "9".repeat(39),
  ],
  TIMESTAMP_MILLS: ["", "12:00", "2017-07-14T02:40:00 Z", "2017-07-14Z", "٢٠١٧-٠٧-١٤", "99999999999999999"],
};

it.each(Object.entries(refused).flatMap(([type, values]) => values.map((value) => [type as ColumnType, value] as const)))(
  "%s refuses %j",
  (type, value) => {
    expect(parseFilterValue(type, value)).toEqual({ problem: expect.stringMatching(/^(is|holds) /) });
  },
);

it.each<[ColumnType, string]>([
  ["decimal", `${"1".repeat(200_000)}x`],
  ["decimal", "1".repeat(401)],
  ["integer", `${"1".repeat(200_000)}x`],
  ["TIMESTAMP_MILLS", "1".repeat(200_000)],
  ["TIMESTAMP_SECONDS", `2017-07-14T02:40:00.${"1".repeat(200_000)}`],
])("%s refuses long texts quickly", (type, value) => {
  expect(parseFilterValue(type, value)).toEqual({ problem: expect.stringMatching(/^is (not|neither) /) });
});
