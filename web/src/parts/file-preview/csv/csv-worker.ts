import { type ParseResult, parse } from "papaparse";
import { decodeText } from "../text/decode-text.ts";
import { linesBeforeTable } from "./csv-lines.ts";
import type { CsvAnswer, CsvRequest } from "./csv-table.ts";

const maxRows = 500_000;
const maxColumns = 1_000;
const maxCellLength = 1_000;
/** The table is parsed again for each. */
const maxBrokenRows = 10;

/** Parses outside the page's thread. papaparse's own worker would come from a blob: address, which the policy forbids. */
function parseTable({ bytes, reading, delimiter, isPart }: CsvRequest): CsvAnswer {
  const text = withoutLines(decodeText(bytes, reading?.encoding), linesBeforeTable(reading));
  const config = {
    delimiter: reading?.delimiter ?? delimiter,
    ...(reading?.quote ? { quoteChar: reading.quote } : {}),
    skipEmptyLines: true,
    preview: maxRows + 2,
  };
  const parsed = withoutBrokenLines(text, (rest) => parse(rest, config));
  const { data, errors } = parsed;
  // The last row of a part may end anywhere.
  if (isPart && data.length > 1) data.pop();
  const error = errors.find(({ type, row }) => type === "Quotes" && !(isPart && row !== undefined && row >= data.length));
  if (error) return { problem: `Row ${((error.row ?? 0) + 1 + parsed.brokenRows.length).toLocaleString("en-US")}: ${error.message}.` };
  const isCut = data.length > maxRows + 1;
  if (isCut) data.length = maxRows + 1;
  let columns = 0;
  for (const row of data) columns = Math.max(columns, row.length);
  for (const row of data) {
    if (row.length > maxColumns) row.length = maxColumns;
    for (const [index, cell] of row.entries()) if (cell.length > maxCellLength) row[index] = `${cell.slice(0, maxCellLength)}…`;
  }
  if (reading?.headerLine === null && reading.delimiter !== null) data.unshift(numberedNames(columns).slice(0, maxColumns));
  const [header = [], ...rows] = data;
  return { header, rows, columns, shownColumns: Math.min(columns, maxColumns), isCut, brokenRows: parsed.brokenRows };
}

/** Leaves out lines with text after a closing quote, as a dataset of the file does; the parser would take in what follows them. */
function withoutBrokenLines(text: string, parseText: (text: string) => ParseResult): ParseResult & { readonly brokenRows: number[] } {
  const brokenRows: number[] = [];
  for (let rest = text; ;) {
    const parsed = parseText(rest);
    const broken = parsed.errors.find(({ code }) => code === "InvalidQuotes");
    if (broken?.index === undefined || brokenRows.length === maxBrokenRows) return { ...parsed, brokenRows };
    // Rows that were left out before it count as well.
    brokenRows.push((broken.row ?? 0) + brokenRows.length + 1);
    const start = Math.max(rest.lastIndexOf("\n", broken.index), rest.lastIndexOf("\r", broken.index)) + 1;
    const length = rest.slice(broken.index).search(/\r\n|\r|\n/);
    rest = rest.slice(0, start) + (length < 0 ? "" : rest.slice(broken.index + length).replace(/^(?:\r\n|\r|\n)/, ""));
  }
}

/** The names that columns without names have in a dataset. */
function numberedNames(columns: number): string[] {
  const digits = String(columns - 1).length;
  return Array.from({ length: columns }, (_, index) => `column${String(index).padStart(digits, "0")}`);
}

/** The text after its first lines. */
function withoutLines(text: string, count: number): string {
  let start = 0;
  for (let line = 0; line < count; line += 1) {
    const end = text.slice(start).search(/\r\n|\r|\n/);
    if (end < 0) return "";
    start += end + (text.startsWith("\r\n", start + end) ? 2 : 1);
  }
  return text.slice(start);
}

addEventListener("message", ({ data }: MessageEvent<CsvRequest>) => {
  let answer: CsvAnswer;
  try {
    answer = parseTable(data);
  } catch (error) {
    answer = { problem: error instanceof Error ? error.message : String(error) };
  }
  postMessage(answer);
});
