import { type ColumnType, isNumeric, isTimestamp } from "@fairway/contract/columns";
import { parseFilterValue } from "@fairway/contract/filter-values";

/** An answer that does not hold what it has to. The sentence continues "The upstream …". */
export class UnreadableAnswer extends Error {
  override readonly name = "UnreadableAnswer";
}

/** A small answer can come to a lot of text: every row repeats the names of its columns, and every field those of its objects. */
export class RowsTooLarge extends UnreadableAnswer {
  constructor() {
    super("answered rows that are too large to pass on. Narrow the search with more filters");
  }
}

/** Below these many levels an object's fields are columns of their own; deeper, it is shown as JSON. */
const flattenedLevels = 6;

/** The answer's JSON; whole numbers that JavaScript cannot hold are texts. Throws UnreadableAnswer. */
export function parseAnswer(text: string, contentType: string): unknown {
  try {
    return JSON.parse(withExactIntegers(text)) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error;
    // The error quotes the text, which may hold anything.
    throw new UnreadableAnswer(contentType === "" ? "did not answer JSON" : `did not answer JSON but ${contentType}`);
  }
}

/** The rows of an answer: a list, one object, or either of them as a text of JSON. Throws UnreadableAnswer. */
export function rowsIn(answer: unknown, rowsPath: string | null): readonly object[] {
  const found = rowsPath === null ? (Array.isArray(answer) ? answer : valueAt(answer, "results")) : valueAt(answer, rowsPath);
  const where = rowsPath === "" || (rowsPath === null && Array.isArray(answer)) ? "its answer" : `'${rowsPath ?? "results"}'`;
  const rows = typeof found === "string" ? jsonText(found, where) : found;
  if (rows === undefined) throw new UnreadableAnswer(`answered without ${where}`);
  if (!isObjectOrList(rows)) throw new UnreadableAnswer(`answered ${rows === null ? "null" : typeof rows} where rows belong: in ${where}`);
  if (!Array.isArray(rows)) return [rows];
  const odd = rows.findIndex((row) => !isObjectOrList(row) || Array.isArray(row));
  if (odd >= 0) throw new UnreadableAnswer(`answered something else than an object as row ${odd + 1} in ${where}`);
  return rows as object[];
}

/** How many rows there are in all, as the answer tells it. Throws UnreadableAnswer. */
export function totalIn(answer: unknown, path: string): number {
  const found = valueAt(answer, path);
  const total = typeof found === "string" && /^\d{1,16}$/.test(found) ? Number(found) : found;
  if (typeof total === "number" && Number.isSafeInteger(total) && total >= 0) return total;
  throw new UnreadableAnswer(`answered without a number of rows in '${path}'`);
}

/**
 * A row as JSON text: the columns in their order, or without any what the row holds. Throws UnreadableAnswer, as RowsTooLarge
 * where the text would have more than `maxCharacters`.
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
    else for (const { name, type } of columns) write(name, typed(valueAt(row, name), type));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UnreadableAnswer("answered a row that is nested too deeply");
  }
  return `{${text}}`;
}

function writeFields(row: object, prefix: string, level: number, write: (name: string, value: unknown) => void): void {
  for (const [name, value] of Object.entries(row) as [string, unknown][]) {
    const isNested = isObjectOrList(value) && !Array.isArray(value) && level + 1 < flattenedLevels && Object.keys(value).length > 0;
    if (isNested) writeFields(value, `${prefix}${name}.`, level + 1, write);
    else write(prefix + name, value);
  }
}

/** A value that says the same in the column's type is taken as that; any other stays as it came. */
function typed(value: unknown, type: ColumnType): unknown {
  if (type === "STRING") return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  if (typeof value !== "string") return value;
  if (isTimestamp(type)) return epoch(value, type) ?? value;
  if (type === "BOOLEAN") return value === "true" ? true : value === "false" ? false : value;
  const parsed = isNumeric(type) ? parseFilterValue("decimal", value) : { problem: "" };
  return "value" in parsed && (type === "decimal" || Number.isSafeInteger(parsed.value)) ? parsed.value : value;
}

/** The time as a number of the column's unit. */
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

/** What stands at a path: a name as it is, names joined by dots, or a JSON pointer. Empty: the whole. */
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
    throw new UnreadableAnswer(`answered a text in ${where} that is not JSON`);
  }
}

/** JSON.parse rounds whole numbers beyond 2^53; as texts they stay what they are. */
function withExactIntegers(text: string): string {
  if (!/\d{16}/.test(text)) return text;
  const parts: string[] = [];
  let inText = false;
  let from = 0;
  for (const { 0: token, index } of text.matchAll(/\\.|"|-?\d{16,}(?:\.\d+)?(?:[eE][+-]?\d+)?/gs)) {
    if (token === '"') inText = !inText;
    if (inText || token.startsWith("\\") || !/^-?\d+$/.test(token) || Number.isSafeInteger(Number(token))) continue;
    // Behind a point or an exponent they belong to a fraction.
    if (/[.\deE+-]/.test(text[index - 1] ?? "")) continue;
    parts.push(text.slice(from, index), '"', token, '"');
    from = index + token.length;
  }
  return from === 0 ? text : parts.join("") + text.slice(from);
}
