import type { ColumnType, Operator } from "./columns.ts";
import { beginsCalendar } from "./filter-calendar-reading.ts";
import { type FoundOperator, isSignCharacter, matchAt, operatorAt } from "./filter-words.ts";
import type { MoreOperator } from "./filters.ts";

/** A column, with the filters that may be typed about it. */
export interface TextColumn {
  readonly name: string;
  readonly type: ColumnType | "number";
  readonly unit?: string | undefined;
  readonly operators: readonly Operator[];
  /** Those beyond comparisons that its dataset takes for it, `any` for alternatives included. */
  readonly moreOperators: readonly MoreOperator[];
  /** Rows without a value can be asked for. */
  readonly canBeEmpty: boolean;
}

/** A part of a text, and what it says without its quotes. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface TypedValue extends Span {
  readonly isQuoted: boolean;
}

/** One condition as it is typed, with the parentheses around it and what joins it to the next one. */
export interface Clause {
  /** Parentheses that open before it, and that close after it. */
  readonly opens: number;
  readonly closes: number;
  readonly column: Span;
  readonly field: TextColumn | undefined;
  /** Null where no operator follows the column. */
  readonly condition: FoundOperator | null;
  /** One of most operators, two of a range, any number of a list, none of `is empty`. */
  readonly values: readonly TypedValue[];
  /** Text before the next separator that belongs to nothing. */
  readonly rest: string;
  readonly link: "and" | "or" | undefined;
  /** Start of the next clause; undefined after the last one. */
  readonly next: number | undefined;
}

/** Where a value ends, and what follows it. */
interface End {
  readonly from: number;
  readonly closes: number;
  /** Text after a closing parenthesis that is no separator. */
  readonly rest: string;
  readonly isComma: boolean;
  readonly link: Clause["link"];
  readonly next: number | undefined;
}

interface Reading {
  readonly text: string;
  readonly columns: readonly TextColumn[];
  /** The start of a column's name after a separator begins a condition as well. */
  readonly isTyping: boolean;
}

