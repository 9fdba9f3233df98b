import { formatCount } from "@fairway/contract/counts";
import type { TextLine } from "./text-lines.ts";

export interface CsvDialect {
  readonly delimiter: string;
  readonly quote: string;
  /** Precedes a quote within a quoted value; equals `quote` if quotes are doubled. */
  readonly escape: string;
  /** Number of values in a record. */
  readonly width: number;
  /** The line of the header, counted from 1; null if there is none. */
  readonly headerLine: number | null;
  /** Lines at the start that are no data, such as `sep=;`. */
  readonly skipLines: number;
}

/** The result of parsing a line, or several lines joined by a quoted value. */
export type CsvRecord =
  | {
      readonly kind: "row";
      readonly line: number;
      readonly values: readonly string[];
      readonly isShort: boolean;
      readonly isRecoded: boolean;
    }
  | { readonly kind: "unreadable"; readonly line: number; readonly reason: string; readonly text: string }
  | { readonly kind: "before-header"; readonly line: number; readonly text: string }
  | { readonly kind: "comment"; readonly line: number };

export const maxLineCharacters = 8_000_000;
/** A quoted value that spans more lines counts as unclosed. */
const maxJoinedLines = 1_000;

type CsvSyntax = Pick<CsvDialect, "delimiter" | "quote" | "escape">;

/** Lines of more values are no rows of any file that is read: a hostile one of 8 MB may hold as many. */
const maxFields = 20_000;

/**
 * The fields of one line, of a line of more than 20,000 the first 20,001. `open`: its last quoted value is not closed.
 */
export function splitFields(text: string, syntax: CsvSyntax): { fields: string[]; fault: "open" | "after-quote" | null } {
  const { delimiter, quote } = syntax;
  if (!text.includes(quote)) return { fields: text.split(delimiter, maxFields + 1), fault: null };
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    if (fields.length > maxFields) return { fields, fault: null };
    if (text[at] !== quote) {
      const next = text.indexOf(delimiter, at);
      fields.push(next < 0 ? text.slice(at) : text.slice(at, next));
      if (next < 0) return { fields, fault: null };
      at = next + delimiter.length;
      continue;
    }
    const { value, end } = quotedValue(text, at + 1, syntax);
    fields.push(value);
    if (end < 0) return { fields, fault: "open" };
    if (end >= text.length) return { fields, fault: null };
    if (!text.startsWith(delimiter, end)) return { fields, fault: "after-quote" };
    at = end + delimiter.length;
  }
}

/** A value up to its closing quote; `end` is the index after the quote, or negative if there is none. */
function quotedValue(text: string, start: number, { quote, escape }: CsvSyntax): { value: string; end: number } {
  let value = "";
  let from = start;
  for (;;) {
    const close = text.indexOf(quote, from);
    const escaped = escape === quote ? -1 : text.indexOf(escape, from);
    if (escaped >= 0 && (close < 0 || escaped < close)) {
      value += text.slice(from, escaped) + text.slice(escaped + 1, escaped + 2);
      from = escaped + 2;
      continue;
    }
    if (close < 0) return { value: value + text.slice(from), end: -1 };
    value += text.slice(from, close);
    from = close + 1;
    if (escape !== quote || text[from] !== quote) return { value, end: from };
    value += quote;
    from += 1;
  }
}

/**
 * Parses lines into records. A malformed line affects itself only: after a quote that is never closed, parsing resumes with the next line.
 */
export class CsvRecords {
  readonly #dialect: CsvDialect;
  #pending: TextLine[] = [];

  constructor(dialect: CsvDialect) {
    this.#dialect = dialect;
  }

  /** The records that these lines complete. */
  *push(lines: readonly TextLine[]): Generator<CsvRecord> {
    yield* this.#read([...this.#pending.splice(0), ...lines], false);
  }

  /** The remaining records at the end of the file. */
  *end(): Generator<CsvRecord> {
    yield* this.#read(this.#pending.splice(0), true);
  }

  *#read(lines: readonly TextLine[], isEnd: boolean): Generator<CsvRecord> {
    let at = 0;
    while (at < lines.length) {
      const joined = this.#join(lines, at);
      if (joined === "unfinished" && !isEnd) {
        this.#pending = lines.slice(at);
        return;
      }
      const line = lines[at];
      if (line === undefined) return;
      if (typeof joined === "string") {
        yield {
          kind: "unreadable",
          line: line.number,
          reason: joined === "after-quote" ? "text after a closing quote" : "a quote that is not closed",
          text: line.text,
        };
        at += 1;
      } else {
        const record = this.#record(line, joined.fields, lines.slice(at, at + joined.lines));
        if (record !== null) yield record;
        at += joined.lines;
      }
    }
  }

  /** The fields of the record that starts on a line, and the number of lines it spans. */
  #join(lines: readonly TextLine[], at: number): { fields: string[]; lines: number } | "unfinished" | "after-quote" | "open" {
    let text = lines[at]?.text ?? "";
    let { fields, fault } = splitFields(text, this.#dialect);
    if (fault === null) return { fields, lines: 1 };
    if (fault === "after-quote") return fault;
    let parts = [text];
    for (let count = 1; count <= maxJoinedLines; count += 1) {
      const [before, next] = [lines[at + count - 1], lines[at + count]];
      if (before === undefined || next === undefined) return "unfinished";
      parts.push(before.end, next.text);
      // Only a line with a quote can end the value.
      if (!next.text.includes(this.#dialect.quote)) continue;
      text = parts.join("");
      parts = [text];
      if (text.length > maxLineCharacters) return "open";
      ({ fields, fault } = splitFields(text, this.#dialect));
      if (fault === "after-quote") return "open";
      if (fault === null) return fields.length === this.#dialect.width ? { fields, lines: count + 1 } : "open";
    }
    return "open";
  }

  #record(line: TextLine, fields: readonly string[], lines: readonly TextLine[]): CsvRecord | null {
    const { width, headerLine, skipLines } = this.#dialect;
    const { number } = line;
    if (number <= skipLines) return null;
    const isBlank = fields.every((field) => field.trim() === "");
    if (isBlank && (fields.length === 1 || fields.length !== width)) return null;
    if (line.text.startsWith("#") && fields.length !== width) return { kind: "comment", line: number };
    if (headerLine !== null && number < headerLine) return { kind: "before-header", line: number, text: line.text };
    if (headerLine === number) return null;
    if (line.text.length > maxLineCharacters)
      return { kind: "unreadable", line: number, reason: "a line of more than 8,000,000 characters", text: line.text };
    const extra = fields.slice(width);
    if (extra.some((field) => field.trim() !== "")) {
      const count = fields.length > maxFields ? `more than ${formatCount(maxFields)}` : fields.length;
      return { kind: "unreadable", line: number, reason: `${count} values where ${width} are expected`, text: line.text };
    }
    // A line without any delimiter is a remark or a total rather than a row.
    if (fields.length === 1 && width > 2) {
      return { kind: "unreadable", line: number, reason: `1 value where ${width} are expected`, text: line.text };
    }
    const values = Array.from({ length: width }, (_, index) => fields[index] ?? "");
    return { kind: "row", line: number, values, isShort: fields.length < width, isRecoded: lines.some(({ isRecoded }) => isRecoded) };
  }
}
