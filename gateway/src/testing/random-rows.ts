import type { ColumnType } from "@fairway/contract/columns";
import type { SearchAnswer } from "@fairway/contract/search";
import { type DatasetApp, addDataset, buildFilterSupport, datasetApp } from "./dataset-app.ts";

export const int64Max = 2n ** 63n - 1n;

/** Boundary values of each type, as SQL and as the test's reference implementation compares them; null is an empty cell. */
export interface Cell {
  readonly sql: string;
  readonly value: string | number | bigint | boolean | null;
}

const empty: Cell = { sql: "null", value: null };

export const integers: Cell[] = [
  -int64Max - 1n,
  -(2n ** 53n) - 1n,
  -(2n ** 53n),
  -1n,
  0n,
  1n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  int64Max,
].map((value) => ({ sql: `'${value}'::bigint`, value }));

export const decimals: Cell[] = [
  ...[
    -Number.MAX_VALUE,
    -1.5,
    -Number.MIN_VALUE,
    -0,
    0,
    Number.MIN_VALUE,
    0.1,
    0.1 + 0.2,
    0.3,
    1e-300,
    1e15 + 0.5,
    1e22,
    Number.MAX_VALUE,
  ].map((value) => ({ sql: `'${value}'::double`, value })),
  // These are returned as null, so filters do not match them.
  { sql: "'nan'::double", value: null },
  { sql: "'inf'::double", value: null },
  { sql: "'-inf'::double", value: null },
];

export const texts: Cell[] = [
  "",
  " ",
  "a",
  "A",
  "aa",
  "%",
  "_",
  "'",
  '"',
  "\\",
  "é",
  "e\u0301",
  "\uffff",
  "\u{10000}",
  "😀",
  "null",
  "1e1",
  "\n",
].map((value) => ({
  sql: `'${value.replaceAll("'", "''")}'`,
  value,
}));

const booleans: Cell[] = [true, false].map((value) => ({ sql: String(value), value }));

/** Microseconds since 1970: more precise than either column type. */
export const moments = [
  "0001-01-01T00:00:00.000Z",
  "1582-10-14T12:00:00.000Z",
  "1900-02-28T23:59:59.999Z",
  "1969-12-31T23:59:59.999Z",
  "1970-01-01T00:00:00.000Z",
  "2000-02-29T23:59:59.001Z",
  "2024-02-29T00:00:00.000Z",
  "2100-03-01T00:00:00.000Z",
  "9999-12-31T23:59:59.999Z",
].flatMap((iso) => [0n, 1n, 999n].map((micros) => BigInt(Date.parse(iso)) * 1_000n + micros));

const times: Cell[] = moments.map((micros) => ({ sql: `make_timestamp(${micros})`, value: micros }));

export const columns: Record<string, { type: ColumnType; cells: Cell[] }> = {
  whole: { type: "integer", cells: integers },
  real: { type: "decimal", cells: decimals },
  text: { type: "STRING", cells: texts },
  flag: { type: "BOOLEAN", cells: booleans },
  at: { type: "TIMESTAMP_MILLS", cells: times },
  second: { type: "TIMESTAMP_SECONDS", cells: times },
};

export const names = Object.keys(columns);

export const rowCount = 60;

/** Each column cycles through its boundary values at a different rate, with empty cells in between. */
export const rows = Array.from({ length: rowCount }, (_, id) =>
  Object.fromEntries(
    names.map((name, columnIndex) => {
      const cells = [...(columns[name]?.cells ?? []), empty];
      return [name, cells[(id * (columnIndex + 1) + Math.floor(id / cells.length)) % cells.length] ?? empty];
    }),
  ),
);

export const opened = {} as { app: DatasetApp };

const path = "/datasets/Tests/limits/search";

export const search = (body: object) => opened.app.call<SearchAnswer>([], "POST", path, body);

export const idsOf = (response: SearchAnswer): number[] => (response.results as { id: number }[]).map(({ id }) => id);

export async function openRandomRows(): Promise<void> {
  opened.app = await datasetApp();
  const values = rows.map((row, id) => `(${[String(id), ...names.map((name) => row[name]?.sql ?? "null")].join(", ")})`);
  await opened.app.bench.prepare(
    `copy (select * from (values ${values.join(", ")}) t(id, ${names.map((name) => `"${name}"`).join(", ")})) to 'FOLDER/rows.parquet' (format parquet)`,
  );
  const described = [["id", { type: "integer" as const }] as const, ...Object.entries(columns)];
  await addDataset(opened.app, {
    id: "limits",
    temporalField: "at",
    orderBy: [{ column: "id", direction: "asc" }],
    schema: { columns: described.map(([name, { type }]) => ({ name, type, description: "", combined: null })) },
    filterSupport: buildFilterSupport({ supportsTimeRange: true }),
  });
}
