import type { DatasetSchema } from "@fairway/contract/datasets";
import { columnDescriptionCharacters, datasetDescriptionCharacters } from "@fairway/contract/descriptions";
import { escapeFormula, formulaPattern } from "@fairway/contract/formula-text";
import { isStorable } from "@fairway/contract/text";
import { parse } from "papaparse";
import type { DescriptionChange } from "./description-changes.ts";
import { type DraftMode, storedText } from "./description-draft.ts";

export interface CsvRow {
  /** The line of the file on which the row begins, from 1. */
  line: number;
  /** As in the file; empty for the dataset itself. */
  column: string;
  community: string | undefined;
  private: string | undefined;
}

export interface CsvProblem {
  /** Null if the whole file is meant. */
  line: number | null;
  message: string;
}

export type DescriptionsCsv = { rows: readonly CsvRow[] } | { problems: readonly CsvProblem[] };

/** Reads UTF-8, UTF-16 with a byte order mark, and otherwise the encoding in which Excel saves a plain CSV. */
export function decodeCsv(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

const delimiters = [",", ";", "\t"];
const knownColumns = ["column", "type", "system", "community", "private"];

/** Reads a CSV of descriptions: a header with `column` and `community` or `private`, in any order, then one row per column. */
export function readDescriptionsCsv(file: string): DescriptionsCsv {
  const text = file.replace(/^\uFEFF/, "");
  // The first line may name the separator for Excel.
  const hint = /^sep=([,;\t])\r?\n/i.exec(text);
  const body = text.slice(hint?.[0].length ?? 0);
  const firstLine = /^[^\r\n]*/.exec(body)?.[0] ?? "";
  const delimiter = hint?.[1] ?? delimiters.find((one) => headerOf(firstLine.split(one)).includes("column")) ?? ",";
  const { data, errors } = parse(body, { delimiter });
  const lines = linesOf(data, hint ? 2 : 1);
  const header = headerOf(data[0] ?? []);
  const broken = errors.find(({ type }) => type === "Quotes");
  if (broken) {
    return { problems: [{ line: lines[broken.row ?? 0] ?? null, message: "A quote is not closed, or text follows a closing quote." }] };
  }
  if (!header.includes("column") || !(header.includes("community") || header.includes("private"))) {
    return { problems: [{ line: hint ? 2 : 1, message: "The header needs 'column', and 'community' or 'private'." }] };
  }
  const repeated = knownColumns.find((name) => header.indexOf(name) !== header.lastIndexOf(name));
  if (repeated !== undefined) return { problems: [{ line: hint ? 2 : 1, message: `The header has '${repeated}' twice.` }] };
  const problems: CsvProblem[] = [];
  const rows: CsvRow[] = [];
  for (const [index, fields] of data.entries()) {
    const line = lines[index] ?? 0;
    const isBlank = fields.every((field) => field.trim() === "");
    if (index === 0 || isBlank) continue;
    if (fields.length !== header.length) {
      problems.push({ line, message: `The row has ${fields.length} fields, the header has ${header.length}.` });
      continue;
    }
    const field = (name: string) => (header.includes(name) ? fields[header.indexOf(name)] : undefined);
    rows.push({ line, column: field("column") ?? "", community: field("community"), private: field("private") });
  }
  if (problems.length > 0) return { problems };
  return rows.length > 0 ? { rows } : { problems: [{ line: null, message: "The file has no rows below its header." }] };
}

const headerOf = (fields: readonly string[]): string[] =>
  fields.map((field) =>
    field
      .trim()
      .replace(/^"(.*)"$/, "$1")
      .trim()
      .toLowerCase(),
  );

/** The line on which each row begins: quoted fields may hold line breaks. */
function linesOf(rows: readonly (readonly string[])[], first: number): number[] {
  let line = first;
  return rows.map((fields) => {
    const begins = line;
    line += 1 + fields.reduce((breaks, field) => breaks + (field.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
    return begins;
  });
}

export interface CsvComparison {
  /** Problems that block saving. */
  problems: readonly CsvProblem[];
  changes: readonly DescriptionChange[];
  unchanged: number;
  /** Rows whose column the dataset does not have. */
  unknown: readonly { line: number; column: string }[];
}

/** Changes that saving the rows as one layer would make. Columns without a row keep their description. */
export function compareCsv(rows: readonly CsvRow[], mode: DraftMode, schema: DatasetSchema): CsvComparison {
  const stored = new Map<string | null, string>([
    [null, storedText({ mode }, schema)],
    ...schema.columns.map((column) => [column.name, storedText({ mode }, column)] as const),
  ]);
  const lines = new Map<string | null, number>();
  const problems: CsvProblem[] = rows.some((row) => row[mode] === undefined)
    ? [{ line: null, message: `The file has no column '${mode}'.` }]
    : [];
  const unknown: { line: number; column: string }[] = [];
  const changed = new Map<string | null, DescriptionChange>();
  for (const row of rows) {
    const { line } = row;
    const column = row.column === "" ? null : [row.column, unescaped(row.column), row.column.trim()].find((name) => stored.has(name));
    if (column === undefined) {
      unknown.push({ line, column: row.column });
      continue;
    }
    const name = column === null ? "The dataset" : `'${column}'`;
    const earlier = lines.get(column);
    if (earlier !== undefined) {
      problems.push({ line, message: `${name} also has a row on line ${earlier}.` });
      continue;
    }
    lines.set(column, line);
    const before = stored.get(column) ?? "";
    const text = row[mode];
    const after = text === undefined || isSameText(text, before) ? before : unescaped(normalized(text));
    const limit = column === null ? datasetDescriptionCharacters : columnDescriptionCharacters;
    if (after.length > limit) {
      problems.push({
        line,
        message: `${name} has ${after.length.toLocaleString("en-US")} characters; ${limit.toLocaleString("en-US")} are allowed.`,
      });
    } else if (!isStorable(after)) {
      problems.push({ line, message: `${name} has characters that cannot be stored.` });
    } else if (after !== before) {
      changed.set(column, { column, before, after });
    }
  }
  return {
    problems,
    changes: [...stored.keys()].flatMap((column) => changed.get(column) ?? []),
    unchanged: lines.size - changed.size,
    unknown,
  };
}

const normalized = (text: string): string => text.replaceAll(/\r\n?/g, "\n");

/** Whether a field is the text as our CSV writes it, or as a spreadsheet writes it back. */
const isSameText = (field: string, stored: string): boolean =>
  [stored, escapeFormula(stored)].some((text) => normalized(text) === normalized(field));

/** Drops the apostrophe that our CSV writes before formulas. */
const unescaped = (field: string): string => (field.startsWith("'") && formulaPattern.test(field.slice(1)) ? field.slice(1) : field);
