import { open } from "node:fs/promises";
import { namingFullDisk } from "#query/full-disk.ts";

/**
 * Rows that are kept as text until the file of an export is made of them: values in quotes, between commas, a row to a line. No value is
 * nothing, an empty text a pair of quotes. The embedded engine writes the same with `force_quote *`.
 */
const rowsPerWrite = 1_000;

/** Resolves to the number of rows. */
export const storeRows = (
  pages: AsyncIterable<readonly (readonly unknown[])[]>,
  file: string,
  onRows: (rows: number) => void,
): Promise<number> =>
  namingFullDisk(async () => {
    const handle = await open(file, "wx", 0o600);
    try {
      let rows = 0;
      for await (const page of pages) {
        for (let at = 0; at < page.length; at += rowsPerWrite) {
          const part = page.slice(at, at + rowsPerWrite);
          await handle.write(part.map(storedRow).join(""));
          rows += part.length;
        }
        onRows(rows);
      }
      return rows;
    } finally {
      await handle.close();
    }
  });

const storedRow = (row: readonly unknown[]): string => `${row.map(quoted).join(",")}\n`;

function quoted(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `"${text.replaceAll('"', '""')}"`;
}

/** Reads them again, in lists of those that end within the same chunk of text. */
export async function* storedRows(chunks: AsyncIterable<string>): AsyncGenerator<readonly (readonly (string | null)[])[]> {
  let rest = "";
  for await (const chunk of chunks) {
    const text = rest + chunk;
    const rows: (readonly (string | null)[])[] = [];
    let at = 0;
    for (;;) {
      const row = rowAt(text, at);
      if (row === undefined) break;
      rows.push(row.values);
      at = row.end;
    }
    rest = text.slice(at);
    if (rows.length > 0) yield rows;
  }
  if (rest !== "") throw new Error("the stored rows end within a row");
}

/** The row that begins there; undefined if the text ends within it. */
function rowAt(text: string, start: number): { readonly values: readonly (string | null)[]; readonly end: number } | undefined {
  const values: (string | null)[] = [];
  let at = start;
  for (;;) {
    if (at >= text.length) return undefined;
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      if (end === undefined) return undefined;
      const raw = text.slice(at + 1, end);
      values.push(raw.includes('"') ? raw.replaceAll('""', '"') : raw);
      at = end + 1;
    } else values.push(null);
    const next = text[at];
    if (next === undefined) return undefined;
    at += 1;
    if (next === "\n") return { values, end: at };
    if (next !== ",") throw new Error("the stored rows hold a value without quotes");
  }
}

/** Undefined if the text ends before whatever follows the quote, which may be another one. */
function closingQuote(text: string, start: number): number | undefined {
  for (let at = text.indexOf('"', start); at !== -1; at = text.indexOf('"', at + 2)) {
    if (at + 1 >= text.length) return undefined;
    if (text[at + 1] !== '"') return at;
  }
  return undefined;
}
