import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Reading } from "@fairway/contract/readings";
import * as fc from "fast-check";
import type { EngineBench } from "#query/duckdb/test-files.ts";
import { engineCall } from "#testing/engine-call.ts";

/** A column of texts, as a file holds them. */
interface Column {
  readonly name: string;
  readonly values: readonly string[];
}

const two = (value: number): string => String(value).padStart(2, "0");
const day = fc.record({ y: fc.integer({ min: 1970, max: 2069 }), m: fc.integer({ min: 1, max: 12 }), d: fc.integer({ min: 1, max: 28 }) });
const openDay = fc.record({ y: fc.constant(2024), m: fc.integer({ min: 1, max: 12 }), d: fc.integer({ min: 1, max: 12 }) });
const number = fc.integer({ min: -5_000, max: 5_000 });
const orNone = (values: fc.Arbitrary<string>, none: readonly string[]) =>
  fc.oneof({ weight: 19, arbitrary: values }, { weight: 1, arbitrary: fc.constantFrom(...none) });

/** Values of columns by name, with true and with tricky ones. */
const makers: Readonly<Record<string, fc.Arbitrary<string>>> = {
  n: fc.integer({ min: 0, max: 999 }).map(String),
  day: day.map(({ y, m, d }) => `${y}-${two(m)}-${two(d)}`),
  opened: openDay.map(({ y, m, d }) => `${two(d)}/${two(m)}/${y}`),
  closed: day.map(({ y, m, d }) => `${two(d)}/${two(m)}/${y}`),
  dotted: openDay.map(({ y, m, d }) => `${d}.${m}.${y}`),
  "short year": day.map(({ y, m, d }) => `${two(d)}.${two(m)}.${two(y % 100)}`),
  named: fc.constantFrom("2 Jan 2024", "13 May 2024", "1 February 2023", "31 Dec 1999 10:30"),
  time: fc
    .tuple(day, fc.constantFrom("", "T10:00", "T10:00:00Z", " 23:59:59.5", "T10:00:00+02:00"))
    .map(([{ y, m, d }, clock]) => `${y}-${two(m)}-${two(d)}${clock}`),
  created_at: fc.integer({ min: 1_500_000_000, max: 1_800_000_000 }).map(String),
  amount: number.map((value) => String(value / 4)),
  comma: number.map((value) => String(value / 4).replace(".", ",")),
  thousands: number.map((value) => `${1 + Math.abs(value % 9)},${String(100 + Math.abs(value % 900))}`),
  percent: orNone(
    number.map((value) => `${value} %`),
    ["", "n/a"],
  ),
  paid: fc.oneof(
    number.map((value) => `$${Math.abs(value)}.50`),
    number.map((value) => `($${Math.abs(value)}.25)`),
  ),
  code: orNone(
    number.map((value) => String(Math.abs(value))),
    ["007"],
  ),
  order_id: orNone(
    number.map((value) => String(Math.abs(value))),
    ["A1"],
  ),
  long: fc.bigInt({ min: 10n ** 18n, max: 10n ** 20n }).map(String),
  exact: fc.bigInt({ min: 1n, max: 10n ** 18n }).map((value) => `${value}.125`),
  gaps: orNone(number.map(String), ["n/a", "-", "x1"]),
  measured: orNone(number.map(String), ["-9999"]),
  flag: orNone(fc.constantFrom("true", "false", "TRUE"), ["", "maybe"]),
  answer: fc.constantFrom("yes", "no", "Yes"),
  sparse: orNone(fc.constant(""), ["0.5"]),
  nothing: fc.constant(""),
  city: fc.constantFrom("Oslo", " Köln", "New York", "Łódź", "a, b"),
  lat: number.map((value) => String(value / 60)),
  lng: number.map((value) => String(value / 20)),
  location: fc.tuple(number, number).map(([a, b]) => `${a / 100}, ${b / 50}`),
  geom: fc.tuple(number, number).map(([a, b]) => `POINT (${a / 50} ${b / 100})`),
};

