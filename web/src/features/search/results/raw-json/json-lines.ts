/** One line of laid out JSON. */
export interface JsonLine {
  /** Property name before the value; undefined in a list and for the whole. */
  key: string | undefined;
  /** What stands after the name: a scalar's text, an opening or a closing bracket. */
  text: string;
  kind: "string" | "number" | "atom" | "open" | "close" | "folded";
  depth: number;
  comma: boolean;
  /** Where the value is, from its row: property names and indexes. */
  path: readonly (string | number)[];
  /** The value that Copy value copies: the whole object on an opening or folded line. */
  value: unknown;
  /** Entries of a folded object or list. */
  entries: number;
}

type Container = readonly unknown[] | Readonly<Record<string, unknown>>;

export const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null;

const entriesOf = (value: Container): [string | number, unknown][] =>
  Array.isArray(value) ? value.map((entry, index): [number, unknown] => [index, entry]) : Object.entries(value);

/** Names a container within its row. */
export const pathKey = (path: readonly (string | number)[]): string => JSON.stringify(path);

/** How many lines a value takes. Containers whose key is in `folded` take one, like empty ones and scalars. */
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

/** The lines of one value, as `JSON.stringify` with two spaces lays them out. `depth` and `comma` place it in what is around. */
export function linesOf(value: unknown, folded: ReadonlySet<string> | undefined, depth: number, comma: boolean): JsonLine[] {
  const lines: JsonLine[] = [];
  push(lines, { key: undefined, value, depth, comma, path: [] }, folded);
  return lines;
}

type Placed = Pick<JsonLine, "key" | "value" | "depth" | "comma" | "path">;

function push(lines: JsonLine[], placed: Placed, folded: ReadonlySet<string> | undefined): void {
  const { value, path, depth } = placed;
  if (!isContainer(value)) {
    lines.push({ ...placed, entries: 0, ...scalar(value) });
    return;
  }
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const entries = entriesOf(value);
  if (entries.length === 0) lines.push({ ...placed, entries: 0, text: open + close, kind: "atom" });
  else if (folded?.has(pathKey(path))) lines.push({ ...placed, entries: entries.length, text: `${open}…${close}`, kind: "folded" });
  else {
    lines.push({ ...placed, entries: entries.length, text: open, kind: "open", comma: false });
    for (const [at, [name, entry]] of entries.entries()) {
      const key = typeof name === "string" ? name : undefined;
      push(lines, { key, value: entry, depth: depth + 1, comma: at < entries.length - 1, path: [...path, name] }, folded);
    }
    lines.push({ ...placed, key: undefined, entries: 0, text: close, kind: "close" });
  }
}

function scalar(value: unknown): Pick<JsonLine, "text" | "kind"> {
  if (typeof value === "string") return { text: JSON.stringify(value), kind: "string" };
  if (typeof value === "number") return { text: String(value), kind: "number" };
  return { text: typeof value === "boolean" ? String(value) : "null", kind: "atom" };
}

/** A line as text without its indentation: what a find looks at. */
export const lineText = ({ key, text, comma }: JsonLine): string =>
  `${key === undefined ? "" : `${JSON.stringify(key)}: `}${text}${comma ? "," : ""}`;

/** `[3].wind`, `[3]["storm name"]`: how one would write the place in a program. */
export function pathText(row: number, path: readonly (string | number)[]): string {
  const steps = path.map((step) =>
    typeof step === "number" ? `[${step}]` : /^[A-Za-z_$][\w$]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`,
  );
  return `[${row}]${steps.join("")}`;
}
