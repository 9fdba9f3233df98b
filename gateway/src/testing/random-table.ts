import type { ColumnType } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";

/** A row as it is shown: null, NaN and infinities are null, whole numbers beyond 2^53 texts, times in the column's unit. */
export type OracleRow = Readonly<Record<string, CellValue>>;

/** A number from 0 to 1; the same ones for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

/** Both changes of New York, Apia's missing day, a change of Lord Howe, and times before 1970. */
export const moments = [
  Date.UTC(2001, 3, 1, 6, 59),
  Date.UTC(2001, 3, 1, 7),
  Date.UTC(2001, 9, 28, 5, 30),
  Date.UTC(2001, 9, 28, 6, 30),
  Date.UTC(2011, 11, 30, 9, 59),
  Date.UTC(2011, 11, 30, 10),
  Date.UTC(2001, 2, 24, 15, 20),
  -1,
  -86_400_001,
  Date.UTC(1969, 6, 20),
];
export const zones = ["UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia"];

const timeSql = (ms: number): string => `'${new Date(ms).toISOString().replace("T", " ").slice(0, -1)}'`;

/** Values of each column as SQL and as they are shown. */
const values = {
  text: [
    ["''", ""],
    ["'a'", "a"],
    ["'A'", "A"],
    ["'a '", "a "],
    ["'it''s'", "it's"],
    ["'10'", "10"],
    ["'9'", "9"],
    ["'100%'", "100%"],
    ["'a_b'", "a_b"],
    ["'Éa'", "Éa"],
    ["'😀'", "😀"],
    ["'￿'", "￿"],
    ["null", null],
  ],
  whole: [
    ["9007199254740993", "9007199254740993"],
    ["9007199254740992", 9007199254740992],
    ["9007199254740991", 9007199254740991],
    ["-9007199254740993", "-9007199254740993"],
    ["0", 0],
    ["1", 1],
    ["5", 5],
    ["null", null],
  ],
  real: [
    ["0", 0],
    ["'-0'", 0],
    ["0.1", 0.1],
    ["0.3", 0.3],
    ["-1.5", -1.5],
    ["'NaN'", null],
    ["'Infinity'", null],
    ["'-Infinity'", null],
    ["null", null],
  ],
  single: [
    ["0.1", 0.1],
    ["'-0'", 0],
    ["16777216", 16777216],
    ["'NaN'", null],
    ["null", null],
  ],
  money: [
    ["'1.10'", 1.1],
    ["'1.21'", 1.21],
    ["'-0.05'", -0.05],
    ["0", 0],
    ["null", null],
  ],
  flag: [
    ["true", true],
    ["false", false],
    ["null", null],
  ],
  at: [...moments.map((ms) => [timeSql(ms), ms] as const), ["null", null]],
  second: [...moments.map((ms) => [timeSql(ms + 250), Math.floor((ms + 250) / 1_000)] as const), ["null", null]],
  day: [
    ["'2001-04-01'", Date.UTC(2001, 3, 1) / 1_000],
    ["'1969-12-31'", -86_400],
    ["'2020-02-29'", Date.UTC(2020, 1, 29) / 1_000],
    ["null", null],
  ],
} as const satisfies Record<string, readonly (readonly [string, CellValue])[]>;

export type RandomColumn = keyof typeof values;
export const randomColumnNames = Object.keys(values) as RandomColumn[];

const storedTypes: Readonly<Record<RandomColumn, string>> = {
  text: "varchar",
  whole: "bigint",
  real: "double",
  single: "real",
  money: "decimal(10, 2)",
  flag: "boolean",
  at: "timestamp",
  second: "timestamp",
  day: "date",
};
/** As the portal describes them; `day` is of whole days. */
export const randomColumns: Readonly<Record<RandomColumn, ColumnType>> = {
  text: "STRING",
  whole: "integer",
  real: "decimal",
  single: "decimal",
  money: "decimal",
  flag: "BOOLEAN",
  at: "TIMESTAMP_MILLS",
  second: "TIMESTAMP_SECONDS",
  day: "TIMESTAMP_SECONDS",
};

/** A small table, as one SELECT of all engines, and its rows. */
export function randomTable(random: () => number, count: number): { select: string; rows: OracleRow[] } {
  const rows: OracleRow[] = [];
  const stored: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const cells = randomColumnNames.map((name) => [name, pick<readonly [string, CellValue]>(random, values[name])] as const);
    rows.push(Object.fromEntries(cells.map(([name, [, shown]]) => [name, shown])));
    stored.push(`(${cells.map(([name, [sql]]) => `cast(${sql} as ${storedTypes[name]})`).join(", ")})`);
  }
  const names = randomColumnNames.map((name) => `"${name}"`).join(", ");
  return { select: `select * from (values ${stored.join(", ")}) as random (${names})`, rows };
}