/** A table with its rows in another order, its columns in another order, and a row at which it is cut. */
export const flippedTables = fc
  .tuple(fc.subarray(Object.keys(makers), { minLength: 3, maxLength: 9 }), fc.integer({ min: 25, max: 45 }))
  .chain(([names, rows]) =>
    fc.record({
      table: fc.tuple(...["n", ...names.filter((name) => name !== "n")].map((name) => columnOf(name, rows))),
      order: fc.shuffledSubarray(
        Array.from({ length: rows }, (_, index) => index),
        { minLength: rows },
      ),
      columns: fc.shuffledSubarray(
        Array.from({ length: names.includes("n") ? names.length : names.length + 1 }, (_, index) => index),
        {
          minLength: names.includes("n") ? names.length : names.length + 1,
        },
      ),
      cut: fc.integer({ min: 5, max: rows - 5 }),
      format: fc.constantFrom("csv" as const, "json" as const),
      delimiter: fc.constantFrom(",", ";"),
    }),
  );

const columnOf = (name: string, rows: number): fc.Arbitrary<Column> =>
  fc.array(makers[name] ?? fc.constant(""), { minLength: rows, maxLength: rows }).map((values) => ({ name, values }));

const quoted = (text: string): string => (/[",;\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function textOf(table: readonly Column[], rows: readonly number[], { format, delimiter }: Written): string {
  const lines = rows.map((row) =>
    format === "csv"
      ? table.map(({ values }) => quoted(values[row] ?? "")).join(delimiter)
      : JSON.stringify(Object.fromEntries(table.map(({ name, values }) => [name, values[row] === "" ? null : values[row]]))),
  );
  return `${(format === "csv" ? [table.map(({ name }) => quoted(name)).join(delimiter), ...lines] : lines).join("\n")}\n`;
}

interface Written {
  readonly format: "csv" | "json";
  readonly delimiter: string;
}

let folders = 0;

/** The reading of a table in files that hold these rows each. */
async function readingOf(bench: EngineBench, table: readonly Column[], files: readonly (readonly number[])[], written: Written) {
  const { format } = written;
  folders += 1;
  const folder = `flip-${folders}`;
  await mkdir(path.join(bench.folder, folder));
  for (const [index, rows] of files.entries())
    await writeFile(path.join(bench.folder, folder, `${index}.${format}`), textOf(table, rows, written));
  const found = await bench.engine.reading({ kind: "files", glob: `${folder}/*.${format}`, format }, engineCall());
  if (found === null) throw new Error("a text file has a reading");
  return summaryOf(found.reading);
}

const byName = (a: string, b: string): number => (a < b ? -1 : 1);

/** All of a reading that does not say where something stands. */
const summaryOf = ({ columns, questions, sentences, rows, dateOrder, decimalMark, zone }: Reading) => ({
  rows,
  dateOrder,
  decimalMark,
  zone,
  columns: columns.map((column) => ({ ...column, unreadable: column.unreadable.count })).toSorted((a, b) => byName(a.name, b.name)),
  questions: questions
    .map((question) => ({ ...question, columns: question.columns.toSorted(byName) }))
    .toSorted((a, b) => byName(a.question, b.question)),
  // Sentences name lines.
  sentences: sentences.map((sentence) => sentence.replace(/ \(line .*?\)/, "")).toSorted(byName),
});

type Flips = typeof flippedTables extends fc.Arbitrary<infer Value> ? Value : never;

/** The readings of a table, and of the same with other orders of rows and columns, and in two files. */
export async function flippedReadings(bench: EngineBench, { table, order, columns, cut, ...written }: Flips) {
  const rows = Array.from({ length: order.length }, (_, index) => index);
  const turned = columns.flatMap((index) => table[index] ?? []);
  return {
    first: await readingOf(bench, table, [rows], written),
    shuffled: await readingOf(bench, table, [order], written),
    reordered: await readingOf(bench, turned, [rows], written),
    cut: await readingOf(bench, table, [rows.slice(0, cut), rows.slice(cut)], written),
  };
}
