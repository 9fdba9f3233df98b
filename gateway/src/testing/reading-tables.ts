import type { Reading } from "@fairway/contract/readings";
import * as fc from "fast-check";
import { text, workbookOf } from "./workbook-xml.ts";

/** A cell as a file holds it, and the value that was meant: milliseconds for days and times, null for none. */
interface Cell {
  readonly text: string;
  readonly meant: string | number | boolean | null;
}

export interface MeantColumn {
  readonly name: string;
  readonly kind: "time" | "number" | "boolean" | "text";
  readonly cells: readonly Cell[];
}

export type MeantTable = readonly MeantColumn[];

const two = (value: number): string => String(value).padStart(2, "0");
const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

interface Moment {
  readonly y: number;
  readonly m: number;
  readonly d: number;
  readonly h: number;
  readonly min: number;
  readonly s: number;
}

const moment: fc.Arbitrary<Moment> = fc.record({
  y: fc.integer({ min: 1970, max: 2069 }),
  m: fc.integer({ min: 1, max: 12 }),
  d: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 12 }) }, { weight: 1, arbitrary: fc.integer({ min: 13, max: 28 }) }),
  h: fc.integer({ min: 0, max: 23 }),
  min: fc.integer({ min: 0, max: 59 }),
  s: fc.integer({ min: 0, max: 59 }),
});

/** A file has one order of days and months, and one decimal mark. */
interface Custom {
  readonly isDayFirst: boolean;
  readonly mark: "." | ",";
}

const dayWriters = ({ isDayFirst }: Custom): readonly ((one: Moment) => string)[] => [
  ({ y, m, d }) => `${y}-${two(m)}-${two(d)}`,
  ({ y, m, d }) => `${y}/${m}/${d}`,
  ({ y, m, d }) => (isDayFirst ? `${two(d)}/${two(m)}/${y}` : `${m}/${d}/${y}`),
  ({ y, m, d }) => `${d}.${m}.${y}`,
  ({ y, m, d }) => (isDayFirst ? `${two(d)}-${two(m)}-${y}` : `${two(m)}-${two(d)}-${y}`),
  ({ y, m, d }) => `${d} ${months[m - 1]} ${y}`,
  ({ y, m, d }) => `${months[m - 1]} ${d}, ${y}`,
  ({ y, m, d }) => `${two(d)}.${two(m)}.${two(y % 100)}`,
];
const clockWriters: readonly { readonly write: (one: Moment) => string; readonly meant: (one: Moment) => number }[] = [
  { write: () => "", meant: () => 0 },
  { write: ({ h, min }) => ` ${two(h)}:${two(min)}`, meant: ({ h, min }) => (h * 60 + min) * 60_000 },
  { write: ({ h, min, s }) => ` ${two(h)}:${two(min)}:${two(s)}`, meant: ({ h, min, s }) => ((h * 60 + min) * 60 + s) * 1_000 },
  {
    write: ({ h, min }) => ` ${h % 12 === 0 ? 12 : h % 12}:${two(min)} ${h < 12 ? "AM" : "PM"}`,
    meant: ({ h, min }) => (h * 60 + min) * 60_000,
  },
];

const timeOf = (custom: Custom) =>
  fc
    .tuple(fc.constantFrom(...dayWriters(custom)), fc.constantFrom(...clockWriters))
    .map(([day, clock]) =>
      moment.map((one): Cell => ({ text: day(one) + clock.write(one), meant: Date.UTC(one.y, one.m - 1, one.d) + clock.meant(one) })),
    );

