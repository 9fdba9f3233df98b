import { type Operator, operator } from "@fairway/contract/columns";
import type { DatasetDescription, FieldFilter } from "@fairway/contract/datasets";
import { allowedOperators, availableFilters, columnFilter, filterableColumns, isLinked } from "#parts/search-model/filter-list.ts";
import { hasValue } from "#parts/search-model/search-data.ts";
import { alternativesHint, quotedListHint, quoteIfNeeded, severalValuesHint } from "./several-values.ts";
import { canBeEmpty, filterProblem, type FilterType, isNumberType, isTimeType, readFilter } from "./filter-value.ts";

/** Conditions that may be typed about one column. */
export interface TypedField {
  readonly name: string;
  readonly type: FilterType;
  /** Its values are whole days. */
  readonly day?: boolean | undefined;
  readonly description: string;
  readonly unit: string | undefined;
  readonly operators: readonly Operator[];
  readonly canBeEmpty: boolean;
}

/** A filter as typed: `null` as value for rows without one. */
interface TypedFilter {
  readonly name: string;
  readonly operator: Operator;
  readonly value: string | null;
}

/** Upper bound on the length of a typed text. */
export const maxTypedCharacters = 2_000;

const isEditable = (filter: FieldFilter): boolean => !filter.preFilled && !isLinked(filter);

/** The filters that a new condition may set, besides a new one on any column with advanced filtering. */
const settable = (description: DatasetDescription, filters: readonly FieldFilter[]): FieldFilter[] => [
  ...filters.filter(isEditable),
  ...availableFilters(description, filters),
];

/** The columns that filters can be typed for, with what their filters allow. */
export function typedFields(description: DatasetDescription, filters: readonly FieldFilter[]): TypedField[] {
  const unitOf = (name: string) => description.schema.columns.find((column) => column.name === name)?.unit;
  const columns = description.filterSupport.supportsAdvancedFiltering
    ? filterableColumns(description).map((column) => columnFilter(column, []))
    : [];
  const offered = [...columns, ...settable(description, filters)];
  const names = [...new Set(offered.map(({ name }) => name))];
  return names.map((name) => {
    const all = offered.filter((filter) => filter.name === name);
    const [first] = all;
    return {
      name,
      type: first?.type ?? "STRING",
      day: first?.day,
      description: first?.description ?? "",
      unit: unitOf(name),
      operators: operator.options.filter((one) => all.some((filter) => allowedOperators(filter).includes(one))),
      canBeEmpty: all.some(canBeEmpty),
    };
  });
}

/** The part of a text that is typed at its end. `from` is where that part starts. */
export type TypingStage =
  | { readonly kind: "column"; readonly from: number; readonly typed: string }
  | { readonly kind: "operator"; readonly from: number; readonly typed: string; readonly field: TypedField }
  | {
      readonly kind: "value";
      readonly clauseFrom: number;
      readonly from: number;
      readonly typed: string;
      readonly field: TypedField;
      readonly operator: Operator;
    }
  | { readonly kind: "done" };

