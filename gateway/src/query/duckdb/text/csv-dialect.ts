import { type CsvDialect, splitFields } from "./csv-records.ts";

export interface FoundDialect extends CsvDialect {
  /** Unique without regard to case, as the engine needs them. */
  readonly names: readonly string[];
  /** Names of the header that stand in it more than once. */
  readonly repeated: readonly string[];
  /** Whether every line looked at is a record by itself or part of one: no other line before the names, no comment, none too long or too short. */
  readonly isRegular: boolean;
  /** The records below the names that are as wide as most. */
  readonly sample: readonly (readonly string[])[];
}

const delimiters = [",", ";", "\t", "|"];
/** Quote and escape. The order is the one of preference between readings that explain as many lines. */
const quotings = [
  { quote: "'", escape: "'" },
  { quote: "'", escape: "\\" },
  { quote: "'", escape: '"' },
  { quote: '"', escape: '"' },
  { quote: '"', escape: "\\" },
] as const;
const looksAt = 1_000;

interface Reading extends Pick<CsvDialect, "delimiter" | "quote" | "escape"> {
  readonly width: number;
  /** Lines with as many fields as most. */
  readonly share: number;
  readonly rows: readonly { readonly line: number; readonly fields: readonly string[] }[];
}

/** How a CSV file is written, by its first lines. `texts` holds them in order, blank ones included; undefined where none has any text. */
export function dialectOf(texts: readonly string[]): FoundDialect | undefined {
  const lines = texts.slice(0, looksAt).map((text, index) => ({ text, line: index + 1 }));
  if (lines.every(({ text }) => text.trim() === "")) return undefined;
  const readings = quotings.flatMap((quoting) => delimiters.map((delimiter) => read(lines, { delimiter, ...quoting })));
  const fitting = readings.filter(
    (one) =>
      one.width > 1 && one.share >= (one.rows[0]?.fields.length === one.width ? 0.3 : 0.5) && (one.quote === '"' || isQuotedBy(lines, one)),
  );
  const [best] = fitting.toSorted((a, b) => b.share - a.share || preference(a) - preference(b) || b.width - a.width);
  return finish(best ?? singleColumn(lines));
}

const preference = ({ quote, escape }: Reading): number => quotings.findIndex((one) => one.quote === quote && one.escape === escape);

type Line = { readonly text: string; readonly line: number };

function read(lines: readonly Line[], signs: Pick<CsvDialect, "delimiter" | "quote" | "escape">): Reading {
  const rows: { line: number; fields: readonly string[] }[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const first = lines[at];
    if (first === undefined || first.text.trim() === "") continue;
    let { fields, fault } = splitFields(first.text, signs);
    let text = first.text;
    let last = at;
    while (fault === "open" && last + 1 < Math.min(lines.length, at + 50)) {
      last += 1;
      text += `\n${lines[last]?.text ?? ""}`;
      ({ fields, fault } = splitFields(text, signs));
    }
    if (fault === null) {
      rows.push({ line: first.line, fields });
      at = last;
    } else rows.push({ line: first.line, fields: [] });
  }
  const first = rows[0]?.fields.length;
  const counts = new Map<number, number>();
  for (const { fields } of rows) counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1);
  counts.delete(0);
  const [[width, count] = [1, 0]] = [...counts].toSorted(
    (a, b) => b[1] - a[1] || Number(b[0] === first) - Number(a[0] === first) || b[0] - a[0],
  );
  return { ...signs, width, share: count / rows.length, rows };
}

/** Whether values are quoted by the less common sign: it begins and ends some of them. */
const isQuotedBy = (lines: readonly Line[], { delimiter, quote }: Reading): boolean =>
  lines.some(
    ({ text }) =>
      (text.startsWith(quote) || text.includes(delimiter + quote)) && (text.endsWith(quote) || text.includes(quote + delimiter)),
  );

function singleColumn(lines: readonly Line[]): Reading {
  // No sign of ordinary text, so that every line is one value.
  const reading = read(lines, { delimiter: "\u001f", quote: '"', escape: '"' });
  return { ...reading, width: 1 };
}