const separator = /(,)|\s(and|or)(?=[\s(]|$)/iy;
const separatorAfterClose = /\s*(?:(,)|(and|or)(?=[\s(]|$))/iy;
const rangeSeparator = /\sand(?=\s|$)/gi;

/** Splits a text into its conditions. */
export function clausesOf(text: string, columns: readonly TextColumn[], isTyping: boolean): Clause[] {
  const reading = { text, columns, isTyping };
  const clauses: Clause[] = [];
  let depth = 0;
  let from: number | undefined = 0;
  while (from !== undefined) {
    const clause: Clause = clauseAt(reading, from, depth);
    clauses.push(clause);
    depth += clause.opens - clause.closes;
    from = clause.next;
  }
  return clauses;
}

function clauseAt(reading: Reading, start: number, depthBefore: number): Clause {
  const { text, columns } = reading;
  let opens = 0;
  let from = afterBlanks(text, start);
  while (text.charAt(from) === "(" && knownAt(text, from, columns) === undefined) {
    opens += 1;
    from = afterBlanks(text, from + 1);
  }
  const depth = depthBefore + opens;
  const column = columnAt(text, from, columns);
  const field = columns.find(({ name }) => name === column.text) ?? columns.find(({ name }) => isSameName(name, column.text));
  const condition = operatorAt(text, afterBlanks(text, column.to));
  const clause = { opens, column, field, condition };
  if (!condition || condition.isEmpty) {
    const to = condition?.to ?? column.to;
    const end = endOf(reading, to, depth, afterNoText(reading));
    return { ...clause, ...after(end), values: [], rest: joinRest(text.slice(to, end.from), end.rest) };
  }
  const { operator } = condition;
  if (operator === "in" || operator === "not in") return { ...clause, ...listAt(reading, condition.to, depth, field) };
  if (operator === "between" || operator === "not between") return { ...clause, ...rangeAt(reading, condition.to, depth, field) };
  if (operator === "when" || operator === "not when") {
    return {
      ...clause,
      ...valueAt(reading, condition.to, depth, (isComma, rest) => (isComma ? beginsCondition(reading, rest) : !beginsCalendar(rest))),
    };
  }
  const isOfText = operator.endsWith("contains") || operator.endsWith("with");
  return { ...clause, ...valueAt(reading, condition.to, depth, isOfText ? afterText(reading) : accepting(reading, field)) };
}

type Accepts = (isComma: boolean, rest: string) => boolean;

/** A comma or "and" in a text is a separator only before another condition. */
const afterText =
  (reading: Reading): Accepts =>
  (_, rest) =>
    beginsClause(reading, rest);
const afterNoText =
  (reading: Reading): Accepts =>
  (_, rest) =>
    beginsClause(reading, rest) || !/^[+\-.]?\d/.test(rest);

const takesText = (field: TextColumn | undefined): boolean =>
  field === undefined || field.type === "STRING" || field.type.startsWith("TIMESTAMP");
const accepting = (reading: Reading, field: TextColumn | undefined): Accepts =>
  takesText(field) ? afterText(reading) : afterNoText(reading);

type Valued = Pick<Clause, "values" | "closes" | "rest" | "link" | "next">;

const after = ({ closes, link, next }: End): Pick<Clause, "closes" | "link" | "next"> => ({ closes, link, next });
const joinRest = (...texts: string[]): string =>
  texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join(" ");

function valueAt(reading: Reading, start: number, depth: number, accepts: Accepts): Valued {
  const { text } = reading;
  const from = afterBlanks(text, start);
  if (isQuote(text.charAt(from))) {
    const quoted = quotedAt(text, from);
    const end = endOf(reading, quoted.to, depth, afterNoText(reading));
    return { values: [{ ...quoted, isQuoted: true }], ...after(end), rest: joinRest(text.slice(quoted.to, end.from), end.rest) };
  }
  const end = endOf(reading, from, depth, accepts);
  return { values: [{ from, to: end.from, text: text.slice(from, end.from).trim(), isQuoted: false }], ...after(end), rest: end.rest };
}

function rangeAt(reading: Reading, start: number, depth: number, field: TextColumn | undefined): Valued {
  const { text } = reading;
  const from = afterBlanks(text, start);
  const quoted = isQuote(text.charAt(from)) ? quotedAt(text, from) : undefined;
  rangeSeparator.lastIndex = quoted?.to ?? from;
  const found = rangeSeparator.exec(text);
  const lowEnd = found?.index ?? text.length;
  const low = quoted ? { ...quoted, isQuoted: true } : { from, to: lowEnd, text: text.slice(from, lowEnd).trim(), isQuoted: false };
  const rest = quoted ? text.slice(quoted.to, lowEnd) : "";
  if (!found) return { values: [low], closes: 0, rest: rest.trim(), link: undefined, next: undefined };
  const high = valueAt(reading, found.index + found[0].length, depth, accepting(reading, field));
  return { ...high, values: [low, ...high.values], rest: joinRest(rest, high.rest) };
}

function listAt(reading: Reading, start: number, depth: number, field: TextColumn | undefined): Valued {
  const { text } = reading;
  const first = afterBlanks(text, start);
  const isBracketed = text.charAt(first) === "(";
  const inner = isBracketed ? depth + 1 : depth;
  const accepts: Accepts = (isComma, rest) => isComma || accepting(reading, field)(isComma, rest);
  const values: TypedValue[] = [];
  let from = afterBlanks(text, isBracketed ? first + 1 : first);
  for (;;) {
    const quoted = isQuote(text.charAt(from)) ? quotedAt(text, from) : undefined;
    const end = endOf(
      reading,
      quoted?.to ?? from,
      inner,
      quoted ? (isComma, rest) => isComma || afterNoText(reading)(isComma, rest) : accepts,
    );
    if (quoted) values.push({ ...quoted, isQuoted: true });
    else values.push({ from, to: end.from, text: text.slice(from, end.from).trim(), isQuoted: false });
    const rest = joinRest(quoted ? text.slice(quoted.to, end.from) : "", end.rest);
    const goesOn = end.isComma && end.closes === 0 && end.next !== undefined && !beginsCondition(reading, text.slice(end.next).trim());
    if (rest === "" && goesOn) {
      from = afterBlanks(text, end.next ?? text.length);
      continue;
    }
    return { values, ...after(end), closes: isBracketed ? Math.max(0, end.closes - 1) : end.closes, rest };
  }
}

/** The end of a value that begins at `from`: at a separator that is accepted, at a parenthesis that closes one before it, or at the end. */
function endOf({ text }: Reading, from: number, depth: number, accepts: Accepts): End {
  let open = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === ")" && open === 0 && depth > 0) return closedAt(text, at, depth);
    if (character === "(") open += 1;
    if (character === ")") open = Math.max(0, open - 1);
    const found = matchAt(separator, text, at);
    if (!found) continue;
    const to = at + found[0].length;
    const isComma = found[1] !== undefined;
    const rest = text.slice(to).trim();
    if (rest === "" ? isComma || text.length > to : accepts(isComma, rest)) {
      return { from: at, closes: 0, rest: "", isComma, link: linkOf(found[2]), next: to };
    }
  }
  return { from: text.length, closes: 0, rest: "", isComma: false, link: undefined, next: undefined };
}