interface Clause {
  readonly column: Span;
  readonly field: TypedField | undefined;
  /** Null where no operator follows the column. */
  readonly condition: (Span & { readonly operator: Operator; readonly isEmpty: boolean }) | null;
  readonly value: Span & { readonly isQuoted: boolean };
  /** Text between the value and the next separator, which belongs to nothing. */
  readonly rest: string;
  /** Start of the next clause; undefined after the last one. */
  readonly next: number | undefined;
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** How each operator may be typed. */
const spellings: Readonly<Record<Operator, readonly string[]>> = {
  "=": ["=", "=="],
  "<>": ["<>", "!=", "≠"],
  "<": ["<"],
  "<=": ["<=", "≤"],
  ">": [">"],
  ">=": [">=", "≥"],
};
/** The longest first: `<=` also begins with `<`. */
const signs = operator.options
  .flatMap((one) => spellings[one].map((spelling) => ({ operator: one, spelling })))
  .toSorted((one, other) => other.spelling.length - one.spelling.length);
const signCharacters = new Set(signs.flatMap(({ spelling }) => Array.from(spelling)));
const emptyText = /is\s+(not\s+)?empty(?![\p{L}\p{N}_])/iuy;
const separator = /,|\sand(?=\s|$)/gi;

const endsWord = (rest: string): boolean => rest === "" || /^[\s,]/.test(rest) || signCharacters.has(rest.charAt(0));

function wordAt(text: string, from: number): string {
  let to = from;
  while (!endsWord(text.slice(to, to + 1))) to += 1;
  return text.slice(from, to);
}

/** Whether a text begins with a word and an operator. */
function startsClause(text: string): boolean {
  const word = wordAt(text, 0);
  if (word === "" || /["']/.test(word)) return false;
  const rest = text.slice(word.length);
  return signCharacters.has(rest.trimStart().charAt(0)) || /^\s+is\s/i.test(rest);
}

/** Splits a text into its conditions. With `isTyping`, the start of a column's name after a separator begins a condition as well. */
function clausesOf(text: string, fields: readonly TypedField[], isTyping: boolean): Clause[] {
  const clauses: Clause[] = [];
  let from: number | undefined = 0;
  while (from !== undefined) {
    const clause = clauseAt(text, from, fields, isTyping);
    clauses.push(clause);
    from = clause.next;
  }
  return clauses;
}

function clauseAt(text: string, start: number, fields: readonly TypedField[], isTyping: boolean): Clause {
  const column = columnAt(text, afterBlanks(text, start), fields);
  const field = fields.find(({ name }) => name === column.text) ?? fields.find(({ name }) => isSameName(name, column.text));
  const condition = conditionAt(text, afterBlanks(text, column.to));
  const valueFrom = condition ? (condition.isEmpty ? condition.to : afterBlanks(text, condition.to)) : column.to;
  const isQuoted = condition !== null && !condition.isEmpty && /["']/.test(text.charAt(valueFrom));
  const quoted = isQuoted ? quotedAt(text, valueFrom) : undefined;
  const takesText =
    condition !== null && !condition.isEmpty && !isQuoted && (field === undefined || field.type === "STRING" || isTimeType(field.type));
  const end = separatorFrom(
    text,
    quoted?.to ?? valueFrom,
    (rest) => beginsClause(rest, fields, isTyping) || (!takesText && !/^\d/.test(rest)),
  );
  const typed = text.slice(quoted?.to ?? valueFrom, end.from).trim();
  const holdsValue = condition !== null && !condition.isEmpty && !quoted;
  return {
    column,
    field,
    condition,
    value: quoted ? { ...quoted, isQuoted: true } : { from: valueFrom, to: end.from, text: holdsValue ? typed : "", isQuoted: false },
    rest: holdsValue ? "" : typed,
    next: end.to,
  };
}

/** A known name, also one with spaces; otherwise the next word. */
function columnAt(text: string, from: number, fields: readonly TypedField[]): Span {
  if (/["']/.test(text.charAt(from))) return quotedAt(text, from);
  const known = fields
    .map(({ name }) => text.slice(from, from + name.length))
    .filter((typed, index) => isSameName(typed, fields[index]?.name ?? "") && endsWord(text.slice(from + typed.length)))
    .toSorted((a, b) => b.length - a.length)[0];
  const word = known ?? wordAt(text, from);
  return { from, to: from + word.length, text: word };
}

function conditionAt(text: string, from: number): Clause["condition"] {
  const sign = signs.find(({ spelling }) => text.startsWith(spelling, from));
  if (sign) return { from, to: from + sign.spelling.length, text: sign.spelling, operator: sign.operator, isEmpty: false };
  const empty = matchAt(emptyText, text, from);
  if (!empty) return null;
  return { from, to: from + empty[0].length, text: empty[0], operator: empty[1] === undefined ? "=" : "<>", isEmpty: true };
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

/** The first separator whose rest is accepted. A comma or "and" in a text is a separator only before another condition. */
function separatorFrom(text: string, from: number, accepts: (rest: string) => boolean): { from: number; to: number | undefined } {
  separator.lastIndex = from;
  for (let found = separator.exec(text); found; found = separator.exec(text)) {
    const to = found.index + found[0].length;
    const rest = text.slice(to).trim();
    if (rest === "" ? found[0] === "," || text.length > to : accepts(rest)) return { from: found.index, to };
  }
  return { from: text.length, to: undefined };
}

function beginsClause(rest: string, fields: readonly TypedField[], isTyping: boolean): boolean {
  if (startsClause(rest)) return true;
  return fields.some(({ name }) =>
    isSameName(rest.slice(0, name.length), name)
      ? endsWord(rest.slice(name.length)) && (isTyping || rest.length > name.length)
      : isTyping && isSameName(name.slice(0, rest.length), rest),
  );
}

const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

function afterBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charAt(at).trim() === "") at += 1;
  return at;
}

function matchAt(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

/** The part of a filter that the user is typing at the end of the text. */
export function typingStage(text: string, fields: readonly TypedField[]): TypingStage {
  const clause = clausesOf(text, fields, true).at(-1);
  if (!clause) return { kind: "done" };
  const { column, field, condition, value } = clause;
  const typed = text.slice(column.from);
  if (condition === null) {
    const afterColumn = text.slice(column.to);
    if (field && afterColumn.trimStart() !== afterColumn) {
      const from = afterBlanks(text, column.to);
      return { kind: "operator", field, from, typed: text.slice(from) };
    }
    return { kind: "column", from: column.from, typed };
  }
  if (!field || condition.isEmpty) return { kind: "done" };
  if (condition.to === text.length && operator.options.some((one) => one !== condition.text && one.startsWith(condition.text))) {
    return { kind: "operator", field, from: condition.from, typed: condition.text };
  }
  if (value.isQuoted && value.to === text.length && text.length > value.from + 1 && /["']$/.test(text)) return { kind: "done" };
  return { kind: "value", field, operator: condition.operator, clauseFrom: column.from, from: value.from, typed: value.text };
}

/** A text that reads like several values, and is one only if it occurs. */
interface DoubtfulValue {
  readonly name: string;
  readonly value: string;
  readonly hint: string;
}

type Parsed = { readonly filters: readonly TypedFilter[]; readonly doubtful: readonly DoubtfulValue[] } | { readonly problem: string };

/** Parses conditions such as `wind >= 64 and name is not empty`. A problem is worded for the user. */
export function parseTyped(text: string, fields: readonly TypedField[], description: DatasetDescription): Parsed {
  const clauses = clausesOf(text, fields, false);
  // A separator at the end.
  if (clauses.length > 1 && text.slice(clauses.at(-1)?.column.from).trim() === "") clauses.pop();
  const filters: TypedFilter[] = [];
  const doubtful: DoubtfulValue[] = [];
  for (const [index, clause] of clauses.entries()) {
    const problem = listProblem(clauses[index - 1], clause) ?? problemOf(clause, fields, description);
    if (problem !== undefined) return { problem };
    const { field, condition, value } = clause;
    if (!field || !condition) continue;
    const { name, type, unit } = field;
    const { operator: sign, isEmpty } = condition;
    filters.push({ name, operator: sign, value: isEmpty ? null : isNumberType(type) ? withoutUnit(value.text, unit) : value.text });
    if (isEmpty || value.isQuoted) continue;
    const hint = severalValuesHint({ name, operator: sign, type, text: value.text }, (rest) => beginsClause(rest, fields, false));
    if (hint === undefined) continue;
    if (type !== "STRING") return { problem: hint };
    doubtful.push({ name, value: value.text, hint });
  }
  return { filters, doubtful };
}

/** Advice for a list whose first value is in quotes: `name = "Rita", "Katrina"`. */
function listProblem(before: Clause | undefined, { column, field, condition }: Clause): string | undefined {
  if (!before?.field || !before.condition || !before.value.isQuoted || field || condition) return undefined;
  return quotedListHint(before.field.name, before.condition.operator, [before.value.text, column.text]);
}

/** `64 kt` and `5%` are numbers where the column has that unit. */
function withoutUnit(text: string, unit: string | undefined): string {
  if (unit === undefined || unit === "" || !text.toLowerCase().endsWith(unit.toLowerCase())) return text;
  const number = text.slice(0, -unit.length).trimEnd();
  return /[\d.]$/.test(number) ? number : text;
}

function problemOf({ column, field, condition, value, rest }: Clause, fields: readonly TypedField[], description: DatasetDescription) {
  if (column.text === "") return "Start with a column.";
  if (column.text.startsWith("(")) return `Parentheses are not supported. All conditions apply: separate them with "and".`;
  if (!field) return unknownColumn(column.text, fields, description);
  const { name, operators } = field;
  if (!condition) {
    const offered = field.canBeEmpty ? `${operators.join(" ")} or "is empty"` : operators.join(" ");
    const word = /^\S+/.exec(rest)?.[0];
    return word === undefined ? `Add an operator after ${name}: ${offered}.` : `'${word}' is not supported. ${name} takes ${offered}.`;
  }
  if (condition.isEmpty ? !field.canBeEmpty : !operators.includes(condition.operator)) {
    return `${name} can only be filtered with ${operators.join(" ")}.`;
  }
  if (rest !== "") return /^or\s/i.test(rest) ? alternativesHint : `Separate '${rest}' with "and".`;
  if (condition.isEmpty) return undefined;
  if (value.text.trim() !== "") return undefined;
  const emptyAdvice = field.canBeEmpty ? ` For rows without a value, type "${name} is empty".` : "";
  return `Add a value after ${name} ${condition.operator}.${emptyAdvice}`;
}

function unknownColumn(typed: string, fields: readonly TypedField[], { schema }: DatasetDescription): string {
  const column = schema.columns.find(({ name }) => isSameName(name, typed));
  if (column?.combined) return `${column.name} combines ${column.combined.fields.join(" and ")}. Filter by those.`;
  if (column) return `${column.name} can't be filtered. Choose one of ${fields.map(({ name }) => name).join(", ")}.`;
  const similar = similarName(typed, fields);
  return `There is no column ${typed}.${similar === undefined ? "" : ` Did you mean ${similar}?`}`;
}

/** The known name that takes the fewest changes, if they are few; otherwise one that contains the text. */
function similarName(typed: string, fields: readonly TypedField[]): string | undefined {
  const text = typed.slice(0, 60).toLowerCase();
  const ranked = fields
    .map(({ name }) => ({ name, changes: changesBetween(text, name.toLowerCase()) }))
    .toSorted((a, b) => a.changes - b.changes);
  const [nearest] = ranked;
  if (nearest && nearest.changes <= Math.max(1, Math.floor(text.length / 3))) return nearest.name;
  return text.length < 3 ? undefined : fields.find(({ name }) => name.toLowerCase().includes(text))?.name;
}

/** Levenshtein distance. */
function changesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, character] of one.split("").entries()) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (character === other.charAt(at - 1) ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

type Applied = { readonly filters: readonly FieldFilter[]; readonly added: readonly FieldFilter[] } | { readonly problem: string };

/**
 * Adds typed filters. A field of the form that is empty and has the operator takes the value first. With `editedId`, the first one
 * replaces that filter. Values are parsed as they are sent.
 */
export function addTyped(
  description: DatasetDescription,
  current: readonly FieldFilter[],
  typed: readonly TypedFilter[],
  editedId?: string,
): Applied {
  let filters = [...current];
  const added: FieldFilter[] = [];
  for (const [index, setting] of typed.entries()) {
    const edited = index === 0 ? filters.find(({ id }) => id === editedId) : undefined;
    const isSameField = edited !== undefined && accepts(edited, setting);
    if (edited && !isSameField) filters = withoutFilter(filters, edited.id, description);
    const target = isSameField ? edited : targetOf(description, filters, setting);
    if (!target) return { problem: `${setting.name} can no longer be filtered with ${setting.operator}.` };
    const changed = { ...target, operator: setting.operator, value: setting.value };
    const problem = filterProblem(changed);
    if (problem !== undefined) return { problem };
    const filter = readFilter(changed);
    const isThere = filters.some(
      ({ id, name, operator: other, value }) =>
        id !== filter.id && name === filter.name && other === filter.operator && value === filter.value,
    );
    if (isThere && !edited) continue;
    added.push(filter);
    filters = filters.some(({ id }) => id === filter.id)
      ? filters.map((other) => (other.id === filter.id ? filter : other))
      : [...filters, filter];
  }
  return { filters, added };
}

/** Removes a filter; one of the dataset's own form is emptied. */
export function withoutFilter(filters: readonly FieldFilter[], id: string, { filterSupport }: DatasetDescription): FieldFilter[] {
  const isFixed = filterSupport.staticFilters.some((fixed) => fixed.id === id);
  return isFixed
    ? filters.map((filter) => (filter.id === id ? { ...filter, value: "" } : filter))
    : filters.filter((filter) => filter.id !== id);
}

const accepts = (filter: FieldFilter, { name, operator: sign, value }: TypedFilter): boolean =>
  filter.name === name && (value === null ? canBeEmpty(filter) : allowedOperators(filter).includes(sign));

function targetOf(description: DatasetDescription, filters: readonly FieldFilter[], setting: TypedFilter): FieldFilter | undefined {
  const fitting = settable(description, filters).filter((filter) => accepts(filter, setting));
  const unset = fitting.filter((filter) => !hasValue(filter));
  const match = unset.find((filter) => filter.operator === setting.operator);
  if (match) return match;
  const column = description.filterSupport.supportsAdvancedFiltering
    ? filterableColumns(description).find(({ name }) => name === setting.name)
    : undefined;
  // Without advanced filtering, a column has only the dataset's own filters.
  return column
    ? columnFilter(column, filters)
    : (unset[0] ?? fitting.find((filter) => filter.operator === setting.operator) ?? fitting[0]);
}

/** A filter as it would be typed. */
export function typedText({ name, operator: sign, type, value }: FieldFilter): string {
  if (value === null) return `${name} ${sign === "=" ? "is empty" : "is not empty"}`;
  const text = isTimeType(type)
    ? String(value)
        .replace(/\.000Z$/, "Z")
        .replace(/T00:00:00Z$/, "")
    : String(value);
  return `${name} ${sign} ${isNumberType(type) || type === "BOOLEAN" ? text : quoteIfNeeded(text)}`;
}