function finish({ delimiter, quote, escape, width: most, rows }: Reading): FoundDialect {
  const first = rows[0]?.fields ?? [];
  const headerAt = headerIndex(rows, most);
  const header = headerAt === null ? null : (rows[headerAt] ?? null);
  const width = header?.fields.length ?? most;
  const { names, repeated } = header === null ? { names: numbered(width), repeated: [] } : namesOf(header.fields);
  const isRegular =
    (headerAt ?? 0) === 0 &&
    rows[0]?.line === 1 &&
    rows.every(({ fields }) => fields.length === width) &&
    (first.length !== 1 || width === 1);
  const sample = rows.slice(headerAt === null ? 0 : headerAt + 1).flatMap(({ fields }) => (fields.length === width ? [fields] : []));
  return { delimiter, quote, escape, width, headerLine: header?.line ?? null, names, repeated, isRegular, sample };
}

/** Which of the rows holds the names; null where all of them are data. */
function headerIndex(rows: Reading["rows"], width: number): number | null {
  const begin = rows.findIndex(({ fields }) => fields.length === width);
  const isComment = (at: number) => rows[at]?.fields[0]?.startsWith("#") === true;
  // Before the names stand remarks of another shape: a title, comments, a line set off by a blank one.
  const isPreamble = rows
    .slice(0, begin)
    .every(({ fields, line }, at) => fields.length <= 1 || isComment(at) || (rows[at + 1]?.line ?? line) > line + 1);
  const at = isPreamble ? begin : 0;
  const candidate = rows[at]?.fields ?? [];
  const data = rows.slice(at + 1).map(({ fields }) => fields);
  return isHeader(candidate, data) || (at === 0 && begin > 0) ? at : null;
}

type Kind = "blank" | "number" | "boolean" | "moment" | "text";

export const isNumberLike = (text: string): boolean =>
  /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i.test(text.trim()) && !/^[+-]?0\d/.test(text.trim());

function kindOf(value: string): Kind {
  const text = value.trim();
  if (text === "") return "blank";
  if (isNumberLike(text)) return "number";
  if (/^(true|false)$/i.test(text)) return "boolean";
  return isMomentLike(text) ? "moment" : "text";
}

export const isMomentLike = (text: string): boolean =>
  /^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2}))([T ]\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?( ?[AP]M)?( ?(Z|[+-]\d{2}(:?\d{2})?))?)?$/i.test(
    text.trim(),
  );

function isHeader(candidate: readonly string[], rows: readonly (readonly string[])[]): boolean {
  const kinds = candidate.map(kindOf);
  const below = candidate.map((_, index) => kindBelow(rows.flatMap((row) => row[index] ?? [])));
  if (below.every((kind) => kind === "text" || kind === "blank"))
    return kinds.every((kind) => kind === "text" || kind === "blank") && kinds.includes("text");
  if (kinds.some((kind, index) => below[index] !== "text" && below[index] !== "blank" && kind !== below[index] && kind !== "blank"))
    return true;
  return namesYears(candidate, kinds, rows);
}

/** A row of texts and years over values that are not years: `country,2019,2020`. */
function namesYears(candidate: readonly string[], kinds: readonly Kind[], rows: readonly (readonly string[])[]): boolean {
  const isYear = (value: string | undefined) => /^(18|19|20|21)\d\d$/.test(value ?? "");
  const numbers = candidate.filter((_, index) => kinds[index] === "number");
  const areYears = numbers.length > 1 && numbers.every(isYear) && new Set(numbers).size === numbers.length;
  return areYears && kinds.includes("text") && rows.some((row) => candidate.some((value, index) => isYear(value) && !isYear(row[index])));
}

/** What nine of ten values are. */
function kindBelow(values: readonly string[]): Kind {
  const kinds = values.map(kindOf).filter((kind) => kind !== "blank");
  if (kinds.length === 0) return "blank";
  for (const kind of ["number", "boolean", "moment"] as const) {
    if (kinds.filter((one) => one === kind).length >= kinds.length * 0.9) return kind;
  }
  return "text";
}

function namesOf(header: readonly string[]): { names: string[]; repeated: string[] } {
  const taken = new Set<string>();
  const repeated: string[] = [];
  const unnamed = numbered(header.length);
  const names = header.map((cell, index) => {
    const own = cell.trim() === "" ? (unnamed[index] ?? "") : cell.trim();
    let name = own;
    for (let count = 1; taken.has(name.toLowerCase()); count += 1) name = `${own}_${count}`;
    if (name !== own) repeated.push(own);
    taken.add(name.toLowerCase());
    return name;
  });
  return { names, repeated };
}

/** As DuckDB calls columns without a name. */
function numbered(width: number): string[] {
  const digits = String(width - 1).length;
  return Array.from({ length: width }, (_, index) => `column${String(index).padStart(digits, "0")}`);
}
