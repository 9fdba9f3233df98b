import { type CsvDialect, splitFields } from "./csv-records.ts";

export interface DetectedDialect extends CsvDialect {
  /** Unique case-insensitively, as the engine requires. */
  readonly names: readonly string[];
  /** The names as they are in the file. */
  readonly headers: readonly string[];
  /** Names that occur more than once in the header. */
  readonly repeated: readonly string[];
  /** Whether all sampled lines are plain records: no lines before the header, no comments, none too long or too short. */
  readonly isRegular: boolean;
}

const delimiters = [",", ";", "\t", "|"];
/** Quote and escape characters, in order of preference between candidates that explain equally many lines. */
const quoteStyles = [
  { quote: "'", escape: "'" },
  { quote: "'", escape: "\\" },
  { quote: "'", escape: '"' },
  { quote: '"', escape: '"' },
  { quote: '"', escape: "\\" },
] as const;
const maxSampledLines = 1_000;

interface Candidate extends Pick<CsvDialect, "delimiter" | "quote" | "escape"> {
  readonly width: number;
  /** Share of lines with `width` fields. */
  readonly share: number;
  readonly rows: readonly { readonly line: number; readonly fields: readonly string[] }[];
}

/** The part of a dialect that a caller may choose; the rest is detected. */
export interface DialectChoices {
  readonly delimiter?: string | null | undefined;
  readonly quote?: string | null | undefined;
  /** 0: there is none. */
  readonly headerLine?: number | null | undefined;
  readonly skipLines?: number | null | undefined;
}

/** Detects the dialect from the first lines of a file, including blank ones. Undefined if all are blank. */
export function detectDialect(texts: readonly string[], choices: DialectChoices = {}): DetectedDialect | undefined {
  const named = choices.skipLines == null ? delimiterLine(texts[0] ?? "") : undefined;
  const skipLines = choices.skipLines ?? (named === undefined ? 0 : 1);
  const delimiter = choices.delimiter ?? named;
  const lines = texts
    .slice(0, maxSampledLines)
    .map((text, index) => ({ text, line: index + 1 }))
    .slice(skipLines);
  if (lines.every(({ text }) => text.trim() === "")) return undefined;
  // Without its quotes, a style splits like those with another escape, and the less common quote is never taken.
  const matters = ({ quote, escape }: (typeof quoteStyles)[number]) =>
    lines.some(({ text }) => text.includes(quote)) || (escape === quote && (quote === '"' || choices.quote != null));
  const styles = quoteStyles.filter((style) => (choices.quote == null || style.quote === choices.quote) && matters(style));
  const candidates = styles.flatMap((style) =>
    (delimiter == null ? delimiters : [delimiter]).map((one) => parseWith(lines, { delimiter: one, ...style })),
  );
  const plausible = candidates.filter(
    (one) =>
      one.width > 1 &&
      (delimiter != null || one.share >= (one.rows[0]?.fields.length === one.width ? 0.3 : 0.5)) &&
      (one.quote === '"' || choices.quote != null || isQuotedBy(lines, one)),
  );
  const [best] = plausible.toSorted((a, b) => b.share - a.share || preference(a) - preference(b) || b.width - a.width);
  return toDialect(best ?? singleColumn(lines), skipLines, choices.headerLine);
}

/** The delimiter that a first line such as `sep=;` declares for spreadsheets; undefined if it is another line. */
function delimiterLine(text: string): string | undefined {
  const found = /^\s*"?sep=(\\t|.)"?\s*$/iu.exec(text.replace(/^\ufeff/, ""))?.[1];
  return found === "\\t" ? "\t" : found;
}

const preference = ({ quote, escape }: Candidate): number => quoteStyles.findIndex((one) => one.quote === quote && one.escape === escape);

type Line = { readonly text: string; readonly line: number };

