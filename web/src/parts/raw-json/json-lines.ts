import { exactNumber } from "#lib/text/exact-json.ts";

/** One line of pretty-printed JSON. */
export interface JsonLine {
  /** Property name; undefined in arrays and for the root value. */
  key: string | undefined;
  /** Text after the name: a scalar, or an opening or closing bracket. */
  text: string;
  kind: "string" | "number" | "atom" | "open" | "close" | "folded";
  depth: number;
  comma: boolean;
  /** Path of the value within its row: property names and indexes. */
  path: readonly (string | number)[];
  /** The value that Copy value copies; the whole object for opening and folded lines. */
  value: unknown;
  /** Number of entries of a folded object or array. */
  entries: number;
}

export type Container = readonly unknown[] | Readonly<Record<string, unknown>>;

export const isContainer = (value: unknown): value is Container =>
  typeof value === "object" && value !== null && exactNumber(value) === undefined;

const entriesOf = (value: Container): [string | number, unknown][] =>
  Array.isArray(value) ? value.map((entry, index): [number, unknown] => [index, entry]) : Object.entries(value);

/** Identifies a container within its row. */
export const pathKey = (path: readonly (string | number)[]): string => JSON.stringify(path);

/** Number of lines of a value. Folded containers (keys in `folded`), empty ones and scalars take one line. */
export function lineCount(value: unknown, folded: ReadonlySet<string> | undefined, path: readonly (string | number)[] = []): number {
  if (!isContainer(value)) return 1;
  if (folded?.has(pathKey(path))) return 1;
  let lines = 2;
  let isEmpty = true;
  if (Array.isArray(value)) {
    isEmpty = value.length === 0;
    for (const [index, entry] of value.entries()) lines += isContainer(entry) ? lineCount(entry, folded, [...path, index]) : 1;
  } else {
    for (const [name, entry] of Object.entries(value)) {
      isEmpty = false;
      lines += isContainer(entry) ? lineCount(entry, folded, [...path, name]) : 1;
    }
  }
  return isEmpty ? 1 : lines;
}

/** The lines of a value, formatted like `JSON.stringify` with two spaces. `depth` and `comma` describe its context. */
export function linesOf(value: unknown, folded: ReadonlySet<string> | undefined, depth: number, comma: boolean): JsonLine[] {
  const lines: JsonLine[] = [];
  pushLines(lines, { key: undefined, value, depth, comma, path: [] }, folded);
  return lines;
}

type LineContext = Pick<JsonLine, "key" | "value" | "depth" | "comma" | "path">;

function pushLines(lines: JsonLine[], context: LineContext, folded: ReadonlySet<string> | undefined): void {
  const { value, path, depth } = context;
  if (!isContainer(value)) {
    lines.push({ ...context, entries: 0, ...scalar(value) });
    return;
  }
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const entries = entriesOf(value);
  if (entries.length === 0) lines.push({ ...context, entries: 0, text: open + close, kind: "atom" });
  else if (folded?.has(pathKey(path))) lines.push({ ...context, entries: entries.length, text: `${open}…${close}`, kind: "folded" });
  else {
    lines.push({ ...context, entries: entries.length, text: open, kind: "open", comma: false });
    for (const [index, [name, entry]] of entries.entries()) {
      const key = typeof name === "string" ? name : undefined;
      pushLines(lines, { key, value: entry, depth: depth + 1, comma: index < entries.length - 1, path: [...path, name] }, folded);
    }
    lines.push({ ...context, key: undefined, entries: 0, text: close, kind: "close" });
  }
}

function scalar(value: unknown): Pick<JsonLine, "text" | "kind"> {
  if (typeof value === "string") return { text: JSON.stringify(value), kind: "string" };
  const number = typeof value === "number" ? String(value) : exactNumber(value);
  if (number !== undefined) return { text: number, kind: "number" };
  return { text: typeof value === "boolean" ? String(value) : "null", kind: "atom" };
}

/** The text of a line without indentation, used for find. */
export const lineText = ({ key, text, comma }: JsonLine): string =>
  `${key === undefined ? "" : `${JSON.stringify(key)}: `}${text}${comma ? "," : ""}`;

/** `[3].wind`, `storm["full name"]`: the path from the root as a JavaScript accessor. */
export function pathText(path: readonly (string | number)[]): string {
  const steps = path.map((step) =>
    typeof step === "number" ? `[${step}]` : /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`,
  );
  return steps.join("").replace(/^\./, "");
}