function closedAt(text: string, from: number, depth: number): End {
  let closes = 0;
  let to = from;
  while (text.charAt(to) === ")" && closes < depth) {
    closes += 1;
    to = afterBlanks(text, to + 1);
  }
  const found = matchAt(separatorAfterClose, text, to);
  const next = found ? to + found[0].length : undefined;
  const isComma = found?.[1] !== undefined;
  return { from, closes, rest: found ? "" : text.slice(to).trim(), isComma, link: found ? linkOf(found[2]) : undefined, next };
}

const linkOf = (word: string | undefined): "and" | "or" => (word?.toLowerCase() === "or" ? "or" : "and");

const isQuote = (character: string): boolean => character === '"' || character === "'";

/** The longest of the columns' names, spaces included, that a word of the text is. */
function knownAt(text: string, from: number, columns: readonly TextColumn[]): string | undefined {
  return columns
    .map(({ name }) => ({ name, typed: text.slice(from, from + name.length) }))
    .filter(({ name, typed }) => typed !== "" && isSameName(typed, name) && endsWord(text.charAt(from + typed.length)))
    .toSorted((one, other) => other.typed.length - one.typed.length)[0]?.typed;
}

/** A known name, or a text in quotes, or else the next word. A name wins over an operator that reads alike. */
function columnAt(text: string, from: number, columns: readonly TextColumn[]): Span {
  if (isQuote(text.charAt(from))) return quotedAt(text, from);
  const word = knownAt(text, from, columns) ?? wordAt(text, from);
  return { from, to: from + word.length, text: word };
}

const endsWord = (character: string): boolean => /^[\s,()]?$/.test(character) || isSignCharacter(character);

function wordAt(text: string, from: number): string {
  let to = from;
  while (!endsWord(text.charAt(to))) to += 1;
  return text.slice(from, to);
}

/** A quoted text; its quotes are doubled inside. Without an end, it reaches to the end of the text. */
function quotedAt(text: string, from: number): Span {
  const quote = text.charAt(from);
  let content = "";
  for (let at = from + 1; at < text.length; at += 1) {
    if (text.charAt(at) !== quote) content += text.charAt(at);
    else if (text.charAt(at + 1) === quote) {
      content += quote;
      at += 1;
    } else return { from, to: at + 1, text: content };
  }
  return { from, to: text.length, text: content };
}

/** Whether a text begins with a condition: a column of the dataset and an operator, or any word and a sign. */
function beginsCondition({ columns }: Reading, rest: string): boolean {
  const from = /^[(\s]*/.exec(rest)?.[0].length ?? 0;
  if (startsClause(rest.slice(from))) return true;
  const known = knownAt(rest, from, columns);
  return known !== undefined && operatorAt(rest, afterBlanks(rest, from + known.length)) !== null;
}

/** The same, where a column alone is enough to tell what is missing. */
export function beginsClause(reading: Reading, rest: string): boolean {
  if (beginsCondition(reading, rest)) return true;
  const text = rest.replace(/^[(\s]+/, "");
  return reading.columns.some(({ name }) =>
    isSameName(text.slice(0, name.length), name)
      ? endsWord(text.charAt(name.length)) && (reading.isTyping || text.length > name.length)
      : reading.isTyping && text !== "" && isSameName(name.slice(0, text.length), text),
  );
}

/** Whether a text begins with a word and an operator that is a sign, or with a text in quotes and any operator. */
function startsClause(text: string): boolean {
  if (isQuote(text.charAt(0))) return operatorAt(text, afterBlanks(text, quotedAt(text, 0).to)) !== null;
  const word = wordAt(text, 0);
  if (word === "" || /["']/.test(word)) return false;
  const rest = text.slice(word.length);
  return isSignCharacter(rest.trimStart().charAt(0)) || /^\s+is\s/i.test(rest);
}

export const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export function afterBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charAt(at).trim() === "") at += 1;
  return at;
}