const grouped = (digits: string, mark: string): string => digits.replaceAll(/\B(?=(?:[0-9]{3})+$)/g, mark);
const numberWriters: readonly { readonly mark: string; readonly thousands: string; readonly around: (text: string) => string }[] = [
  { mark: ".", thousands: "", around: (text) => text },
  { mark: ",", thousands: "", around: (text) => text },
  { mark: ".", thousands: ",", around: (text) => text },
  { mark: ",", thousands: ".", around: (text) => text },
  { mark: ".", thousands: "'", around: (text) => text },
  { mark: ",", thousands: "\u202f", around: (text) => text },
  { mark: ".", thousands: ",", around: (text) => `$${text}` },
  { mark: ",", thousands: "", around: (text) => `${text} %` },
];
const numberOf = (custom: Custom) =>
  fc
    .tuple(fc.constantFrom(...numberWriters.filter(({ mark }) => mark === custom.mark)), fc.constantFrom(0, 0, 1, 2, 3))
    .map(([{ mark, thousands, around }, digits]) =>
      fc.tuple(fc.integer({ min: 0, max: 3_000_000 }), fc.boolean()).map(([value, isNegative]): Cell => {
        const [whole = "", fraction = ""] = (value / 1_000).toFixed(digits).split(".");
        const text = around(grouped(whole, thousands) + (fraction === "" ? "" : mark + fraction));
        const meant = Number(`${whole}.${fraction}`);
        return isNegative && meant !== 0 ? { text: `-${text}`, meant: -meant } : { text, meant };
      }),
    );

const texts: fc.Arbitrary<Cell> = fc
  .oneof(
    fc.constantFrom(
      "NA",
      "n/a",
      "00:10",
      "Wednesday",
      "2024-01",
      "2024-Q1",
      "24:00:00",
      "1_000",
      "0x10",
      "4E10",
      "t",
      "5 kg",
      "1.2.10",
      "41_10_1",
    ),
    fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
      .filter((text) => text.trim() !== "" && /^[^\p{C}\p{Z}]/u.test(text) && !/[\r\n\u0085\u2028\u2029]/.test(text)),
  )
  .map((text) => ({ text: text.normalize("NFC"), meant: text.normalize("NFC") }));

interface Kind {
  readonly kind: MeantColumn["kind"];
  readonly cells: fc.Arbitrary<fc.Arbitrary<Cell>>;
}

const kindsOf = (custom: Custom): readonly Kind[] => [
  { kind: "time", cells: timeOf(custom) },
  { kind: "number", cells: numberOf(custom) },
  {
    kind: "number",
    cells: fc.constant(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map((value) => ({ text: String(value), meant: String(value) }))),
  },
  {
    kind: "number",
    cells: fc.constant(
      fc.integer({ min: -99, max: 99 }).map((value) => ({ text: `${value}${custom.mark}5e-3`, meant: Number(`${value}.5e-3`) })),
    ),
  },
  { kind: "boolean", cells: fc.constant(fc.boolean().map((value) => ({ text: String(value), meant: value }))) },
  { kind: "text", cells: fc.constant(fc.integer({ min: 0, max: 9_999 }).map((value) => ({ text: `0${value}`, meant: `0${value}` }))) },
  { kind: "text", cells: fc.constant(texts) },
];
const missing: readonly Cell[] = ["", "", "n/a", "-", "NULL", "k.A."].map((text) => ({ text, meant: null }));

const customs = fc.record({ isDayFirst: fc.boolean(), mark: fc.constantFrom("." as const, "," as const) });

/** Tables with the values that they were made from. */
export const meantTables: fc.Arbitrary<MeantTable> = fc
  .tuple(customs, fc.integer({ min: 12, max: 40 }))
  .chain(([custom, rows]) =>
    fc
      .array(fc.constantFrom(...kindsOf(custom)), { minLength: 1, maxLength: 6 })
      .chain((chosen) => fc.tuple(...chosen.map((kind, index) => columnOf(kind, `column ${index}`, rows)))),
  );

const columnOf = ({ kind, cells }: Kind, name: string, rows: number): fc.Arbitrary<MeantColumn> =>
  cells.chain((cell) => {
    const sparse = fc.oneof({ weight: 15, arbitrary: cell }, { weight: 1, arbitrary: fc.constantFrom(...missing) });
    return fc.array(kind === "text" ? cell : sparse, { minLength: rows, maxLength: rows }).map((list) => ({ name, kind, cells: list }));
  });

