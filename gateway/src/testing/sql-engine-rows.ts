import type { ColumnType } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";

/** How an engine names the types of the suite's columns. */
export type SqlTypeNames = Readonly<Record<"double" | "seconds" | "millis" | "micros" | "nanos" | "zoned" | "fields", string>>;

/** Of each column its type, its SQL type, and a text or an expression for each row. */
export const kinds = (types: SqlTypeNames) =>
  ({
    id: ["integer", "integer", "0", "1", "2", "3"],
    name: ["STRING", "varchar", `it''s "?" $1 \\ é😀`, "", "Zoë; drop -- /*", null],
    flag: ["BOOLEAN", "boolean", "true", "false", null, "true"],
    small: ["integer", "smallint", "-32768", "7", "32767", null],
    big: ["integer", "bigint", "9007199254740993", "-9223372036854775807", "7", null],
    whole: ["integer", "decimal(38, 0)", "12345678901234567890123456789012345678", "-1", "0", null],
    money: ["decimal", "decimal(12, 2)", "12.50", "-0.01", "0", null],
    exact: ["decimal", "decimal(38, 10)", "9007199254740993.5", "0.1234567891", "-1", null],
    real: ["decimal", types.double, "1.5", "NaN", "-Infinity", null],
    single: ["decimal", "real", "0.1", "-5", "Infinity", null],
    told: ["STRING", types.double, "2.5", "-0.25", "100", null],
    day: ["TIMESTAMP_SECONDS", "date", "2020-02-29", "1969-12-31", "0001-01-01", null],
    second: ["TIMESTAMP_SECONDS", types.seconds, "2020-01-01 10:00:05", "1969-12-31 23:59:58", "9999-12-31 23:59:59", null],
    at: ["TIMESTAMP_MILLS", types.millis, "2020-01-01 10:00:05.250", "1969-12-31 23:59:59.999", "2020-01-01 10:00:05.251", null],
    fine: ["TIMESTAMP_MILLS", types.micros, "2020-01-01 10:00:05.250999", "1969-12-31 23:59:59.999500", "2020-01-01 10:00:05.251", null],
    finest: ["TIMESTAMP_SECONDS", types.nanos, "2020-01-01 10:00:05.999999999", "1969-12-31 23:59:59.999999", "2020-01-01 10:00:06", null],
    zoned: [
      "TIMESTAMP_MILLS",
      types.zoned,
      "2020-01-01 02:00:00.5+02:00",
      "2020-01-01 00:00:00.5+00:00",
      "1960-01-01 00:00:00+00:00",
      null,
    ],
    epoch: ["TIMESTAMP_SECONDS", "bigint", "1500000000", "-1", "0", null],
    code: ["STRING", "uuid", "12151fd2-7586-11e9-8f9e-2a86e4085a59", "00000000-0000-0000-0000-000000000000", null, null],
    list: ["STRING", "", "array[1, 2]", "cast(array[] as integer array)", "array[null, 3]", null],
    fields: ["STRING", types.fields, "=row(1, 'x')", "=row(null, '\"')", null, null],
  }) as const satisfies Record<string, readonly [ColumnType, string, ...(string | null)[]]>;
export type Kind = keyof ReturnType<typeof kinds>;

/** The same rows as a search answers them. */
export const shownKinds: readonly Readonly<Record<Kind, CellValue>>[] = [
  {
    id: 0,
    name: `it's "?" $1 \\ é😀`,
    flag: true,
    small: -32768,
    big: "9007199254740993",
    whole: "12345678901234567890123456789012345678",
    money: 12.5,
    exact: "9007199254740993.5000000000",
    real: 1.5,
    single: 0.1,
    told: "2.5",
    day: 1582934400,
    second: 1577872805,
    at: 1577872805250,
    fine: 1577872805250,
    finest: 1577872805,
    zoned: 1577836800500,
    epoch: 1500000000,
    code: "12151fd2-7586-11e9-8f9e-2a86e4085a59",
    list: "[1,2]",
    fields: '{"a":1,"b":"x"}',
  },
  {
    id: 1,
    name: "",
    flag: false,
    small: 7,
    big: "-9223372036854775807",
    whole: -1,
    money: -0.01,
    exact: 0.1234567891,
    real: null,
    single: -5,
    told: "-0.25",
    day: -86400,
    second: -2,
    at: -1,
    fine: -1,
    finest: -1,
    zoned: 1577836800500,
    epoch: -1,
    code: "00000000-0000-0000-0000-000000000000",
    list: "[]",
    fields: '{"a":null,"b":"\\""}',
  },
  {
    id: 2,
    name: "Zoë; drop -- /*",
    flag: null,
    small: 32767,
    big: 7,
    whole: 0,
    money: 0,
    exact: -1,
    real: null,
    single: null,
    told: "100.0",
    day: -62135596800,
    second: 253402300799,
    at: 1577872805251,
    fine: 1577872805251,
    finest: 1577872806,
    zoned: -315619200000,
    epoch: 0,
    code: null,
    list: "[null,3]",
    fields: null,
  },
  {
    id: 3,
    name: null,
    flag: true,
    small: null,
    big: null,
    whole: null,
    money: null,
    exact: null,
    real: null,
    single: null,
    told: null,
    day: null,
    second: null,
    at: null,
    fine: null,
    finest: null,
    zoned: null,
    epoch: null,
    code: null,
    list: null,
    fields: null,
  },
];

const isTurned = (n: number): boolean => n % 3 === 0 && (n * 91) % 3_600 < 1_800;
export const westward = (lng: number): number => (lng > 180 ? Number((lng - 360).toFixed(9)) : lng);

/** Many rows with few different values, one of which is unique. Their position in the table means nothing. */
export const manyRows = Array.from({ length: 1_000 }, (_, n) => ({
  n,
  key: n % 7,
  item: n % 10 === 0 ? null : `item ${n % 5}`,
  time: Date.parse("2020-01-01T00:00:00Z") + Math.floor(n / 3) * 60_000,
  lat: ((n * 37) % 1_000) / 10 - 50,
  // Of the western ones, every third goes on eastward: 201.2 is -158.8.
  lng: ((n * 91) % 3_600) / 10 - (isTurned(n) ? -180 : 180),
}));
export const manySelect = `select n, n % 7 as key, case when n % 10 > 0 then 'item ' || cast(n % 5 as varchar) end as item,
    timestamp '2020-01-01 00:00:00' + interval '1' minute * cast(floor(n / 3) as integer) as "time",
    cast(n * 37 % 1000 as double) / 10 - 50 as lat, cast(n * 91 % 3600 as double) / 10 - case when n % 3 = 0 and n * 91 % 3600 < 1800 then -180 else 180 end as lng
  from (select a.d + 10 * b.d + 100 * c.d as n from digits a cross join digits b cross join digits c) as numbers`;
export const digits = `(values ${Array.from({ length: 10 }, (_, digit) => `(${digit})`).join(", ")}) as digits(d)`;
