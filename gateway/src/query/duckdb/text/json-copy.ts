import { formatCount } from "@fairway/contract/counts";
import type { TextEncoding } from "@fairway/contract/readings";
import { UnreadableData } from "#query/engine.ts";
import { crsOf, featureRow, isFeature } from "./geojson.ts";
import { JsonDocument } from "./json-document.ts";
import { type JsonCell, type JsonObject, parseObject, parseValue } from "./json-rows.ts";
import { textBytes } from "./text-bytes.ts";
import { Findings, type LineFindings } from "./text-copies.ts";
import { linesOf } from "./text-lines.ts";

/** Layout of the rows of a JSON file. */
export interface JsonLayout {
  /** One object per line, values of one document, or the outermost values of a file. */
  readonly kind: "lines" | "list" | "roots";
  readonly path: string;
  /** All lists of objects with their numbers of rows. */
  readonly paths: readonly { readonly path: string; readonly rows: number }[];
}

export interface JsonFileParts {
  readonly file: string;
  readonly encoding: TextEncoding;
  /** The start of the file. */
  readonly head: string;
  readonly signal: AbortSignal;
}

const sampledLines = 20;

/** Finds out where the rows of a file are. `path`: a choice. */
export async function layoutOf(parts: JsonFileParts, path: string | null): Promise<JsonLayout> {
  const lines = withoutMark(parts.head).split(/\r\n|\r|\n/);
  const filled = lines.filter((line) => line.trim() !== "").slice(0, sampledLines);
  const objects = filled.filter((line) => typeof parseObject(withoutMark(line)) !== "string").length;
  const [first = ""] = filled;
  const isList = first.trim().startsWith("[");
  // Whatever stands in between: a line that is broken loses only itself.
  if (!isList && filled.length > 1 && objects * 2 >= filled.length - 1 && objects > 0 && path === null)
    return { kind: "lines", path: "", paths: [] };
  const counts = new Map<string, number>();
  const document = new JsonDocument(null);
  for await (const text of textsOf(parts))
    for (const element of document.push(text)) if (element.isObject) counts.set(element.path, (counts.get(element.path) ?? 0) + 1);
  const paths = [...counts].map(([name, rows]) => ({ path: name, rows })).filter((one) => one.path !== "\u0000");
  if (path !== null && (path === "" || paths.some((one) => one.path === path))) {
    return path === "" && !isList ? { kind: objects > 1 ? "lines" : "roots", path, paths } : { kind: "list", path, paths };
  }
  const [largest] = paths.toSorted((a, b) => b.rows - a.rows);
  if (isList || (document.rootObjects === 1 && largest !== undefined))
    return { kind: "list", path: isList ? "" : (largest?.path ?? ""), paths };
  return { kind: objects > 0 ? "lines" : "roots", path: "", paths: [] };
}

/** Sequences of JSON texts mark each one (RFC 8142). */
const withoutMark = (line: string): string => (line.startsWith("\u001e") ? line.slice(1) : line);

async function* textsOf({ file, encoding, signal }: JsonFileParts): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of textBytes(file, encoding, signal)) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

interface RawRow {
  readonly line: number;
  readonly text: string;
  readonly isRecoded: boolean;
  readonly isCut: boolean;
}

/** Answers whether the file ends where its document does. */
async function* rawRows(parts: JsonFileParts, { kind, path }: JsonLayout): AsyncGenerator<readonly RawRow[], boolean> {
  if (kind === "lines") {
    for await (const lines of linesOf(textBytes(parts.file, parts.encoding, parts.signal))) {
      yield lines
        .filter(({ text }) => text.trim() !== "")
        .map(({ number, text, isRecoded }) => ({ line: number, text: withoutMark(text), isRecoded, isCut: false }));
    }
    return true;
  }
  const document = new JsonDocument(path, kind === "roots");
  const row = ({ text, line, isCut }: { text: string; line: number; isCut: boolean }): RawRow => ({ text, line, isCut, isRecoded: false });
  for await (const text of textsOf(parts)) yield [...document.push(text)].filter((element) => element.path === path).map(row);
  const isWhole = document.isWhole || kind === "roots";
  const rest = [...document.end()].filter((element) => element.path === path);
  yield rest.map(row);
  // A row that is cut is counted itself.
  return isWhole || rest.some(({ isObject }) => isObject);
}

/** DuckDB's name for the only column of values that are not objects. */
export const bareValueColumn = "json";
/** The first column of a copy: the line on which a row begins. */
export const lineColumn = "fairway line";

interface Kinds {
  numbers: number;
  texts: number;
  booleans: number;
  nested: number;
}