const rowsOf = (table: MeantTable): number[] => (table[0]?.cells ?? []).map((_, index) => index);
const quoted = (text: string): string => (/[",;\t'\r\n]|^[ #]|^sep=/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const delimited = (table: MeantTable, delimiter: string): string =>
  [
    ["row", ...table.map(({ name }) => name)].join(delimiter),
    ...rowsOf(table).map((row) => [`r${row}`, ...table.map(({ cells }) => quoted(cells[row]?.text ?? ""))].join(delimiter)),
    "",
  ].join("\n");
const objects = (table: MeantTable): unknown[] =>
  rowsOf(table).map((row) => Object.fromEntries([["row", `r${row}`], ...table.map(({ name, cells }) => [name, cells[row]?.text || null])]));

const inXml = (value: string): string =>
  value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\r", "_x000D_");
const sheetRows = (table: MeantTable) => [
  ["row", ...table.map(({ name }) => name)].map(text),
  ...rowsOf(table).map((row) =>
    [`r${row}`, ...table.map(({ cells }) => cells[row]?.text ?? "")].map((value) => (value === "" ? null : text(inXml(value)))),
  ),
];

/** The ways in which a table reaches the portal as a file. Every one of them must keep what was meant. */
export const doors = {
  "CSV with commas": { format: "csv", write: (table: MeantTable) => delimited(table, ",") },
  "CSV with semicolons": { format: "csv", write: (table: MeantTable) => delimited(table, ";") },
  "CSV with tabs after sep=": { format: "csv", write: (table: MeantTable) => `sep=\\t\n${delimited(table, "\t")}` },
  "CSV in UTF-16": { format: "csv", write: (table: MeantTable) => Buffer.from(`\ufeff${delimited(table, ";")}`, "utf16le") },
  "lines of JSON": {
    format: "json",
    write: (table: MeantTable) =>
      objects(table)
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(""),
  },
  "a workbook of texts": {
    format: "xlsx",
    write: (table: MeantTable) => workbookOf({ sheets: [{ name: "Table", rows: sheetRows(table) }] }),
  },
  "a document of JSON": { format: "json", write: (table: MeantTable) => JSON.stringify({ data: objects(table) }, null, 1) },
} as const satisfies Record<string, { format: "csv" | "json" | "xlsx"; write: (table: MeantTable) => string | Buffer | Promise<Buffer> }>;

interface Read {
  readonly reading: Reading;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Cells that are neither what was meant, nor counted as unreadable, nor said to be assumed. A text that stays a text is not wrong. */
export function wrongCells(table: MeantTable, { reading, rows }: Read): unknown[] {
  return table.flatMap(({ name, kind, cells }): unknown[] => {
    const column = reading.columns.find((one) => one.name === name);
    if (column === undefined) return [{ name, problem: "the column is missing" }];
    const isSaid = column.state === "assumed" || reading.questions.some(({ columns }) => columns.includes(name));
    if (isSaid) return [];
    const isText = column.type === "STRING";
    const found = cells.map(({ text, meant }, row) => ({
      name,
      row,
      text,
      meant,
      value: rows[row]?.[name] ?? null,
      type: column.type,
      state: column.state,
    }));
    const wrong = found.filter(({ text, meant, value }) =>
      isText
        ? (value ?? "") !== text
        : !isEqual(kind === "time" && column.type === "TIMESTAMP_SECONDS" ? Number(value) * 1_000 : value, meant, value),
    );
    const lost = wrong.filter(({ value }) => value === null);
    const counted = column.unreadable.count;
    return [
      ...(rows.length === cells.length ? [] : [{ name, problem: "rows are missing", rows: rows.length }]),
      ...wrong.filter(({ value }) => value !== null),
      ...(isText || lost.length === counted ? [] : [{ name, problem: "not all lost values are counted", lost, counted }]),
    ];
  });
}

function isEqual(value: unknown, meant: Cell["meant"], raw: unknown): boolean {
  if (raw === null || meant === null) return raw === meant;
  if (typeof meant === "string")
    return String(value) === meant || (typeof value === "number" && Number.isSafeInteger(value) && value === Number(meant));
  return typeof meant === "number" ? Number(value) === meant : value === meant;
}
