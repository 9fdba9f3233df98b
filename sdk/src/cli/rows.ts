import type { Row } from "../client/index.ts";
import { type Terminal, printable } from "./terminal.ts";

export const formats = ["table", "csv", "json", "ndjson"] as const;
export type Format = (typeof formats)[number];

type Cell = Row[string] | undefined;

/** The first column of lists is a name, which is the argument of the next command. */
const maxCellCharacters = (column: number): number => (column === 0 ? 1_000 : 60);

/** Writes rows as they come, nothing if the first do not come; a table once all are there, for the widths of its columns. Returns how many. */
export async function writeRows(
  terminal: Terminal,
  format: Format,
  columns: readonly string[],
  pages: AsyncIterable<readonly Row[]>,
): Promise<number> {
  let count = 0;
  const table: string[][] = [];
  let start = { csv: `${columns.map(csvCell).join(",")}\r\n`, json: "[", ndjson: "", table: "" }[format];
  for await (const rows of pages) {
    const lines = rows.map((row, index) => {
      if (format === "csv") return `${columns.map((name) => csvCell(row[name])).join(",")}\r\n`;
      if (format === "table") table.push(columns.map((name, column) => tableCell(row[name], column)));
      const text = JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name] ?? null])));
      return format === "ndjson" ? `${text}\n` : `${count + index === 0 ? "" : ","}\n${text}`;
    });
    count += rows.length;
    if (format !== "table") await terminal.write(start + lines.join(""));
    start = "";
  }
  if (format !== "table") await terminal.write(start);
  if (format === "json") await terminal.write(count === 0 ? "]\n" : "\n]\n");
  if (format === "table") await terminal.write(tableText(columns, table));
  return count;
}

/** A table of texts with aligned columns. */
export function tableText(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const header = columns.map(printable);
  const widths = header.map((name, index) => rows.reduce((width, row) => Math.max(width, (row[index] ?? "").length), name.length));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd();
  return `${[header, widths.map((width) => "-".repeat(width)), ...rows].map(line).join("\n")}\n`;
}

/** Rows with the times of their columns as ISO 8601, and whole days without a clock. */
export function withIsoTimes(
  rows: readonly Row[],
  columns: readonly { readonly name: string; readonly type: string; readonly day?: boolean }[],
): Row[] {
  const unitMs = { TIMESTAMP_SECONDS: 1_000, TIMESTAMP_MILLS: 1 } as const;
  const times = columns.flatMap(({ name, type, day = false }) =>
    type in unitMs ? [{ name, unit: unitMs[type as keyof typeof unitMs], isDay: day }] : [],
  );
  return rows.map((row) => {
    const changed = times.map(({ name, unit, isDay }): [string, Cell] => [name, isoTime(row[name], unit, isDay)]);
    return Object.assign({}, row, Object.fromEntries(changed));
  });
}

function isoTime(value: Cell, unitMs: number, isDay: boolean): Cell {
  const time = new Date(Number(value) * unitMs);
  if (value === null || value === undefined || Number.isNaN(time.getTime())) return value ?? null;
  return isDay ? time.toISOString().replace(/T.*/, "") : time.toISOString();
}

const csvCell = (value: Cell): string => {
  const text = String(value ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

function tableCell(value: Cell, column: number): string {
  const text = printable(String(value ?? ""));
  const max = maxCellCharacters(column);
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}