/** Names are columns. Names that are values, such as ids, would make more, each of them in every row. */
const maxNames = 10_000;
/** Longer texts are passed on before the next row. */
const writtenCharacters = 1_000_000;

/** The rows of a JSON file as plain CSV, in which every value is a text; the first column is the line of the row. */
export async function* plainJson(parts: JsonFileParts, layout: JsonLayout): AsyncGenerator<string, LineFindings> {
  const geo = (await startsWithFeatures(parts, layout)) ? { crs: crsOf(parts.head) } : null;
  const columns = new Map<string, Kinds>();
  let objects = 0;
  for await (const rows of rawRows(parts, layout)) {
    for (const { text } of rows) {
      const cells = cellsOf(text, geo?.crs, geo !== null);
      if (cells === undefined) continue;
      objects += 1;
      for (const [key, { kind }] of cells.cells) count(columns, key, kind);
      if (columns.size > maxNames) throw new UnreadableData("JSON", `its objects have more than ${formatCount(maxNames)} different names`);
    }
  }
  const holdsValues = objects === 0;
  const findings = new Findings();
  const names = [...columns.keys()];
  const all = rawRows(parts, layout);
  let isWhole = true;
  for (;;) {
    const { value: rows, done } = await all.next();
    if (done === true) {
      isWhole = rows;
      break;
    }
    let written = "";
    for (const { line, text, isRecoded, isCut } of rows) {
      findings.lines += 1;
      const parsed = isCut ? undefined : cellsOf(text, geo?.crs, geo !== null);
      const value = parsed === undefined && holdsValues && !isCut ? parseValue(text) : undefined;
      if (parsed === undefined && value === undefined) {
        const fault = parseObject(text);
        findings.add("unreadable", line, typeof fault === "string" ? fault : "it ends too early", text);
        continue;
      }
      if (isRecoded) findings.add("recoded", line);
      if (parsed !== undefined && parsed.repeatedKeys > 0) findings.add("repeatedKeys", line);
      if (parsed !== undefined && parsed.halfCharacters > 0) findings.add("halfCharacters", line);
      if (value !== undefined) count(columns, bareValueColumn, value.kind);
      const cells = parsed === undefined ? [value] : names.map((name) => parsed.cells.get(name));
      const record = `${line},${cells.map(csvCell).join(",")}\n`;
      findings.longestLine = Math.max(findings.longestLine, record.length);
      written += record;
      // Rows of few values are long where there are many columns.
      if (written.length > writtenCharacters) {
        yield written;
        written = "";
      }
    }
    if (written !== "") yield written;
  }
  return {
    ...findings.all,
    json: {
      headers: [...columns.keys()],
      kinds: [...columns.values()],
      path: layout.path,
      paths: [...layout.paths],
      repeatedKeys: findings.of("repeatedKeys"),
      halfCharacters: findings.of("halfCharacters"),
      isWhole,
      geo,
    },
  };
}

function cellsOf(text: string, crs: string | null | undefined, isGeo: boolean): JsonObject | undefined {
  const parsed = parseObject(text);
  if (typeof parsed === "string") return undefined;
  if (!isGeo || !isFeature(parsed.cells)) return parsed;
  const feature = featureRow(parsed.cells, crs ?? null);
  return {
    ...feature,
    repeatedKeys: feature.repeatedKeys + parsed.repeatedKeys,
    halfCharacters: feature.halfCharacters + parsed.halfCharacters,
  };
}

async function startsWithFeatures(parts: JsonFileParts, layout: JsonLayout): Promise<boolean> {
  let seen = 0;
  for await (const rows of rawRows(parts, layout)) {
    for (const { text } of rows) {
      const parsed = parseObject(text);
      if (typeof parsed === "string") continue;
      if (!isFeature(parsed.cells)) return false;
      seen += 1;
      if (seen === sampledLines) return true;
    }
  }
  return seen > 0;
}

function count(columns: Map<string, Kinds>, name: string, kind: JsonCell["kind"]): void {
  let kinds = columns.get(name);
  if (kinds === undefined) columns.set(name, (kinds = { numbers: 0, texts: 0, booleans: 0, nested: 0 }));
  if (kind === "number") kinds.numbers += 1;
  else if (kind === "string") kinds.texts += 1;
  else if (kind === "boolean") kinds.booleans += 1;
  else if (kind === "nested") kinds.nested += 1;
}

/** No value is an empty cell, an empty text is a quoted one. */
function csvCell(cell: JsonCell | undefined): string {
  if (cell === undefined || cell.kind === "null") return "";
  return cell.text === "" || /[",\r\n]/.test(cell.text) ? `"${cell.text.replaceAll('"', '""')}"` : cell.text;
}