function parseWith(lines: readonly Line[], syntax: Pick<CsvDialect, "delimiter" | "quote" | "escape">): Candidate {
  const rows: { line: number; fields: readonly string[] }[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const first = lines[at];
    if (first === undefined || first.text.trim() === "") continue;
    let { fields, fault } = splitFields(first.text, syntax);
    let text = first.text;
    let last = at;
    while (fault === "open" && last + 1 < Math.min(lines.length, at + 50)) {
      last += 1;
      const next = lines[last]?.text ?? "";
      text += `\n${next}`;
      // Only a line with a quote can end the value.
      if (next.includes(syntax.quote)) ({ fields, fault } = splitFields(text, syntax));
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
    // Lines of one value above the data are a title, and those below it a remark.
    (a, b) => b[1] - a[1] || Number(b[0] > 1) - Number(a[0] > 1) || Number(b[0] === first) - Number(a[0] === first) || b[0] - a[0],
  );
  return { ...syntax, width, share: count / rows.length, rows };
}

/** Whether the less common quote character starts and ends some values. */
const isQuotedBy = (lines: readonly Line[], { delimiter, quote }: Candidate): boolean =>
  lines.some(
    ({ text }) =>
      (text.startsWith(quote) || text.includes(delimiter + quote)) && (text.endsWith(quote) || text.includes(quote + delimiter)),
  );

function singleColumn(lines: readonly Line[]): Candidate {
  // A delimiter that does not occur in text makes every line one value.
  const candidate = parseWith(lines, { delimiter: "\u001f", quote: '"', escape: '"' });
  return { ...candidate, width: 1 };
}

function toDialect(
  { delimiter, quote, escape, width: usualWidth, rows }: Candidate,
  skipLines: number,
  chosenHeader: number | null | undefined,
): DetectedDialect {
  const first = rows[0]?.fields ?? [];
  const headerAt = chosenHeader == null ? headerIndex(rows, usualWidth) : chosenHeader === 0 ? null : indexOfLine(rows, chosenHeader);
  const header = headerAt === null ? null : (rows[headerAt] ?? null);
  const width = header?.fields.length ?? usualWidth;
  const { names, repeated } = header === null ? { names: numbered(width), repeated: [] } : namesOf(header.fields);
  const isRegular =
    skipLines === 0 &&
    (headerAt ?? 0) === 0 &&
    rows[0]?.line === 1 &&
    rows.every(({ fields }) => fields.length === width) &&
    (first.length !== 1 || width === 1);
  const headers = header === null ? names : header.fields;
  return { delimiter, quote, escape, width, headerLine: header?.line ?? null, skipLines, names, headers, repeated, isRegular };
}

/** The row that starts on a line, or the first one below it. */
function indexOfLine(rows: Candidate["rows"], line: number): number | null {
  const at = rows.findIndex((row) => row.line >= line);
  return at < 0 ? null : at;
}

/** The index of the header row; null if all rows are data. */
function headerIndex(rows: Candidate["rows"], width: number): number | null {
  const firstFullRow = rows.findIndex(({ fields }) => fields.length === width);
  const isComment = (at: number) => rows[at]?.fields[0]?.startsWith("#") === true;
  // A preamble differs in shape: a title, comments, or lines separated from the data by a blank one.
  const isPreamble = rows
    .slice(0, firstFullRow)
    .every(({ fields, line }, at) => fields.length <= 1 || isComment(at) || (rows[at + 1]?.line ?? line) > line + 1);
  const at = isPreamble ? firstFullRow : 0;
  const candidate = rows[at]?.fields ?? [];
  const data = rows.slice(at + 1).map(({ fields }) => fields);
  return isHeader(candidate, data) || (at === 0 && firstFullRow > 0) ? at : null;
}

type Kind = "blank" | "number" | "boolean" | "timestamp" | "text";

export const isNumberLike = (text: string): boolean =>
  /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i.test(text.trim()) && !/^[+-]?0\d/.test(text.trim());

function kindOf(value: string): Kind {
  const text = value.trim();
  if (text === "") return "blank";
  if (isNumberLike(text)) return "number";
  if (/^(true|false)$/i.test(text)) return "boolean";
  return isTimestampLike(text) ? "timestamp" : "text";
}

export const isTimestampLike = (text: string): boolean =>
  /^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2}))([T ]\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?( ?[AP]M)?( ?(Z|[+-]\d{2}(:?\d{2})?))?)?$/i.test(
    text.trim(),
  );

function isHeader(candidate: readonly string[], rows: readonly (readonly string[])[]): boolean {
  const kinds = candidate.map(kindOf);
  const columns = candidate.map((): string[] => []);
  for (const row of rows) for (const [index, value] of row.entries()) columns[index]?.push(value);
  const below = columns.map(kindBelow);
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
  if (!areYears || !kinds.includes("text")) return false;
  const years = kinds.flatMap((kind, index) => (kind === "number" ? [index] : []));
  return rows.some((row) => years.some((index) => !isYear(row[index])));
}

/** The kind of at least nine out of ten values. */
function kindBelow(values: readonly string[]): Kind {
  const kinds = values.map(kindOf).filter((kind) => kind !== "blank");
  if (kinds.length === 0) return "blank";
  for (const kind of ["number", "boolean", "timestamp"] as const) {
    if (kinds.filter((one) => one === kind).length >= kinds.length * 0.9) return kind;
  }
  return "text";
}

/** Unique names of columns as they can be shown and saved, from the texts of a header. */
export function namesOf(header: readonly string[]): { names: string[]; repeated: string[] } {
  const used = new Set<string>();
  // A hostile file may repeat one name a hundred thousand times: the search goes on behind the last number.
  const counts = new Map<string, number>();
  const repeated: string[] = [];
  const unnamed = numbered(header.length);
  const names = header.map((cell, index) => {
    const base = cleanName(cell) || (unnamed[index] ?? "");
    let name = base;
    let count = counts.get(base.toLowerCase()) ?? 0;
    while (used.has(name.toLowerCase())) {
      count += 1;
      name = `${base}_${count}`;
    }
    if (name !== base) repeated.push(base);
    counts.set(base.toLowerCase(), count);
    used.add(name.toLowerCase());
    return name;
  });
  return { names, repeated };
}

const maxNameCharacters = 200;

/** A name in composed form, with one space for line breaks, tabs and control characters, of at most 200 characters. */
export const cleanName = (text: string): string => (isCleanName(text) ? text : cleaned(text));

/** Nearly all names are short and plain, and a hostile header has a hundred thousand of them. */
const isCleanName = (text: string): boolean => text.length <= maxNameCharacters && /^[!-~](?:[ -~]*[!-~])?$/.test(text);

const cleaned = (text: string): string =>
  Array.from(
    text
      .replaceAll(/\p{Cs}/gu, "\ufffd")
      .normalize("NFC")
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\ufeff]+/gu, " ")
      .trim(),
  )
    .slice(0, maxNameCharacters)
    .join("")
    .trim();

/** The names that DuckDB gives unnamed columns. */
function numbered(width: number): string[] {
  const digits = String(width - 1).length;
  return Array.from({ length: width }, (_, index) => `column${String(index).padStart(digits, "0")}`);
}
