import { type ColumnType, isNumeric, isTimestamp } from "@fairway/contract/columns";
import { parseFilterValue } from "@fairway/contract/filter-values";

/** A response without the expected content. The message completes "The service behind this dataset …". */
export class UnreadableResponse extends Error {
  override readonly name = "UnreadableResponse";
}

/** A small response can expand to a lot of text, because every row repeats the names of its columns and of their parents. */
export class RowsTooLarge extends UnreadableResponse {
  constructor() {
    super("returned rows that are too large to pass on. Narrow the search with more filters");
  }
}

/** Objects up to this depth are flattened to columns; deeper ones are shown as JSON. */
const maxFlattenedLevels = 6;

/** Parses the response's JSON; integers beyond 2^53 become text. Throws UnreadableResponse. */
export function parseJson(text: string, contentType: string): unknown {
  try {
    return JSON.parse(withExactIntegers(text)) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error;
    // The error quotes the text, which may contain anything.
    throw new UnreadableResponse(contentType === "" ? "did not return JSON" : `did not return JSON but ${contentType}`);
  }
}

/** The rows of a response: a list, a single object, or either as JSON text. Throws UnreadableResponse. */
export function rowsIn(response: unknown, rowsPath: string | null): readonly object[] {
  const found = rowsPath === null ? (Array.isArray(response) ? response : valueAt(response, "results")) : valueAt(response, rowsPath);
  const where = rowsPath === "" || (rowsPath === null && Array.isArray(response)) ? "its response" : `'${rowsPath ?? "results"}'`;
  const rows = typeof found === "string" ? jsonText(found, where) : found;
  if (rows === undefined) throw new UnreadableResponse(`returned no ${where}`);
  if (!isObjectOrList(rows))
    throw new UnreadableResponse(`returned ${rows === null ? "null" : typeof rows} where rows were expected: in ${where}`);
  if (!Array.isArray(rows)) return [rows];
  const invalidIndex = rows.findIndex((row) => !isObjectOrList(row) || Array.isArray(row));
  if (invalidIndex >= 0) throw new UnreadableResponse(`returned something other than an object as row ${invalidIndex + 1} in ${where}`);
  return rows as object[];
}

/** The total number of rows according to the response. Throws UnreadableResponse. */
export function totalIn(response: unknown, path: string): number {
  const found = valueAt(response, path);
  const total = typeof found === "string" && /^\d{1,16}$/.test(found) ? Number(found) : found;
  if (typeof total === "number" && Number.isSafeInteger(total) && total >= 0) return total;
  throw new UnreadableResponse(`returned no number of rows in '${path}'`);
}

/**
 * A row as JSON text: the columns in order, or the row's own fields if there are no columns. Throws UnreadableResponse, or
 * RowsTooLarge if the text would exceed `maxCharacters`.
 */
export function rowText(
  row: object,
  columns: readonly { readonly name: string; readonly type: ColumnType }[] | null,
  maxCharacters: number,
): string {
  let text = "";
  const write = (name: string, value: unknown): void => {
    text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${cellText(value)}`;
    if (text.length > maxCharacters) throw new RowsTooLarge();
  };
  try {
    if (columns === null) writeFields(row, "", 0, write);
    else for (const { name, type } of columns) write(name, convert(valueAt(row, name), type));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UnreadableResponse("returned a row that is nested too deeply");
  }
  return `{${text}}`;
}

function writeFields(row: object, prefix: string, level: number, write: (name: string, value: unknown) => void): void {
  for (const [name, value] of Object.entries(row) as [string, unknown][]) {
    const isNested = isObjectOrList(value) && !Array.isArray(value) && level + 1 < maxFlattenedLevels && Object.keys(value).length > 0;
    if (isNested) writeFields(value, `${prefix}${name}.`, level + 1, write);
    else write(prefix + name, value);
  }
}

/** Converts a value to the column's type if that is possible without loss; otherwise leaves it unchanged. */
function convert(value: unknown, type: ColumnType): unknown {
  if (type === "STRING") return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  if (typeof value !== "string") return value;
  if (isTimestamp(type)) return epoch(value, type) ?? value;
  if (type === "BOOLEAN") return value === "true" ? true : value === "false" ? false : value;
  const parsed = isNumeric(type) ? parseFilterValue("decimal", value) : { problem: "" };
  return "value" in parsed && (type === "decimal" || Number.isSafeInteger(parsed.value)) ? parsed.value : value;
}

/** The time as a number in the column's unit. */
function epoch(value: string, type: ColumnType): number | undefined {
  const parsed = parseFilterValue(
    "TIMESTAMP_MILLS",
    /^-?\d+$/.test(value) ? Number(value) * (type === "TIMESTAMP_SECONDS" ? 1_000 : 1) : value,
  );
  if ("problem" in parsed) return undefined;
  return Math.floor(Number(parsed.value) / (type === "TIMESTAMP_SECONDS" ? 1_000 : 1));
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return "null";
  return isObjectOrList(value) ? JSON.stringify(JSON.stringify(value)) : JSON.stringify(value);
}

/** The value at a path: a literal name, names joined by dots, or a JSON pointer. An empty path means the whole value. */
function valueAt(value: unknown, path: string): unknown {
  if (path === "") return value;
  if (isObjectOrList(value) && Object.hasOwn(value, path)) return own(value, path);
  const names = path.startsWith("/")
    ? path
        .slice(1)
        .split("/")
        .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"))
    : path.split(".");
  return names.reduce<unknown>(
    (inner, name) => (isObjectOrList(inner) && Object.hasOwn(inner, name) ? own(inner, name) : undefined),
    value,
  );
}

const own = (value: object, name: string): unknown => (value as Readonly<Record<string, unknown>>)[name];

const isObjectOrList = (value: unknown): value is object => typeof value === "object" && value !== null;

function jsonText(text: string, where: string): unknown {
  try {
    return JSON.parse(withExactIntegers(text)) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error;
    throw new UnreadableResponse(`returned text in ${where} that is not JSON`);
  }
}

/** Quotes integers beyond 2^53, which JSON.parse would round. */
function withExactIntegers(text: string): string {
  if (!/\d{16}/.test(text)) return text;
  const parts: string[] = [];
  let inText = false;
  let from = 0;
  for (const { 0: token, index } of text.matchAll(/\\.|"|-?\d{16,}(?:\.\d+)?(?:[eE][+-]?\d+)?/gs)) {
    if (token === '"') inText = !inText;
    if (inText || token.startsWith("\\") || !/^-?\d+$/.test(token) || Number.isSafeInteger(Number(token))) continue;
    // After a decimal point or an exponent they are part of a fraction.
    if (/[.\deE+-]/.test(text[index - 1] ?? "")) continue;
    parts.push(text.slice(from, index), '"', token, '"');
    from = index + token.length;
  }
  return from === 0 ? text : parts.join("") + text.slice(from);
}
