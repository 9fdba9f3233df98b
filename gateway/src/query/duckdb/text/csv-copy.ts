import type { TextEncoding } from "@fairway/contract/readings";
import type { CsvDialect, CsvRecord } from "./csv-records.ts";
import { CsvRecords, maxLineCharacters } from "./csv-records.ts";
import { textBytes } from "./text-bytes.ts";
import { Findings, type LineFindings } from "./text-copies.ts";
import { linesOf } from "./text-lines.ts";

/** A CSV file, and how it is split into records. */
export interface CsvFileParts {
  readonly file: string;
  readonly encoding: TextEncoding;
  readonly dialect: CsvDialect;
  readonly signal: AbortSignal;
}

/** A character of UTF-8 of more bytes is two of JavaScript's, so that a line of as many bytes has more characters than a line may have. */
const maxLineBytes = 3 * (maxLineCharacters + 1);

/** The readable records of a CSV file as plain CSV: commas, double quotes, line feeds, no header. */
export async function* plainCsv(parts: CsvFileParts): AsyncGenerator<string, LineFindings> {
  const findings = new Findings();
  for await (const records of csvRecords(parts)) {
    let text = "";
    for (const record of records) {
      note(record, findings);
      if (record.kind === "row") {
        const line = `${record.values.map(quoted).join(",")}\n`;
        findings.longestLine = Math.max(findings.longestLine, line.length);
        text += line;
      }
    }
    if (text !== "") yield text;
  }
  return findings.all;
}

/** The lines on which the rows at these indices start, counted from 0. */
export async function linesOfRows(parts: CsvFileParts, indices: ReadonlySet<number>): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>();
  let row = -1;
  for await (const records of csvRecords(parts)) {
    for (const record of records) {
      if (record.kind !== "row") continue;
      row += 1;
      if (indices.has(row)) found.set(row, record.line);
    }
    if (found.size === indices.size) break;
  }
  return found;
}

async function* csvRecords({ file, encoding, dialect, signal }: CsvFileParts): AsyncGenerator<readonly CsvRecord[]> {
  const records = new CsvRecords(dialect);
  for await (const lines of linesOf(textBytes(file, encoding, signal), { maxLineBytes })) yield [...records.push(lines)];
  yield [...records.end()];
}

function note(record: CsvRecord, findings: Findings): void {
  switch (record.kind) {
    case "comment":
      return findings.add("comments", record.line);
    case "before-header":
      findings.lines += 1;
      return findings.add("unreadable", record.line, "it stands before the column names", record.text);
    case "unreadable":
      findings.lines += 1;
      return findings.add("unreadable", record.line, record.reason, record.text);
    case "row":
      findings.lines += 1;
      if (record.isShort) findings.add("short", record.line);
      if (record.isRecoded) findings.add("recoded", record.line);
      return undefined;
    default:
      return record satisfies never;
  }
}

/** A row of a single empty value is quoted, because a blank line would not count as a row. */
const quoted = (value: string, _: number, { length }: readonly string[]): string =>
  /[",\r\n]/.test(value) || (value === "" && length === 1) ? `"${value.replaceAll('"', '""')}"` : value;
